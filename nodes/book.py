"""Book what nobody has anything against. Idempotent: a step that runs twice books once."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from foundation.journal import Transaction
from invoices.ledger import (
    Booking,
    BookingKind,
    Examined,
    InvoiceStatus,
    as_duplicate,
    examined_of,
    policy_of,
    require_batch,
    set_status,
    update_examined,
)
from invoices.ledger import (
    book as enter,
)
from invoices.past import withdraw
from nodes.services import Services

AGENT = "agent"


def book(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Enter the batch's clean invoices into the ledger, all in one transaction with their log lines."""
    with services.journal.transaction() as transaction:
        batch = require_batch(transaction.connection, services.tenant, state["batch_id"])
        clean = examined_of(transaction.connection, batch.batch_id, InvoiceStatus.CLEAN)
        if clean:
            currency = policy_of(transaction.connection, batch.policy).limits.currency
            enter_all(transaction, clean, kind=BookingKind.REGULAR, by=AGENT, currency=currency)
    return {}


def enter_all(
    transaction: Transaction,
    examined: list[Examined],
    *,
    kind: BookingKind,
    by: str,
    currency: str,
    decision_id: str | None = None,
) -> list[Examined]:
    """Book the invoices; those whose key somebody else had first become duplicates. Returns them as they stand now.

    `currency` is the policy's, for invoices that name none.
    """
    entries = [
        replace(_entry(one, transaction.at, currency), kind=kind, booked_by=by, decision_id=decision_id)
        for one in examined
    ]
    owners = enter(transaction.connection, entries)
    booked = [one.invoice_id for one in examined if one.invoice_id not in owners]
    set_status(transaction.connection, examined[0].tenant, booked, InvoiceStatus.BOOKED)
    for entry in entries:
        event = "duplicate" if entry.invoice_id in owners else "booked"
        facts = {"key": entry.invoice_key, "amount": str(entry.amount), "currency": entry.currency, "kind": kind}
        transaction.log(entry.tenant, by, event, entry.invoice_id, **facts, first=owners.get(entry.invoice_id))
    for one in examined:
        if one.invoice_id in owners:
            update_examined(transaction.connection, as_duplicate(one, owners[one.invoice_id]))
            withdraw(transaction.connection, one.tenant, [one.invoice_id])
    return [as_duplicate(one, owners[one.invoice_id]) if one.invoice_id in owners else _booked(one) for one in examined]


def _booked(examined: Examined) -> Examined:
    return replace(examined, status=InvoiceStatus.BOOKED)


def _entry(examined: Examined, at: datetime, currency: str) -> Booking:
    record = examined.record
    total = record.signed_total if record else None
    if record is None or total is None:
        raise ValueError(f"{examined.invoice_id} has no total: it must never reach the booking")
    return Booking(
        tenant=examined.tenant,
        invoice_key=examined.invoice_key,
        invoice_id=examined.invoice_id,
        batch_id=examined.batch_id,
        amount=total,
        currency=record.text("currency") or currency,
        kind=BookingKind.REGULAR,
        booked_by=AGENT,
        booked_at=at,
    )
