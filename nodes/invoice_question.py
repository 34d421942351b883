"""The question about an invoice: the booking asked for or to be looked at, and all that a person needs to answer it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from invoices.ledger import Batch, Examined, InvoiceStatus, policy_of
from invoices.policy import Policy
from invoices.record import PUBLIC_FIELDS, public_fields
from nodes.standing import bound_of
from nodes.weighing import BOOK, as_fired, confidence_basis, seller_key, sureness
from oversight.action import Action, DecisionKind, Fired, Verdict
from oversight.question import plain_text, question_about
from oversight.reviews import Decision, winning_decision
from oversight.sampling import Sample, sample_of

CHECK = "check_booking"
"""The action of a review that looks at a booking afterwards."""

_CHECKS: tuple[DecisionKind, ...] = ("approve", "reject", "respond")
_REQUEST = {"zh": "入账申请", "en": "Booking request"}


def asked_about(
    connection: Connection, examined: Examined, batch: Batch, review_id: str, forked_from: str | None
) -> dict[str, Any]:
    """The question as things stand: what an approval is bound to, what the policy wants of an override.

    `forked_from` is the decided review that is asked about once more.
    """
    sample = sample_of(connection, examined.tenant, examined.invoice_id)
    before = winning_decision(connection, examined.tenant, forked_from) if forked_from else None
    asked = ask_about(examined, batch, review_id, bound_of(connection, examined, batch), sample, before)
    return asked | {"override_reason": policy_of(connection, batch.policy).approval.override_reason}


def ask_about(
    examined: Examined,
    batch: Batch,
    review_id: str,
    bound: Mapping[str, Any],
    sample: Sample | None = None,
    before: Decision | None = None,
) -> dict[str, Any]:
    """The question about booking this invoice as it stands, or about its booking where that is looked at afterwards.

    An approval is bound to `bound`, too; `before` is the decision that is reconsidered.
    """
    record = examined.record
    if record is None:
        raise ValueError(f"{examined.invoice_id} was never read: there is nothing to ask about")
    checks = is_check(examined, sample)
    asking = () if checks else tuple(as_fired(finding) for finding in examined.findings if finding.asks)
    fired = (*([_drawn(sample)] if sample else []), *([_reconsidered(before, checks)] if before else []), *asking)
    sure = min(sureness(record).values(), default=0.0)
    action = Action(name=CHECK if checks else BOOK, args=public_fields(record), irreversible=True, confidence=sure)
    question = question_about(
        action,
        Verdict(fired=fired, allowed=_CHECKS) if checks else Verdict(fired=fired),
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
            **({"reconsiders": before.to_json()} if before else {}),
        },
        bound=bound,
    )
    return question | {"party": seller_key(record), "confidence_basis": dict(confidence_basis(record))}


def is_check(examined: Examined, sample: Sample | None) -> bool:
    """Whether a booking is looked at, rather than one asked for."""
    return sample is not None or examined.status is InvoiceStatus.BOOKED


def _reconsidered(before: Decision, checks: bool) -> Fired:
    """Why something that was decided is put before a person once more."""
    zh = "同意即维持入账，驳回即冲回" if checks else "同意即入账，驳回即维持驳回"
    en = (
        "approve keeps the booking, reject reverses it" if checks else "approve books it, reject lets the refusal stand"
    )
    day = before.at.date().isoformat()
    return Fired(
        kind="guardrail",
        rule="reconsidered",
        message={
            "zh": f"{before.decided_by} 于 {day} 的决定（{before.kind}）需重新考虑。{zh}",
            "en": f"The decision of {before.decided_by} on {day} ({before.kind}) is reconsidered: {en}",
        },
        measured=before.kind,
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


def weight_of(examined: Examined, policy: Policy) -> Decimal:
    """What the review is about in the policy's currency, 0 where that can't be said: the queue's order."""
    record = examined.record
    total = record.signed_total if record else None
    if record is None or total is None:
        return Decimal(0)
    return abs(policy.worth(total, record.text("currency")) or total)
