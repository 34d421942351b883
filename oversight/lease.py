"""Claims: somebody takes a review to his table for a while. A lease that nobody renews ends by itself."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, select, update

from foundation.errors import NotAllowedError, RefusedError
from oversight.people import same_person
from oversight.reviews import Review, ReviewStatus, find_review
from oversight.tables import reviews

LEASE = timedelta(minutes=30)


def claimant(review: Review, now: datetime) -> str:
    """Who holds the review now; "" when nobody does."""
    over = review.claimed_until is None or review.claimed_until <= now or review.status is not ReviewStatus.OPEN
    return "" if over else review.claimed_by or ""


def require_free(review: Review, by: str, now: datetime) -> None:
    """Make sure that nobody else holds the review.

    Raises:
        NotAllowedError: somebody else's lease runs; says whose and until when.
    """
    holder = claimant(review, now)
    if holder and not same_person(holder, by) and review.claimed_until:
        until = review.claimed_until.isoformat(timespec="minutes")
        raise NotAllowedError(f"{review.review_id} is claimed by {holder} until {until}: wait, or have it reassigned")


def claim(
    connection: Connection, tenant: str, review_id: str, by: str, *, now: datetime, lease: timedelta = LEASE
) -> datetime:
    """Take or renew the lease; returns when it ends.

    Raises:
        NotFoundError: this tenant has no such review.
        RefusedError: it isn't open any more.
        NotAllowedError: somebody else holds it.
    """
    review = _locked(connection, tenant, review_id)
    require_free(review, by, now)
    until = now + lease
    _change(connection, review, claimed_by=by, claimed_until=until)
    return until


def release(connection: Connection, tenant: str, review_id: str, by: str, *, now: datetime) -> None:
    """Give the review back; one that isn't claimed stays as it is.

    Raises:
        NotFoundError: this tenant has no such review.
        NotAllowedError: somebody else holds it.
    """
    review = _locked(connection, tenant, review_id)
    require_free(review, by, now)
    _change(connection, review, claimed_by=None, claimed_until=None)


def assign(connection: Connection, tenant: str, review_id: str, to: str) -> Review:
    """Have the review wait for this person; whoever held it doesn't any more. Returns it as it was before.

    Raises:
        NotFoundError: this tenant has no such review.
        RefusedError: it isn't open any more.
    """
    review = _locked(connection, tenant, review_id)
    _change(connection, review, assignee=to, claimed_by=None, claimed_until=None)
    return review


def _locked(connection: Connection, tenant: str, review_id: str) -> Review:
    """The open review, its row locked until the commit (SQLite's write lock is held already)."""
    chosen = (reviews.c.tenant == tenant) & (reviews.c.review_id == review_id)
    connection.execute(select(reviews.c.review_id).where(chosen).with_for_update())
    review = find_review(connection, tenant, review_id)
    if review.status is not ReviewStatus.OPEN:
        raise RefusedError(f"{review_id} is {review.status}: only what waits can be claimed or assigned")
    return review


def _change(connection: Connection, review: Review, **values: object) -> None:
    chosen = (reviews.c.tenant == review.tenant) & (reviews.c.review_id == review.review_id)
    connection.execute(update(reviews).where(chosen).values(**values))
