"""From an invoice to a verdict: findings of the rules and reasons of the triggers say whether a person is needed."""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from invoices.checks import examine
from invoices.checks.duplicates import DUPLICATE, invoice_key
from invoices.findings import Context, Earlier, Examination, Finding, NotExecuted
from invoices.history import Claim, Past, past_of
from invoices.identity import normal_id
from invoices.ledger import Batch, Examined, InvoiceStatus
from invoices.names import normal_name
from invoices.policy import Policy
from invoices.readers.measured import MEASURED
from invoices.record import NEEDED_FIELDS, Invoice, public_fields
from invoices.schematron import RULE_PREFIX, Schematron
from invoices.verification import NOT_ASKED, FileVerifier, Verifier
from nodes.accepted import NOTHING_ACCEPTED, Accepted, by_accepted
from oversight.action import Action, Fired, Limits, Message, Verdict
from oversight.calibration import LEAST, Bin, Calibrated, Reliability, cautious
from oversight.triggers import judge_action

BOOK = "book_invoice"
NOTHING_BESIDE = Examination()
_SCHEMATRON_FORMS = frozenset({"ubl", "cii"})
_RELIABILITY = {name: Reliability(name, tuple(Bin(*each) for each in bins)) for name, bins in MEASURED.items()}
_SURE_FIELDS = (*NEEDED_FIELDS, "seller_tax_id", "buyer", "buyer_tax_id", "net", "tax")


@dataclass(frozen=True, slots=True)
class Weighed:
    """An invoice after rules and triggers: the action, the verdict and all findings, the triggers' ones included."""

    action: Action
    verdict: Verdict
    examination: Examination

    @property
    def status(self) -> InvoiceStatus:
        """Where an invoice with this verdict goes."""
        if any(finding.rule == DUPLICATE for finding in self.examination.findings):
            return InvoiceStatus.DUPLICATE
        return InvoiceStatus.WAITING if self.verdict.asks else InvoiceStatus.CLEAN


def weigh(
    invoice: Invoice,
    context: Context,
    *,
    spent: Decimal = Decimal(0),
    attempt: int = 1,
    beside: Examination = NOTHING_BESIDE,
    accepted: Accepted = NOTHING_ACCEPTED,
) -> Weighed:
    """Examine the invoice and judge the booking of it.

    `beside` is what rules outside the table said, `accepted` what people accepted as the company's own rules.
    """
    examination = by_accepted(_together(examine(invoice, context), beside), seller_key(invoice), accepted)
    action = _booking(invoice, examination, context.policy, attempt)
    limits = context.policy.limits
    verdict = judge_action(
        action,
        Limits(
            amount=limits.amount,
            confidence=limits.confidence,
            attempts=limits.attempts,
            budget=limits.batch_budget,
            spent=spent,
        ),
    )
    return Weighed(action, verdict, _with_triggers(examination, verdict))


def by_schematron(policy: Policy, invoice: Invoice, content: bytes, name: str) -> Examination:
    """What the user's own schematron says about the file of a UBL or CII invoice."""
    if policy.schematron is None or invoice.form not in _SCHEMATRON_FORMS:
        return NOTHING_BESIDE
    said = _schematron(policy.schematron).examine(content, name)
    return Examination(not_executed={"schematron": said}) if isinstance(said, NotExecuted) else Examination(said)


def still_beside(examined: Examined) -> Examination:
    """What the schematron said about the file: an edit changes the record and not the file."""
    kept = tuple(finding for finding in examined.findings if finding.rule.startswith(RULE_PREFIX))
    said = {rule: why for rule, why in examined.not_executed.items() if rule == "schematron"}
    return Examination(kept, said)


@lru_cache(maxsize=2)
def _schematron(path: str) -> Schematron:
    return Schematron(Path(path))


def _together(one: Examination, other: Examination) -> Examination:
    if other is NOTHING_BESIDE:
        return one
    return Examination((*one.findings, *other.findings), {**one.not_executed, **other.not_executed})


def applied(examined: Examined, invoice: Invoice, weighed: Weighed) -> Examined:
    """The row with a (new) record and what the rules say about it now."""
    return replace(
        examined,
        record=invoice,
        invoice_key=key_of(invoice, examined.sha256, examined.nth),
        findings=weighed.examination.findings,
        not_executed=weighed.examination.not_executed,
    )


def for_invoice(context: Context, invoice: Invoice, claim: Claim, earlier: Earlier | None) -> Context:
    """The step's context with what concerns this invoice: its claim, who had its key first, the tax office's word."""
    lookup = context.policy.lookup.file
    verification = _answers(lookup, Path(lookup).stat().st_mtime_ns).look_up(invoice) if lookup else NOT_ASKED
    return replace(context, earlier=earlier, claim=claim, verification=verification)


