"""The tables of the audit: batches and their files, invoices as examined, and the ledger."""

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text, UniqueConstraint

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
    Column("status", Text, nullable=False),
    Column("invoice_key", Text, nullable=False),
    Column("first_id", Text),
    Column("record", Text),
    Column("findings", Text, nullable=False),
    Column("not_executed", Text, nullable=False),
    Column("unreadable", Text, nullable=False),
    Column("examined_at", UtcDateTime, nullable=False),
    UniqueConstraint("batch_id", "file_seq", "part"),
    Index("ix_invoices_key", "tenant", "invoice_key"),
    Index("ix_invoices_sha256", "tenant", "sha256"),
    Index("ix_invoices_status", "batch_id", "status", "file_seq", "part"),
    Index("ix_invoices_waiting", "tenant", "status"),
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
