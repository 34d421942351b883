"""Apply a decision: the compare-and-set on the review and the effect, in one transaction."""

from typing import Any

from foundation.journal import Transaction
from nodes.halting import AGENT, halt_question
from nodes.matter import Matter
from nodes.remembering import remember_decision
from nodes.services import Services
from oversight.brake import is_on
from oversight.feed import Event, publish
from oversight.reviews import Decision, Review, ReviewStatus, find_review, mark_applied, take

_CLOSED = {"question": None, "answer": None, "decision": None}


def apply(state: dict[str, Any], *, services: Services, matter: Matter) -> dict[str, Any]:
    """Let the decision take effect once; where another one won, that one is judged in its place."""
    mine = Decision.from_json(state["decision"])
    with services.journal.transaction() as transaction:
        connection = transaction.connection
        winner = take(connection, mine)
        if winner.decision_id != mine.decision_id:
            transaction.log(
                mine.tenant, mine.decided_by, "came too late", mine.review_id, **mine.facts(), winner=winner.decided_by
            )
            return {"answer": {"decision_id": winner.decision_id}, "decision": None}
        review = find_review(connection, services.tenant, mine.review_id)
        if review.status is not ReviewStatus.APPLIED:
            batch = matter.batch_of(connection, review)
            if stopped := _stopped(transaction, winner, review, batch):
                return stopped
            transaction.log(winner.tenant, winner.decided_by, "decided", winner.review_id, **winner.facts())
            _tell(transaction, winner, review, batch)
            if matter.effect(transaction, winner, review):
                mark_applied(connection, winner.tenant, winner.review_id, transaction.at)
        told = matter.told(connection, winner, review)
        applied = find_review(connection, services.tenant, mine.review_id).status is ReviewStatus.APPLIED
    if applied:
        remember_decision(services, review, winner)
    return {**_CLOSED, "last": told}


def _stopped(transaction: Transaction, decision: Decision, review: Review, batch: str) -> dict[str, Any] | None:
    """The brake's question where one is on: the decision stands, its effect waits. A refusal never has to."""
    brake = is_on(transaction.connection, review.tenant, batch, review.thread_id)
    if brake is None or decision.kind == "reject":
        return None
    transaction.log(review.tenant, AGENT, "stopped by the brake", review.review_id, brake=brake.brake_id)
    args = {"review": review.review_id, "about": review.headline, "decided_by": decision.decided_by}
    return {"halted": halt_question(brake, batch, args, ("approve",))}


def _tell(transaction: Transaction, decision: Decision, review: Review, batch: str) -> None:
    """Let whoever watches know."""
    facts = {"label": review.headline, "by": decision.decided_by, "decision": decision.kind}
    event = Event(kind="decided", subject=review.subject, batch=batch, thread=review.thread_id, facts=facts)
    publish(transaction.connection, review.tenant, transaction.at, event)
