"""Reviews: a question put to a person stays open until one decision wins.

Who wins is settled by one compare-and-set on the review's row, whoever asks for it and from which process; all others
are told who was first. What was decided and not yet applied stays visible until its effect is committed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from foundation.errors import ExpiredError, NotAllowedError, NotFoundError
from foundation.sequences import chunks
from foundation.upserts import keep_first
from oversight.action import DecisionKind
from oversight.people import same_person
from oversight.risk import leading_rule, risk_of
from oversight.tables import decisions, review_reasons, reviews

ANY_REVIEWER = "role:reviewer"
MIDDLE_RISK = 2
_MANY = 500


class ReviewStatus(StrEnum):
    """Where a review stands."""

    OPEN = "open"
    """Waits for a person."""
    DECIDED = "decided"
    """A decision won; its effect is not committed yet."""
    APPLIED = "applied"
    """The effect is committed."""
    EXPIRED = "expired"
    """Nobody decided in time: it never takes effect, and can be opened again."""


PENDING = (ReviewStatus.OPEN, ReviewStatus.DECIDED, ReviewStatus.EXPIRED)
"""What a review without a committed effect may be. Named one by one, so that the index finds them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One question put to a person."""

    review_id: str
    tenant: str
    thread_id: str
    action: str
    subject: str
    """What the action is about: an invoice's id, say."""
    headline: str
    amount: Decimal
    currency: str
    submitter: str
    """Who brought it in: never decides it himself. "" when nobody said."""
    batch: str = ""
    """The run that brought it in, as people call it."""
    party: str = ""
    """Whom it concerns, for grouping: the seller of an invoice, say."""
    audience: str = ANY_REVIEWER
    """Who is asked: "role:ROLE", or "person:NAME" for a person's own data."""
    rule: str = ""
    """The gravest reason's rule: reviews of one rule are one reason group."""
    risk: int = MIDDLE_RISK
    """See `oversight.risk`: 3 is never decided in a group."""
    approvals_needed: int = 1
    """How many different people must approve."""
    policy: str = ""
    """Digest of the policy under which it is asked."""
    forked_from: str | None = None
    """The decided review that this one asks about once more."""
    assignee: str | None = None
    claimed_by: str | None = None
    claimed_until: datetime | None = None
    due_at: datetime | None = None
    expires_at: datetime | None = None
    hops: int = 0
    """How many steps of its calendar were taken: the reminder, then the escalations."""
    next_step_at: datetime | None = None
    question: Mapping[str, Any]
    digest: str
    round: int = 1
    status: ReviewStatus = ReviewStatus.OPEN
    decision_id: str | None = None
    opened_at: datetime
    decided_at: datetime | None = None
    applied_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A review without a committed effect, as far as driving its thread needs it."""

    review_id: str
    thread_id: str
    subject: str
    status: ReviewStatus
    decision_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one person decided on one review, and how it was received."""

    decision_id: str
    tenant: str
    review_id: str
    round: int
    kind: DecisionKind
    reason: str = ""
    edits: Mapping[str, str] = field(default_factory=dict)
    decided_by: str
    via: str
    """Where it came from: cli, graph, inbox, server."""
    at: datetime
    taken: bool = False
    """Whether it won the review (in its round)."""
    refused: str = ""
    """Why it was put back to the person; "" when it wasn't."""
    behalf_of: str = ""
    """For whom a delegate decided; "" when he decided in his own right."""
    override: bool = False
    """Whether it lets something pass that breaks a hard rule."""
    bypassed: tuple[str, ...] = ()
    """The rules that had fired and that the decision lets pass."""
    digest: str = ""
    """Of what was before the person's eyes: another thing is not approved by this."""

    def repeats(self, other: "Decision") -> bool:
        """Whether the same person says the same once more, not knowing that it was taken already."""
        mine, others = ((d.decided_by, d.kind, d.reason, d.edits) for d in (self, other))
        return mine == others

    def facts(self) -> dict[str, Any]:
        """What the audit log keeps of it."""
        facts: dict[str, Any] = {"kind": self.kind, "reason": self.reason, "edits": dict(self.edits), "via": self.via}
        facts |= {"decision_id": self.decision_id, "round": self.round, "digest": self.digest}
        said = {"behalf_of": self.behalf_of, "override": self.override, "bypassed": list(self.bypassed)}
        return facts | {name: value for name, value in said.items() if value}

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data."""
        values = {name: getattr(self, name) for name in Decision.__slots__}
        return {**values, "edits": dict(self.edits), "bypassed": list(self.bypassed), "at": self.at.isoformat()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Decision":
        """The decision back from plain data."""
        bypassed = tuple(data.get("bypassed", ()))
        return cls(**{**data, "bypassed": bypassed, "at": datetime.fromisoformat(data["at"])})


def open_review(connection: Connection, review: Review) -> None:
    """Put the question; asking again under the same id changes nothing."""
    row = _review_row(review) | _weight(review.question)
    if keep_first(connection, reviews, row, key=["review_id"]):
        _keep_reasons(connection, review.tenant, review.review_id, review.question)


def _weight(question: Mapping[str, Any]) -> dict[str, Any]:
    """What the queue sorts and groups by, from the reasons for asking."""
    return {"rule": leading_rule(question["triggers"]), "risk": int(risk_of(question["triggers"]))}


def _keep_reasons(connection: Connection, tenant: str, review_id: str, question: Mapping[str, Any]) -> None:
    connection.execute(delete(review_reasons).where(review_reasons.c.review_id == review_id))
    fired = {(reason["rule"], reason["kind"]) for reason in question["triggers"]}
    same = {"review_id": review_id, "tenant": tenant}
    if fired:
        connection.execute(insert(review_reasons), [{**same, "rule": rule, "kind": kind} for rule, kind in fired])


def find_review(connection: Connection, tenant: str, review_id: str) -> Review:
    """The review of this tenant.

    Raises:
        NotFoundError: this tenant has none of that id.
    """
    query = select(reviews).where(reviews.c.tenant == tenant, reviews.c.review_id == review_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no review {review_id}: `remembrancer reviews` lists what waits")
    return _review(row)


def find_reviews(connection: Connection, tenant: str, review_ids: Sequence[str]) -> list[Review]:
    """The tenant's reviews of these ids, in the order of the ids; one that isn't there is left out."""
    found: dict[str, Review] = {}
    for some in chunks(review_ids, _MANY):
        query = select(reviews).where(reviews.c.tenant == tenant, reviews.c.review_id.in_(some))
        found.update((row.review_id, _review(row)) for row in connection.execute(query))
    return [found[review_id] for review_id in review_ids if review_id in found]


def list_reviews(
    connection: Connection, tenant: str, *, status: ReviewStatus = ReviewStatus.OPEN, limit: int = 100, offset: int = 0
) -> list[Review]:
    """One page of the tenant's reviews, the largest amount first."""
    query = select(reviews).where(reviews.c.tenant == tenant, reviews.c.status == status)
    page = query.order_by(reviews.c.amount.desc(), reviews.c.review_id).limit(limit).offset(offset)
    return [_review(row) for row in connection.execute(page)]


