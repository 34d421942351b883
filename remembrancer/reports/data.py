"""What a report says, gathered from ledger, reviews and audit log in one reading."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from foundation.database import reading
from foundation.masking import mask_tax_id
from invoices.bookings import Booking, BookingKind, bookings_of
from invoices.findings import Lang
from invoices.ledger import Batch, Examined, InvoiceStatus, examined_of, find_examined, policy_of, require_batch
from invoices.money import money_text, parse_money
from invoices.policy import Policy
from invoices.record import PUBLIC_FIELDS, public_fields
from nodes.services import Services
from oversight.reviews import Decision, decisions_on, reviews_about, subjects_by_review
from remembrancer.reports.watched import Watched, watched

_SHOWN_ORDER = (
    InvoiceStatus.BOOKED,
    InvoiceStatus.REVERSED,
    InvoiceStatus.CLEAN,
    InvoiceStatus.WAITING,
    InvoiceStatus.HELD,
    InvoiceStatus.ADVISED,
    InvoiceStatus.REJECTED,
    InvoiceStatus.DUPLICATE,
    InvoiceStatus.ALREADY_AUDITED,
    InvoiceStatus.UNREADABLE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """Everything that the report of one batch shows."""

    batch: Batch
    policy: Policy
    invoices: Sequence[Examined]
    firsts: Mapping[str, Examined]
    """Id -> the earlier invoice that a duplicate or an already audited one points to."""
    bookings: Mapping[str, Booking]
    """Invoice id -> its booking."""
    reversals: Mapping[str, Booking]
    """Invoice id -> the entry that took its booking back."""
    review_ids: Mapping[str, str]
    """Invoice id -> its review."""
    decisions: Mapping[str, Sequence[Decision]]
    """Invoice id -> what was decided about it, in order."""
    watched: Watched
    """Under which degree of oversight it ran, and what came of it."""
    log_rows: int
    log_fault: str
    made_at: datetime

    @property
    def counts(self) -> dict[str, int]:
        """Status -> number of invoices, what is settled first."""
        found = Counter(one.status for one in self.invoices)
        return {str(status): found[status] for status in _SHOWN_ORDER if found[status]}

    @property
    def sums(self) -> dict[str, dict[str, Decimal]]:
        """Status -> currency -> sum of the signed totals."""
        sums: dict[str, dict[str, Decimal]] = {}
        for one in self.invoices:
            total = one.record.signed_total if one.record else None
            if one.record and total is not None:
                currency = one.record.text("currency") or self.policy.limits.currency
                by_currency = sums.setdefault(str(one.status), {})
                by_currency[currency] = by_currency.get(currency, Decimal(0)) + total
        return sums

    @property
    def rule_counts(self) -> dict[str, int]:
        """Rule -> how many invoices it found something on, most first."""
        found = Counter(rule for one in self.invoices for rule in {finding.rule for finding in one.findings})
        return dict(found.most_common())

    @property
    def not_executed(self) -> dict[str, tuple[int, str, str]]:
        """Rule -> on how many invoices it could not be executed, and why (zh, en)."""
        found: dict[str, tuple[int, str, str]] = {}
        for one in self.invoices:
            for rule, reason in one.not_executed.items():
                found[rule] = (found.get(rule, (0,))[0] + 1, reason.zh, reason.en)
        return found


def gather(services: Services, name_or_id: str) -> BatchReport:
    """All that the report of this batch shows.

    Raises:
        NotFoundError: this tenant has no such batch.
    """
    with reading(services.engine) as connection:
        batch = require_batch(connection, services.tenant, name_or_id)
        examined = examined_of(connection, batch.batch_id)
        first_ids = {one.first_id for one in examined if one.first_id}
        firsts = {first: find_examined(connection, services.tenant, first) for first in first_ids}
        subjects = [one.invoice_id for one in (*examined, *firsts.values())]
        review_ids = reviews_about(connection, services.tenant, subjects)
        of_review = subjects_by_review(connection, services.tenant, subjects)
        decided = decisions_on(connection, services.tenant, list(of_review))
        entries = bookings_of(connection, batch.batch_id)
        bookings = {entry.invoice_id: entry for entry in entries if entry.kind is not BookingKind.REVERSAL}
        reversals = {entry.invoice_id: entry for entry in entries if entry.kind is BookingKind.REVERSAL}
        policy = policy_of(connection, batch.policy)
        seen = watched(connection, batch)
    verification = services.journal.verify(services.tenant)
    decisions: dict[str, list[Decision]] = {}
    for decision in decided:
        decisions.setdefault(of_review[decision.review_id], []).append(decision)
    return BatchReport(
        batch=batch,
        policy=policy,
        invoices=examined,
        firsts=firsts,
        bookings=bookings,
        reversals=reversals,
        review_ids=review_ids,
        decisions=decisions,
        watched=seen,
        log_rows=verification.rows,
        log_fault=verification.fault,
        made_at=services.clock(),
    )


def shown_fields(examined: Examined) -> dict[str, str]:
    """The public fields as shown: ids that hold a citizen id are masked, and a total always has its cents."""
    fields = public_fields(examined.record) if examined.record else dict.fromkeys(PUBLIC_FIELDS, "")
    for name in ("seller_tax_id", "buyer_tax_id"):
        fields[name] = mask_tax_id(fields[name])
    for name in ("net", "tax", "total"):
        amount = parse_money(fields[name])
        fields[name] = money_text(amount) if amount is not None else fields[name]
    return fields


def invoice_json(report: BatchReport, examined: Examined, lang: Lang) -> dict[str, Any]:
    """One invoice as `--json` prints it."""
    return {
        "id": examined.invoice_id,
        "file": examined.file,
        **_status_json(examined),
        "fields": shown_fields(examined),
        "findings": [
            {"rule": f.rule, "severity": f.severity, "trigger": f.trigger, "message": f.message[lang]}
            for f in examined.findings
        ],
        "review_id": report.review_ids.get(examined.first_id or examined.invoice_id),
        **({"unreadable": examined.unreadable} if examined.unreadable else {}),
        **({"first": _first_json(report.firsts[examined.first_id])} if examined.first_id else {}),
    }


def _status_json(examined: Examined) -> dict[str, str]:
    """The status; what was only advised about is held, with what would have become of it."""
    if examined.status is not InvoiceStatus.ADVISED:
        return {"status": str(examined.status)}
    asks = any(finding.asks for finding in examined.findings)
    return {"status": str(InvoiceStatus.HELD), "advice": "would ask" if asks else "would book"}


def report_json(report: BatchReport, lang: Lang) -> dict[str, Any]:
    """The whole report as `--json` prints it."""
    return {
        "batch": report.batch.name,
        "invoices": [invoice_json(report, one, lang) for one in report.invoices],
        "totals": {
            "invoices": len(report.invoices),
            "by_status": {_public(status): count for status, count in report.counts.items()},
            "amounts": {
                _public(status): {currency: money_text(amount) for currency, amount in sums.items()}
                for status, sums in report.sums.items()
            },
            "oversight": report.watched.to_json(),
        },
    }


def _public(status: str) -> str:
    """The status as `--json` names it: what was only advised about is held."""
    return str(InvoiceStatus.HELD) if status == InvoiceStatus.ADVISED else status


def _first_json(first: Examined) -> dict[str, str]:
    return {"id": first.invoice_id, "file": first.file, "status": str(first.status)}
