"""Memories may weigh less: what nobody uses ranks lower without being lost."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the weight, 1 for all there are."""
    op.add_column("memories", sa.Column("weight", sa.Float, nullable=False, server_default="1"))