@lru_cache(maxsize=4)
def _answers(file: str, changed_at: int) -> Verifier:  # noqa: ARG001 - a changed file is read anew
    return FileVerifier.load(Path(file))


def past_as_examined(examined: Examined, batch: Batch, policy: Policy) -> Past:
    """The invoice as the rules for later ones will see it."""
    if examined.record is None:
        raise ValueError(f"{examined.invoice_id} was never read: there is nothing to remember")
    where = {"invoice_id": examined.invoice_id, "batch": batch.name, "file": examined.file}
    return past_of(examined.record, policy, claim=examined.claim, **where)


def key_of(invoice: Invoice, sha256: str, nth: int) -> str:
    """The invoice's key; one that states too little to have one is known by its document's bytes."""
    return invoice_key(invoice) or f"file:{sha256}:{nth}"


def seller_key(invoice: Invoice) -> str:
    """The seller as a key that all his invoices share: the tax id, else the name; "" where neither was read."""
    return normal_id(invoice.text("seller_tax_id")) or normal_name(invoice.text("seller"))


def _booking(invoice: Invoice, examination: Examination, policy: Policy, attempt: int) -> Action:
    unsure = sureness(invoice)
    total = invoice.signed_total
    return Action(
        name=BOOK,
        args=public_fields(invoice),
        irreversible=True,
        amount=policy.worth(total, invoice.text("currency")) if total is not None else None,
        confidence=min(unsure.values(), default=0.0),
        doubts=tuple(name for name, value in unsure.items() if value < policy.limits.confidence),
        attempt=attempt,
        breaches=tuple(as_fired(finding) for finding in examination.findings if finding.asks),
    )


def sureness(invoice: Invoice) -> dict[str, float]:
    """How surely each field was read that the booking stands on, as far as the invoice states it.

    A reader's own figure goes through what was measured of that reader, so that 0.8 is right eight times in ten.
    """
    return {name: _meant(invoice, name) for name in _SURE_FIELDS if invoice.text(name)}


def _meant(invoice: Invoice, name: str) -> float:
    return cautious(invoice.confidence(name), _measured(invoice.fields[name].reader, invoice.confidence(name)))


@lru_cache(maxsize=1024)
def _measured(reader: str, raw: float) -> Calibrated:
    return _RELIABILITY[reader].calibrate(raw) if reader in _RELIABILITY else Calibrated(raw, 1.0, 0, measured=False)


def confidence_basis(invoice: Invoice) -> Message:
    """What stands behind the least sure value: labelled values that were counted, or a figure set by hand."""
    sure = sureness(invoice)
    if not sure:
        return {"zh": "没有读到必需字段", "en": "no needed field was read"}
    least = min(sure, key=lambda name: sure[name])
    reader = invoice.fields[least].reader
    found = _measured(reader, invoice.confidence(least))
    if found.measured:
        return {
            "zh": f"{least}（{reader}）：按 {found.count} 个有标注的值实测，正确率 {found.value:.3f}",
            "en": f"{least} ({reader}): measured on {found.count} labelled values, right {found.value:.3f}",
        }
    return {
        "zh": f"{least}（{reader}）：有标注的值只有 {found.count} 个，不足 {LEAST} 个，沿用人工设定的置信度",
        "en": f"{least} ({reader}): only {found.count} labelled values, fewer than {LEAST}: the figure is set by hand",
    }


def as_fired(finding: Finding) -> Fired:
    """A finding in the words of oversight."""
    return Fired(
        kind=finding.trigger or "guardrail",
        rule=finding.rule,
        message={"zh": finding.message["zh"], "en": finding.message["en"]},
        measured=finding.read,
        limit=finding.expected,
        hard=finding.severity == "hard",
    )


def _with_triggers(examination: Examination, verdict: Verdict) -> Examination:
    known = {finding.rule for finding in examination.findings}
    added = tuple(_finding(fired) for fired in verdict.fired if fired.rule not in known)
    return replace(examination, findings=(*examination.findings, *added))


def _finding(fired: Fired) -> Finding:
    return Finding(
        rule=fired.rule,
        severity="review",
        trigger=fired.kind,
        message={"zh": fired.message["zh"], "en": fired.message["en"]},
        source="policy: limits",
        field="total" if fired.rule in {"amount_limit", "budget"} else None,
        read=fired.measured,
        expected=fired.limit,
    )
