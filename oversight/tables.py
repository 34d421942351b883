"""The tables of reviews: questions put to people, and what they answered."""

from sqlalchemy import Boolean, Column, Index, Integer, Numeric, Table, Text

from foundation.database import UtcDateTime, metadata

reviews = Table(
    "reviews",
    metadata,
    Column("review_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("headline", Text, nullable=False),
    Column("amount", Numeric(18, 2), nullable=False),
    Column("currency", Text, nullable=False),
    Column("submitter", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("decision_id", Text),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("decided_at", UtcDateTime),
    Column("applied_at", UtcDateTime),
    Index("ix_reviews_queue", "tenant", "status", "amount"),
    Index("ix_reviews_subject", "tenant", "subject"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("decision_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("review_id", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("edits", Text, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("via", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("refused", Text, nullable=False),
    Index("ix_decisions_review", "review_id", "round"),
)

threads = Table(
    "threads",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
)
