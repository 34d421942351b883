"""Forgetting for good: legal holds, and erasures that are still to be finished outside the rows of memory."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of holds, erasures, and files that the program wrote outside its home."""
    op.create_table(
        "legal_holds",
        sa.Column("hold_id", sa.Text, primary_key=True),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("placed_by", sa.Text, nullable=False),
        sa.Column("placed_at", UtcDateTime, nullable=False),
        sa.Column("until", UtcDateTime),
        sa.Column("lifted_at", UtcDateTime),
    )
    op.create_index("ix_legal_holds_pool", "legal_holds", ["pool"])
    op.create_table(
        "erasures",
        sa.Column("erasure_id", sa.Text, primary_key=True),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("subjects", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("asked_at", UtcDateTime, nullable=False),
        sa.Column("texts", sa.JSON(none_as_null=True)),
    )
    op.create_index("ix_erasures_pool", "erasures", ["pool"])
    op.create_table(
        "known_files",
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("of_pool", sa.Text, nullable=False),
        sa.Column("made_at", UtcDateTime, nullable=False),
    )
