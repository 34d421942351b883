"""The JSON interface for scripts: a token instead of a cookie, the same rules, the same rights."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from foundation.database import reading
from foundation.errors import NotAllowedError, UsageError
from invoices.ledger import Examined, counts, examined_of, find_examined, list_batches, require_batch
from oversight.desk import ReviewDesk
from oversight.people import Person, Role
from oversight.question import in_language
from oversight.queue import QueueFilter, QueueItem
from oversight.reviews import Decision, Review, ReviewStatus, decisions_on, find_review
from remembrancer.inbox.frame import Frame, SignInNeededError, Visiting, frame_of
from remembrancer.inbox.tokens import identify
from remembrancer.reports.data import shown_fields

docs = APIRouter(include_in_schema=False)
_bearer = HTTPBearer(auto_error=False, description="A token from `remembrancer tokens add PERSON`.")
_LONGEST_ID = 100

# Letters by name: what `\w` stands for differs from one reader of the document to the next.
Id = Annotated[str, Path(min_length=1, max_length=_LONGEST_ID, pattern=r"^[A-Za-z0-9_-]+$")]


class Plain(BaseModel):
    """Data as it is sent: nothing that isn't named."""

    model_config = ConfigDict(extra="forbid")


class Problem(Plain):
    """Why a request was refused, in one line that says what to do."""

    error: str


class ReviewItem(Plain):
    """One review as the queue shows it. Amounts are text with two decimals."""

    review_id: str
    invoice_id: str
    headline: str
    amount: str
    currency: str
    batch: str
    party: str
    rule: str
    risk: int = Field(description="3 high, 2 medium, 1 low.")
    status: str
    assignee: str | None
    claimed_by: str | None
    due_at: datetime | None
    opened_at: datetime


class ReviewPage(Plain):
    """Some of what waits, and how much there is in all."""

    items: list[ReviewItem]
    total: int


class DecisionOut(Plain):
    """One decision that was made."""

    decision_id: str
    kind: str
    reason: str
    edits: dict[str, str]
    decided_by: str
    at: datetime
    taken: bool


class ReviewDetail(ReviewItem):
    """One review with what was asked and what was decided."""

    digest: str = Field(description="Of what is asked; send it back with a decision.")
    allowed: list[str]
    fields: dict[str, str]
    findings: list[dict[str, Any]]
    refused: str
    decisions: list[DecisionOut]


class Said(Plain):
    """What every decision may say. Who decides follows from the token, never from here."""

    seen: str = Field(default="", max_length=_LONGEST_ID, description="The digest that was shown; another is refused.")


_LONGEST_REASON = 2000
Remark = Annotated[str, Field(max_length=_LONGEST_REASON)]


class Approval(Said):
    """Book it."""

    kind: Literal["approve"]
    reason: Remark = ""


class Rejection(Said):
    """Don't book it, and say why."""

    kind: Literal["reject"]
    reason: str = Field(max_length=_LONGEST_REASON, pattern=r"\S[\s\S]*\S", description="At least two characters.")


class Correction(Said):
    """Other values, which the rules look at again before they count."""

    kind: Literal["edit"]
    reason: Remark = ""
    edits: dict[str, Annotated[str, Field(max_length=400)]] = Field(
        min_length=1, max_length=20, description="Field -> value, of the fields that the review says may be edited."
    )


class Inquiry(Said):
    """Ask the submitter; the review stays open."""

    kind: Literal["respond"]
    reason: str = Field(max_length=_LONGEST_REASON, pattern=r"\S", description="The question.")


DecisionIn = Annotated[Approval | Rejection | Correction | Inquiry, Field(discriminator="kind")]


class Settlement(Plain):
    """What became of a decision."""

    review_status: str
    invoice_status: str
    still_open: str


class BatchOut(Plain):
    """One batch."""

    batch_id: str
    name: str
    submitter: str
    files: int
    created_at: datetime
    finished_at: datetime | None
    counts: dict[str, int]


class InvoiceOut(Plain):
    """One invoice as it was examined; ids that hold a citizen id are masked."""

    invoice_id: str
    file: str
    sha256: str
    status: str
    fields: dict[str, str]


_REFUSALS: Mapping[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (401, 403, 404, 409, 413, 422, 503)
}


def caller(request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)] = None) -> Person:
    """The person whose token this is.

    Raises:
        SignInNeededError: there is none, or it isn't in force.
        NotAllowedError: the person may decide nothing.
    """
    frame = frame_of(request)
    services = frame.office.services
    with reading(services.engine) as connection:
        token = given.credentials if given else ""
        person = identify(connection, token, tenant=frame.tenant, now=services.clock()) if token else None
    if person is None:
        raise SignInNeededError("a token is needed: Authorization: Bearer TOKEN, from `remembrancer tokens add PERSON`")
    if not person.has(Role.REVIEWER):
        raise NotAllowedError(f"{person.name} is no reviewer: use a token of somebody who is")
    return person


