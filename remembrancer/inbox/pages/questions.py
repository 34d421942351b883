"""Questions to whoever brought something in: he answers here, and decides nothing."""

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response

from foundation.database import reading
from oversight.enquiries import LONGEST, answer, asked_of, enquiries_on
from remembrancer.inbox import waiting
from remembrancer.inbox.frame import NO_FORGERY, Visiting

router = APIRouter(include_in_schema=False)


@router.get("/questions")
def questions_page(visit: Visiting) -> Response:
    """What the visitor was asked about his own claims, with what he answered; or only that part of the page."""
    now, lang = visit.eye.now, visit.words.lang
    with reading(visit.office.services.engine) as connection:
        asked = asked_of(connection, visit.tenant, visit.name)
        said = enquiries_on(connection, visit.tenant, [review.review_id for review in asked])
    rows = sorted((waiting.row_of(review, lang, now) for review in asked), key=lambda row: said[row.id][-1].answers)
    only_part = visit.request.headers.get("hx-target") == "questions"
    template = "_questions.html" if only_part else "questions.html"
    return visit.page(template, rows=rows, said=said, longest=LONGEST)


@router.post("/questions/{review_id}", dependencies=NO_FORGERY)
def answer_question(visit: Visiting, review_id: str, text: Annotated[str, Form(max_length=LONGEST)] = "") -> Response:
    """Answer a question about what one brought in; the review goes on waiting for its decision."""
    with visit.office.services.journal.transaction() as transaction:
        answer(transaction, visit.tenant, review_id, text, by=visit.name)
    return visit.go("/questions")
