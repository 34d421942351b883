"""The house: threads, batches, invoices, ledger, reviews, audit log."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "threads",
        sa.Column("thread_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
    )
