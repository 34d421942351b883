"""An index of what the audit log is about: the history of one thing is found without a walk over the whole log."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_audit_log_subject", "audit_log", ["tenant", "subject", "seq"])
