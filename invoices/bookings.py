"""What was booked: entries of the ledger, each once, and their reversals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, func, select

from foundation.errors import UsageError
from foundation.ids import derived_id
from foundation.sequences import chunks
from foundation.upserts import keep_first_of_many
from invoices.ledger import MANY, Examined, InvoiceStatus, find_examined, set_status
from invoices.tables import bookings, invoices


class BookingKind(StrEnum):
    """Why an invoice was booked."""

    REGULAR = "regular"
    """No rule had anything against it."""
    SPECIAL = "special"
    """A person approved it although rules fired: an override, with his name."""
    CORRECTED = "corrected"
    """A person corrected it, and what still stood he had seen."""
    REVERSAL = "reversal"
    """A person took the booking back; its amount is the booking's, negated."""

    @property
    def entry(self) -> str:
        """Which of the two entries that an invoice can have: its booking, or the reversal of it. Each is unique."""
        return "reversal" if self is BookingKind.REVERSAL else "booking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """One entry of the ledger."""

    tenant: str
    invoice_key: str
    invoice_id: str
    batch_id: str
    amount: Decimal
    currency: str
    kind: BookingKind
    booked_by: str
    decision_id: str | None = None
    reason: str = ""
    booked_at: datetime

    @property
    def booking_id(self) -> str:
        """The entry's id: the same entry always has the same."""
        return derived_id("bkg", self.invoice_id, self.kind.entry)


@dataclass(frozen=True, slots=True)
class Bookable:
    """An invoice as far as the booking of it needs it."""

    invoice_id: str
    tenant: str
    batch_id: str
    invoice_key: str
    amount: Decimal
    """The signed total."""
    currency: str


def clean_of(connection: Connection, batch_id: str, limit: int | None = None) -> list[Bookable]:
    """The batch's clean invoices in order, at most `limit`, as far as the booking needs them.

    Raises:
        ValueError: one has no total: it must never have become clean.
    """
    t = invoices.c
    columns = (t.invoice_id, t.tenant, t.batch_id, t.invoice_key, t.amount, t.currency)
    query = select(*columns).where(t.batch_id == batch_id, t.status == InvoiceStatus.CLEAN)
    rows = connection.execute(query.order_by(t.file_seq, t.part).limit(limit))
    return [Bookable(row[0], row[1], row[2], row[3], Decimal(row[4] or "no total"), row[5]) for row in rows]


def bookable(examined: Examined) -> Bookable:
    """The invoice as far as the booking needs it.

    Raises:
        ValueError: it has no total.
    """
    total = examined.record.signed_total if examined.record else None
    if examined.record is None or total is None:
        raise ValueError(f"{examined.invoice_id} has no total: there is nothing to book")
    where = (examined.invoice_id, examined.tenant, examined.batch_id, examined.invoice_key)
    return Bookable(*where, total, examined.record.text("currency"))


def book(connection: Connection, entries: Sequence[Booking]) -> dict[str, str]:
    """Enter bookings of one kind, each key once for ever. Returns invoice id -> id of the one that was first."""
    rows = [
        {
            **{name: getattr(entry, name) for name in Booking.__slots__},
            "booking_id": entry.booking_id,
            "entry": entry.kind.entry,
            "amount": str(entry.amount),
        }
        for entry in entries
    ]
    keep_first_of_many(connection, bookings, rows)
    owners: dict[str, str] = {}
    for some in chunks([entry.invoice_key for entry in entries], MANY):
        query = select(bookings.c.invoice_key, bookings.c.invoice_id).where(bookings.c.tenant == entries[0].tenant)
        same = query.where(bookings.c.invoice_key.in_(some), bookings.c.entry == entries[0].kind.entry)
        found = connection.execute(same)
        owners |= {row.invoice_key: row.invoice_id for row in found}
    taken = {entry.invoice_id: owners[entry.invoice_key] for entry in entries}
    return {invoice_id: owner for invoice_id, owner in taken.items() if owner != invoice_id}


def bookings_of(connection: Connection, batch_id: str) -> list[Booking]:
    """What the batch booked."""
    query = select(bookings).where(bookings.c.batch_id == batch_id)
    return [_booking(row) for row in connection.execute(query.order_by(bookings.c.booked_at, bookings.c.booking_id))]


def booking_of(connection: Connection, tenant: str, invoice_id: str) -> Booking | None:
    """The invoice's booking (not its reversal), None where it has none."""
    query = select(bookings).where(bookings.c.tenant == tenant, bookings.c.invoice_id == invoice_id)
    row = connection.execute(query.where(bookings.c.entry == "booking")).one_or_none()
    return _booking(row) if row else None


def reverse_booking(connection: Connection, booking: Booking, *, by: str, reason: str, at: datetime) -> None:
    """Take a booking back with an entry of its own, and move its invoice."""
    taken_back = replace(
        booking,
        kind=BookingKind.REVERSAL,
        amount=-booking.amount,
        booked_by=by,
        decision_id=None,
        reason=reason,
        booked_at=at,
    )
    book(connection, [taken_back])
    set_status(connection, booking.tenant, [booking.invoice_id], InvoiceStatus.REVERSED)


def find_by_number(connection: Connection, tenant: str, id_or_number: str) -> Examined:
    """The tenant's invoice of this id, or the one booked under this number.

    Raises:
        NotFoundError: there is none.
        UsageError: several sellers have booked invoices with that number.
    """
    query = select(bookings.c.invoice_id).where(bookings.c.tenant == tenant, bookings.c.entry == "booking")
    ends = bookings.c.invoice_key.endswith(f":{id_or_number}", autoescape=True)
    within = bookings.c.invoice_key.contains(f":{id_or_number}:", autoescape=True)
    found = list(connection.execute(query.where((bookings.c.invoice_id == id_or_number) | ends | within)).scalars())
    if len(found) > 1:
        raise UsageError(f"{len(found)} booked invoices have the number {id_or_number}: name one by its id")
    return find_examined(connection, tenant, found[0] if found else id_or_number)


def unbalanced(connection: Connection, tenant: str) -> list[str]:
    """Ids of invoices whose entries don't fit their status: one when booked, two when reversed, else none."""
    number = func.count(bookings.c.booking_id)
    booked = invoices.c.status == InvoiceStatus.BOOKED
    taken_back = invoices.c.status == InvoiceStatus.REVERSED
    query = (
        select(invoices.c.invoice_id)
        .join_from(invoices, bookings, bookings.c.invoice_id == invoices.c.invoice_id, isouter=True)
        .where(invoices.c.tenant == tenant)
        .group_by(invoices.c.invoice_id, invoices.c.status)
        .having((booked & (number != 1)) | (taken_back & (number != 2)) | (~booked & ~taken_back & (number != 0)))
    )
    return list(connection.execute(query).scalars())


def _booking(row: Row[Any]) -> Booking:
    values = {name: value for name, value in row._mapping.items() if name not in {"booking_id", "entry"}}
    return Booking(**{**values, "amount": Decimal(values["amount"]), "kind": BookingKind(values["kind"])})
