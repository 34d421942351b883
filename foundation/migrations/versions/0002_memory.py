"""Long-term memory: memories, their sources and history, postings, vectors, transcript."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of memory."""
    op.create_table(
        "memories",
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
    )
    op.create_index("ix_memories_pool_status", "memories", ["pool", "status", "recorded_at"])
    op.create_index("ix_memories_pool_expires_at", "memories", ["pool", "expires_at"])
    op.create_index("ix_memories_pool_slot", "memories", ["pool", "subject", "attribute"])
    op.create_index(
        "uq_memories_current",
        "memories",
        ["pool", "topic", "content_key"],
        unique=True,
        sqlite_where=sa.text("status = 'current'"),
        postgresql_where=sa.text("status = 'current'"),
    )

    op.create_table(
        "memory_sources",
        sa.Column("memory_id", sa.Text, sa.ForeignKey("memories.memory_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("message_id", sa.Text, primary_key=True),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("speaker", sa.Text, nullable=False),
        sa.Column("said_at", UtcDateTime, nullable=False),
    )
    op.create_index("ix_memory_sources_message", "memory_sources", ["pool", "thread_id", "message_id"])

    op.create_table(
        "memory_events",
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
    op.create_index("ix_memory_events_memory", "memory_events", ["pool", "memory_id"])

    op.create_table(
        "memory_pools",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("documents", sa.Integer, nullable=False, server_default="0"),
        sa.Column("tokens", sa.Integer, nullable=False, server_default="0"),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.Column("tokenizer", sa.Text, nullable=False, server_default=""),
    )

    op.create_table(
        "memory_postings",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("token", sa.Text, primary_key=True),
        sa.Column("document", sa.Text, primary_key=True),
        sa.Column("frequency", sa.Integer, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_postings_document", "memory_postings", ["pool", "document"])

    op.create_table(
        "memory_vectors",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("document", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("text_key", sa.Text, nullable=False),
        sa.Column("current", sa.Boolean, nullable=False),
        sa.Column("vector", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_memory_vectors_text_key", "memory_vectors", ["pool", "text_key"])

    op.create_table(
        "vector_outbox",
        sa.Column("entry_id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due_at", UtcDateTime, nullable=False),
        sa.Column("error", sa.Text, nullable=False, server_default=""),
    )
    op.create_index("ix_vector_outbox_due_at", "vector_outbox", ["due_at"])
    op.create_index("ix_vector_outbox_document", "vector_outbox", ["pool", "document"])

    op.create_table(
        "transcript",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("message_id", sa.Text, primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("recorded_at", UtcDateTime, nullable=False),
        sa.Column("extracted_at", UtcDateTime),
    )
    op.create_index("ix_transcript_extracted", "transcript", ["pool", "extracted_at"])
    op.create_index("ix_transcript_created", "transcript", ["pool", "created_at"])

    op.create_table(
        "store_items",
        sa.Column("namespace", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("updated_at", UtcDateTime, nullable=False),
        sa.Column("expires_at", UtcDateTime),
        sa.Column("ttl_minutes", sa.Float),
    )
    op.create_index("ix_store_items_expires_at", "store_items", ["expires_at"])
