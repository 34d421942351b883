"""Decisions about many at once: one reason, one seller, count and sum in sight, and never over a hard stop."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import Response

from foundation.database import reading
from foundation.errors import RefusedError, RemembrancerError, UsageError
from foundation.ids import new_id
from oversight.queue import QueueFilter
from oversight.reviews import find_review, find_reviews
from oversight.risk import Risk
from remembrancer.inbox import waiting
from remembrancer.inbox.deciding import look_at, reasons_used
from remembrancer.inbox.frame import NO_FORGERY, Reviewing, Visit, query
from remembrancer.inbox.waiting import Wanted

router = APIRouter(include_in_schema=False)
MOST = 500
"""Decided at once; more are decided in several goes."""
_KINDS = ("approve", "reject")


@router.get("/groups")
def groups_page(visit: Reviewing) -> Response:
    """The reason groups of the queue, with count and sum."""
    return visit.page(
        "groups.html", groups=visit.desk.groups(visit.tenant, QueueFilter(on_table=visit.eye.now)), query=query
    )


@router.get("/groups/one")
def group_page(visit: Reviewing, rule: str = "", party: str = "", currency: str = "") -> Response:
    """The reviews of one reason group, to be ticked."""
    return _page(visit, rule, party, currency)


@router.post("/groups/one", dependencies=NO_FORGERY)
def decide_group(
    visit: Reviewing,
    kind: Annotated[str, Form()],
    review: Annotated[list[str] | None, Form()] = None,
    rule: Annotated[str, Form(max_length=200)] = "",
    party: Annotated[str, Form(max_length=400)] = "",
    currency: Annotated[str, Form(max_length=10)] = "",
    reason: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Schedule one decision about all that are ticked; those that can't be decided stay, each with its reason."""
    chosen = (review or [])[:MOST]
    if kind not in _KINDS or not chosen:
        raise UsageError("tick what the decision is about, and choose approve or reject")
    bulk, failed = new_id("blk"), {}
    for review_id in chosen:
        try:
            _schedule(visit, review_id, kind, reason, bulk, (rule, party, currency))
        except RemembrancerError as error:
            failed[review_id] = str(error)
    if not visit.frame.settings.inbox_undo_seconds:
        visit.frame.schedule.run_due(visit.office)
    if failed:
        return _page(visit, rule, party, currency, failed=failed, status=409)
    return visit.go("/groups")


def _schedule(visit: Visit, review_id: str, kind: str, reason: str, bulk: str, group: tuple[str, str, str]) -> None:
    with reading(visit.office.services.engine) as connection:
        review = find_review(connection, visit.tenant, review_id)
    if (review.rule, review.party, review.currency) != group:
        raise RefusedError(f"{review_id} is not of this group: decide it by itself")
    if review.risk >= Risk.HIGH:
        raise RefusedError(f"{review_id} has a hard stop or a high amount: decide it by itself")
    decision = look_at(visit.office, review_id, kind, by=visit.name, reason=reason)
    visit.frame.schedule.put(
        review_id, decision.kind, by=visit.name, reason=decision.reason, bulk=bulk, seen=review.digest
    )


def _page(
    visit: Visit,
    rule: str,
    party: str,
    currency: str,
    failed: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    eye, services = visit.eye, visit.office.services
    wanted = QueueFilter(group=rule, party=party, on_table=eye.now)
    ids = visit.desk.ids(visit.tenant, wanted)
    with reading(services.engine) as connection:
        found = find_reviews(connection, visit.tenant, ids[:MOST])
        scheduled = visit.frame.schedule.on(connection, ids[:MOST])
        used: Any = reasons_used(connection, visit.tenant, "reject")
    same = [one for one in found if one.currency == currency and one.review_id not in scheduled]
    rows = [waiting.row_of(one, visit.words.lang, eye.now) for one in same]
    return visit.page(
        "group.html",
        status=status,
        rows=rows,
        rule=rule,
        party=party,
        currency=currency,
        together=[row for row in rows if row.review.risk < Risk.HIGH],
        failed=failed or {},
        reasons=used,
        link=query(Wanted(rule=rule).link()),
    )
