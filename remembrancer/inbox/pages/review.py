"""One review: the original beside the fields, why it waits, and the decision."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import NotFoundError, RefusedError
from invoices.findings import Lang
from invoices.ledger import Examined, find_examined
from invoices.record import PUBLIC_FIELDS
from nodes.quarantine_matter import REMEMBER
from nodes.weighing import BOOK
from oversight.action import DecisionKind
from oversight.enquiries import enquiries_on
from oversight.people import Role, list_people, same_person
from oversight.postponing import LONGEST, postponed_on
from oversight.question import in_language, is_noted
from oversight.reviews import Decision, Review, ReviewStatus, decisions_on, find_review, winning_decision
from oversight.risk import hard_rules
from remembrancer.inbox import logbook, waiting
from remembrancer.inbox.deciding import look_at, reasons_used, still_stands
from remembrancer.inbox.evidence import draw, picture
from remembrancer.inbox.frame import NO_FORGERY, Managing, Reviewing, Visit, Visiting, query
from remembrancer.inbox.pages.queue import WantedHere
from remembrancer.inbox.waiting import Wanted

router = APIRouter(include_in_schema=False)
_HISTORY = 40
_REASONED: tuple[DecisionKind, ...] = ("reject", "approve", "respond")
_GRAVITY = ("hard", "review", "hint")
_A_DAY = "private, max-age=86400"


@router.get("/reviews/{review_id}")
def review_page(visit: Visiting, review_id: str, wanted: WantedHere) -> Response:
    """The review with its evidence; a held memory has a page of its own, and so has whoever brought the invoice in."""
    if not visit.visitor.reviews and _is_his(visit, review_id):
        return visit.go(f"/questions#{review_id}")
    visit.require(Role.REVIEWER)
    with reading(visit.office.services.engine) as connection:
        if find_review(connection, visit.tenant, review_id).action == REMEMBER:
            return visit.go("/quarantine")
    return _page(visit, review_id, wanted)


@router.get("/reviews/{review_id}/presence")
def presence(visit: Reviewing, review_id: str) -> Response:
    """Who is at it, and what was decided meanwhile: fetched again whenever something changes."""
    return visit.page("_presence.html", **_standing(visit, review_id))


@router.get("/reviews/{review_id}/original")
def original(visit: Reviewing, review_id: str) -> Response:
    """The original, drawn: it comes after the page, and its failure holds nothing up."""
    examined, review = _subject(visit, review_id)
    drawing = draw(visit.office.services, examined)
    asked = {finding["field"] for finding in review.question["evidence"]["findings"] if finding["field"]}
    return visit.page("_original.html", drawing=drawing, examined=examined, asked=asked)


@router.get("/invoices/{invoice_id}/pages/{number}.png")
def page_picture(visit: Reviewing, invoice_id: str, number: int) -> Response:
    """One page of a PDF."""
    services = visit.office.services
    with reading(services.engine) as connection:
        examined = find_examined(connection, visit.tenant, invoice_id)
    return Response(picture(services, examined, number), media_type="image/png", headers={"cache-control": _A_DAY})


@router.post("/reviews/{review_id}/decision", dependencies=NO_FORGERY)
async def read_decision(request: Request, visit: Reviewing, review_id: str, wanted: WantedHere) -> Response:
    """Decide: the fields that may be edited come as `set.FIELD`."""
    from starlette.concurrency import run_in_threadpool

    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    edits = {name.removeprefix("set."): value for name, value in form.items() if name.startswith("set.")}
    kind = form.get("kind", "")
    reason = form.get(f"reason.{kind}", "")
    said = Said(kind, reason, edits if kind == "edit" else {}, form.get("seen", ""))
    return await run_in_threadpool(_decide, visit, review_id, wanted, said)


@dataclass(frozen=True, slots=True)
class Said:
    """What a form says."""

    kind: str
    reason: str
    edits: Mapping[str, str]
    seen: str


def _decide(visit: Visit, review_id: str, wanted: Wanted, said: Said) -> Response:
    by, reason, seen = visit.name, said.reason, said.seen
    decision = look_at(visit.office, review_id, said.kind, by=by, reason=reason, edits=said.edits, seen=seen)
    services = visit.office.services
    with reading(services.engine) as connection:
        review = find_review(connection, visit.tenant, review_id)
        _, following = waiting.neighbours(connection, visit.eye, wanted, review)
    if decision.kind == "edit" and review.action == BOOK and still_stands(visit.office, decision):
        # What the rules don't take is put back at once, with the reason: there is nothing to call back.
        visit.office.decide(review_id, "edit", by=by, reason=reason, edits=decision.edits, via="inbox", seen=seen)
        return _page(visit, review_id, wanted, tried=decision, status=422)
    visit.frame.schedule.put(review_id, decision.kind, by=by, reason=decision.reason, edits=said.edits, seen=seen)
    if not visit.frame.settings.inbox_undo_seconds:
        visit.frame.schedule.run_due(visit.office)
    link = query(wanted.link())
    path = f"/reviews/{following}" if following else "/"
    return visit.go(f"{path}?{link}" if link else path)


@router.post("/reviews/{review_id}/claim", dependencies=NO_FORGERY)
def claim(visit: Reviewing, review_id: str, do: Annotated[str, Form()] = "claim") -> Response:
    """Take a review to one's table, or give it back."""
    desk = visit.desk
    if do == "release":
        desk.release(visit.tenant, review_id, visit.name)
    else:
        desk.claim(visit.tenant, review_id, visit.name)
    return visit.go(f"/reviews/{review_id}")


