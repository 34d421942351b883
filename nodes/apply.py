"""Apply a decision: the compare-and-set on the review and the effect, in one transaction."""

from typing import Any

from foundation.journal import Transaction
from nodes.halting import AGENT, halt_question
from nodes.matter import Matter
from nodes.remembering import remember_decision
from nodes.services import Services
from oversight.admission import LETS_PASS
from oversight.audience import for_person
from oversight.brake import is_on
from oversight.due_times import has_expired
from oversight.feed import Event, publish
from oversight.notices import NoticeKind, announce, waits_for
from oversight.people import has_people
from oversight.question import both_languages, refused
from oversight.reviews import Decision, Review, ReviewStatus, find_review, mark_applied, put_back, take
from oversight.second_person import forget_approvals

_CLOSED = {"question": None, "answer": None, "decision": None}
_EXPIRED = ("审批已过期，未执行", "the review has expired, nothing was done")


def apply(state: dict[str, Any], *, services: Services, matter: Matter) -> dict[str, Any]:
    """Let the decision take effect once; where another one won, that one is judged in its place."""
    mine = Decision.from_json(state["decision"])
    with services.journal.transaction() as transaction:
        connection = transaction.connection
        review = find_review(connection, services.tenant, mine.review_id)
        if again := _asked_again(transaction, mine, review, matter):
            return {"question": again, "answer": None, "decision": None}
        winner = take(connection, mine)
        if winner.decision_id != mine.decision_id:
            transaction.log(
                mine.tenant, mine.decided_by, "came too late", mine.review_id, **mine.facts(), winner=winner.decided_by
            )
            return {"answer": {"decision_id": winner.decision_id}, "decision": None}
        if review.status is not ReviewStatus.APPLIED:
            batch = matter.batch_of(connection, review)
            if stopped := _stopped(transaction, winner, review, batch):
                return stopped
            _tell(transaction, winner, review, batch)
            if matter.effect(transaction, winner, review):
                mark_applied(connection, winner.tenant, winner.review_id, transaction.at)
        told = matter.told(connection, winner, review)
        applied = find_review(connection, services.tenant, mine.review_id).status is ReviewStatus.APPLIED
    if applied:
        remember_decision(services, review, winner)
    return {**_CLOSED, "last": told}


def _asked_again(transaction: Transaction, decision: Decision, review: Review, matter: Matter) -> dict[str, Any] | None:
    """The question once more, where its time is over or what was approved isn't what stands there now."""
    if review.status is ReviewStatus.APPLIED or review.decision_id not in {None, decision.decision_id}:
        return None
    if has_expired(review, transaction.at):
        return _again(transaction, review, matter, both_languages(_EXPIRED))
    why = matter.changes(transaction, decision, review) if decision.kind in LETS_PASS else ""
    if not why:
        return None
    forget_approvals(transaction.connection, review)
    kept = find_review(transaction.connection, review.tenant, review.review_id)
    again = _again(transaction, kept, matter, why)
    put_back(transaction.connection, decision, why, again)
    transaction.log(review.tenant, AGENT, "approval void", review.review_id, **decision.facts(), why=why)
    said = {"turn": str(decision.round), "text": why}
    announce(transaction.connection, review, NoticeKind.VOIDED, waits_for(review), transaction.at, **said)
    return again


def _again(transaction: Transaction, review: Review, matter: Matter, why: str) -> dict[str, Any]:
    question = matter.question(transaction.connection, review, {})
    kept = {"round": review.round + 1, "precedents": review.question.get("precedents", [])}
    return refused(question, why) | kept


def _stopped(transaction: Transaction, decision: Decision, review: Review, batch: str) -> dict[str, Any] | None:
    """The brake's question where one is on: the decision stands, its effect waits. A refusal never has to."""
    brake = is_on(transaction.connection, review.tenant, batch, review.thread_id)
    if brake is None or decision.kind == "reject":
        return None
    transaction.log(review.tenant, AGENT, "stopped by the brake", review.review_id, brake=brake.brake_id)
    args = {"review": review.review_id, "about": review.headline, "decided_by": decision.decided_by}
    return {"halted": halt_question(brake, batch, args, ("approve",))}


def _tell(transaction: Transaction, decision: Decision, review: Review, batch: str) -> None:
    """Keep the decision in the log, with how far the name of its maker is to be trusted; tell who watches and waits."""
    connection, by = transaction.connection, decision.decided_by
    named = {} if has_people(connection, review.tenant) else {"identity": "as named: no users created"}
    transaction.log(decision.tenant, by, "decided", decision.review_id, **decision.facts(), **named)
    facts = {"label": review.headline, "by": by, "decision": decision.kind}
    event = Event(kind="decided", subject=review.subject, batch=batch, thread=review.thread_id, facts=facts)
    publish(connection, review.tenant, transaction.at, event)
    if review.submitter:
        said = {"by": by, "decision": decision.kind, "text": decision.reason}
        announce(connection, review, NoticeKind.DECIDED, for_person(review.submitter), transaction.at, **said)
