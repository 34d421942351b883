"""The tables of the audit: batches and their files, invoices as examined, and the ledger."""

from sqlalchemy import BigInteger, Boolean, Column, Date, Index, Integer, Table, Text, UniqueConstraint, text

from foundation.database import UtcDateTime, metadata

policies = Table(
    "policies",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("content", Text, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    Column("batch_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("policy_file", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("submitter", Text, nullable=False),
    Column("asks_here", Boolean, nullable=False),
    Column("files", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    UniqueConstraint("tenant", "name"),
)

batch_files = Table(
    "batch_files",
    metadata,
    Column("batch_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("claim", Text, nullable=False),
)

invoices = Table(
    "invoices",
    metadata,
    Column("invoice_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("batch_id", Text, nullable=False),
    Column("file_seq", Integer, nullable=False),
    Column("part", Integer, nullable=False),
    Column("file", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("nth", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("invoice_key", Text, nullable=False),
    Column("first_id", Text),
    Column("amount", Text),
    Column("currency", Text, nullable=False),
    Column("record", Text),
    Column("findings", Text, nullable=False),
    Column("not_executed", Text, nullable=False),
    Column("unreadable", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("claim", Text, nullable=False),
    Column("examined_at", UtcDateTime, nullable=False),
    UniqueConstraint("batch_id", "file_seq", "part"),
    Index("ix_invoices_key", "tenant", "invoice_key"),
    Index("ix_invoices_sha256", "tenant", "sha256"),
    Index("ix_invoices_status", "batch_id", "status", "file_seq", "part"),
    Index("ix_invoices_waiting", "tenant", "status"),
)

past_invoices = Table(
    "past_invoices",
    metadata,
    Column("invoice_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("batch", Text, nullable=False),
    Column("file", Text, nullable=False),
    Column("seller_key", Text, nullable=False),
    Column("seller", Text, nullable=False),
    Column("seller_tax_id", Text, nullable=False),
    Column("buyer_tax_id", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("number", Text),
    Column("original_number", Text),
    Column("day", Date),
    Column("cents", BigInteger),
    Column("account", Text, nullable=False),
    Column("submitter", Text),
    Column("trip", Text),
    Column("category", Text, nullable=False),
    Index("ix_past_number", "tenant", "number"),
    Index("ix_past_original", "tenant", "original_number", sqlite_where=text("original_number IS NOT NULL")),
    Index("ix_past_amount", "tenant", "seller_key", "cents"),
    Index("ix_past_seller", "tenant", "seller_key", "submitter", "day", sqlite_where=text("submitter IS NOT NULL")),
    Index("ix_past_person", "tenant", "submitter", "day", sqlite_where=text("submitter IS NOT NULL")),
    Index("ix_past_trip", "tenant", "trip", sqlite_where=text("trip IS NOT NULL")),
)

sellers_seen = Table(
    "sellers_seen",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("value", Text, primary_key=True),
    Column("times", Integer, nullable=False),
)

bookings = Table(
    "bookings",
    metadata,
    Column("booking_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("invoice_key", Text, nullable=False),
    Column("entry", Text, nullable=False),
    Column("invoice_id", Text, nullable=False),
    Column("batch_id", Text, nullable=False),
    Column("amount", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("booked_by", Text, nullable=False),
    Column("decision_id", Text),
    Column("reason", Text, nullable=False),
    Column("booked_at", UtcDateTime, nullable=False),
    Index("ux_bookings_once", "tenant", "invoice_key", "entry", unique=True),
    Index("ix_bookings_invoice", "invoice_id"),
    Index("ix_bookings_batch", "batch_id"),
)
