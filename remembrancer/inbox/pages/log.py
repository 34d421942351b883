"""The audit log, and the check of its chain."""

from fastapi import APIRouter
from fastapi.responses import Response

from foundation.database import reading
from remembrancer.inbox import logbook
from remembrancer.inbox.frame import Reviewing, query
from remembrancer.inbox.logbook import PAGE

router = APIRouter(include_in_schema=False)


@router.get("/log")
def log_page(visit: Reviewing, q: str = "", event: str = "", page: int = 1) -> Response:
    """The log, newest first."""
    page = max(page, 1)
    with reading(visit.office.services.engine) as connection:
        lines = logbook.lines(connection, visit.tenant, q=q[:200], event=event, page=page)
        count = logbook.count_lines(connection, visit.tenant, q=q[:200], event=event)
        kinds = logbook.events(connection, visit.tenant)
    link = {"q": q, "event": event}
    return visit.page(
        "log.html", lines=lines, count=count, kinds=kinds, link=link, page=page, per_page=PAGE, query=query
    )


@router.get("/log/check")
def check(visit: Reviewing) -> Response:
    """Walk the chain from its first row to the head that is kept outside the database."""
    services = visit.office.services
    verification = services.journal.verify(services.tenant)
    return visit.page("_checked.html", verification=verification)
