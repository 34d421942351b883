"""From an answer to a decision: may this person give it now, and what exactly does it say? One way for all screens."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection

from foundation.errors import ExpiredError
from oversight.action import DecisionKind
from oversight.answer import Answer, AnswerError
from oversight.audience import Authority, authority_of
from oversight.due_times import has_expired
from oversight.lease import require_free
from oversight.question import LEAST_REASON
from oversight.reviews import Decision, Review
from oversight.risk import hard_rules
from oversight.second_person import proposed_edits

LETS_PASS: tuple[DecisionKind, ...] = ("approve", "edit")
"""The decisions after which something happens that can't be taken back."""


def admit(
    connection: Connection, review: Review, name: str, kind: DecisionKind, *, now: datetime, day: date
) -> Authority:
    """In whose right this person makes such a decision now; `day` is the day of `now` in the company's zone.

    Raises:
        ExpiredError: its time is over.
        NotAllowedError: nobody is named, he may not decide this, or somebody else has claimed it.
    """
    if has_expired(review, now):
        raise ExpiredError(f"{review.review_id} has expired and nothing was done: `remembrancer reopen` opens it again")
    authority = authority_of(connection, review, name, day=day, kind=kind)
    require_free(review, name, now)
    return authority


def decision_of(
    answer: Answer,
    review: Review,
    question: Mapping[str, Any],
    authority: Authority,
    *,
    decision_id: str,
    via: str,
    at: datetime,
) -> Decision:
    """The answer as a decision about what the question shows.

    Raises:
        AnswerError: it is an override without a reason, and the question says that one is needed.
    """
    passes = answer.kind == "approve"
    bypassed = tuple(reason["rule"] for reason in question["triggers"]) if passes else ()
    override = passes and bool(hard_rules(question["triggers"]))
    if override and question.get("override_reason") and len(answer.reason) < LEAST_REASON:
        broken = ", ".join(hard_rules(question["triggers"]))
        raise AnswerError(f'an approval over {broken} needs a reason: {{"type": "approve", "message": "..."}}')
    kept = proposed_edits(question) if answer.kind in LETS_PASS else {}
    return Decision(
        decision_id=decision_id,
        tenant=review.tenant,
        review_id=review.review_id,
        round=int(question.get("round", review.round)),
        kind=answer.kind,
        reason=answer.reason,
        edits={**kept, **answer.edits},
        decided_by=authority.person,
        behalf_of=authority.behalf_of,
        override=override,
        bypassed=bypassed,
        digest=str(question["digest"]),
        via=via,
        at=at,
    )
