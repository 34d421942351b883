"""The queue as a page shows it: filtered, sorted by severity and money, counted, one page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from invoices.findings import Lang
from oversight.lease import claimant
from oversight.people import Role, list_people, name_key
from oversight.postponing import is_postponed
from oversight.reviews import Decision, Review, ReviewStatus, decisions_on, find_reviews
from oversight.tables import review_reasons, reviews
from remembrancer.inbox.reasons import places_in, plainly
from remembrancer.inbox.scheduled import Scheduled

PAGE = 50
SEVERITIES: Mapping[int, str] = {3: "hard", 2: "review", 1: "hint", 0: "hint"}
"""Risk of a review -> the severity of its gravest reason, for label and colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a person wants to see of the queue; each field is one of the page's filters, "" for any."""

    status: str = "open"
    q: str = ""
    trigger: str = ""
    rule: str = ""
    batch: str = ""
    seller: str = ""
    least: str = ""
    most: str = ""
    age: str = ""
    """At least so many days old."""
    assignee: str = ""
    """me, nobody, or a name."""
    due: str = ""
    """overdue: only what should have been decided."""
    page: int = 1

    def chosen(self) -> dict[str, str]:
        """The filters that are set."""
        left = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in left.items() if value and name not in {"page", "status"}}

    def link(self, **changes: Any) -> dict[str, Any]:
        """The query of the same view with some changes; the first page unless one is named."""
        values = {**self.chosen(), "status": "" if self.status == "open" else self.status, **changes}
        return {name: value for name, value in values.items() if value not in ("", None, 1)}

    def link_to(self, page: int) -> dict[str, Any]:
        """The query of another page of the same view."""
        return self.link(page=page)


@dataclass(frozen=True, slots=True)
class Eye:
    """Who looks at the queue, of which tenant, and when."""

    tenant: str
    person: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why a review waits, in one language."""

    kind: str
    rule: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One review as a line of the queue."""

    review: Review
    seller: str
    number: str
    date: str
    reasons: Sequence[Reason]
    holder: str
    """Who has claimed it, or whom it was given to; "" for nobody."""
    won: Decision | None
    """The decision that was taken, None while there is none."""
    overdue: bool
    scheduled: Scheduled | None

    @property
    def id(self) -> str:
        """The review's."""
        return self.review.review_id

    @property
    def severity(self) -> str:
        """hard, review or hint."""
        return SEVERITIES.get(self.review.risk, "hard")

    @property
    def kinds(self) -> list[str]:
        """The triggers that fired, each once."""
        return list(dict.fromkeys(reason.kind for reason in self.reasons))


@dataclass(frozen=True, slots=True)
class Counted:
    """How many reviews, and their sum by currency."""

    count: int
    sums: Mapping[str, Decimal]


def find(connection: Connection, eye: Eye, wanted: Wanted) -> list[Review]:
    """One page of the reviews that are wanted, the gravest first, then the largest amount."""
    ids = select(reviews.c.review_id).where(_where(eye, wanted))
    order = (reviews.c.risk.desc(), reviews.c.amount.desc(), reviews.c.review_id)
    page = ids.order_by(*order).limit(PAGE).offset(PAGE * (max(wanted.page, 1) - 1))
    return find_reviews(connection, eye.tenant, list(connection.execute(page).scalars()))


def total(connection: Connection, eye: Eye, wanted: Wanted) -> int:
    """How many are wanted in all; without their sums, which cost more."""
    return connection.execute(select(func.count()).select_from(reviews).where(_where(eye, wanted))).scalar_one()


def count(connection: Connection, eye: Eye, wanted: Wanted) -> Counted:
    """How many are wanted in all, and what they come to."""
    query = select(reviews.c.currency, func.count(), func.sum(reviews.c.amount))
    rows = connection.execute(query.where(_where(eye, wanted)).group_by(reviews.c.currency)).all()
    return Counted(
        sum(row[1] for row in rows),
        # What has no currency is about no money.
        {row[0]: Decimal(str(row[2])).quantize(Decimal("0.01")) for row in rows if row[0]},
    )


def neighbours(connection: Connection, eye: Eye, wanted: Wanted, review: Review) -> tuple[str, str]:
    """The ids of the review before and of the one after this one in the queue, "" where there is none."""
    before, after = _around(review)
    where = _where(eye, wanted)
    down = (reviews.c.risk.desc(), reviews.c.amount.desc(), reviews.c.review_id)
    up = (reviews.c.risk, reviews.c.amount, reviews.c.review_id.desc())
    ids: Select[Any] = select(reviews.c.review_id)
    earlier = connection.execute(ids.where(where, before).order_by(*up).limit(1)).scalar()
    later = connection.execute(ids.where(where, after).order_by(*down).limit(1)).scalar()
    return earlier or "", later or ""


def position(connection: Connection, eye: Eye, wanted: Wanted, review: Review) -> tuple[int, int]:
    """The review's place in the queue, and how many there are in it; 0 of them where it isn't in it any more."""
    before, _ = _around(review)
    where = _where(eye, wanted)
    places = select(
        func.count(),
        func.count().filter(before),
        func.count().filter(reviews.c.review_id == review.review_id),
    ).where(where)
    total, earlier, there = connection.execute(places).one()
    return (earlier + 1, total) if there else (0, total)


