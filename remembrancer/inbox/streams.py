"""The live stream of a page, and what it looks at."""

from collections.abc import Mapping

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from sqlalchemy import func, select

from foundation.database import reading
from foundation.journal import audit_heads
from invoices.tables import batches, invoices
from oversight.feed import last_seq
from remembrancer.inbox.frame import Visiting
from remembrancer.inbox.runs import Runs
from remembrancer.inbox.scheduled import Schedule
from remembrancer.office import Office

router = APIRouter(include_in_schema=False)


@router.get("/live")
def live(visit: Visiting) -> StreamingResponse:
    """Events `change` (reviews, claims, decisions, bookings), `progress` (batches under way) and `feed`."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(visit.frame.pulse.events(), media_type="text/event-stream", headers=headers)


def look(office: Office, schedule: Schedule, runs: Runs) -> Mapping[str, str]:
    """Topic -> a text that changes whenever what the topic is about has changed."""
    tenant = office.services.tenant
    with reading(office.services.engine) as connection:
        head = connection.execute(select(audit_heads.c.seq).where(audit_heads.c.tenant == tenant)).scalar() or 0
        under_way = select(invoices.c.batch_id, func.max(invoices.c.file_seq)).join_from(
            batches, invoices, batches.c.batch_id == invoices.c.batch_id
        )
        unfinished = under_way.where(batches.c.tenant == tenant, batches.c.finished_at.is_(None))
        steps = [tuple(row) for row in connection.execute(unfinished.group_by(invoices.c.batch_id))]
        waiting = schedule.version(connection)
        feed = last_seq(connection, tenant)
    return {"change": f"{head} {waiting}", "progress": f"{steps} {runs.version()}", "feed": str(feed)}
