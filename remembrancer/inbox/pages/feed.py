"""The live feed: what is done without asking, as it is done, and the brake."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import Response

from foundation.database import reading
from invoices.ledger import list_batches
from invoices.past import sellers_of
from oversight.brake import brakes_of, pull, release
from oversight.feed import last_seq, since
from remembrancer.inbox.frame import NO_FORGERY, Reviewing

router = APIRouter(include_in_schema=False)
_SHOWN = 80


@router.get("/feed")
def feed_page(visit: Reviewing) -> Response:
    """The newest events, and the brakes that are on; or only these where the page asks for them again."""
    with reading(visit.office.services.engine) as connection:
        last = last_seq(connection, visit.tenant)
        events = since(connection, visit.tenant, max(last - _SHOWN, 0), limit=_SHOWN)
        brakes = brakes_of(connection, visit.tenant, on_only=True)
        shown: dict[str, Any] = {"sellers": sellers_of(connection, visit.tenant, {event.subject for event in events})}
        shown |= {"batch_names": {one.batch_id: one.name for one in list_batches(connection, visit.tenant)}}
    only_part = visit.request.headers.get("hx-target") == "feed"
    return visit.page("_feed.html" if only_part else "feed.html", events=events[::-1], brakes=brakes, **shown)


@router.post("/brake", dependencies=NO_FORGERY)
def brake(
    visit: Reviewing,
    do: Annotated[str, Form()],
    scope: Annotated[str, Form(max_length=200)] = "",
    why: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Pull or release the brake, for one batch or for everything."""
    deed = release if do == "release" else pull
    with visit.office.services.journal.transaction() as transaction:
        deed(transaction, visit.tenant, batch=scope, by=visit.name, why=why.strip())
    return visit.go("/feed")
