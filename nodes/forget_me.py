"""Forgetting everything about a person: asked once more, as a review that only he decides; all but a yes cancels."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from foundation.database import reading
from foundation.errors import NotFoundError
from foundation.ids import derived_id
from nodes.opening import Question, answer_of
from nodes.services import Services
from nodes.talk import KIND, Talk
from oversight.action import Action, Fired, Verdict
from oversight.audience import for_person
from oversight.question import question_about
from oversight.reviews import Decision, Review, find_decision, mark_applied, open_review, take
from oversight.threads import is_own_thread

ACTION = "memory.forget_me"
_REASON = Fired(
    kind="high_stakes",
    rule="memory.forget_me",
    message={"zh": "删除关于本人的一切，无法撤销", "en": "Deletes everything about the person; it can't be undone"},
)


def open_forgetting(question: Question, talk: Talk, services: Services) -> Question:
    """The question with its review opened: whoever looks at the queue sees it, only the person himself decides."""
    review_id = derived_id("rev", ACTION, talk.thread_id, question["message_id"])
    request = question_about(
        Action(name=ACTION, args={"user": talk.owner}, irreversible=True),
        Verdict(fired=(_REASON,), allowed=("approve", "reject")),
        review_id=review_id,
        description=question["question"],
        editable=(),
        evidence={"thread": talk.thread_id},
    )
    review = Review(
        review_id=review_id,
        tenant=services.tenant,
        thread_id=talk.thread_id,
        action=ACTION,
        subject=derived_id("person", services.tenant, talk.owner),
        headline=_REASON.message[talk.lang],
        amount=Decimal(0),
        currency="",
        submitter="",
        audience=for_person(talk.owner),
        rule=_REASON.rule,
        risk=3,
        question=request,
        digest=request["digest"],
        opened_at=talk.now,
    )
    with services.journal.transaction() as transaction:
        open_review(transaction.connection, review)
        transaction.log(services.tenant, "agent", "review opened", review_id, about=review.subject)
    return {**question, "review_id": review_id, "request": request}


def is_his(talk: Talk, services: Services) -> bool:
    """Whether the answer comes from the person whose conversation it is."""
    with reading(services.engine) as connection:
        return is_own_thread(connection, talk.thread_id, services.tenant, KIND, talk.owner)


def confirmed(question: Question, raw: Any, talk: Talk, services: Services) -> bool:
    """Whether he said yes, firmly; the decision is taken on the review, and the first one counts."""
    said = _recorded(raw, question, services)
    kind = said.kind if said else ("approve" if answer_of(question, raw) is True else "reject")
    if "review_id" not in question:  # asked by an earlier version
        return kind == "approve"
    mine = said or Decision(
        decision_id=derived_id("dec", question["review_id"], kind),
        tenant=services.tenant,
        review_id=question["review_id"],
        round=1,
        kind=kind,
        decided_by=talk.owner,
        via="chat",
        at=talk.now,
    )
    with services.journal.transaction() as transaction:
        winner = take(transaction.connection, mine)
        if winner.decision_id == mine.decision_id:
            transaction.log(services.tenant, winner.decided_by, "decided", winner.review_id, **winner.facts())
    return winner.kind == "approve"


def _recorded(raw: Any, question: Question, services: Services) -> Decision | None:
    """The decision that the desk took before it resumed the thread."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("decision_id"), str):
        return None
    try:
        with reading(services.engine) as connection:
            decision = find_decision(connection, services.tenant, raw["decision_id"])
    except NotFoundError:
        return None
    return decision if decision.review_id == question.get("review_id") else None


def settled(question: Question, talk: Talk, services: Services) -> None:
    """Say that the decision has had its effect."""
    if "review_id" in question:
        with services.journal.transaction() as transaction:
            mark_applied(transaction.connection, services.tenant, question["review_id"], talk.now)