@router.post("/reviews/{review_id}/reassign", dependencies=NO_FORGERY)
def reassign(visit: Reviewing, review_id: str, to: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Have it wait for somebody else."""
    visit.desk.reassign(visit.tenant, review_id, to, visit.name)
    return visit.go("/")


@router.post("/reviews/{review_id}/postpone", dependencies=NO_FORGERY)
def postpone(
    visit: Reviewing,
    review_id: str,
    until: Annotated[date | None, Form()] = None,
    reason: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Put a review off to a day; without one, bring it back."""
    if until is None:
        visit.desk.bring_back(visit.tenant, review_id, visit.name)
        return visit.go(f"/reviews/{review_id}")
    visit.desk.postpone(visit.tenant, review_id, until, visit.name, reason)
    return visit.go("/")


@router.post("/reviews/{review_id}/reopen", dependencies=NO_FORGERY)
def reopen(visit: Managing, review_id: str, reason: Annotated[str, Form(max_length=2000)] = "") -> Response:
    """Ask again about what expired or was decided."""
    return visit.go(f"/reviews/{visit.office.reopen(review_id, visit.name, reason).review_id}")


@router.post("/scheduled/{scheduled_id}/cancel", dependencies=NO_FORGERY)
def cancel(visit: Reviewing, scheduled_id: str) -> Response:
    """Call a decision back, while there is time."""
    try:
        taken_back = visit.frame.schedule.cancel(scheduled_id, by=visit.name)
    except NotFoundError as error:
        raise RefusedError(str(error)) from None
    return visit.go(f"/reviews/{taken_back[0].review_id}" if len(taken_back) == 1 else "/")


@router.get("/notices")
def notices(visit: Reviewing) -> Response:
    """What the visitor decided just now, with a way to call it back."""
    return visit.page("_notices.html")


def _is_his(visit: Visit, review_id: str) -> bool:
    """Whether the visitor brought in what the review is about; of what isn't there, nobody did."""
    with reading(visit.office.services.engine) as connection:
        try:
            return same_person(find_review(connection, visit.tenant, review_id).submitter, visit.name)
        except NotFoundError:
            return False


def _page(visit: Visit, review_id: str, wanted: Wanted, tried: Decision | None = None, status: int = 200) -> Response:
    services, tenant = visit.office.services, visit.tenant
    now = services.clock()
    with reading(services.engine) as connection:
        review = find_review(connection, tenant, review_id)
        examined = examined_in(connection, review)
        earlier, later = waiting.neighbours(connection, visit.eye, wanted, review)
        place, places = waiting.position(connection, visit.eye, wanted, review)
        decided = decisions_on(connection, tenant, [review_id])
        history = logbook.lines(connection, tenant, subjects=[review_id, review.subject], limit=_HISTORY)
        reasons = {kind: reasons_used(connection, tenant, kind) for kind in _REASONED}
    values = {
        "row": waiting.row_of(review, visit.words.lang, now),
        "examined": examined,
        "findings": _findings(review, examined, visit.words.lang),
        "fields": _fields(examined, review, tried) if examined else _arguments(review, tried),
        "allowed": review.question["review_configs"][0]["allowed_decisions"],
        "refused": in_language(review.question["refused"], visit.words.lang),
        "noted": is_noted(review.question),
        "precedents": review.question["precedents"],
        "decided": decided,
        "override": bool(hard_rules(review.question["triggers"])),
        "history": history,
        "reasons": reasons,
        "earlier": earlier,
        "later": later,
        "place": place,
        "places": places,
        "link": query(wanted.link()),
        "editing": tried is not None,
    }
    return visit.page("review.html", status=status, **_standing(visit, review_id), **values)


def examined_in(connection: Connection, review: Review) -> Examined | None:
    """The invoice that the review is about; None where it is about something else that an agent wants to do."""
    return find_examined(connection, review.tenant, review.subject) if review.action == BOOK else None


def _subject(visit: Visit, review_id: str) -> tuple[Examined, Review]:
    with reading(visit.office.services.engine) as connection:
        review = find_review(connection, visit.tenant, review_id)
        return find_examined(connection, visit.tenant, review.subject), review


def _standing(visit: Visit, review_id: str) -> dict[str, Any]:
    """How the review stands at this moment."""
    services = visit.office.services
    now = services.clock()
    with reading(services.engine) as connection:
        review = find_review(connection, visit.tenant, review_id)
        scheduled = visit.frame.schedule.on(connection, [review_id]).get(review_id)
        winner = winning_decision(connection, visit.tenant, review_id)
        people = [person.name for person in list_people(connection, visit.tenant) if person.has(Role.REVIEWER)]
        examined = examined_in(connection, review)
        said = enquiries_on(connection, visit.tenant, [review_id]).get(review_id, [])
        off = postponed_on(connection, visit.tenant, [review_id], now).get(review_id)
    return {
        "review": review,
        "said": said,
        "off": off,
        "tomorrow": services.today() + timedelta(days=1),
        "furthest": services.today() + LONGEST,
        "scheduled": scheduled,
        "people": people,
        "winner": winner,
        "invoice_status": str(examined.status) if examined else "",
        "holder": waiting.holder_of(review, now),
        "closed": review.status is not ReviewStatus.OPEN or scheduled is not None,
    }


def _findings(review: Review, examined: Examined | None, lang: Lang) -> list[dict[str, Any]]:
    """What was found, as it was put to the person; after the decision, as it stands now."""
    if examined is None:
        found = [_as_finding(fired, lang) for fired in review.question["triggers"]]
    elif review.status is ReviewStatus.OPEN:
        found = list(review.question["evidence"]["findings"])
    else:
        found = [finding.to_json() for finding in examined.findings]
    return sorted(found, key=lambda finding: (bool(finding["cleared_by"]), _GRAVITY.index(finding["severity"])))


def _as_finding(fired: Mapping[str, Any], lang: Lang) -> dict[str, Any]:
    """A fired trigger in the shape of a finding: what was measured beside the limit."""
    severity = "hard" if fired.get("hard") else "review"
    facts = {"rule": fired["rule"], "severity": severity, "message": {lang: fired["message"][lang]}}
    measured = {"read": fired.get("measured", ""), "expected": fired.get("limit", "")}
    return {**facts, **measured, "source": "", "field": None, "where": "", "candidates": [], "cleared_by": ""}


def _arguments(review: Review, tried: Decision | None) -> list[dict[str, Any]]:
    """What an agent's action would be done with, in the shape of fields."""
    editable = review.question["review_configs"][0]["args_schema"]["properties"]
    args = review.question["action_requests"][0]["args"]
    edits = tried.edits if tried else {}
    same: dict[str, Any] = {"was": "", "by": "", "confidence": None, "where": "", "asked": False}
    return [
        {"name": name, "value": str(value), "input": edits.get(name, str(value)), "editable": name in editable, **same}
        for name, value in args.items()
    ]


def _fields(examined: Examined, review: Review, tried: Decision | None) -> list[dict[str, Any]]:
    """The public fields in order: value, how it was read, whether it may be edited, and what stood there before."""
    editable = review.question["review_configs"][0]["args_schema"]["properties"]
    standing = review.question["evidence"]["findings"] if review.status is ReviewStatus.OPEN else ()
    asked = {finding["field"] for finding in standing if not finding["cleared_by"]}
    found = []
    for name in PUBLIC_FIELDS:
        reading_ = examined.record.fields.get(name) if examined.record else None
        value = reading_.value if reading_ else ""
        person = reading_.reader.partition("person:")[2] if reading_ else ""
        found.append(
            {
                "name": name,
                "value": value,
                "input": (tried.edits.get(name, value) if tried else value),
                "was": reading_.raw if reading_ and person else "",
                "by": person,
                "confidence": reading_.confidence if reading_ else None,
                "where": str(reading_.where) if reading_ and not person else "",
                "editable": name in editable,
                "asked": name in asked,
            }
        )
    return found
