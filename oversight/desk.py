"""The reviewers' desk: what waits, who has taken what to his table, and the calendar that nobody has to watch."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from sqlalchemy import Engine

from foundation.clock import Clock
from foundation.database import reading
from foundation.errors import NotAllowedError
from foundation.journal import Journal, Transaction
from oversight import lease
from oversight.admission import admit
from oversight.audience import Authority, authority_of, for_person, for_role
from oversight.due_times import Schedule, ScheduleOf, expire, has_expired, steps_due, take_steps
from oversight.notices import NoticeKind, announce, waits_for
from oversight.people import identify, represented_by
from oversight.postponing import bring_back, postpone
from oversight.queue import Group, QueueFilter, QueuePage, SortBy, groups_of, ids_of, page_of
from oversight.reviews import Review, find_review

WhenExpired = Callable[[Transaction, Review], None]
"""What else happens, in the same transaction, when a review expires."""

_DEFAULT = Schedule()


def _nothing_else(transaction: Transaction, review: Review) -> None:
    """Nothing."""


class ReviewDesk:
    """The desk of one installation; each method names the tenant it is for."""

    def __init__(self, engine: Engine, journal: Journal, clock: Clock, zone: tzinfo | None = None) -> None:
        """`zone` is the company's: a delegation ends at the end of a day there. Without one, UTC's."""
        self._engine = engine
        self._journal = journal
        self._clock = clock
        self._zone = zone

    # What waits

    def page(
        self, tenant: str, wanted: QueueFilter | None = None, *, limit: int = 50, offset: int = 0, sort: SortBy = "risk"
    ) -> QueuePage:
        """One page of what waits, the gravest first."""
        with reading(self._engine) as connection:
            return page_of(connection, tenant, wanted or QueueFilter(), limit=limit, offset=offset, sort=sort)

    def groups(self, tenant: str, wanted: QueueFilter | None = None) -> list[Group]:
        """What waits by reason and party, with counts and sums."""
        with reading(self._engine) as connection:
            return groups_of(connection, tenant, wanted or QueueFilter())

    def ids(self, tenant: str, wanted: QueueFilter) -> list[str]:
        """The ids of all that is wanted."""
        with reading(self._engine) as connection:
            return ids_of(connection, tenant, wanted)

    def names_for(self, tenant: str, name: str) -> list[str]:
        """The person and all for whom he stands in today: what waits for one of them waits for him."""
        with reading(self._engine) as connection:
            absent = represented_by(connection, tenant, name, self._day(self._clock()))
        return [name, *(person.name for person in absent)]

    # Who has it

    def claim(self, tenant: str, review_id: str, by: str, *, length: timedelta = lease.LEASE) -> datetime:
        """Take a review to one's table, or keep it there; returns when the lease ends by itself.

        Raises:
            NotFoundError: this tenant has no such review.
            RefusedError: it doesn't wait any more.
            NotAllowedError: he could not decide it, or somebody else has it.
        """
        with self._journal.transaction() as transaction:
            right = self._right(transaction, tenant, review_id, by)
            until = lease.claim(
                transaction.connection, tenant, review_id, right.person, now=transaction.at, lease=length
            )
            transaction.log(tenant, right.person, "claimed", review_id, until=until.isoformat(), **_for(right))
        return until

    def release(self, tenant: str, review_id: str, by: str) -> None:
        """Give a review back to the queue.

        Raises:
            NotFoundError: this tenant has no such review.
            NotAllowedError: nobody is named or known, or somebody else has it.
        """
        with self._journal.transaction() as transaction:
            identify(transaction.connection, tenant, by)
            lease.release(transaction.connection, tenant, review_id, by, now=transaction.at)
            transaction.log(tenant, by, "released", review_id)

    def reassign(self, tenant: str, review_id: str, to: str, by: str) -> None:
        """Have a review wait for another person, and tell him; whoever had claimed it doesn't have it any more.

        Raises:
            NotFoundError: this tenant has no such review.
            RefusedError: it doesn't wait any more.
            NotAllowedError: one of the two could not decide it.
        """
        with self._journal.transaction() as transaction:
            connection, at = transaction.connection, transaction.at
            review = find_review(connection, tenant, review_id)
            right = authority_of(connection, review, by, day=self._day(at), kind="respond")
            receives = self._receives(transaction, review, to)
            lease.assign(connection, tenant, review_id, receives)
            facts = {"to": receives, "before": review.assignee or "", "claimed_by": lease.claimant(review, at)}
            transaction.log(tenant, right.person, "reassigned", review_id, **facts, **_for(right))
            said = {"by": right.person, "turn": at.isoformat()}
            announce(connection, review, NoticeKind.ASSIGNED, for_person(receives), at, **said)

    def postpone(self, tenant: str, review_id: str, day: date, by: str, why: str) -> None:
        """Put a review off: it comes back into the queue at the beginning of that day, or when it is due.

        Raises:
            NotFoundError: this tenant has no such review.
            RefusedError: it doesn't wait any more.
            UsageError: the day is over or too far away, or there is no reason.
            NotAllowedError: he could not decide it, or somebody else has it.
        """
        until = datetime.combine(day, time.min, self._zone or UTC)
        with self._journal.transaction() as transaction:
            right = self._right(transaction, tenant, review_id, by)
            review = find_review(transaction.connection, tenant, review_id)
            postpone(transaction, review, until, by=right.person, why=why)

    def bring_back(self, tenant: str, review_id: str, by: str) -> None:
        """Put a review that was put off back into the queue.

        Raises:
            NotFoundError: this tenant has no such review.
            NotAllowedError: he could not decide it, or somebody else has it.
        """
        with self._journal.transaction() as transaction:
            right = self._right(transaction, tenant, review_id, by)
            bring_back(transaction, tenant, review_id, by=right.person)

    def _receives(self, transaction: Transaction, review: Review, to: str) -> str:
        try:
            right = authority_of(transaction.connection, review, to, day=self._day(transaction.at), kind="respond")
        except NotAllowedError as error:
            raise NotAllowedError(f"{review.review_id} can't wait for {to}: {error}") from None
        return right.person

    def _right(self, transaction: Transaction, tenant: str, review_id: str, by: str) -> Authority:
        review = find_review(transaction.connection, tenant, review_id)
        day = self._day(transaction.at)
        return admit(transaction.connection, review, by, "respond", now=transaction.at, day=day)

    def _day(self, moment: datetime) -> date:
        return (moment.astimezone(self._zone) if self._zone else moment).date()

    # The calendar

    def remind(self, tenant: str, schedule_of: ScheduleOf = lambda _: _DEFAULT) -> int:
        """Take all calendar steps that are due: reminders and escalations, each once; returns how many."""
        with self._journal.transaction() as transaction:
            connection, at = transaction.connection, transaction.at
            taken = 0
            for review in steps_due(connection, tenant, at):
                for step in take_steps(connection, review, schedule_of(review), at):
                    recipient = for_role(step.role) if step.role else waits_for(review)
                    turn = review.due_at.isoformat() if review.due_at else ""
                    announce(connection, review, step.kind, recipient, at, turn=turn)
                    transaction.log(tenant, "agent", step.kind, review.review_id, to=recipient)
                    taken += 1
        return taken

    def expire(self, tenant: str, when_expired: WhenExpired = _nothing_else) -> int:
        """Close every review whose time is over: it never takes effect, and can be opened again; returns how many."""
        with self._journal.transaction() as transaction:
            due = steps_due(transaction.connection, tenant, transaction.at)
            over = [review for review in due if has_expired(review, transaction.at)]
            return sum(self._expire(transaction, review, when_expired) for review in over)

    def _expire(self, transaction: Transaction, review: Review, when_expired: WhenExpired) -> bool:
        connection, at = transaction.connection, transaction.at
        if not expire(connection, review, at):
            return False
        when_expired(transaction, review)
        told = {waits_for(review), for_person(review.submitter) if review.submitter else waits_for(review)}
        for recipient in sorted(told):
            announce(connection, review, NoticeKind.EXPIRED, recipient, at, turn=str(review.expires_at))
        transaction.log(review.tenant, "agent", "expired", review.review_id, opened_at=review.opened_at.isoformat())
        return True


def _for(right: Authority) -> dict[str, str]:
    return {"behalf_of": right.behalf_of} if right.behalf_of else {}