def known_only(request: Request) -> None:
    """A misspelt filter is refused: left out in silence it would show everything.

    Raises:
        UsageError: the query has a parameter that this address doesn't take.
    """
    known = [parameter.alias for parameter in request.scope["route"].dependant.query_params]
    if unknown := [name for name in request.query_params if name not in known]:
        raise UsageError(f"there is no parameter {unknown[0]!r} here: {', '.join(known) or 'it takes none'}")


router = APIRouter(
    prefix="/api/v1", tags=["v1"], dependencies=[Depends(caller), Depends(known_only)], responses={**_REFUSALS}
)
Caller = Annotated[Person, Depends(caller)]
Here = Annotated[Frame, Depends(frame_of)]


@router.get("/reviews")
def list_waiting(
    frame: Here,
    status: ReviewStatus = ReviewStatus.OPEN,
    batch: Annotated[str, Query(max_length=200)] = "",
    rule: Annotated[str, Query(max_length=_LONGEST_ID)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> ReviewPage:
    """What waits, the gravest first."""
    services = frame.office.services
    desk = ReviewDesk(services.engine, services.journal, services.clock, services.zone)
    page = desk.page(
        frame.tenant, QueueFilter(status=status, batch=batch or None, rule=rule or None), limit=limit, offset=offset
    )
    return ReviewPage(items=[ReviewItem(**_shown(item)) for item in page.items], total=page.total)


@router.get("/reviews/{review_id}")
def show_review(frame: Here, review_id: Id) -> ReviewDetail:
    """One review with its evidence."""
    with reading(frame.office.services.engine) as connection:
        review = find_review(connection, frame.tenant, review_id)
        decided = decisions_on(connection, frame.tenant, [review_id])
    question = review.question
    return ReviewDetail(
        **_shown(review),
        digest=review.digest,
        allowed=list(question["review_configs"][0]["allowed_decisions"]),
        fields=dict(question["action_requests"][0]["args"]),
        findings=list(question["evidence"]["findings"]),
        refused=in_language(question["refused"], "en"),
        decisions=[_decision(each) for each in decided],
    )


@router.post("/reviews/{review_id}/decisions")
def decide(frame: Here, person: Caller, review_id: Id, decision: DecisionIn) -> Settlement:
    """Decide at once: a script has nothing to call back."""
    settled = frame.office.decide(
        review_id,
        decision.kind,
        by=person.name,
        reason=decision.reason,
        edits=decision.edits if isinstance(decision, Correction) else {},
        via="api",
        seen=decision.seen,
    )
    return Settlement(
        review_status=str(settled.review.status), invoice_status=str(settled.status), still_open=settled.still_open
    )


@router.get("/batches")
def list_all_batches(frame: Here) -> list[BatchOut]:
    """The batches, newest first."""
    with reading(frame.office.services.engine) as connection:
        found = list_batches(connection, frame.tenant)
        return [
            BatchOut(
                batch_id=batch.batch_id,
                name=batch.name,
                submitter=batch.submitter,
                files=batch.files,
                created_at=batch.created_at,
                finished_at=batch.finished_at,
                counts={str(status): count for status, count in counts(connection, batch.batch_id).items()},
            )
            for batch in found
        ]


@router.get("/batches/{batch_id}/invoices")
def list_invoices(frame: Here, batch_id: Id) -> list[InvoiceOut]:
    """The invoices of one batch."""
    with reading(frame.office.services.engine) as connection:
        batch = require_batch(connection, frame.tenant, batch_id)
        return [_invoice(one) for one in examined_of(connection, batch.batch_id)]


@router.get("/invoices/{invoice_id}")
def show_invoice(frame: Here, invoice_id: Id) -> InvoiceOut:
    """One invoice."""
    with reading(frame.office.services.engine) as connection:
        return _invoice(find_examined(connection, frame.tenant, invoice_id))


@docs.get("/api")
def docs_page(visit: Visiting) -> Response:
    """The interface, described."""
    schema = visit.request.app.openapi()
    return visit.page("api.html", paths=schema["paths"], schemas=schema["components"]["schemas"], base=visit.base)


def _shown(review: Review | QueueItem) -> dict[str, Any]:
    """What a review and an item of the queue have in common, as plain data."""
    same = (
        "review_id",
        "headline",
        "currency",
        "batch",
        "party",
        "rule",
        "assignee",
        "claimed_by",
        "due_at",
        "opened_at",
    )
    amount: Decimal = review.amount
    facts = {name: getattr(review, name) for name in same}
    return {
        **facts,
        "invoice_id": review.subject,
        "amount": f"{amount:.2f}",
        "risk": int(review.risk),
        "status": str(review.status),
    }


def _decision(decision: Decision) -> DecisionOut:
    names = ("decision_id", "kind", "reason", "decided_by", "at", "taken")
    return DecisionOut(edits=dict(decision.edits), **{name: getattr(decision, name) for name in names})


def _invoice(one: Examined) -> InvoiceOut:
    return InvoiceOut(
        invoice_id=one.invoice_id, file=one.file, sha256=one.sha256, status=str(one.status), fields=shown_fields(one)
    )
