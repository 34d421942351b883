"""Looking at a decision before it is scheduled: may this person, does it say enough, and would an edit stand?"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, select

from foundation.database import reading
from foundation.errors import AlreadyDecidedError, RefusedError
from foundation.ids import new_id
from invoices.findings import Finding
from invoices.ledger import find_examined, require_batch
from nodes.reexamine import reexamine
from oversight.action import DecisionKind
from oversight.admission import admit, decision_of
from oversight.answer import parse_answer
from oversight.reviews import (
    Decision,
    Review,
    ReviewStatus,
    already_decided,
    find_review,
    winning_decision,
)
from oversight.tables import decisions
from remembrancer.office import Office

_REASONS = 6


def look_at(
    office: Office,
    review_id: str,
    kind: str,
    *,
    by: str,
    reason: str = "",
    edits: Mapping[str, str] | None = None,
    seen: str = "",
) -> Decision:
    """The decision as it would be taken, nothing done yet.

    Raises:
        NotFoundError: this tenant has no such review.
        AlreadyDecidedError: it is decided already; says by whom.
        NotAllowedError: this person may not decide it.
        RefusedError: it has changed since he looked at it.
        AnswerError: the decision says too little, or changes what may not be changed.
    """
    services = office.services
    now, day = services.clock(), services.today()
    with reading(services.engine) as connection:
        review = find_review(connection, services.tenant, review_id)
        _require_open(connection, review)
        answer = parse_answer({"type": kind, "message": reason, "args": dict(edits or {})}, review.question)
        right = admit(connection, review, by, answer.kind, now=now, day=day)
    if seen and seen != review.digest:
        raise RefusedError(f"{review_id} has changed since you looked at it: look at it again")
    return decision_of(answer, review, review.question, right, decision_id=new_id("dec"), via="inbox", at=now)


def still_stands(office: Office, decision: Decision) -> list[Finding]:
    """What the rules would say about the edited invoice; empty when the edit would be taken."""
    services = office.services
    with reading(services.engine) as connection:
        review = find_review(connection, services.tenant, decision.review_id)
        examined = find_examined(connection, services.tenant, review.subject)
        batch = require_batch(connection, services.tenant, examined.batch_id)
        _, standing = reexamine(connection, services, decision, examined, batch)
    return standing


def reasons_used(connection: Connection, tenant: str, kind: DecisionKind) -> Sequence[str]:
    """The reasons that people gave most often for this kind of decision."""
    t = decisions.c
    query = select(t.reason).where(t.tenant == tenant, t.kind == kind, t.reason != "").group_by(t.reason)
    return list(connection.execute(query.order_by(func.count().desc(), t.reason).limit(_REASONS)).scalars())


def _require_open(connection: Connection, review: Review) -> None:
    if review.status is ReviewStatus.OPEN:
        return
    winner = winning_decision(connection, review.tenant, review.review_id)
    raise AlreadyDecidedError(already_decided(winner) if winner else f"{review.review_id} is {review.status}")
