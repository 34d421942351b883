"""Open the review of one invoice and put the question into the state, verdict and evidence included."""

from decimal import Decimal
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.ledger import Batch, Examined, InvoiceStatus, find_examined, policy_of, require_batch
from invoices.policy import Policy
from invoices.record import PUBLIC_FIELDS, public_fields
from nodes.services import Services
from nodes.weighing import BOOK, as_fired, sureness
from oversight.action import Action, DecisionKind, Fired, Verdict
from oversight.question import plain_text, question_about
from oversight.reviews import Review, find_review, open_review
from oversight.sampling import Sample, sample_of
from oversight.threads import bind_thread

CHECK = "check_booking"
"""The action of a review that looks at a sampled booking afterwards."""

_CHECKS: tuple[DecisionKind, ...] = ("approve", "reject", "respond")
_REQUEST = {"zh": "入账申请", "en": "Booking request"}


def pose(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Open the review (or find it open already) and return its question; None when the invoice no longer waits."""
    invoice_id = state["invoice_id"]
    thread_id = services.thread(config)
    with services.journal.transaction() as transaction:
        bind_thread(
            transaction.connection, thread_id, services.tenant, "invoice_review", services.account, transaction.at
        )
        examined = find_examined(transaction.connection, services.tenant, invoice_id)
        if examined.status is not InvoiceStatus.WAITING and not _is_to_be_checked(transaction.connection, examined):
            return {"question": None, "answer": None, "decision": None}
        batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
        policy = policy_of(transaction.connection, batch.policy)
        question = _open(transaction, examined, batch, policy, thread_id)
    return {"question": question, "answer": None, "decision": None}


def _open(transaction: Transaction, examined: Examined, batch: Batch, policy: Policy, thread_id: str) -> dict[str, Any]:
    review_id = derived_id("rev", examined.invoice_id)
    question = {**ask_about(transaction.connection, examined, batch, review_id), "round": 1}
    open_review(
        transaction.connection,
        Review(
            review_id=review_id,
            tenant=examined.tenant,
            thread_id=thread_id,
            action=question["action_requests"][0]["name"],
            subject=examined.invoice_id,
            headline=headline(examined),
            amount=_weight(examined, policy),
            currency=policy.limits.currency,
            submitter=examined.claim.submitter or batch.submitter,
            question=question,
            digest=question["digest"],
            opened_at=transaction.at,
        ),
    )
    kept = find_review(transaction.connection, examined.tenant, review_id)
    if kept.opened_at == transaction.at:
        rules = [finding.rule for finding in examined.findings if finding.asks]
        transaction.log(examined.tenant, "agent", "review opened", review_id, invoice=examined.invoice_id, rules=rules)
    return dict(kept.question)


def _is_to_be_checked(connection: Connection, examined: Examined) -> bool:
    """Whether the invoice was booked by itself, drawn for a check, and nobody has looked at it yet."""
    sample = sample_of(connection, examined.tenant, examined.invoice_id)
    return sample is not None and not sample.settled and examined.status is InvoiceStatus.BOOKED


def ask_about(connection: Connection, examined: Examined, batch: Batch, review_id: str) -> dict[str, Any]:
    """The question about booking this invoice as it stands, or about the booking where it was drawn for a check."""
    record = examined.record
    if record is None:
        raise ValueError(f"{examined.invoice_id} was never read: there is nothing to ask about")
    sample = sample_of(connection, examined.tenant, examined.invoice_id)
    asking = tuple(as_fired(finding) for finding in examined.findings if finding.asks)
    sure = min(sureness(record).values(), default=0.0)
    action = Action(name=CHECK if sample else BOOK, args=public_fields(record), irreversible=True, confidence=sure)
    verdict = Verdict(fired=(_drawn(sample),), allowed=_CHECKS) if sample else Verdict(fired=asking)
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
            **({"sample": {"one_in": sample.one_in}} if sample else {}),
        },
    )


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
