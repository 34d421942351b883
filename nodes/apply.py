"""Apply a decision: the compare-and-set on the review and the effect, in one transaction."""

from dataclasses import replace
from typing import Any

from foundation.journal import Transaction
from invoices.bookings import BookingKind, bookable
from invoices.ledger import (
    Examined,
    InvoiceStatus,
    find_examined,
    policy_of,
    require_batch,
    set_status,
    update_examined,
)
from invoices.past import remember, withdraw
from nodes.book import enter_all
from nodes.reexamine import edited_record, reexamine
from nodes.services import Services
from nodes.weighing import applied, past_as_examined
from oversight.reviews import Decision, ReviewStatus, find_review, mark_applied, take

_CLOSED = {"question": None, "answer": None, "decision": None}


def apply(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Let the decision take effect once; where another one won, that one is judged in its place."""
    mine = Decision.from_json(state["decision"])
    with services.journal.transaction() as transaction:
        connection = transaction.connection
        winner = take(connection, mine)
        if winner.decision_id != mine.decision_id:
            transaction.log(
                mine.tenant, mine.decided_by, "came too late", mine.review_id, **mine.facts(), winner=winner.decided_by
            )
            return {"answer": {"decision_id": winner.decision_id}, "decision": None}
        review = find_review(connection, services.tenant, mine.review_id)
        examined = find_examined(connection, services.tenant, review.subject)
        if review.status is not ReviewStatus.APPLIED:
            transaction.log(winner.tenant, winner.decided_by, "decided", winner.review_id, **winner.facts())
            examined = _effect(transaction, services, winner, examined)
            mark_applied(connection, winner.tenant, winner.review_id, transaction.at)
    return {**_CLOSED, "last": _told(winner, examined)}


def _effect(transaction: Transaction, services: Services, decision: Decision, examined: Examined) -> Examined:
    if decision.kind == "reject":
        set_status(transaction.connection, examined.tenant, [examined.invoice_id], InvoiceStatus.REJECTED)
        transaction.log(examined.tenant, decision.decided_by, "rejected", examined.invoice_id, reason=decision.reason)
        return replace(examined, status=InvoiceStatus.REJECTED)
    kind = BookingKind.SPECIAL
    if decision.kind == "edit":
        kind = BookingKind.CORRECTED
        examined = _corrected(transaction, services, decision, examined)
    batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
    currency = policy_of(transaction.connection, batch.policy).limits.currency
    enter_all(
        transaction,
        [bookable(examined)],
        kind=kind,
        by=decision.decided_by,
        currency=currency,
        decision_id=decision.decision_id,
    )
    return find_examined(transaction.connection, examined.tenant, examined.invoice_id)


def _corrected(transaction: Transaction, services: Services, decision: Decision, examined: Examined) -> Examined:
    """The invoice with the edited record and what still stands on it, old and new values in the log."""
    batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
    weighed, _ = reexamine(transaction.connection, services, decision, examined, batch)
    standing = {finding.rule for finding in weighed.examination.findings}
    gone = tuple(
        replace(finding, cleared_by=decision.decision_id)
        for finding in examined.findings
        if finding.rule not in standing and not finding.cleared_by
    )
    corrected = applied(examined, edited_record(examined, decision), weighed)
    corrected = replace(corrected, findings=(*corrected.findings, *gone))
    update_examined(transaction.connection, corrected)
    withdraw(transaction.connection, examined.tenant, [examined.invoice_id])
    policy = policy_of(transaction.connection, batch.policy)
    remember(transaction.connection, examined.tenant, [past_as_examined(corrected, batch, policy)])
    before = {name: examined.record.text(name) if examined.record else "" for name in decision.edits}
    transaction.log(
        examined.tenant,
        decision.decided_by,
        "corrected",
        examined.invoice_id,
        before=before,
        after=dict(decision.edits),
    )
    return corrected


def _told(decision: Decision, examined: Examined) -> dict[str, Any]:
    return {
        "invoice_id": examined.invoice_id,
        "review_id": decision.review_id,
        "status": str(examined.status),
        "decision": decision.kind,
        "decided_by": decision.decided_by,
        "reason": decision.reason,
    }
