"""Degrees of oversight: the live feed, brakes, changed limits, runs and their tallies, samples, rule proposals."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    _watching()
    _steering()
    _learning()


def _watching() -> None:
    op.create_table(
        "feed_events",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("batch", sa.Text, nullable=False),
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_index("ix_feed_batch", "feed_events", ["tenant", "batch", "seq"])
    op.create_table(
        "feed_heads",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "samples",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("batch", sa.Text, nullable=False),
        sa.Column("one_in", sa.Integer, nullable=False),
        sa.Column("taken_at", UtcDateTime, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False),
    )
    op.create_index("ix_samples_batch", "samples", ["tenant", "batch"])


def _steering() -> None:
    op.create_table(
        "brakes",
        sa.Column("brake_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("pulled_by", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("automatic", sa.Boolean, nullable=False),
        sa.Column("pulled_at", UtcDateTime, nullable=False),
        sa.Column("released_by", sa.Text),
        sa.Column("released_why", sa.Text),
        sa.Column("released_at", UtcDateTime),
    )
    on = sa.text("released_at IS NULL")
    op.create_index("ux_brakes_on", "brakes", ["tenant", "scope"], unique=True, sqlite_where=on, postgresql_where=on)
    op.create_table(
        "limit_changes",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("set_by", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("set_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("batch", sa.Text, primary_key=True),
        sa.Column("degree", sa.Text, nullable=False),
        sa.Column("actions", sa.Integer, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("booked", sa.Integer, nullable=False),
        sa.Column("money", sa.Text, nullable=False),
        sa.Column("loss", sa.Text, nullable=False),
        sa.Column("ended_why", sa.Text, nullable=False),
        sa.Column("ended_at", UtcDateTime),
    )


def _learning() -> None:
    op.create_table(
        "remembered_decisions",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("decision_id", sa.Text, primary_key=True),
        sa.Column("memory_id", sa.Text, nullable=False),
        sa.Column("remembered_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "rule_proposals",
        sa.Column("proposal_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("party", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("proposed_at", UtcDateTime, nullable=False),
        sa.Column("decided_by", sa.Text),
        sa.Column("why", sa.Text),
        sa.Column("decided_at", UtcDateTime),
    )
    op.create_index("ix_rule_proposals_status", "rule_proposals", ["tenant", "status"])
