"""The house: threads, reviews, batches, invoices, ledger, audit log."""

import sqlalchemy as sa
from alembic import op

from foundation.database import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    _audit_log()
    _oversight()
    _audit()
    _past()
    _ledger()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _audit_log() -> None:
    op.create_table(
        "audit_log",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", UtcDateTime, nullable=False),
        _text("actor"),
        _text("event"),
        _text("subject"),
        _text("salt"),
        _text("digest"),
        _text("hash"),
    )
    op.create_table(
        "audit_content",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        _text("content"),
    )
    op.create_table(
        "audit_heads",
        sa.Column("tenant", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        _text("hash"),
    )


def _oversight() -> None:
    op.create_table(
        "threads",
        sa.Column("thread_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("kind"),
        _text("owner"),
        sa.Column("created_at", UtcDateTime, nullable=False),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("thread_id"),
        _text("action"),
        _text("subject"),
        _text("headline"),
        sa.Column("amount", sa.Numeric(18, 2), nullable=False),
        _text("currency"),
        _text("submitter"),
        _text("question"),
        _text("digest"),
        sa.Column("round", sa.Integer, nullable=False),
        _text("status"),
        _text("decision_id", null=True),
        sa.Column("opened_at", UtcDateTime, nullable=False),
        sa.Column("decided_at", UtcDateTime),
        sa.Column("applied_at", UtcDateTime),
    )
    op.create_index("ix_reviews_queue", "reviews", ["tenant", "status", "amount"])
    op.create_index("ix_reviews_subject", "reviews", ["tenant", "subject"])
    op.create_table(
        "decisions",
        sa.Column("decision_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("review_id"),
        sa.Column("round", sa.Integer, nullable=False),
        _text("kind"),
        _text("reason"),
        _text("edits"),
        _text("decided_by"),
        _text("via"),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.Column("taken", sa.Boolean, nullable=False),
        _text("refused"),
    )
    op.create_index("ix_decisions_review", "decisions", ["review_id", "round"])


def _audit() -> None:
    op.create_table("policies", sa.Column("digest", sa.Text, primary_key=True), _text("content"))
    op.create_table(
        "batches",
        sa.Column("batch_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("name"),
        _text("thread_id"),
        _text("policy"),
        _text("rules"),
        _text("submitter"),
        sa.Column("asks_here", sa.Boolean, nullable=False),
        sa.Column("files", sa.Integer, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("finished_at", UtcDateTime),
        sa.UniqueConstraint("tenant", "name", name="uq_batches_tenant_name"),
    )
    op.create_table(
        "batch_files",
        sa.Column("batch_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        _text("name"),
        _text("path"),
        _text("claim"),
    )
    op.create_table(
        "invoices",
        sa.Column("invoice_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("batch_id"),
        sa.Column("file_seq", sa.Integer, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        _text("file"),
        _text("sha256"),
        sa.Column("nth", sa.Integer, nullable=False),
        _text("status"),
        _text("invoice_key"),
        _text("first_id", null=True),
        _text("amount", null=True),
        _text("currency"),
        _text("record", null=True),
        _text("findings"),
        _text("not_executed"),
        _text("unreadable"),
        _text("reason"),
        _text("claim"),
        sa.Column("examined_at", UtcDateTime, nullable=False),
        sa.UniqueConstraint("batch_id", "file_seq", "part", name="uq_invoices_batch_id_file_seq_part"),
    )
    op.create_index("ix_invoices_key", "invoices", ["tenant", "invoice_key"])
    op.create_index("ix_invoices_sha256", "invoices", ["tenant", "sha256"])
    op.create_index("ix_invoices_status", "invoices", ["batch_id", "status", "file_seq", "part"])
    op.create_index("ix_invoices_waiting", "invoices", ["tenant", "status"])


def _past() -> None:
    op.create_table(
        "past_invoices",
        sa.Column("invoice_id", sa.Text, primary_key=True),
        *(_text(name) for name in ("tenant", "batch", "file", "seller_key", "seller", "seller_tax_id", "buyer_tax_id")),
        _text("code"),
        _text("number", null=True),
        _text("original_number", null=True),
        sa.Column("day", sa.Date),
        sa.Column("cents", sa.BigInteger),
        _text("account"),
        _text("submitter", null=True),
        _text("trip", null=True),
        _text("category"),
    )
    op.create_index("ix_past_number", "past_invoices", ["tenant", "number"])
    op.create_index("ix_past_amount", "past_invoices", ["tenant", "seller_key", "cents"])
    for name, columns, given in (
        ("ix_past_original", ["tenant", "original_number"], "original_number IS NOT NULL"),
        ("ix_past_seller", ["tenant", "seller_key", "submitter", "day"], "submitter IS NOT NULL"),
        ("ix_past_person", ["tenant", "submitter", "day"], "submitter IS NOT NULL"),
        ("ix_past_trip", ["tenant", "trip"], "trip IS NOT NULL"),
    ):
        op.create_index(name, "past_invoices", columns, sqlite_where=sa.text(given))
    op.create_table(
        "sellers_seen",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("tenant", "kind", "key", "value")),
        sa.Column("times", sa.Integer, nullable=False),
    )


def _ledger() -> None:
    op.create_table(
        "bookings",
        sa.Column("booking_id", sa.Text, primary_key=True),
        _text("tenant"),
        _text("invoice_key"),
        _text("entry"),
        _text("invoice_id"),
        _text("batch_id"),
        _text("amount"),
        _text("currency"),
        _text("kind"),
        _text("booked_by"),
        _text("decision_id", null=True),
        _text("reason"),
        sa.Column("booked_at", UtcDateTime, nullable=False),
    )
    op.create_index("ux_bookings_once", "bookings", ["tenant", "invoice_key", "entry"], unique=True)
    op.create_index("ix_bookings_invoice", "bookings", ["invoice_id"])
    op.create_index("ix_bookings_batch", "bookings", ["batch_id"])
