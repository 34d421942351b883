"""Taking a decision: which one counts, before it takes effect, and what became of it afterwards."""

from collections.abc import Callable

from sqlalchemy import Connection

from foundation.database import reading
from foundation.errors import AlreadyDecidedError
from invoices.ledger import InvoiceStatus
from nodes.quarantine_matter import HeldStatus
from nodes.services import Services
from oversight.actions import ActionStatus
from oversight.admission import LETS_PASS
from oversight.reviews import (
    Decision,
    Review,
    ReviewStatus,
    already_decided,
    decisions_on,
    find_decision,
    find_review,
    record,
    take,
    winning_decision,
)
from oversight.second_person import others_before
from remembrancer.settled import Settled

StatusOf = Callable[[Connection, Review], InvoiceStatus | ActionStatus | HeldStatus]
"""How the thing that a review is about stands now."""


def keep(services: Services, decision: Decision, review: Review) -> Decision:
    """The decision that counts: this one, or the same one by the same person that was made before.

    A question, and an approval that a second person must follow, win nothing: they are recorded.

    Raises:
        AlreadyDecidedError: somebody else's counts.
        NotAllowedError: this person has approved the same already.
    """
    with services.journal.transaction() as transaction:
        connection = transaction.connection
        asks = decision.kind == "respond" and not review.question.get("respond_settles")
        winner = winning_decision(connection, decision.tenant, decision.review_id)
        if winner and asks:
            raise AlreadyDecidedError(already_decided(winner))
        if asks and (same := _said_last(connection, decision)):
            return same
        if asks or _is_first_of_two(connection, decision, review):
            record(connection, decision)
            return decision
        winner = take(connection, decision)
    if winner.decision_id != decision.decision_id and not winner.repeats(decision):
        raise AlreadyDecidedError(already_decided(winner))
    return winner


def settled_of(services: Services, decision: Decision, status_of: StatusOf) -> Settled:
    """What became of the decision, and how the thing stands that it was about.

    Raises:
        AlreadyDecidedError: it was only recorded, and another one won meanwhile.
    """
    with reading(services.engine) as connection:
        review = find_review(connection, services.tenant, decision.review_id)
        kept = find_decision(connection, services.tenant, decision.decision_id)
        status = status_of(connection, review)
        winner = winning_decision(connection, review.tenant, review.review_id)
    if winner and winner.decision_id != kept.decision_id and not kept.refused:
        raise AlreadyDecidedError(already_decided(winner))
    return Settled(review, status, kept.refused)


def _is_first_of_two(connection: Connection, decision: Decision, review: Review) -> bool:
    if decision.kind not in LETS_PASS or review.status is not ReviewStatus.OPEN:
        return False
    return others_before(connection, decision, review) + 1 < review.approvals_needed


def _said_last(connection: Connection, decision: Decision) -> Decision | None:
    """The same question by the same person, when nothing was said since: a second click asks nothing again."""
    said = decisions_on(connection, decision.tenant, [decision.review_id])
    return said[-1] if said and said[-1].repeats(decision) else None
