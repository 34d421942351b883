"""Apply a decision: the compare-and-set on the review and the effect, in one transaction."""

from typing import Any

from nodes.matter import Matter
from nodes.services import Services
from oversight.reviews import Decision, ReviewStatus, find_review, mark_applied, take

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
            transaction.log(winner.tenant, winner.decided_by, "decided", winner.review_id, **winner.facts())
            if matter.effect(transaction, winner, review):
                mark_applied(connection, winner.tenant, winner.review_id, transaction.at)
        told = matter.told(connection, winner, review)
    return {**_CLOSED, "last": told}