def count_reviews(connection: Connection, tenant: str, status: ReviewStatus = ReviewStatus.OPEN) -> int:
    """How many of the tenant's reviews have this status."""
    query = select(func.count()).where(reviews.c.tenant == tenant, reviews.c.status == status)
    return connection.execute(query).scalar_one()


def require_may_decide(review: Review, person: str) -> None:
    """Make sure that this person may decide this review.

    Raises:
        NotAllowedError: nobody is named, or the person brought the claim in himself.
    """
    require_second_person(person, review.submitter)


def require_second_person(person: str, submitter: str) -> None:
    """Make sure that somebody is named, and that it isn't the one who brought the claim in.

    Raises:
        NotAllowedError: nobody is named, or the submitter himself.
    """
    if not person.strip():
        raise NotAllowedError("nobody is named: sign in, or say --by NAME")
    if same_person(person, submitter):
        raise NotAllowedError(f"{person} brought this in and can't decide it: a second person must")


def take(connection: Connection, decision: Decision) -> Decision:
    """The compare-and-set: this decision wins the review, or the one that did is returned.

    The same decision taken twice (early by the desk, again where it is applied) is the same decision.
    """
    won = connection.execute(
        update(reviews)
        .where(
            reviews.c.tenant == decision.tenant,
            reviews.c.review_id == decision.review_id,
            reviews.c.status == ReviewStatus.OPEN,
            reviews.c.decision_id.is_(None),
        )
        .values(status=ReviewStatus.DECIDED, decision_id=decision.decision_id, decided_at=decision.at)
    )
    if won.rowcount == 1:
        record(connection, decision, taken=True)
        return find_decision(connection, decision.tenant, decision.decision_id)
    winner = winning_decision(connection, decision.tenant, decision.review_id)
    if winner is None:
        review = find_review(connection, decision.tenant, decision.review_id)
        raise ExpiredError(f"{decision.review_id} is {review.status}: `remembrancer reopen` opens it again")
    return winner


