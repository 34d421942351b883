"""Looking back: how the rules did, and what another policy would have done."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from foundation.database import reading
from invoices.findings import Context
from invoices.ledger import Examined, InvoiceStatus, each_examined
from invoices.policy import Policy
from nodes.services import Services
from nodes.weighing import Weighed, weigh
from oversight.reviews import Decision, decisions_on, reviews_about

_PAGE = 500
_SEEN_BY_RULES = frozenset(
    {InvoiceStatus.BOOKED, InvoiceStatus.WAITING, InvoiceStatus.HELD, InvoiceStatus.REJECTED, InvoiceStatus.CLEAN}
)


@dataclass(slots=True)
class RuleRecord:
    """How one rule did over all batches, in invoices."""

    fired: int = 0
    """It found something."""
    overridden: int = 0
    """A person booked the invoice although it stood."""
    corrected: int = 0
    """A person's correction removed the cause."""
    rejected: int = 0
    """A person refused the invoice."""
    waiting: int = 0

    @property
    def overturned(self) -> Decimal | None:
        """The share of decided invoices that were booked although the rule stood; None where nothing was decided."""
        decided = self.overridden + self.corrected + self.rejected
        return Decimal(self.overridden) / decided if decided else None

    def to_json(self) -> dict[str, Any]:
        """The record as plain data."""
        counts = {name: getattr(self, name) for name in RuleRecord.__slots__}
        return counts | {"overturned": None if self.overturned is None else f"{self.overturned:.3f}"}


def rule_records(services: Services) -> dict[str, RuleRecord]:
    """Rule -> how it did, the most often overturned first."""
    records: dict[str, RuleRecord] = {}
    with reading(services.engine) as connection:
        for page in each_examined(connection, services.tenant, _PAGE):
            winners = _winners(connection, services.tenant, page)
            for one in page:
                _count(records, one, winners.get(one.invoice_id))
    return dict(sorted(records.items(), key=lambda pair: (-(pair[1].overturned or 0), -pair[1].fired, pair[0])))


def _winners(connection: Connection, tenant: str, page: list[Examined]) -> dict[str, Decision]:
    """Invoice id -> the decision that took effect."""
    review_ids = reviews_about(connection, tenant, [one.invoice_id for one in page])
    of_review = {review_id: invoice_id for invoice_id, review_id in review_ids.items()}
    return {of_review[d.review_id]: d for d in decisions_on(connection, tenant, list(of_review)) if d.taken}


def _count(records: dict[str, RuleRecord], one: Examined, winner: Decision | None) -> None:
    cleared = {finding.rule for finding in one.findings if finding.cleared_by}
    for rule in {finding.rule for finding in one.findings}:
        record = records.setdefault(rule, RuleRecord())
        record.fired += 1
        if rule in cleared:
            record.corrected += 1
        elif winner and winner.kind == "reject":
            record.rejected += 1
        elif winner:
            record.overridden += 1
        elif one.status is InvoiceStatus.WAITING:
            record.waiting += 1


@dataclass(slots=True)
class Preview:
    """What another policy would have done to the invoices that were audited."""

    invoices: int = 0
    would_wait: list[Examined] = field(default_factory=list)
    """Passed by themselves, and would have needed a person."""
    would_pass: list[Examined] = field(default_factory=list)
    """Needed a person, and would have passed by themselves."""
    rules: dict[str, int] = field(default_factory=dict)
    """Rule -> on how many of `would_wait` it would have fired."""


def preview(services: Services, policy: Policy) -> Preview:
    """Examine all audited invoices again under this policy, as of the day they were examined; nothing is changed."""
    found = Preview()
    for one, weighed in _again(services, policy):
        found.invoices += 1
        asked = any(finding.trigger for finding in one.findings)
        if weighed.verdict.asks and not asked:
            found.would_wait.append(one)
            for fired in weighed.verdict.fired:
                found.rules[fired.rule] = found.rules.get(fired.rule, 0) + 1
        elif asked and not weighed.verdict.asks:
            found.would_pass.append(one)
    return found


def _again(services: Services, policy: Policy) -> Iterator[tuple[Examined, Weighed]]:
    with reading(services.engine) as connection:
        for page in each_examined(connection, services.tenant, _PAGE):
            for one in page:
                if one.record and one.status in _SEEN_BY_RULES and not any(f.cleared_by for f in one.findings):
                    day = one.examined_at.astimezone(services.zone).date()
                    yield one, weigh(one.record, Context(policy, day))
