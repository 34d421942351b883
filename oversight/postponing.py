"""Putting a review off: it leaves the queue until a day, and comes back by itself.

It stays open: whoever opens it may decide it; it is reminded of, escalated and expires as ever, and what is due is not
hidden. An answer of the submitter's brings it back at once.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, or_, select

from foundation.errors import RefusedError, UsageError
from foundation.journal import Transaction
from foundation.sequences import chunks
from foundation.upserts import replace_row
from oversight.reviews import Review, ReviewStatus
from oversight.tables import postponements, reviews

LONGEST = timedelta(days=90)
_MANY = 500
_OFF = reviews.alias("off")


@dataclass(frozen=True, slots=True)
class Postponed:
    """Until when a review is put off, and by whom."""

    until: datetime
    by: str


def postpone(transaction: Transaction, review: Review, until: datetime, *, by: str, why: str) -> None:
    """Put the review off, or off to another day; who may is for the caller to see to.

    Raises:
        RefusedError: it doesn't wait any more.
        UsageError: the day is over, or further away than `LONGEST`, or no reason is given.
    """
    if review.status is not ReviewStatus.OPEN:
        raise RefusedError(f"{review.review_id} is {review.status}: it can't be put off")
    if not transaction.at < until <= transaction.at + LONGEST:
        raise UsageError(f"a review is put off to a day within the next {LONGEST.days} days")
    if not why.strip():
        raise UsageError("say why it is put off")
    row = {"tenant": review.tenant, "review_id": review.review_id, "until": until, "postponed_by": by}
    replace_row(transaction.connection, postponements, row, key=["tenant", "review_id"])
    transaction.log(review.tenant, by, "postponed", review.review_id, until=until.isoformat(), reason=why.strip())


def bring_back(transaction: Transaction, tenant: str, review_id: str, *, by: str) -> None:
    """Put the review back into the queue; one that isn't put off stays as it is."""
    mine = (postponements.c.tenant == tenant) & (postponements.c.review_id == review_id)
    waits = postponements.c.until > transaction.at
    brought = transaction.connection.execute(delete(postponements).where(mine, waits)).rowcount
    if brought:
        transaction.log(tenant, by, "brought back", review_id)


def is_postponed(tenant: str, now: datetime) -> ColumnElement[bool]:
    """The condition on `reviews` that one is put off at this moment."""
    # A look at the few that are, so that a count of the many reads nothing but an index.
    t, one = postponements.c, _OFF.c
    not_due = or_(one.due_at.is_(None), one.due_at > now)
    off = select(t.review_id).join_from(postponements, _OFF, one.review_id == t.review_id)
    return reviews.c.review_id.in_(off.where(t.tenant == tenant, t.until > now, one.tenant == tenant, not_due))


def postponed_on(
    connection: Connection, tenant: str, review_ids: Collection[str], now: datetime
) -> dict[str, Postponed]:
    """Review -> until when it is put off, for those of these that are."""
    t = postponements.c
    found: dict[str, Postponed] = {}
    for some in chunks(list(review_ids), _MANY):
        query = select(postponements).where(t.tenant == tenant, t.review_id.in_(some), t.until > now)
        found.update((row.review_id, Postponed(row.until, row.postponed_by)) for row in connection.execute(query))
    return found
