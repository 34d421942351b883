"""Judge an answer: what it says, whether this person may say it, and whether it is enough. Never raises over it."""

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import NotAllowedError, NotFoundError
from foundation.ids import derived_id
from nodes.matter import Matter
from nodes.services import Services
from oversight.answer import AnswerError, parse_answer
from oversight.question import refused
from oversight.reviews import (
    Decision,
    Review,
    find_decision,
    find_review,
    put_back,
    require_may_decide,
    winning_decision,
)

VIA_GRAPH = "graph"


def judge(state: dict[str, Any], config: RunnableConfig, *, services: Services, matter: Matter) -> dict[str, Any]:
    """The decision to apply, or the question again with the reason why the answer could not be taken."""
    question, raw = state["question"], state.get("answer")
    person = services.person(config)
    with reading(services.engine) as connection:
        review = find_review(connection, services.tenant, question["review_id"])
        settled = _settled(connection, review, raw)
    try:
        decision = settled or _decision(raw, review, question, person, services)
        require_may_decide(review, decision.decided_by)
    except (AnswerError, NotAllowedError) as error:
        with services.journal.transaction() as transaction:
            transaction.log(review.tenant, person, "answer refused", review.review_id, why=str(error))
        return {"question": refused(question, str(error)), "answer": None, "decision": None}
    return _weigh(decision, review, question, services, matter)


def _settled(connection: Connection, review: Review, raw: Any) -> Decision | None:
    """The decision that won already (whatever this answer says), or the one that the desk recorded and passes here."""
    winner = winning_decision(connection, review.tenant, review.review_id)
    if winner or not isinstance(raw, Mapping) or not isinstance(raw.get("decision_id"), str):
        return winner
    try:
        recorded = find_decision(connection, review.tenant, raw["decision_id"])
    except NotFoundError:
        return None
    return recorded if recorded.review_id == review.review_id and not recorded.refused else None


def _decision(raw: Any, review: Review, question: Mapping[str, Any], person: str, services: Services) -> Decision:
    """The answer as a decision. Its id follows from round and content: judged twice it is the same decision."""
    answer = parse_answer(raw, question)
    content = json.dumps([answer.to_json(), person], sort_keys=True)
    return Decision(
        decision_id=derived_id("dec", review.review_id, str(question["round"]), content),
        tenant=review.tenant,
        review_id=review.review_id,
        round=question["round"],
        kind=answer.kind,
        reason=answer.reason,
        edits=answer.edits,
        decided_by=person,
        via=VIA_GRAPH,
        at=services.clock(),
    )


def _weigh(
    decision: Decision, review: Review, question: Mapping[str, Any], services: Services, matter: Matter
) -> dict[str, Any]:
    """Take the decision on to be applied, or put it back with what it leaves open."""
    with services.journal.transaction() as transaction:
        objection = matter.objection(transaction, decision, review)
        if objection is None:
            return {"decision": decision.to_json(), "answer": None}
        kept = {"round": question["round"] + 1, "precedents": question.get("precedents", [])}
        again = refused(objection.question, objection.why) | kept
        put_back(transaction.connection, decision, objection.why, again)
        event = "asked the submitter" if decision.kind == "respond" else "decision put back"
        transaction.log(
            review.tenant, decision.decided_by, event, review.review_id, **decision.facts(), why=objection.why
        )
    return {"question": again, "answer": None, "decision": None}