def already_decided(winner: Decision) -> str:
    """One line that says who was first."""
    when = winner.at.isoformat(timespec="seconds")
    return f"{winner.review_id} was already decided: {winner.kind} by {winner.decided_by} at {when}"


def record(connection: Connection, decision: Decision, *, taken: bool = False) -> None:
    """Keep a decision, whether it won or not; keeping it twice changes nothing but that it won."""
    row = {name: getattr(decision, name) for name in Decision.__slots__}
    row |= {"edits": json.dumps(dict(decision.edits), ensure_ascii=False), "taken": taken}
    row["bypassed"] = json.dumps(decision.bypassed, ensure_ascii=False)
    if not keep_first(connection, decisions, row, key=["decision_id"]) and taken:
        known = decisions.c.decision_id == decision.decision_id
        connection.execute(update(decisions).where(known).values(taken=True))


def put_back(connection: Connection, decision: Decision, why: str, question: Mapping[str, Any]) -> None:
    """The decision was not enough (an edit that still breaks a rule): keep it with the reason, and ask again."""
    record(connection, decision)
    connection.execute(
        update(decisions).where(decisions.c.decision_id == decision.decision_id).values(taken=False, refused=why)
    )
    mine = (reviews.c.decision_id.is_(None)) | (reviews.c.decision_id == decision.decision_id)
    changed = connection.execute(
        update(reviews)
        .where(
            reviews.c.tenant == decision.tenant,
            reviews.c.review_id == decision.review_id,
            reviews.c.status.in_((ReviewStatus.OPEN, ReviewStatus.DECIDED)),
            mine,
        )
        .values(
            status=ReviewStatus.OPEN,
            decision_id=None,
            decided_at=None,
            round=decision.round + 1,
            question=json.dumps(question, ensure_ascii=False),
            digest=question["digest"],
            **_weight(question),
        )
    )
    if changed.rowcount:
        _keep_reasons(connection, decision.tenant, decision.review_id, question)


def set_policy(connection: Connection, review: Review, policy: str, approvals_needed: int) -> None:
    """From now on the review is asked under this policy, and needs so many different people."""
    chosen = (reviews.c.tenant == review.tenant) & (reviews.c.review_id == review.review_id)
    values = {"policy": policy, "approvals_needed": approvals_needed}
    connection.execute(update(reviews).where(chosen).values(values))


def mark_applied(connection: Connection, tenant: str, review_id: str, at: datetime) -> None:
    """Say that the winning decision's effect is committed with this transaction."""
    connection.execute(
        update(reviews)
        .where(reviews.c.tenant == tenant, reviews.c.review_id == review_id, reviews.c.status == ReviewStatus.DECIDED)
        .values(status=ReviewStatus.APPLIED, applied_at=at)
    )


