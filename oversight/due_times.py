"""A review's calendar: when it is due, who is reminded, how it climbs when nobody decides, and when it expires.

Each step is taken once, whoever runs the calendar and how often: the review's row counts them. After a standstill all
that was missed is made up for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from sqlalchemy import Connection, select, update

from oversight.notices import NoticeKind
from oversight.people import Role
from oversight.reviews import Review, ReviewStatus, find_review
from oversight.tables import reviews

_MANY = 500
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The times in force for a review, counted from its opening.

    Where `is_day_off` is given, whole days are days of work: of three days from a Friday on, the weekend is none.
    """

    due: timedelta = timedelta(days=3)
    remind_before: timedelta = timedelta(days=1)
    escalate_every: timedelta = timedelta(days=1)
    """Between two hops of an escalation; the first is made when it is due."""
    expires: timedelta | None = timedelta(days=365)
    """Counted in days of any kind."""
    is_day_off: Callable[[date], bool] | None = None
    zone: tzinfo = UTC
    """Where a day is a day."""

    def moved(self, start: datetime, by: timedelta) -> datetime:
        """The moment so much later, or earlier where `by` is negative."""
        if self.is_day_off is None:
            return start + by
        days, step = abs(by) // _DAY, timedelta(days=1 if by > timedelta() else -1)
        moment = start.astimezone(self.zone)
        while days > 0:
            moment += step
            days -= not self.is_day_off(moment.date())
        rest = abs(by) % _DAY
        return (moment + (rest if by > timedelta() else -rest)).astimezone(start.tzinfo)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the calendar: how many escalation intervals after the due time, and who is told."""

    kind: NoticeKind
    intervals: int | None
    """None: the reminder, before the due time."""
    role: Role | None
    """None: whoever the review waits for."""


STEPS = (
    Step(NoticeKind.REMINDER, None, None),
    Step(NoticeKind.ESCALATED_1, 0, Role.REVIEWER),
    Step(NoticeKind.ESCALATED_2, 1, Role.MANAGER),
    Step(NoticeKind.ESCALATED_3, 2, Role.ADMIN),
)

ScheduleOf = Callable[[Review], Schedule]


def scheduled(review: Review, schedule: Schedule, start: datetime) -> Review:
    """The review with its times, counted from `start`."""
    expires = start + schedule.expires if schedule.expires else None
    due = min(schedule.moved(start, schedule.due), expires or datetime.max.replace(tzinfo=UTC))
    fresh = replace(review, due_at=due, expires_at=expires, hops=0)
    return replace(fresh, next_step_at=_next(fresh, schedule))


def has_expired(review: Review, now: datetime) -> bool:
    """Whether its time is over, whether or not anybody noticed yet."""
    ran_out = review.status is ReviewStatus.OPEN and review.expires_at is not None and review.expires_at <= now
    return review.status is ReviewStatus.EXPIRED or ran_out


def steps_due(connection: Connection, tenant: str, now: datetime, limit: int = _MANY) -> list[Review]:
    """The open reviews whose next step is due, the longest overdue first."""
    query = select(reviews.c.review_id).where(reviews.c.tenant == tenant, reviews.c.status == ReviewStatus.OPEN)
    due = query.where(reviews.c.next_step_at <= now).order_by(reviews.c.next_step_at).limit(limit)
    return [find_review(connection, tenant, review_id) for review_id in connection.execute(due).scalars()]


def take_steps(connection: Connection, review: Review, schedule: Schedule, now: datetime) -> list[Step]:
    """Count the review's steps that are due as taken; returns them, none when another process was first."""
    taken: list[Step] = []
    after = review
    while (step := _step(after)) and _at(after, step, schedule) <= now:
        taken.append(step)
        after = replace(after, hops=after.hops + 1)
    values = {"hops": after.hops, "next_step_at": _next(after, schedule)}
    chosen = (reviews.c.tenant == review.tenant) & (reviews.c.review_id == review.review_id)
    mine = chosen & (reviews.c.hops == review.hops) & (reviews.c.status == ReviewStatus.OPEN)
    won = connection.execute(update(reviews).where(mine).values(values)).rowcount
    return taken if won else []


def expire(connection: Connection, review: Review, now: datetime) -> bool:
    """Move an open review whose time is over to expired; whether this call did it."""
    chosen = (reviews.c.tenant == review.tenant) & (reviews.c.review_id == review.review_id)
    late = chosen & (reviews.c.status == ReviewStatus.OPEN) & (reviews.c.expires_at <= now)
    values = {"status": ReviewStatus.EXPIRED, "next_step_at": None, "claimed_by": None, "claimed_until": None}
    return connection.execute(update(reviews).where(late).values(values)).rowcount == 1


def reopen_expired(connection: Connection, review: Review, schedule: Schedule, now: datetime) -> bool:
    """Open an expired review again with new times; whether this call did it."""
    fresh = scheduled(review, schedule, now)
    chosen = (reviews.c.tenant == review.tenant) & (reviews.c.review_id == review.review_id)
    times = {name: getattr(fresh, name) for name in ("due_at", "expires_at", "hops", "next_step_at")}
    expired = chosen & (reviews.c.status == ReviewStatus.EXPIRED)
    again = update(reviews).where(expired).values(status=ReviewStatus.OPEN, **times)
    return connection.execute(again).rowcount == 1


def _step(review: Review) -> Step | None:
    return STEPS[review.hops] if review.hops < len(STEPS) else None


def _at(review: Review, step: Step, schedule: Schedule) -> datetime:
    due = review.due_at or schedule.moved(review.opened_at, schedule.due)
    after = -schedule.remind_before if step.intervals is None else step.intervals * schedule.escalate_every
    return schedule.moved(due, after)


def _next(review: Review, schedule: Schedule) -> datetime | None:
    """When something is to be done about it next: the next step, or its expiry."""
    step = _step(review)
    moments = [_at(review, step, schedule)] if step else []
    if review.expires_at:
        moments.append(review.expires_at)
    return min(moments, default=None)
