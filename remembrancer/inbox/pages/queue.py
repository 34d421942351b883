"""The queue: what waits for a person."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from foundation.database import reading
from oversight.enquiries import enquiries_on
from remembrancer.inbox import waiting
from remembrancer.inbox.frame import Visit, Visiting, query
from remembrancer.inbox.waiting import PAGE, Wanted

router = APIRouter(include_in_schema=False)


def wanted_of(  # noqa: PLR0913, PLR0917 - one for each filter of the page
    status: str = "open",
    q: str = "",
    trigger: str = "",
    rule: str = "",
    batch: str = "",
    seller: str = "",
    least: str = "",
    most: str = "",
    age: str = "",
    assignee: str = "",
    due: str = "",
    page: int = 1,
) -> Wanted:
    """The filters of a link."""
    given = locals()
    texts = {name: value[:200] for name, value in given.items() if isinstance(value, str)}
    return Wanted(**texts, page=min(max(page, 1), 100_000))


WantedHere = Annotated[Wanted, Depends(wanted_of)]


@router.get("/")
def queue(visit: Visiting, wanted: WantedHere) -> Response:
    """The queue, or only its rows where the page asks for them again."""
    if not visit.visitor.reviews:
        return visit.go("/batches")
    services, eye = visit.office.services, visit.eye
    with reading(services.engine) as connection:
        found = waiting.find(connection, eye, wanted)
        counted = waiting.count(connection, eye, wanted)
        scheduled = visit.frame.schedule.on(connection, [review.review_id for review in found])
        tabs = {name: waiting.total(connection, eye, view) for name, view in _TABS.items()}
        choices = waiting.options(connection, visit.tenant)
        won = waiting.won(connection, visit.tenant, found)
        said = enquiries_on(connection, visit.tenant, [review.review_id for review in found])
    lang, now = visit.words.lang, eye.now
    rows = [waiting.row_of(one, lang, now, scheduled.get(one.review_id), won.get(one.review_id)) for one in found]
    return visit.page(
        "_queue.html" if _only_rows(visit) else "queue.html",
        wanted=wanted,
        rows=rows,
        said=said,
        counted=counted,
        tabs=tabs,
        choices=choices,
        views=_TABS,
        view=_view(wanted),
        query=query,
        per_page=PAGE,
    )


_TABS = {
    "open": Wanted(),
    "mine": Wanted(assignee="me"),
    "overdue": Wanted(due="overdue"),
    "postponed": Wanted(status="postponed"),
    "decided": Wanted(status="decided"),
    "expired": Wanted(status="expired"),
}


def _view(wanted: Wanted) -> str:
    if wanted.status != "open":
        return wanted.status
    return "mine" if wanted.assignee == "me" else "overdue" if wanted.due else "open"


def _only_rows(visit: Visit) -> bool:
    return visit.request.headers.get("hx-target") == "queue"
