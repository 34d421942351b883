"""Reviews that somebody put off to a day, in a table of its own; and an index of what was asked about reviews."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "postponements",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("review_id", sa.Text, primary_key=True),
        sa.Column("until", UtcDateTime, nullable=False),
        sa.Column("postponed_by", sa.Text, nullable=False),
    )
    op.create_index("ix_decisions_kind", "decisions", ["tenant", "kind", "review_id"])
