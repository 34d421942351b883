"""Relations: entities, and edges that memories tell."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of relations."""
    op.create_table(
        "memory_entities",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("entity", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "memory_relations",
        sa.Column("pool", sa.Text, primary_key=True),
        sa.Column("near", sa.Text, primary_key=True),
        sa.Column("far", sa.Text, primary_key=True),
        sa.Column("relation", sa.Text, primary_key=True),
        sa.Column("memory_id", sa.Text, sa.ForeignKey("memories.memory_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("forward", sa.Boolean, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_relations_memory", "memory_relations", ["pool", "memory_id"])