def _around(review: Review) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """What stands before a review in the order of the queue, and what after it."""
    mine = (reviews.c.risk == review.risk, reviews.c.amount == review.amount)
    before = or_(
        reviews.c.risk > review.risk,
        and_(mine[0], reviews.c.amount > review.amount),
        and_(*mine, reviews.c.review_id < review.review_id),
    )
    after = or_(
        reviews.c.risk < review.risk,
        and_(mine[0], reviews.c.amount < review.amount),
        and_(*mine, reviews.c.review_id > review.review_id),
    )
    return before, after


def options(connection: Connection, tenant: str) -> dict[str, list[str]]:
    """What the filters of the open queue can be set to."""
    waiting = (reviews.c.tenant == tenant) & (reviews.c.status == ReviewStatus.OPEN)
    open_ids = select(reviews.c.review_id).where(waiting)
    rules = select(review_reasons.c.rule).where(
        review_reasons.c.tenant == tenant, review_reasons.c.review_id.in_(open_ids)
    )
    batches = select(reviews.c.batch).where(waiting).distinct().order_by(reviews.c.batch)
    return {
        "rule": list(connection.execute(rules.distinct().order_by(review_reasons.c.rule)).scalars()),
        "batch": list(connection.execute(batches).scalars()),
        "people": [person.name for person in list_people(connection, tenant) if person.has(Role.REVIEWER)],
    }


def row_of(
    review: Review, lang: Lang, now: datetime, scheduled: Scheduled | None = None, won: Decision | None = None
) -> Row:
    """A review as a line of the queue."""
    args: Mapping[str, str] = review.question["action_requests"][0]["args"]
    places = places_in(review.question)
    reasons = [
        Reason(each["kind"], each["rule"], plainly(each["message"][lang], places))
        for each in review.question["triggers"]
    ]
    return Row(
        review=review,
        seller=args.get("seller") or review.party or review.headline,
        number=args.get("number", ""),
        date=args.get("date", ""),
        reasons=reasons,
        holder=holder_of(review, now),
        overdue=review.status is ReviewStatus.OPEN and review.due_at is not None and review.due_at <= now,
        scheduled=scheduled,
        won=won,
    )


def won(connection: Connection, tenant: str, found: Sequence[Review]) -> dict[str, Decision]:
    """Review -> the decision that was taken on it, for those on which one was."""
    taken = {review.decision_id: review.review_id for review in found if review.decision_id}
    made = decisions_on(connection, tenant, list(taken.values()))
    return {one.review_id: one for one in made if one.decision_id in taken}


def holder_of(review: Review, now: datetime) -> str:
    """Who is at it: the claim while its lease runs, else whom it was given to."""
    return claimant(review, now) or review.assignee or ""


def _where(eye: Eye, wanted: Wanted) -> ColumnElement[bool]:
    t = reviews.c
    tests: list[ColumnElement[bool]] = [t.tenant == eye.tenant, *_by_status(wanted.status, eye)]
    if wanted.q:
        tests.append(or_(t.headline.icontains(wanted.q, autoescape=True), t.review_id == wanted.q.strip()))
    if wanted.batch:
        tests.append(t.batch == wanted.batch)
    if wanted.seller:
        tests.append(t.party.icontains(wanted.seller, autoescape=True))
    if (least := _amount(wanted.least)) is not None:
        tests.append(t.amount >= least)
    if (most := _amount(wanted.most)) is not None:
        tests.append(t.amount <= most)
    if wanted.age.isdigit():
        tests.append(t.opened_at <= eye.now - timedelta(days=int(wanted.age[:5])))
    if wanted.due == "overdue":
        tests.append(t.due_at <= eye.now)
    tests += [*_by_reason(eye.tenant, wanted), *_by_holder(wanted.assignee, eye)]
    return and_(*tests)


def _by_status(status: str, eye: Eye) -> list[ColumnElement[bool]]:
    if status == "decided":
        return [reviews.c.status.in_((ReviewStatus.DECIDED, ReviewStatus.APPLIED))]
    if status == "expired":
        return [reviews.c.status == ReviewStatus.EXPIRED]
    off = is_postponed(eye.tenant, eye.now)
    return [reviews.c.status == ReviewStatus.OPEN, off if status == "postponed" else ~off]


def _by_reason(tenant: str, wanted: Wanted) -> list[ColumnElement[bool]]:
    named = {"rule": wanted.rule, "kind": wanted.trigger}
    queries = [
        select(review_reasons.c.review_id).where(review_reasons.c.tenant == tenant, review_reasons.c[name] == value)
        for name, value in named.items()
        if value
    ]
    return [reviews.c.review_id.in_(query) for query in queries]


def _by_holder(assignee: str, eye: Eye) -> list[ColumnElement[bool]]:
    if not assignee:
        return []
    t = reviews.c
    claimed = t.claimed_by.is_not(None) & or_(t.claimed_until.is_(None), t.claimed_until > eye.now)
    if assignee == "nobody":
        return [~claimed & t.assignee.is_(None)]
    name = eye.person if assignee == "me" else assignee
    names = {name, name_key(name)}
    return [or_(claimed & t.claimed_by.in_(names), t.assignee.in_(names))]


def _amount(text: str) -> Decimal | None:
    try:
        amount = Decimal(text.replace(",", "").strip())
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None
