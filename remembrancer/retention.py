"""Which threads are closed, by what the ledger and the reviews say, and what of their checkpoints goes."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from foundation.database import reading
from invoices.tables import batches
from nodes.talk import KIND as CONVERSATION
from oversight.retention import Pruned, prune
from oversight.reviews import PENDING, ReviewStatus
from oversight.tables import reviews, threads
from remembrancer.office import Office

KEPT_DAYS = 30


def prune_closed(office: Office, *, days: int = KEPT_DAYS) -> Pruned:
    """Keep the newest checkpoint only of threads that were closed so many days ago, and give the space back."""
    before = office.services.clock() - timedelta(days=days)
    with reading(office.services.engine) as connection:
        closed = closed_threads(connection, office.services.tenant, before)
    return prune(office.saver, closed, office.settings.checkpoints)


def closed_threads(connection: Connection, tenant: str, before: datetime) -> list[str]:
    """Threads in which nothing waits: finished batches, applied reviews, conversations begun before that time.

    An expired review can be opened again: its thread isn't closed.
    """
    finished = select(batches.c.thread_id).where(batches.c.tenant == tenant, batches.c.finished_at <= before)
    applied = select(reviews.c.thread_id).where(
        reviews.c.tenant == tenant, reviews.c.status == ReviewStatus.APPLIED, reviews.c.applied_at <= before
    )
    talks = select(threads.c.thread_id).where(threads.c.kind == CONVERSATION, threads.c.created_at <= before)
    closed = finished.union(applied, talks.where(threads.c.tenant == tenant)).subquery()
    waits = select(reviews.c.thread_id).where(reviews.c.tenant == tenant, reviews.c.status.in_(PENDING))
    query = select(closed.c.thread_id).where(closed.c.thread_id.not_in(waits)).order_by(closed.c.thread_id)
    return [str(thread_id) for thread_id in connection.execute(query).scalars()]
