"""Doubtful invoices as matters of review: the booking asked for, what rules say to an edit, what a decision books."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.bookings import BookingKind, bookable, booking_of, reverse_booking
from invoices.ledger import (
    Batch,
    Examined,
    InvoiceStatus,
    find_examined,
    list_batches,
    policy_of,
    require_batch,
    set_status,
    update_examined,
)
from invoices.past import remember, withdraw
from nodes.book import enter_all
from nodes.invoice_question import CHECK, asked_about, headline, weight_of
from nodes.matter import Matter, Objection, Stakes
from nodes.reexamine import edited_record, reexamine
from nodes.services import Services
from nodes.standing import approvals_needed, batch_of, changes_since, schedule_of, stakes_of
from nodes.weighing import BOOK, applied, past_as_examined
from oversight.budgets import Tally
from oversight.due_times import scheduled
from oversight.question import both_languages
from oversight.reviews import Decision, Review
from oversight.runs import add_to_run
from oversight.sampling import sample_of, samples_of, settle_samples
from oversight.threads import bind_thread


@dataclass(frozen=True, slots=True)
class InvoiceMatter(Matter):
    """The booking of a doubtful invoice, its id in the state's `invoice_id`."""

    services: Services

    def put(self, transaction: Transaction, state: Mapping[str, Any], config: RunnableConfig) -> Review | None:
        """The review of the invoice; None when it no longer waits."""
        services, thread_id = self.services, self.services.thread(config)
        bind_thread(
            transaction.connection,
            thread_id,
            services.tenant,
            "invoice_review",
            services.person(config),
            transaction.at,
        )
        examined = find_examined(transaction.connection, services.tenant, state["invoice_id"])
        reopens = state.get("reopens") or None
        if not _is_asked_about(transaction.connection, examined, reopens):
            return None
        batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
        policy = policy_of(transaction.connection, batch.policy)
        review_id = derived_id("rev", examined.invoice_id, *([reopens] if reopens else []))
        question = {**asked_about(transaction.connection, examined, batch, review_id, reopens), "round": 1}
        amount = weight_of(examined, policy)
        review = Review(
            review_id=review_id,
            tenant=examined.tenant,
            thread_id=thread_id,
            action=question["action_requests"][0]["name"],
            subject=examined.invoice_id,
            headline=headline(examined),
            amount=amount,
            currency=policy.limits.currency,
            submitter=examined.claim.submitter or batch.submitter,
            batch=batch.name,
            party=examined.record.text("seller") if examined.record else "",
            approvals_needed=approvals_needed(policy, amount, examined.findings, frozenset()),
            policy=batch.policy,
            forked_from=reopens,
            question=question,
            digest=question["digest"],
            opened_at=transaction.at,
        )
        return scheduled(review, schedule_of(policy, self.services.zone), transaction.at)

    def objection(self, transaction: Transaction, decision: Decision, review: Review) -> Objection | None:
        """A question to the submitter, an approval without a total, an edit that still breaks a rule."""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        batch = batch_of(transaction.connection, self.services.tenant, examined, review)
        why, shown = _objection(transaction, self.services, decision, examined, batch)
        if not why:
            return None
        return Objection(why, asked_about(transaction.connection, shown, batch, review.review_id, review.forked_from))

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:
        """Book it, book it corrected, or refuse it; a sampled booking stands, or is taken back."""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        if review.action == CHECK:
            _checked(transaction, decision, examined)
        else:
            _take_effect(transaction, self.services, decision, examined, review)
        return True

    def stakes(self, connection: Connection, decision: Decision, review: Review) -> Stakes:
        """The total as the decision leaves it, and whether the policy wants two people for it."""
        examined = find_examined(connection, self.services.tenant, review.subject)
        return stakes_of(connection, self.services, decision, review, examined)

    def question(self, connection: Connection, review: Review, edits: Mapping[str, str]) -> Mapping[str, Any]:
        """The question about the invoice as it stands, shown with these corrections."""
        examined = find_examined(connection, self.services.tenant, review.subject)
        batch = batch_of(connection, self.services.tenant, examined, review)
        asked = asked_about(connection, examined, batch, review.review_id, review.forked_from)
        if not edits or examined.record is None:
            return asked
        shown = replace(examined, record=examined.record.with_values(edits, person=""))
        corrected = asked_about(connection, shown, batch, review.review_id, review.forked_from)
        return {**corrected, "digest": asked["digest"], "proposed": dict(edits)}

    def changes(self, transaction: Transaction, decision: Decision, review: Review) -> str:
        """What has changed about invoice, file or policy since the decision was made."""
        if review.action != BOOK:
            return ""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        return changes_since(transaction, self.services, decision, review, examined)

    def batch_of(self, connection: Connection, review: Review) -> str:
        """The batch that brought the invoice in."""
        return find_examined(connection, self.services.tenant, review.subject).batch_id

    def told(self, connection: Connection, decision: Decision, review: Review) -> dict[str, Any]:
        """How the invoice stands now, and who decided what."""
        examined = find_examined(connection, self.services.tenant, review.subject)
        return {
            "invoice_id": examined.invoice_id,
            "review_id": decision.review_id,
            "status": str(examined.status),
            "decision": decision.kind,
            "decided_by": decision.decided_by,
            "reason": decision.reason,
        }


