"""Apply a decision: the compare-and-set on the review and the effect, in one transaction."""

from dataclasses import replace
from typing import Any

from foundation.journal import Transaction
from invoices.bookings import BookingKind, bookable, booking_of, reverse_booking
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
from nodes.halting import AGENT, halt_question
from nodes.reexamine import edited_record, reexamine
from nodes.services import Services
from nodes.watching import label_of
from nodes.weighing import applied, past_as_examined
from oversight.brake import is_on
from oversight.budgets import Tally
from oversight.feed import Event, publish
from oversight.reviews import Decision, ReviewStatus, find_review, mark_applied, take
from oversight.runs import add_to_run
from oversight.sampling import sample_of, settle_samples

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
            if stopped := _stopped(transaction, services, winner, examined):
                return stopped
            transaction.log(winner.tenant, winner.decided_by, "decided", winner.review_id, **winner.facts())
            examined = _effect(transaction, services, winner, examined)
            mark_applied(connection, winner.tenant, winner.review_id, transaction.at)
            _tell(transaction, winner, examined, review.thread_id)
    return {**_CLOSED, "last": _told(winner, examined)}


def _stopped(
    transaction: Transaction, services: Services, decision: Decision, examined: Examined
) -> dict[str, Any] | None:
    """The brake's question where it stops this booking: the decision stands, its effect waits. A refusal never does."""
    connection = transaction.connection
    if decision.kind == "reject" or sample_of(connection, services.tenant, examined.invoice_id):
        return None
    batch = require_batch(connection, services.tenant, examined.batch_id)
    review = find_review(connection, services.tenant, decision.review_id)
    brake = is_on(connection, services.tenant, batch.batch_id, review.thread_id)
    if brake is None:
        return None
    args = {"batch": batch.name, "review": decision.review_id, "decided_by": decision.decided_by}
    transaction.log(batch.tenant, AGENT, "stopped by the brake", decision.review_id, batch=batch.batch_id)
    return {"halted": halt_question(brake, batch, args, ("approve",))}


def _tell(transaction: Transaction, decision: Decision, examined: Examined, thread_id: str) -> None:
    facts = {"label": label_of(examined), "by": decision.decided_by, "decision": decision.kind}
    event = Event(
        kind="decided", subject=examined.invoice_id, batch=examined.batch_id, thread=thread_id, facts=facts
    )
    publish(transaction.connection, decision.tenant, transaction.at, event)


def _effect(transaction: Transaction, services: Services, decision: Decision, examined: Examined) -> Examined:
    if sample_of(transaction.connection, examined.tenant, examined.invoice_id):
        return _checked(transaction, decision, examined)
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


def _checked(transaction: Transaction, decision: Decision, examined: Examined) -> Examined:
    """What a person made of an invoice that was booked by itself and sampled: it stands, or is taken back."""
    connection, invoice_id = transaction.connection, examined.invoice_id
    settle_samples(connection, examined.tenant, [invoice_id])
    booking = booking_of(connection, examined.tenant, invoice_id)
    if decision.kind != "reject" or booking is None or examined.status is not InvoiceStatus.BOOKED:
        transaction.log(examined.tenant, decision.decided_by, "sample checked", invoice_id)
        return examined
    reverse_booking(connection, booking, by=decision.decided_by, reason=decision.reason, at=transaction.at)
    facts = {"reason": decision.reason, "amount": -booking.amount, "sample": True}
    transaction.log(examined.tenant, decision.decided_by, "reversed", invoice_id, **facts)
    add_to_run(connection, examined.tenant, examined.batch_id, Tally(failures=1, loss=abs(booking.amount)))
    return replace(examined, status=InvoiceStatus.REVERSED)


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
