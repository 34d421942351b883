"""Doubtful invoices as matters of review: the booking asked for, what rules say to an edit, what a decision books."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
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
from invoices.policy import Policy
from invoices.record import PUBLIC_FIELDS, public_fields
from nodes.book import enter_all
from nodes.matter import Objection
from nodes.reexamine import edited_record, reexamine
from nodes.services import Services
from nodes.weighing import BOOK, applied, as_fired, confidence_basis, past_as_examined, seller_key, sureness
from oversight.action import Action, DecisionKind, Fired, Verdict
from oversight.budgets import Tally
from oversight.question import both_languages, plain_text, question_about
from oversight.reviews import Decision, Review
from oversight.runs import add_to_run
from oversight.sampling import Sample, sample_of, samples_of, settle_samples
from oversight.threads import bind_thread

CHECK = "check_booking"
"""The action of a review that looks at a sampled booking afterwards."""

_CHECKS: tuple[DecisionKind, ...] = ("approve", "reject", "respond")
_REQUEST = {"zh": "入账申请", "en": "Booking request"}


@dataclass(frozen=True, slots=True)
class InvoiceMatter:
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
        if examined.status is not InvoiceStatus.WAITING and not _is_to_be_checked(transaction.connection, examined):
            return None
        batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
        policy = policy_of(transaction.connection, batch.policy)
        review_id = derived_id("rev", examined.invoice_id)
        sample = sample_of(transaction.connection, services.tenant, examined.invoice_id)
        question = {**ask_about(examined, batch, review_id, sample), "round": 1}
        return Review(
            review_id=review_id,
            tenant=examined.tenant,
            thread_id=thread_id,
            action=CHECK if sample else BOOK,
            subject=examined.invoice_id,
            headline=headline(examined),
            amount=_weight(examined, policy),
            currency=policy.limits.currency,
            submitter=examined.claim.submitter or batch.submitter,
            question=question,
            digest=question["digest"],
            opened_at=transaction.at,
        )

    def objection(self, transaction: Transaction, decision: Decision, review: Review) -> Objection | None:
        """A question to the submitter, an approval without a total, an edit that still breaks a rule."""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        batch = require_batch(transaction.connection, self.services.tenant, examined.batch_id)
        sample = sample_of(transaction.connection, self.services.tenant, review.subject)
        why, shown = _objection(transaction, self.services, decision, examined, batch)
        return Objection(why, ask_about(shown, batch, review.review_id, sample)) if why else None

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:
        """Book it, book it corrected, or refuse it; a sampled booking stands, or is taken back."""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        if review.action == CHECK:
            _checked(transaction, decision, examined)
        else:
            _take_effect(transaction, self.services, decision, examined)
        return True

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


def _is_to_be_checked(connection: Connection, examined: Examined) -> bool:
    """Whether the invoice was booked by itself, drawn for a check, and nobody has looked at it yet."""
    sample = sample_of(connection, examined.tenant, examined.invoice_id)
    return sample is not None and not sample.settled and examined.status is InvoiceStatus.BOOKED


def ask_about(examined: Examined, batch: Batch, review_id: str, sample: Sample | None = None) -> dict[str, Any]:
    """The question about booking this invoice as it stands, or about its booking where it was drawn for a check."""
    record = examined.record
    if record is None:
        raise ValueError(f"{examined.invoice_id} was never read: there is nothing to ask about")
    asking = tuple(as_fired(finding) for finding in examined.findings if finding.asks)
    sure = min(sureness(record).values(), default=0.0)
    action = Action(name=CHECK if sample else BOOK, args=public_fields(record), irreversible=True, confidence=sure)
    verdict = Verdict(fired=(_drawn(sample),), allowed=_CHECKS) if sample else Verdict(fired=asking)
    question = question_about(
        action,
        verdict,
        review_id=review_id,
        description=describe(examined, batch),
        editable=PUBLIC_FIELDS,
        evidence={
            "invoice_id": examined.invoice_id,
            "batch": batch.name,
            "file": examined.file,
            "sha256": examined.sha256,
            "findings": [finding.to_json() for finding in examined.findings],
            **({"sample": {"one_in": sample.one_in}} if sample else {}),
        },
    )
    return question | {"party": seller_key(record), "confidence_basis": dict(confidence_basis(record))}


def _drawn(sample: Sample) -> Fired:
    """Why an invoice that nothing speaks against is put before a person."""
    return Fired(
        kind="guardrail",
        rule="sample",
        message={
            "zh": f"抽查（1/{sample.one_in}）：已自动入账。同意即维持，驳回即冲回",
            "en": f"A sample (1 in {sample.one_in}) of what was booked by itself: approve keeps it, reject reverses it",
        },
        limit=str(sample.one_in),
    )


def samples_in_threads(connection: Connection, tenant: str) -> list[str]:
    """The sampled invoices that nobody has looked at, as far as each has (or needs) a thread of its own."""
    asked_here = {batch.batch_id for batch in list_batches(connection, tenant) if batch.asks_here}
    drawn = samples_of(connection, tenant, open_only=True)
    return [one.subject for one in drawn if one.batch not in asked_here]


def headline(examined: Examined) -> str:
    """One line that names the invoice: seller, number, total."""
    record = examined.record
    if record is None:
        return examined.file
    return " ".join(
        filter(None, (record.text("seller"), record.text("number"), record.text("total"), record.text("currency")))
    )


def describe(examined: Examined, batch: Batch) -> str:
    """The question as Markdown for a manager: what, how much, from whom, and why it waits - in zh and en."""
    record = examined.record
    fields = public_fields(record) if record else {}
    lines = [
        f"**{_REQUEST['zh']} / {_REQUEST['en']}**: {plain_text(headline(examined))}",
        "",
        *(f"- {name}: {plain_text(value)}" for name, value in fields.items() if value),
        f"- file: {plain_text(examined.file)} ({plain_text(batch.name)})",
        "",
        *(
            f"- **{f.trigger}** {plain_text(f.message['zh'])} / {plain_text(f.message['en'])}"
            for f in examined.findings
            if f.asks
        ),
    ]
    candidates = [candidate for finding in examined.findings for candidate in finding.candidates]
    if candidates:
        known = [f"{c.value}{' (名录 / register)' if c.known else ''}" for c in candidates]
        lines += ["", f"- 可能的税号 / candidates: {', '.join(known)}"]
    return "\n".join(lines)


def _weight(examined: Examined, policy: Policy) -> Decimal:
    """What the review is about in the policy's currency, 0 where that can't be said: the queue's order."""
    record = examined.record
    total = record.signed_total if record else None
    if record is None or total is None:
        return Decimal(0)
    return abs(policy.worth(total, record.text("currency")) or total)


