"""Indexes that deletions need: what points to a memory is found without a walk over its pool, or over all pools.

Without the first, each deleted memory costs a scan of everybody's relations, for the foreign key's sake.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the indexes."""
    op.drop_index("ix_memory_relations_memory", "memory_relations")
    op.create_index("ix_memory_relations_memory_id", "memory_relations", ["memory_id"])
    for column in ("replaces", "replaced_by"):
        told = sa.text(f"{column} IS NOT NULL")
        op.create_index(f"ix_memories_{column}", "memories", ["pool", column], sqlite_where=told, postgresql_where=told)
