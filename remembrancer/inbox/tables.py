"""The page's own tables: passwords, API tokens, and decisions that can still be called back."""

from sqlalchemy import Column, Index, Table, Text, text

from foundation.database import UtcDateTime, metadata

credentials = Table(
    "credentials",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("password", Text, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("token_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
    Index("ux_api_tokens_digest", "digest", unique=True),
)

scheduled_decisions = Table(
    "scheduled_decisions",
    metadata,
    Column("scheduled_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("review_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("edits", Text, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("via", Text, nullable=False),
    Column("bulk", Text, nullable=False),
    Column("seen", Text, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("status", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Index(
        "ux_scheduled_once",
        "tenant",
        "review_id",
        unique=True,
        sqlite_where=text("status = 'scheduled'"),
        postgresql_where=text("status = 'scheduled'"),
    ),
    Index("ix_scheduled_due", "tenant", "status", "due_at"),
)