def _objection(
    transaction: Transaction, services: Services, decision: Decision, examined: Examined, batch: Batch
) -> tuple[str, Examined]:
    """Why the decision doesn't settle the review ("" when it does), and the invoice as to be shown with the reason."""
    if decision.kind == "respond":
        asked = f"{decision.decided_by}: {decision.reason}"
        return both_languages((f"已询问提交人，{asked}", f"the submitter was asked, {asked}")), examined
    if decision.kind == "approve" and (examined.record is None or examined.record.signed_total is None):
        unread = (
            "没有读到价税合计，无法入账，请更正",
            "the total could not be read, so there is nothing to book: edit it",
        )
        return both_languages(unread), examined
    if decision.kind != "edit":
        return "", examined
    weighed, standing = reexamine(transaction.connection, services, decision, examined, batch)
    loops = tuple(finding for finding in weighed.examination.findings if finding.trigger == "loop")
    why = both_languages(*((finding.message["zh"], finding.message["en"]) for finding in standing))
    return why, replace(examined, findings=(*examined.findings, *loops))


def _take_effect(transaction: Transaction, services: Services, decision: Decision, examined: Examined) -> None:
    if decision.kind == "reject":
        set_status(transaction.connection, examined.tenant, [examined.invoice_id], InvoiceStatus.REJECTED)
        transaction.log(examined.tenant, decision.decided_by, "rejected", examined.invoice_id, reason=decision.reason)
        return
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


def _checked(transaction: Transaction, decision: Decision, examined: Examined) -> None:
    """What a person made of a sampled booking: it stands, or is taken back with an entry of its own."""
    connection, invoice_id, by = transaction.connection, examined.invoice_id, decision.decided_by
    settle_samples(connection, examined.tenant, [invoice_id])
    transaction.log(examined.tenant, by, "sample checked", invoice_id, decision=decision.kind)
    booking = booking_of(connection, examined.tenant, invoice_id)
    if decision.kind == "reject" and booking and examined.status is InvoiceStatus.BOOKED:
        reverse_booking(connection, booking, by=by, reason=decision.reason, at=transaction.at)
        transaction.log(examined.tenant, by, "reversed", invoice_id, reason=decision.reason, amount=-booking.amount)
        add_to_run(connection, examined.tenant, examined.batch_id, Tally(failures=1, loss=abs(booking.amount)))


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
