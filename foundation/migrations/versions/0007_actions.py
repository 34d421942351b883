"""What the assistant does: each action once, by its key."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of actions."""
    op.create_table(
        "actions",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("tenant", "action_key")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("thread_id", "turn", "owner", "name", "args")),
        sa.Column("signature", sa.Text, nullable=False),
        sa.Column("irreversible", sa.Boolean, nullable=False),
        sa.Column("amount", sa.Numeric(18, 2)),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("status", "result")),
        sa.Column("decision_id", sa.Text),
        sa.Column("decided_by", sa.Text, nullable=False),
        sa.Column("proposed_at", UtcDateTime, nullable=False),
        sa.Column("ended_at", UtcDateTime),
    )
    op.create_index("ix_actions_same", "actions", ["tenant", "thread_id", "signature"])
    op.create_index("ix_actions_spent", "actions", ["tenant", "owner", "proposed_at"])
    op.create_index("ix_actions_status", "actions", ["tenant", "status"])
