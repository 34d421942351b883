"""Book what nobody has anything against. Idempotent: a step that runs twice books once."""

from collections.abc import Sequence
from typing import Any

from foundation.journal import Transaction
from invoices.bookings import Bookable, Booking, BookingKind, clean_of
from invoices.bookings import book as enter
from invoices.ledger import (
    InvoiceStatus,
    as_duplicate,
    find_examined,
    policy_of,
    require_batch,
    set_status,
    update_examined,
)
from invoices.past import withdraw
from nodes.services import Services

AGENT = "agent"


def book(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Enter the batch's clean invoices into the ledger, all in one transaction with their log lines."""
    with services.journal.transaction() as transaction:
        batch = require_batch(transaction.connection, services.tenant, state["batch_id"])
        clean = clean_of(transaction.connection, batch.batch_id)
        if clean:
            currency = policy_of(transaction.connection, batch.policy).limits.currency
            enter_all(transaction, clean, kind=BookingKind.REGULAR, by=AGENT, currency=currency)
    return {}


def enter_all(
    transaction: Transaction,
    clean: Sequence[Bookable],
    *,
    kind: BookingKind,
    by: str,
    currency: str,
    decision_id: str | None = None,
) -> dict[str, str]:
    """Book the invoices of one tenant; those whose key somebody else had first become duplicates.

    `currency` is the policy's, for invoices that name none. Returns duplicate's id -> id of the one that was first.
    """
    entries = [
        Booking(
            tenant=one.tenant,
            invoice_key=one.invoice_key,
            invoice_id=one.invoice_id,
            batch_id=one.batch_id,
            amount=one.amount,
            currency=one.currency or currency,
            kind=kind,
            booked_by=by,
            decision_id=decision_id,
            booked_at=transaction.at,
        )
        for one in clean
    ]
    owners = enter(transaction.connection, entries)
    booked = [one.invoice_id for one in clean if one.invoice_id not in owners]
    set_status(transaction.connection, clean[0].tenant, booked, InvoiceStatus.BOOKED)
    for entry in entries:
        event = "duplicate" if entry.invoice_id in owners else "booked"
        facts = {"key": entry.invoice_key, "amount": str(entry.amount), "currency": entry.currency, "kind": kind}
        transaction.log(entry.tenant, by, event, entry.invoice_id, **facts, first=owners.get(entry.invoice_id))
    for invoice_id, owner in owners.items():
        examined = find_examined(transaction.connection, clean[0].tenant, invoice_id)
        update_examined(transaction.connection, as_duplicate(examined, owner))
        withdraw(transaction.connection, examined.tenant, [invoice_id])
    return owners
