"""Precedents: which decisions are looked up for which rule and party."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "precedents",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("rule", sa.Text, primary_key=True),
        sa.Column("party", sa.Text, primary_key=True),
        sa.Column("decision_id", sa.Text, primary_key=True),
    )
