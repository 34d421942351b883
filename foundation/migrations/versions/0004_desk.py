"""The reviewers' desk: people, the queue's columns, second approvals, notices."""

import json
from typing import Any, Literal

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_MIDDLE = "2"


def upgrade() -> None:
    """Create the desk's tables and put what the queue sorts and filters by beside each review."""
    _reviews()
    _decisions()
    _people()
    _notices()
    with op.batch_alter_table("batches") as batches:
        batches.add_column(sa.Column("policy_file", sa.Text, nullable=False, server_default=""))
    _fill()


def _reviews() -> None:
    columns = (
        _text("batch"),
        _text("party"),
        _text("audience", "role:reviewer"),
        _text("rule"),
        sa.Column("risk", sa.Integer, nullable=False, server_default=_MIDDLE),
        sa.Column("approvals_needed", sa.Integer, nullable=False, server_default="1"),
        _text("policy"),
        sa.Column("forked_from", sa.Text),
        sa.Column("assignee", sa.Text),
        sa.Column("claimed_by", sa.Text),
        sa.Column("claimed_until", UtcDateTime),
        sa.Column("due_at", UtcDateTime),
        sa.Column("expires_at", UtcDateTime),
        sa.Column("hops", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next_step_at", UtcDateTime),
    )
    # Rebuilt in SQLite, so that the small columns stand before the large one.
    rebuild: Literal["always", "never"] = "always" if op.get_bind().dialect.name == "sqlite" else "never"
    with op.batch_alter_table("reviews", recreate=rebuild) as reviews:
        for column in columns:
            reviews.add_column(column, insert_before="question" if rebuild == "always" else None)
    by_risk = ["tenant", "status", "risk", "amount", "review_id"]
    op.create_index("ix_reviews_risk", "reviews", by_risk)
    groups = ["tenant", "status", "rule", "party", "currency", "risk", "amount"]
    op.create_index("ix_reviews_groups", "reviews", groups)
    op.create_index("ix_reviews_steps", "reviews", ["tenant", "status", "next_step_at"])
    op.create_table(
        "review_reasons",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("review_id", "rule", "kind")),
        sa.Column("tenant", sa.Text, nullable=False),
    )
    op.create_index("ix_review_reasons_rule", "review_reasons", ["tenant", "rule", "review_id"])
    op.create_index("ix_review_reasons_kind", "review_reasons", ["tenant", "kind", "review_id"])


def _decisions() -> None:
    with op.batch_alter_table("decisions") as decisions:
        decisions.add_column(_text("behalf_of"))
        decisions.add_column(sa.Column("override", sa.Boolean, nullable=False, server_default=sa.false()))
        decisions.add_column(_text("bypassed", "[]"))
        decisions.add_column(_text("digest"))
    op.create_table(
        "approvals",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("review_id", "slate", "person")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("tenant", "behalf_of", "decision_id")),
        sa.Column("at", UtcDateTime, nullable=False),
    )


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("roles", sa.Text, nullable=False),
        sa.Column("amount_limit", sa.Numeric(18, 2)),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("delegate_to", sa.Text),
        sa.Column("delegate_from", sa.Date),
        sa.Column("delegate_until", sa.Date),
        sa.Column("added_at", UtcDateTime, nullable=False),
    )
    op.create_index("ix_people_delegate", "people", ["tenant", "delegate_to"])


def _notices() -> None:
    op.create_table(
        "notices",
        sa.Column("notice_id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("tenant", "review_id", "kind", "recipient", "facts")),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("due_at", UtcDateTime, nullable=False),
        sa.Column("sent_at", UtcDateTime),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("ix_notices_pending", "notices", ["sent_at", "due_at"])
    op.create_index("ix_notices_review", "notices", ["tenant", "review_id"])


def _text(name: str, default: str = "") -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def _fill() -> None:
    """What the questions asked so far say about themselves."""
    connection = op.get_bind()
    reviews = sa.table("reviews", *(sa.column(name) for name in ("review_id", "tenant", "question", "batch", "rule")))
    reasons = sa.table("review_reasons", *(sa.column(name) for name in ("review_id", "rule", "kind", "tenant")))
    for row in connection.execute(sa.select(reviews.c.review_id, reviews.c.tenant, reviews.c.question)).all():
        question: dict[str, Any] = json.loads(row.question)
        asked = {(one["rule"], one["kind"]) for one in question.get("triggers", ())}
        batch = question.get("evidence", {}).get("batch", "")
        rule = next((one["rule"] for one in question.get("triggers", ())), "")
        chosen = reviews.c.review_id == row.review_id
        connection.execute(sa.update(reviews).where(chosen).values(batch=batch, rule=rule))
        same = {"review_id": row.review_id, "tenant": row.tenant}
        if asked:
            connection.execute(sa.insert(reasons), [{**same, "rule": rule, "kind": kind} for rule, kind in asked])
