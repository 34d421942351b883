"""The tables of memory. One current row a memory; whatever is derived (postings, vectors) stands beside it.

`pool` is `Scope.pool`, and every index that a question uses begins with it, so its cost depends on one's own rows only.
"""

import sqlalchemy as sa

from foundation.database import UtcDateTime, metadata

memories = sa.Table(
    "memories",
    metadata,
    sa.Column("memory_id", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("topic", sa.Text, nullable=False, server_default=""),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("category", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("content_key", sa.Text, nullable=False),
    sa.Column("subject", sa.Text),
    sa.Column("attribute", sa.Text),
    sa.Column("value", sa.Text),
    sa.Column("polarity", sa.Boolean, nullable=False),
    sa.Column("importance", sa.Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("valid_from", UtcDateTime),
    sa.Column("valid_to", UtcDateTime),
    sa.Column("recorded_at", UtcDateTime, nullable=False),
    sa.Column("retired_at", UtcDateTime),
    sa.Column("last_accessed_at", UtcDateTime),
    sa.Column("access_count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("expires_at", UtcDateTime),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("replaced_by", sa.Text),
    sa.Column("replaces", sa.Text),
    sa.Column("rule", sa.Text, nullable=False),
    sa.Column("episode", sa.JSON(none_as_null=True)),
    sa.Column("weight", sa.Float, nullable=False, server_default="1"),
)
sa.Index("ix_memories_pool_status", memories.c.pool, memories.c.status, memories.c.recorded_at)
sa.Index("ix_memories_pool_expires_at", memories.c.pool, memories.c.expires_at)
sa.Index("ix_memories_pool_slot", memories.c.pool, memories.c.subject, memories.c.attribute)
sa.Index(
    "uq_memories_current",
    memories.c.pool,
    memories.c.topic,
    memories.c.content_key,
    unique=True,
    sqlite_where=memories.c.status == "current",
    postgresql_where=memories.c.status == "current",
)

for _link in (memories.c.replaces, memories.c.replaced_by):
    _told = _link.is_not(None)
    sa.Index(f"ix_memories_{_link.name}", memories.c.pool, _link, sqlite_where=_told, postgresql_where=_told)

sources = sa.Table(
    "memory_sources",
    metadata,
    sa.Column("memory_id", sa.Text, sa.ForeignKey("memories.memory_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("thread_id", sa.Text, primary_key=True),
    sa.Column("message_id", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("quote", sa.Text, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("said_at", UtcDateTime, nullable=False),
)
sa.Index("ix_memory_sources_message", sources.c.pool, sources.c.thread_id, sources.c.message_id)

events = sa.Table(
    "memory_events",
    metadata,
    sa.Column("event_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("memory_id", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("rule", sa.Text, nullable=False),
    sa.Column("before", sa.Text),
    sa.Column("after", sa.Text),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
)
sa.Index("ix_memory_events_memory", events.c.pool, events.c.memory_id)

pools = sa.Table(
    "memory_pools",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("documents", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tokens", sa.Integer, nullable=False, server_default="0"),
    sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tokenizer", sa.Text, nullable=False, server_default=""),
)

postings = sa.Table(
    "memory_postings",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("frequency", sa.Integer, nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
sa.Index("ix_memory_postings_document", postings.c.pool, postings.c.document)

vectors = sa.Table(
    "memory_vectors",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("text_key", sa.Text, nullable=False),
    sa.Column("current", sa.Boolean, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
)
sa.Index("ix_memory_vectors_text_key", vectors.c.pool, vectors.c.text_key)

entities = sa.Table(
    "memory_entities",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("entity", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

relations = sa.Table(
    "memory_relations",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("near", sa.Text, primary_key=True),
    sa.Column("far", sa.Text, primary_key=True),
    sa.Column("relation", sa.Text, primary_key=True),
    sa.Column("memory_id", sa.Text, sa.ForeignKey("memories.memory_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("forward", sa.Boolean, primary_key=True),
    sqlite_with_rowid=False,
)
# Without the pool, for the foreign key: a deleted memory's relations are looked for by its id alone.
sa.Index("ix_memory_relations_memory_id", relations.c.memory_id)

signals = sa.Table(
    "memory_signals",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("signal", sa.Text, primary_key=True),
    sa.Column("thread_id", sa.Text, primary_key=True),
    sa.Column("message_id", sa.Text, primary_key=True),
    sa.Column("said_at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)

vector_outbox = sa.Table(
    "vector_outbox",
    metadata,
    sa.Column("entry_id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("due_at", UtcDateTime, nullable=False),
    sa.Column("error", sa.Text, nullable=False, server_default=""),
)
sa.Index("ix_vector_outbox_due_at", vector_outbox.c.due_at)
sa.Index("ix_vector_outbox_document", vector_outbox.c.pool, vector_outbox.c.document)

transcript = sa.Table(
    "transcript",
    metadata,
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("thread_id", sa.Text, primary_key=True),
    sa.Column("message_id", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
    sa.Column("recorded_at", UtcDateTime, nullable=False),
    sa.Column("extracted_at", UtcDateTime),
)
sa.Index("ix_transcript_extracted", transcript.c.pool, transcript.c.extracted_at)
sa.Index("ix_transcript_created", transcript.c.pool, transcript.c.created_at)

NAMESPACE_END = "\x1f"
"""Ends each part of a namespace of `store_items`."""


def store_pool(namespace: str) -> str:
    """The pool under which the index of a namespace of `store_items` lies."""
    return f"store:{namespace}"


store_items = sa.Table(
    "store_items",
    metadata,
    sa.Column("namespace", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
    sa.Column("expires_at", UtcDateTime),
    sa.Column("ttl_minutes", sa.Float),
)
sa.Index("ix_store_items_expires_at", store_items.c.expires_at)

legal_holds = sa.Table(
    "legal_holds",
    metadata,
    sa.Column("hold_id", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("placed_by", sa.Text, nullable=False),
    sa.Column("placed_at", UtcDateTime, nullable=False),
    sa.Column("until", UtcDateTime),
    sa.Column("lifted_at", UtcDateTime),
)
sa.Index("ix_legal_holds_pool", legal_holds.c.pool)

erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("erasure_id", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("subjects", sa.JSON(none_as_null=True), nullable=False),
    sa.Column("asked_at", UtcDateTime, nullable=False),
    sa.Column("texts", sa.JSON(none_as_null=True)),
)
sa.Index("ix_erasures_pool", erasures.c.pool)

known_files = sa.Table(
    "known_files",
    metadata,
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("of_pool", sa.Text, nullable=False),
    sa.Column("made_at", UtcDateTime, nullable=False),
)
