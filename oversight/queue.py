"""The queue: what waits, filtered, the gravest first, a page at a time or in reason groups.

A page reads the small columns beside each question and never the questions: it costs the same however many wait.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from oversight.action import TriggerKind
from oversight.postponing import is_postponed
from oversight.reviews import ReviewStatus
from oversight.risk import Risk
from oversight.tables import review_reasons, reviews

SortBy = Literal["risk", "amount", "age", "due"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """Which reviews are meant; what isn't said doesn't matter. These are all the things one can ask for."""

    status: ReviewStatus = ReviewStatus.OPEN
    trigger: TriggerKind | None = None
    rule: str | None = None
    """Any rule that fired, not only the gravest."""
    group: str | None = None
    """The gravest reason's rule: the reason group."""
    risk: Risk | None = None
    batch: str | None = None
    party: str | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    opened_before: datetime | None = None
    opened_after: datetime | None = None
    assignees: Sequence[str] | None = None
    """Reviews assigned to one of these people."""
    claimed_by: str | None = None
    due_before: datetime | None = None
    """Overdue where it is now."""
    on_table: datetime | None = None
    """Without what is put off at this moment."""
    text: str | None = None
    """Part of the headline, the review's id, or the id of what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """One review as the queue shows it."""

    review_id: str
    subject: str
    thread_id: str
    action: str
    headline: str
    amount: Decimal
    currency: str
    submitter: str
    batch: str
    party: str
    audience: str
    rule: str
    risk: Risk
    approvals_needed: int
    assignee: str | None
    claimed_by: str | None
    claimed_until: datetime | None
    due_at: datetime | None
    expires_at: datetime | None
    digest: str
    round: int
    status: ReviewStatus
    opened_at: datetime
    reasons: tuple[tuple[str, str], ...] = ()
    """(kind, rule) of all that fired."""


@dataclass(frozen=True, slots=True)
class QueuePage:
    """Some of what waits, and how much there is in all."""

    items: Sequence[QueueItem]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The reviews of one reason and one party, counted."""

    rule: str
    party: str
    currency: str
    count: int
    amount: Decimal
    """The sum."""
    risk: Risk
    """Of the gravest in it."""

    @property
    def together(self) -> bool:
        """Whether all of it may be decided at once: high risk never is."""
        return self.risk < Risk.HIGH


_COLUMNS = [reviews.c[field.name] for field in fields(QueueItem) if field.name != "reasons"]
_ORDERS: dict[SortBy, tuple[ColumnElement[Any], ...]] = {
    "risk": (reviews.c.risk.desc(), reviews.c.amount.desc(), reviews.c.review_id.desc()),
    "amount": (reviews.c.amount.desc(), reviews.c.review_id.desc()),
    "age": (reviews.c.opened_at, reviews.c.review_id),
    "due": (reviews.c.due_at, reviews.c.review_id),
}


def page_of(
    connection: Connection, tenant: str, wanted: QueueFilter, *, limit: int, offset: int = 0, sort: SortBy = "risk"
) -> QueuePage:
    """One page of what is wanted, the gravest first."""
    conditions = _conditions(tenant, wanted)
    total = connection.execute(select(func.count()).select_from(reviews).where(*conditions)).scalar_one()
    query = select(*_COLUMNS).where(*conditions).order_by(*_ORDERS[sort]).limit(limit).offset(offset)
    rows = connection.execute(query).all()
    reasons = _reasons(connection, [row.review_id for row in rows])
    return QueuePage([_item(row, reasons.get(row.review_id, ())) for row in rows], total)


def groups_of(connection: Connection, tenant: str, wanted: QueueFilter) -> list[Group]:
    """What is wanted by reason and party with counts and sums, the gravest and largest first."""
    columns = (reviews.c.rule, reviews.c.party, reviews.c.currency)
    risk, amount = func.max(reviews.c.risk), func.sum(reviews.c.amount)
    query: Select[Any] = select(*columns, func.count().label("count"), amount.label("amount"), risk.label("risk"))
    grouped = query.where(*_conditions(tenant, wanted)).group_by(*columns)
    rows = connection.execute(grouped.order_by(risk.desc(), amount.desc(), *columns))
    return [Group(**{**row._mapping, "risk": Risk(row.risk), "amount": _cents(row.amount)}) for row in rows]


def ids_of(connection: Connection, tenant: str, wanted: QueueFilter) -> list[str]:
    """The ids of all that is wanted, the gravest first."""
    query = select(reviews.c.review_id).where(*_conditions(tenant, wanted)).order_by(*_ORDERS["risk"])
    return list(connection.execute(query).scalars())


def _conditions(tenant: str, wanted: QueueFilter) -> list[ColumnElement[bool]]:
    said = {name: getattr(wanted, name) for name in _CONDITIONS}
    return [
        reviews.c.tenant == tenant,
        reviews.c.status == wanted.status,
        *(_CONDITIONS[name](tenant, value) for name, value in said.items() if value is not None),
    ]


_CONDITIONS: Mapping[str, Callable[[str, Any], ColumnElement[bool]]] = {
    "trigger": lambda tenant, value: _fired(tenant, review_reasons.c.kind == value),
    "rule": lambda tenant, value: _fired(tenant, review_reasons.c.rule == value),
    "group": lambda _, value: reviews.c.rule == value,
    "risk": lambda _, value: reviews.c.risk == value,
    "batch": lambda _, value: reviews.c.batch == value,
    "party": lambda _, value: reviews.c.party == value,
    "least": lambda _, value: reviews.c.amount >= value,
    "most": lambda _, value: reviews.c.amount <= value,
    "opened_before": lambda _, value: reviews.c.opened_at < value,
    "opened_after": lambda _, value: reviews.c.opened_at >= value,
    "assignees": lambda _, value: reviews.c.assignee.in_(value),
    "claimed_by": lambda _, value: reviews.c.claimed_by == value,
    "due_before": lambda _, value: reviews.c.due_at < value,
    "on_table": lambda tenant, value: ~is_postponed(tenant, value),
    "text": lambda _, value: _holds(value),
}


def _fired(tenant: str, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    fired = select(review_reasons.c.review_id).where(review_reasons.c.tenant == tenant, condition)
    return reviews.c.review_id.in_(fired)


def _holds(text: str) -> ColumnElement[bool]:
    in_headline = reviews.c.headline.icontains(text, autoescape=True)
    return in_headline | (reviews.c.review_id == text) | (reviews.c.subject == text)


def _reasons(connection: Connection, review_ids: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    query = select(review_reasons.c.review_id, review_reasons.c.kind, review_reasons.c.rule)
    chosen = query.where(review_reasons.c.review_id.in_(review_ids))
    for row in connection.execute(chosen.order_by(review_reasons.c.kind, review_reasons.c.rule)):
        found[row.review_id] = (*found.get(row.review_id, ()), (row.kind, row.rule))
    return found


def _item(row: Row[Any], reasons: tuple[tuple[str, str], ...]) -> QueueItem:
    values = dict(row._mapping)
    typed = {"risk": Risk(values["risk"]), "status": ReviewStatus(values["status"]), "reasons": reasons}
    return QueueItem(**{**values, **typed})


def _cents(amount: Decimal | float | int) -> Decimal:
    return Decimal(str(amount)).quantize(Decimal("0.01"))
