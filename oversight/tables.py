"""The tables of oversight: questions put to people and what they answered; the live feed, brakes, limits, proposals."""

from sqlalchemy import Boolean, Column, Index, Integer, Numeric, Table, Text, text

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

feed_events = Table(
    "feed_events",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("batch", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Index("ix_feed_batch", "tenant", "batch", "seq"),
)

feed_heads = Table(
    "feed_heads",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
)

brakes = Table(
    "brakes",
    metadata,
    Column("brake_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("pulled_by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("pulled_at", UtcDateTime, nullable=False),
    Column("released_by", Text),
    Column("released_why", Text),
    Column("released_at", UtcDateTime),
    Index(
        "ux_brakes_on",
        "tenant",
        "scope",
        unique=True,
        sqlite_where=text("released_at IS NULL"),
        postgresql_where=text("released_at IS NULL"),
    ),
)

limit_changes = Table(
    "limit_changes",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("scope", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("set_by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("set_at", UtcDateTime, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("batch", Text, primary_key=True),
    Column("degree", Text, nullable=False),
    Column("actions", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("booked", Integer, nullable=False),
    Column("money", Text, nullable=False),
    Column("loss", Text, nullable=False),
    Column("ended_why", Text, nullable=False),
    Column("ended_at", UtcDateTime),
)

samples = Table(
    "samples",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("batch", Text, nullable=False),
    Column("one_in", Integer, nullable=False),
    Column("taken_at", UtcDateTime, nullable=False),
    Column("settled", Boolean, nullable=False),
    Index("ix_samples_batch", "tenant", "batch"),
)

remembered_decisions = Table(
    "remembered_decisions",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("decision_id", Text, primary_key=True),
    Column("memory_id", Text, nullable=False),
    Column("remembered_at", UtcDateTime, nullable=False),
)

rule_proposals = Table(
    "rule_proposals",
    metadata,
    Column("proposal_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("party", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("proposed_at", UtcDateTime, nullable=False),
    Column("decided_by", Text),
    Column("why", Text),
    Column("decided_at", UtcDateTime),
    Index("ix_rule_proposals_status", "tenant", "status"),
)

actions = Table(
    "actions",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("action_key", Text, primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("args", Text, nullable=False),
    Column("signature", Text, nullable=False),
    Column("irreversible", Boolean, nullable=False),
    Column("amount", Numeric(18, 2)),
    Column("status", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("decision_id", Text),
    Column("decided_by", Text, nullable=False),
    Column("proposed_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Index("ix_actions_same", "tenant", "thread_id", "signature"),
    Index("ix_actions_spent", "tenant", "owner", "proposed_at"),
    Index("ix_actions_status", "tenant", "status"),
)
