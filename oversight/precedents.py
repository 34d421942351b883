"""Precedents: what people decided before about the same rule, and about the same party - told, and binding nobody.

A decision becomes a precedent once it took effect and is remembered; one whose memory was forgotten is none any more.
Only decisions that people made are looked at: what a document says about approvals never gets here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select

from foundation.upserts import keep_first
from oversight.action import Message
from oversight.question import plain_text
from oversight.reviews import Decision, Review, ReviewStatus, find_decision, find_review
from oversight.tables import decisions, precedents, remembered_decisions, reviews

_LOOKED_AT = 50
_SHOWN = 3
_KINDS: Mapping[str, Message] = {
    "approve": {"zh": "批准", "en": "approved"},
    "reject": {"zh": "驳回", "en": "rejected"},
    "edit": {"zh": "更正", "en": "corrected"},
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """One earlier decision, as a precedent shows it."""

    decision: str
    by: str
    at: datetime
    why: str
    memory_id: str

    def to_json(self) -> dict[str, str]:
        """The decision as plain data."""
        at = self.at.isoformat(timespec="seconds")
        return {"decision": self.decision, "by": self.by, "at": at, "why": self.why, "memory_id": self.memory_id}


@dataclass(frozen=True, slots=True)
class Precedent:
    """What was decided where this rule had fired."""

    rule: str
    same_party: bool
    """Whether it was the same party each time, too; else the rule alone is the same."""
    kinds: Mapping[str, int]
    """Decision -> how often."""
    latest: Sequence[Earlier]

    def to_json(self) -> dict[str, Any]:
        """The precedent as plain data."""
        counts = {"count": sum(self.kinds.values()), **{kind: self.kinds.get(kind, 0) for kind in _KINDS}}
        latest = [one.to_json() for one in self.latest]
        return {"rule": self.rule, "same_party": self.same_party, **counts, "latest": latest}


def precedents_for(
    connection: Connection,
    tenant: str,
    action: str,
    rules: Iterable[str],
    party: str,
    *,
    kept_of: Callable[[Sequence[str]], Set[str]],
    but: str = "",
) -> list[Precedent]:
    """For each rule what was decided about this action and party, or, where that is nothing, about anybody.

    `kept_of` says which of these memories still stand; `but` is the review that asks.
    """
    found = []
    for rule in dict.fromkeys(rules):
        for same_party in (True, False) if party else (False,):
            rows = connection.execute(_query(tenant, action, rule, party if same_party else None, but)).all()
            kept = kept_of([row.memory_id for row in rows])
            standing = [row for row in rows if row.memory_id in kept]
            if standing:
                found.append(_precedent(rule, standing, same_party=same_party))
                break
    return found


def has_precedents(connection: Connection, tenant: str) -> bool:
    """Whether there is any precedent at all."""
    query = select(precedents.c.decision_id).where(precedents.c.tenant == tenant).limit(1)
    return connection.execute(query).first() is not None


def in_words(found: Iterable[Precedent]) -> list[str]:
    """Markdown lines for a question: what people said stands there as text, with no mark-up of its own."""
    lines = []
    for one in found:
        zh = "、".join(f"{_KINDS[kind]['zh']} {count} 次" for kind, count in one.kinds.items())
        en = ", ".join(f"{_KINDS[kind]['en']} {count}x" for kind, count in one.kinds.items())
        whose = "同一对方 / same party" if one.same_party else "其他对方 / other parties"
        lines.append(f"- {plain_text(one.rule)} ({whose}): {zh} / {en}")
        for earlier in one.latest:
            said = f"{earlier.by}, {earlier.at.date().isoformat()}: {earlier.why or '–'}"
            lines.append(
                f"  - {_KINDS[earlier.decision]['zh']} / {_KINDS[earlier.decision]['en']} > {plain_text(said)}"
            )
    return lines


def unremembered(connection: Connection, tenant: str, limit: int) -> list[tuple[Review, Decision]]:
    """Decisions that took effect and are not remembered yet, the newest first."""
    known = (remembered_decisions.c.tenant == reviews.c.tenant) & (
        remembered_decisions.c.decision_id == reviews.c.decision_id
    )
    query = (
        select(reviews.c.review_id, reviews.c.decision_id)
        .join_from(reviews, remembered_decisions, known, isouter=True)
        .where(
            reviews.c.tenant == tenant,
            reviews.c.status == ReviewStatus.APPLIED,
            reviews.c.decision_id.is_not(None),
            remembered_decisions.c.decision_id.is_(None),
        )
        .order_by(reviews.c.applied_at.desc(), reviews.c.review_id)
        .limit(limit)
    )
    return [
        (find_review(connection, tenant, row.review_id), find_decision(connection, tenant, row.decision_id))
        for row in connection.execute(query).all()
    ]


def note_remembered(
    connection: Connection, decision: Decision, memory_id: str, rules: Iterable[str], party: str, at: datetime
) -> bool:
    """Note under which memory a decision is kept, and what it is a precedent for; whether that is news."""
    row = {"tenant": decision.tenant, "decision_id": decision.decision_id, "memory_id": memory_id, "remembered_at": at}
    if not keep_first(connection, remembered_decisions, row):
        return False
    key = {"tenant": decision.tenant, "party": party, "decision_id": decision.decision_id}
    rows = [key | {"rule": rule} for rule in dict.fromkeys(rules)]
    if rows and memory_id and decision.kind in _KINDS:
        connection.execute(insert(precedents), rows)
    return True


def decided_alike(connection: Connection, tenant: str, action: str, rule: str, party: str) -> list[Decision]:
    """The decisions about this action, rule and party, newest first."""
    rows = connection.execute(_query(tenant, action, rule, party, "")).all()
    return [find_decision(connection, tenant, row.decision_id) for row in rows]


def _query(tenant: str, action: str, rule: str, party: str | None, but: str) -> Select[Any]:
    d, m = decisions.c, remembered_decisions.c
    query = (
        select(d.decision_id, d.kind, d.decided_by, d.at, d.reason, m.memory_id)
        .join_from(precedents, decisions, precedents.c.decision_id == d.decision_id)
        .join(remembered_decisions, (m.tenant == precedents.c.tenant) & (m.decision_id == d.decision_id))
        .join(reviews, reviews.c.review_id == d.review_id)
        .where(precedents.c.tenant == tenant, precedents.c.rule == rule, d.review_id != but)
        .where(reviews.c.action == action)
    )
    if party is not None:
        query = query.where(precedents.c.party == party)
    return query.order_by(d.at.desc(), d.decision_id).limit(_LOOKED_AT)


def _precedent(rule: str, rows: Sequence[Row[Any]], *, same_party: bool) -> Precedent:
    latest = [Earlier(row.kind, row.decided_by, row.at, row.reason, row.memory_id) for row in rows[:_SHOWN]]
    return Precedent(rule, same_party, dict(Counter(row.kind for row in rows)), latest)


def rules_of(review: Review) -> list[str]:
    """The rules that had fired when the review was opened."""
    return [str(fired["rule"]) for fired in review.question.get("triggers", ())]


def party_of(question: Mapping[str, Any]) -> str:
    """Whom a question is about, as a key that the same party always has; "" where it says nobody."""
    party = question.get("party")
    return party if isinstance(party, str) else ""