def find_decision(connection: Connection, tenant: str, decision_id: str) -> Decision:
    """The decision of this tenant.

    Raises:
        NotFoundError: this tenant has none of that id.
    """
    query = select(decisions).where(decisions.c.tenant == tenant, decisions.c.decision_id == decision_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no decision {decision_id}")
    return _decision(row)


def winning_decision(connection: Connection, tenant: str, review_id: str) -> Decision | None:
    """The decision that won the review, None while it is open."""
    query = select(reviews.c.decision_id).where(reviews.c.tenant == tenant, reviews.c.review_id == review_id)
    decision_id = connection.execute(query).scalar_one_or_none()
    return find_decision(connection, tenant, decision_id) if decision_id else None


def decisions_on(connection: Connection, tenant: str, review_ids: Sequence[str]) -> list[Decision]:
    """All decisions on these reviews, in the order in which they were made."""
    found: list[Decision] = []
    for some in chunks(review_ids, _MANY):
        query: Select[Any] = select(decisions).where(decisions.c.tenant == tenant, decisions.c.review_id.in_(some))
        found += [_decision(row) for row in connection.execute(query.order_by(decisions.c.at, decisions.c.decision_id))]
    return found


def pending_reviews(connection: Connection, tenant: str) -> list[Pending]:
    """All reviews without a committed effect, without their questions: what a sweep looks through."""
    query = _short().where(reviews.c.tenant == tenant, reviews.c.status.in_(PENDING))
    return _pending(connection, query.order_by(reviews.c.opened_at, reviews.c.review_id))


def applied_last(connection: Connection, tenant: str, limit: int) -> list[Pending]:
    """The reviews whose effect was committed last, newest first: their threads may lack the checkpoint after it."""
    query = _short().where(reviews.c.tenant == tenant, reviews.c.status == ReviewStatus.APPLIED)
    return _pending(connection, query.order_by(reviews.c.applied_at.desc(), reviews.c.review_id).limit(limit))


def _short() -> Select[Any]:
    return select(reviews.c.review_id, reviews.c.thread_id, reviews.c.subject, reviews.c.status, reviews.c.decision_id)


def _pending(connection: Connection, query: Select[Any]) -> list[Pending]:
    return [
        Pending(row.review_id, row.thread_id, row.subject, ReviewStatus(row.status), row.decision_id)
        for row in connection.execute(query)
    ]


def reviews_about(connection: Connection, tenant: str, subjects: Sequence[str]) -> dict[str, str]:
    """Subject -> id of its newest review, for those that have one."""
    found: dict[str, str] = {}
    for some in chunks(subjects, _MANY):
        query = select(reviews.c.subject, reviews.c.review_id).order_by(reviews.c.opened_at, reviews.c.review_id)
        rows = connection.execute(query.where(reviews.c.tenant == tenant, reviews.c.subject.in_(some)))
        found |= {row.subject: row.review_id for row in rows}
    return found


def subjects_by_review(connection: Connection, tenant: str, subjects: Sequence[str]) -> dict[str, str]:
    """Review -> its subject, of all reviews there ever were about these: what is asked again has several."""
    found: dict[str, str] = {}
    for some in chunks(subjects, _MANY):
        query = select(reviews.c.review_id, reviews.c.subject).where(reviews.c.subject.in_(some))
        rows = connection.execute(query.where(reviews.c.tenant == tenant).order_by(reviews.c.opened_at))
        found |= {row.review_id: row.subject for row in rows}
    return found


def _review_row(review: Review) -> dict[str, Any]:
    row = {name: getattr(review, name) for name in Review.__slots__}
    return {**row, "question": json.dumps(review.question, ensure_ascii=False)}


def _review(row: Row[Any]) -> Review:
    values = dict(row._mapping)
    return Review(**{**values, "question": json.loads(values["question"]), "status": ReviewStatus(values["status"])})


def _decision(row: Row[Any]) -> Decision:
    values = dict(row._mapping)
    texts = {"edits": json.loads(values["edits"]), "bypassed": tuple(json.loads(values["bypassed"]))}
    return Decision(**{**values, **texts})
