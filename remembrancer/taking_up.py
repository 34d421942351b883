"""Taking up what a run without people held: each held invoice is put before a person, as if it had waited."""

from dataclasses import replace

from foundation.errors import RefusedError, UsageError
from foundation.journal import Transaction
from invoices.findings import Finding
from invoices.ledger import (
    Examined,
    InvoiceStatus,
    ask_in_threads,
    examined_of,
    require_batch,
    update_examined,
)
from nodes.services import Services
from nodes.watching import events_of
from oversight.feed import publish_all


def take_up(services: Services, batch_name: str, *, by: str, reason: str) -> int:
    """Put all that the batch holds before a person; returns how many. The office then opens their reviews.

    Raises:
        NotFoundError: this tenant has no such batch.
        UsageError: no reason, or nobody is named.
        RefusedError: the batch holds nothing.
    """
    if not reason.strip() or not by.strip():
        raise UsageError("taking up what is held needs a name and a reason: add --by NAME --reason TEXT")
    with services.journal.transaction() as transaction:
        batch = require_batch(transaction.connection, services.tenant, batch_name)
        held = examined_of(transaction.connection, batch.batch_id, InvoiceStatus.HELD)
        if not held:
            raise RefusedError(f"batch {batch.name} holds nothing")
        ask_in_threads(transaction.connection, batch.batch_id)
        waiting = [_waiting(transaction, one) for one in held]
        transaction.log(batch.tenant, by, "held taken up", batch.batch_id, invoices=len(waiting), why=reason)
        publish_all(transaction.connection, batch.tenant, transaction.at, events_of(waiting, advises=False))
    return len(waiting)


def _waiting(transaction: Transaction, examined: Examined) -> Examined:
    """The invoice as one that waits; one that nothing speaks against was held because the run was ended."""
    waits = replace(examined, status=InvoiceStatus.WAITING)
    if not any(finding.asks for finding in examined.findings):
        waits = replace(waits, findings=(*waits.findings, _ENDED))
    update_examined(transaction.connection, waits)
    return waits


_ENDED = Finding(
    rule="run_ended",
    severity="review",
    trigger="guardrail",
    message={"zh": "运行在入账前被终止", "en": "The run was ended before this was booked"},
    source="oversight",
)
