"""The queue: what waits for a person."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import Response

from foundation.database import reading
from oversight.enquiries import enquiries_on
from remembrancer.inbox import waiting
from remembrancer.inbox.frame import Frame, Visit, Visiting, query
from remembrancer.inbox.waiting import PAGE, Eye, Wanted

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
    eye = visit.eye
    lang, now = visit.words.lang, eye.now
    seen = _look(visit.frame, eye, wanted)
    scheduled, won = seen["scheduled"], seen["won"]
    rows = [
        waiting.row_of(one, lang, now, scheduled.get(one.review_id), won.get(one.review_id)) for one in seen["found"]
    ]
    return visit.page(
        "_queue.html" if _only_rows(visit) else "queue.html",
        wanted=wanted,
        rows=rows,
        **seen,
        views=_TABS,
        view=_view(wanted),
        query=query,
        per_page=PAGE,
    )


def ask_once(frame: Frame) -> None:
    """Ask what the first visitor will ask: a statement is compiled once a process, all of these in some 200 ms."""
    services = frame.office.services
    _look(frame, Eye(services.tenant, "", services.clock()), Wanted())


def _look(frame: Frame, eye: Eye, wanted: Wanted) -> dict[str, Any]:
    """What the queue shows of the database: the reviews, what is known of each, the counts and the filters."""
    with reading(frame.office.services.engine) as connection:
        found = waiting.find(connection, eye, wanted)
        ids = [review.review_id for review in found]
        return {
            "found": found,
            "counted": waiting.count(connection, eye, wanted),
            "scheduled": frame.schedule.on(connection, ids),
            "tabs": {name: waiting.total(connection, eye, view) for name, view in _TABS.items()},
            "choices": waiting.options(connection, eye.tenant),
            "won": waiting.won(connection, eye.tenant, found),
            "said": enquiries_on(connection, eye.tenant, ids),
        }


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