def _is_asked_about(connection: Connection, examined: Examined, reopens: str | None) -> bool:
    """Whether it waits, or was booked and is looked at: reconsidered, or drawn and nobody has looked yet."""
    if examined.status is InvoiceStatus.WAITING:
        return True
    sample = sample_of(connection, examined.tenant, examined.invoice_id)
    drawn = sample is not None and not sample.settled
    return examined.status is InvoiceStatus.BOOKED and (drawn or reopens is not None)


def samples_in_threads(connection: Connection, tenant: str) -> list[str]:
    """The sampled invoices that nobody has looked at, as far as each has (or needs) a thread of its own."""
    asked_here = {batch.batch_id for batch in list_batches(connection, tenant) if batch.asks_here}
    drawn = samples_of(connection, tenant, open_only=True)
    return [one.subject for one in drawn if one.batch not in asked_here]


def _objection(
    transaction: Transaction, services: Services, decision: Decision, examined: Examined, batch: Batch
) -> tuple[str, Examined]:
    """Why the decision doesn't settle the review ("" when it does), and the invoice as to be shown with the reason."""
    if decision.kind == "respond":
        asked = f"{decision.decided_by}: {decision.reason}"
        return both_languages((f"已询问提交人，{asked}", f"the submitter was asked, {asked}")), examined
    if (
        decision.kind == "approve"
        and not decision.edits
        and (examined.record is None or examined.record.signed_total is None)
    ):
        unread = (
            "没有读到价税合计，无法入账，请更正",
            "the total could not be read, so there is nothing to book: edit it",
        )
        return both_languages(unread), examined
    if not decision.edits:
        return "", examined
    weighed, standing = reexamine(transaction.connection, services, decision, examined, batch)
    loops = tuple(finding for finding in weighed.examination.findings if finding.trigger == "loop")
    why = both_languages(*((finding.message["zh"], finding.message["en"]) for finding in standing))
    return why, replace(examined, findings=(*examined.findings, *loops))


def _take_effect(
    transaction: Transaction, services: Services, decision: Decision, examined: Examined, review: Review
) -> None:
    if decision.kind == "reject":
        set_status(transaction.connection, examined.tenant, [examined.invoice_id], InvoiceStatus.REJECTED)
        transaction.log(examined.tenant, decision.decided_by, "rejected", examined.invoice_id, reason=decision.reason)
        return
    kind = BookingKind.SPECIAL
    batch = batch_of(transaction.connection, services.tenant, examined, review)
    if decision.edits:
        kind = BookingKind.CORRECTED
        examined = _corrected(transaction, services, decision, examined, batch)
    currency = policy_of(transaction.connection, batch.policy).limits.currency
    enter_all(
        transaction,
        [bookable(examined)],
        kind=kind,
        by=decision.decided_by,
        currency=currency,
        decision_id=decision.decision_id,
    )


def _checked(transaction: Transaction, decision: Decision, examined: Examined) -> None:
    """What a person made of a booking that he looked at: it stands, or is taken back with an entry of its own."""
    connection, invoice_id, by = transaction.connection, examined.invoice_id, decision.decided_by
    settle_samples(connection, examined.tenant, [invoice_id])
    transaction.log(examined.tenant, by, "booking checked", invoice_id, decision=decision.kind)
    booking = booking_of(connection, examined.tenant, invoice_id)
    if decision.kind == "reject" and booking and examined.status is InvoiceStatus.BOOKED:
        reverse_booking(connection, booking, by=by, reason=decision.reason, at=transaction.at)
        transaction.log(examined.tenant, by, "reversed", invoice_id, reason=decision.reason, amount=-booking.amount)
        add_to_run(connection, examined.tenant, examined.batch_id, Tally(failures=1, loss=abs(booking.amount)))


def _corrected(
    transaction: Transaction, services: Services, decision: Decision, examined: Examined, batch: Batch
) -> Examined:
    """The invoice with the edited record and what still stands on it, old and new values in the log."""
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
