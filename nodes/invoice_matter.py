"""Doubtful invoices as matters of review: the booking asked for, what rules say to an edit, what a decision books."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.bookings import BookingKind, bookable
from invoices.ledger import (
    Batch,
    Examined,
    InvoiceStatus,
    find_examined,
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
from nodes.weighing import BOOK, applied, as_fired, past_as_examined, sureness
from oversight.action import Action, Verdict
from oversight.question import both_languages, plain_text, question_about
from oversight.reviews import Decision, Review
from oversight.threads import bind_thread

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
        if examined.status is not InvoiceStatus.WAITING:
            return None
        batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
        policy = policy_of(transaction.connection, batch.policy)
        review_id = derived_id("rev", examined.invoice_id)
        question = {**ask_about(examined, batch, review_id), "round": 1}
        return Review(
            review_id=review_id,
            tenant=examined.tenant,
            thread_id=thread_id,
            action=BOOK,
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
        why, shown = _objection(transaction, self.services, decision, examined, batch)
        return Objection(why, ask_about(shown, batch, review.review_id)) if why else None

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:
        """Book it, book it corrected, or refuse it."""
        examined = find_examined(transaction.connection, self.services.tenant, review.subject)
        _take_effect(transaction, self.services, decision, examined)
        return True

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


def ask_about(examined: Examined, batch: Batch, review_id: str) -> dict[str, Any]:
    """The question about booking this invoice as it stands."""
    record = examined.record
    if record is None:
        raise ValueError(f"{examined.invoice_id} was never read: there is nothing to ask about")
    asking = [finding for finding in examined.findings if finding.asks]
    action = Action(
        name=BOOK, args=public_fields(record), irreversible=True, confidence=min(sureness(record).values(), default=0.0)
    )
    verdict = Verdict(fired=tuple(as_fired(finding) for finding in asking))
    return question_about(
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
        },
    )


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
