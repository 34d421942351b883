"""Open the review of one invoice and put the question into the state, verdict and evidence included."""

from decimal import Decimal
from typing import Any

from langchain_core.runnables import RunnableConfig

from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.ledger import Batch, Examined, InvoiceStatus, find_examined, policy_of, require_batch
from invoices.policy import Policy
from invoices.record import PUBLIC_FIELDS, public_fields
from nodes.services import Services
from nodes.weighing import BOOK, as_fired, sureness
from oversight.action import Action, Verdict
from oversight.question import plain_text, question_about
from oversight.reviews import Review, find_review, open_review
from oversight.threads import bind_thread

_REQUEST = {"zh": "入账申请", "en": "Booking request"}


def pose(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Open the review (or find it open already) and return its question; None when the invoice no longer waits."""
    invoice_id = state["invoice_id"]
    thread_id = services.thread(config)
    with services.journal.transaction() as transaction:
        owner = services.person(config)
        bind_thread(transaction.connection, thread_id, services.tenant, "invoice_review", owner, transaction.at)
        examined = find_examined(transaction.connection, services.tenant, invoice_id)
        if examined.status is not InvoiceStatus.WAITING:
            return {"question": None, "answer": None, "decision": None}
        batch = require_batch(transaction.connection, services.tenant, examined.batch_id)
        policy = policy_of(transaction.connection, batch.policy)
        question = _open(transaction, examined, batch, policy, thread_id)
    return {"question": question, "answer": None, "decision": None}


def _open(transaction: Transaction, examined: Examined, batch: Batch, policy: Policy, thread_id: str) -> dict[str, Any]:
    review_id = derived_id("rev", examined.invoice_id)
    question = {**ask_about(examined, batch, review_id), "round": 1}
    open_review(
        transaction.connection,
        Review(
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
        ),
    )
    kept = find_review(transaction.connection, examined.tenant, review_id)
    if kept.opened_at == transaction.at:
        rules = [finding.rule for finding in examined.findings if finding.asks]
        transaction.log(examined.tenant, "agent", "review opened", review_id, invoice=examined.invoice_id, rules=rules)
    return dict(kept.question)


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
