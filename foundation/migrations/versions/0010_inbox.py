"""The page: passwords, API tokens, decisions that can still be called back."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of the page."""
    op.create_table(
        "credentials",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("changed_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "api_tokens",
        sa.Column("token_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("expires_at", UtcDateTime),
        sa.Column("revoked_at", UtcDateTime),
    )
    op.create_index("ux_api_tokens_digest", "api_tokens", ["digest"], unique=True)
    op.create_table(
        "scheduled_decisions",
        sa.Column("scheduled_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("review_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("edits", sa.Text, nullable=False),
        sa.Column("decided_by", sa.Text, nullable=False),
        sa.Column("via", sa.Text, nullable=False),
        sa.Column("bulk", sa.Text, nullable=False),
        sa.Column("seen", sa.Text, nullable=False),
        sa.Column("due_at", UtcDateTime, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
    )
    waiting = sa.text("status = 'scheduled'")
    op.create_index(
        "ux_scheduled_once",
        "scheduled_decisions",
        ["tenant", "review_id"],
        unique=True,
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_index("ix_scheduled_due", "scheduled_decisions", ["tenant", "status", "due_at"])
