"""An index of what took effect, newest last: a sweep looks at the newest, without a walk over all there ever was."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_reviews_applied", "reviews", ["tenant", "status", "applied_at", "review_id", "decision_id"])
