"""The tables of oversight: reviews, people and notices; the live feed, brakes, limits, proposals."""

from sqlalchemy import Boolean, Column, Date, Index, Integer, Numeric, Table, Text, text

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
    Column("batch", Text, nullable=False),
    Column("party", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("risk", Integer, nullable=False),
    Column("approvals_needed", Integer, nullable=False),
    Column("policy", Text, nullable=False),
    Column("forked_from", Text),
    Column("assignee", Text),
    Column("claimed_by", Text),
    Column("claimed_until", UtcDateTime),
    Column("due_at", UtcDateTime),
    Column("expires_at", UtcDateTime),
    Column("hops", Integer, nullable=False),
    Column("next_step_at", UtcDateTime),
    # The large one stands last: SQLite reads through it to whatever stands behind.
    Column("question", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("decision_id", Text),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("decided_at", UtcDateTime),
    Column("applied_at", UtcDateTime),
    Index("ix_reviews_queue", "tenant", "status", "amount"),
    Index("ix_reviews_risk", "tenant", "status", "risk", "amount", "review_id"),
    Index("ix_reviews_groups", "tenant", "status", "rule", "party", "currency", "risk", "amount"),
    Index("ix_reviews_steps", "tenant", "status", "next_step_at"),
    Index("ix_reviews_subject", "tenant", "subject"),
    Index("ix_reviews_applied", "tenant", "status", "applied_at", "review_id", "decision_id"),
)

review_reasons = Table(
    "review_reasons",
    metadata,
    Column("review_id", Text, primary_key=True),
    Column("rule", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Index("ix_review_reasons_rule", "tenant", "rule", "review_id"),
    Index("ix_review_reasons_kind", "tenant", "kind", "review_id"),
)

approvals = Table(
    "approvals",
    metadata,
    Column("review_id", Text, primary_key=True),
    Column("slate", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("behalf_of", Text, nullable=False),
    Column("decision_id", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
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
    Column("behalf_of", Text, nullable=False),
    Column("override", Boolean, nullable=False),
    Column("bypassed", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Index("ix_decisions_review", "review_id", "round"),
    Index("ix_decisions_kind", "tenant", "kind", "review_id"),
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

people = Table(
    "people",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("amount_limit", Numeric(18, 2)),
    Column("active", Boolean, nullable=False),
    Column("delegate_to", Text),
    Column("delegate_from", Date),
    Column("delegate_until", Date),
    Column("added_at", UtcDateTime, nullable=False),
    Index("ix_people_delegate", "tenant", "delegate_to"),
)

notices = Table(
    "notices",
    metadata,
    Column("notice_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("review_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Column("sent_at", UtcDateTime),
    Column("attempts", Integer, nullable=False),
    Column("error", Text, nullable=False),
    Index("ix_notices_pending", "sent_at", "due_at"),
    Index("ix_notices_review", "tenant", "review_id"),
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

precedents = Table(
    "precedents",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("rule", Text, primary_key=True),
    Column("party", Text, primary_key=True),
    Column("decision_id", Text, primary_key=True),
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

# Beside the reviews, not in them: the queue's counts go on reading nothing but an index.
postponements = Table(
    "postponements",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("review_id", Text, primary_key=True),
    Column("until", UtcDateTime, nullable=False),
    Column("postponed_by", Text, nullable=False),
)
