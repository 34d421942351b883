"""Signals: which conversation named what, so that what comes up again is noticed."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of signals."""
    op.create_table(
        "memory_signals",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("signal", sa.Text, primary_key=True),
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("message_id", sa.Text, primary_key=True),
        sa.Column("said_at", UtcDateTime, nullable=False),
        sqlite_with_rowid=False,
    )
