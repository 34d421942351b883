"""Judge an answer: what it says, whether this person may say it, and whether it is enough. Never raises over it."""

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import NotAllowedError, NotFoundError, RefusedError
from foundation.ids import derived_id
from foundation.journal import Transaction
from nodes.matter import Matter, Objection
from nodes.services import Services
from oversight.admission import LETS_PASS, admit, decision_of
from oversight.answer import AnswerError, name_claimed, parse_answer
from oversight.audience import authority_of, for_person
from oversight.notices import NoticeKind, announce, waits_for
from oversight.people import same_person
from oversight.question import both_languages, noted, refused
from oversight.reviews import Decision, Review, find_decision, find_review, put_back, winning_decision
from oversight.second_person import keep_approval, others_before, proposed_edits

VIA_GRAPH = "graph"


def judge(state: dict[str, Any], config: RunnableConfig, *, services: Services, matter: Matter) -> dict[str, Any]:
    """The decision to apply, or the question again with the reason why the answer could not be taken."""
    question, raw = state["question"], state.get("answer")
    person = services.person(config)
    with reading(services.engine) as connection:
        review = find_review(connection, services.tenant, question["review_id"])
        winner = winning_decision(connection, review.tenant, review.review_id)
    _log_claimed_name(raw, person, review, services)
    try:
        decision = winner or _given(raw, review, question, person, services)
        return _weigh(decision, review, question, services, matter)
    except (AnswerError, RefusedError) as error:
        with services.journal.transaction() as transaction:
            transaction.log(review.tenant, person, "answer refused", review.review_id, why=str(error))
        return {"question": refused(question, str(error)), "answer": None, "decision": None}


def _log_claimed_name(raw: Any, person: str, review: Review, services: Services) -> None:
    """Who decides is who is signed in: a name in the answer is left aside, and the attempt is kept."""
    claimed = name_claimed(raw)
    if claimed and not same_person(claimed, person):
        with services.journal.transaction() as transaction:
            transaction.log(review.tenant, person, "name in the answer ignored", review.review_id, claimed=claimed)


def _given(raw: Any, review: Review, question: Mapping[str, Any], person: str, services: Services) -> Decision:
    """The decision that the desk recorded and passes here, or the one that the answer states.

    Its id follows from round and content: judged twice it is the same decision.
    """
    with reading(services.engine) as connection:
        recorded = _recorded(connection, review, raw)
        if recorded:
            admit(connection, review, recorded.decided_by, recorded.kind, now=services.clock(), day=services.today())
            return recorded
        answer = parse_answer(raw, question)
        authority = admit(connection, review, person, answer.kind, now=services.clock(), day=services.today())
    content = json.dumps([answer.to_json(), person], sort_keys=True)
    decision_id = derived_id("dec", review.review_id, str(question["round"]), content)
    return decision_of(answer, review, question, authority, decision_id=decision_id, via=VIA_GRAPH, at=services.clock())


def _recorded(connection: Connection, review: Review, raw: Any) -> Decision | None:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("decision_id"), str):
        return None
    try:
        recorded = find_decision(connection, review.tenant, raw["decision_id"])
    except NotFoundError:
        return None
    return recorded if recorded.review_id == review.review_id and not recorded.refused else None


def _weigh(
    decision: Decision, review: Review, question: Mapping[str, Any], services: Services, matter: Matter
) -> dict[str, Any]:
    """Take the decision on to be applied, or put it back with what it leaves open."""
    with services.journal.transaction() as transaction:
        objection = matter.objection(transaction, decision, review)
        objection = objection or _second_person(transaction, decision, review, services, matter)
        if objection is None:
            return {"decision": decision.to_json(), "answer": None}
        wrong = objection.kind == "refused" and decision.kind != "respond"
        kept = {"round": question["round"] + 1, "precedents": question.get("precedents", [])}
        again = (refused if wrong else noted)(objection.question, objection.why) | kept
        put_back(transaction.connection, decision, objection.why, again)
        _tell(transaction, decision, review, objection)
    return {"question": again, "answer": None, "decision": None}


def _second_person(
    transaction: Transaction, decision: Decision, review: Review, services: Services, matter: Matter
) -> Objection | None:
    """That another person must approve the same, too; None when one has, or none is needed."""
    if decision.kind not in LETS_PASS:
        return None
    connection, by = transaction.connection, decision.decided_by
    stakes = matter.stakes(connection, decision, review)
    try:
        if decision.edits:
            authority_of(connection, review, by, day=services.today(), kind=decision.kind, amount=stakes.amount)
        others = others_before(connection, decision, review)
    except NotAllowedError as error:
        return Objection(str(error), matter.question(connection, review, proposed_edits(review.question)))
    if others + 1 >= stakes.approvals_needed:
        return None
    keep_approval(connection, decision, review)
    zh, en = f"{by} 已批准，还需另一人批准", f"approved by {by}; a second, different person must approve, too"
    return Objection(
        both_languages((zh, en)), matter.question(connection, review, decision.edits), kind="second person"
    )


def _tell(transaction: Transaction, decision: Decision, review: Review, objection: Objection) -> None:
    """Keep in the log what became of the decision, and tell whoever it concerns."""
    connection, by = transaction.connection, decision.decided_by
    said = {"by": by, "text": decision.reason, "turn": str(decision.round)}
    if decision.kind == "respond":
        event = "asked the submitter"
        if review.submitter:
            announce(connection, review, NoticeKind.ASKED, for_person(review.submitter), transaction.at, **said)
    elif objection.kind == "second person":
        event = "approved, a second person is needed"
        announce(connection, review, NoticeKind.SECOND_NEEDED, waits_for(review), transaction.at, **said)
    else:
        event = "decision put back"
    transaction.log(review.tenant, by, event, review.review_id, **decision.facts(), why=objection.why)
