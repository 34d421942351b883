"""Questions to whoever brought something in, and his answers: they join the review's history and decide nothing.

A question is a decision of kind `respond`, which leaves the review open. An answer is a line of the audit log under the
review: nobody can alter it, whoever looks at the review finds it, and what a person has forgotten goes with the log's
contents.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from foundation.errors import NotFoundError, RefusedError, UsageError
from foundation.journal import Transaction, audit_content, audit_log
from foundation.sequences import chunks
from oversight.audience import for_person
from oversight.feed import Event, publish
from oversight.notices import NoticeKind, announce
from oversight.people import same_person
from oversight.postponing import bring_back
from oversight.reviews import Decision, Review, ReviewStatus, decisions_on, find_review, find_reviews
from oversight.tables import decisions, reviews

ANSWERED = "submitter answered"
"""The event under which an answer stands in the audit log; its text is the line's `reason`."""
LONGEST = 2000
_MANY = 500


@dataclass(frozen=True, slots=True)
class Said:
    """One question or one answer."""

    by: str
    at: datetime
    text: str
    """"" where it was forgotten."""
    answers: bool
    """Whether it is an answer of the submitter's, not a question to him."""


def answer(transaction: Transaction, tenant: str, review_id: str, text: str, *, by: str) -> Review:
    """Keep the submitter's answer, and tell whoever asked last; the review goes on waiting for its decision.

    Raises:
        NotFoundError: this tenant has no such review, or it is not about what this person brought in.
        RefusedError: it doesn't wait any more, or nobody asked anything.
        UsageError: there is no text, or too much of it.
    """
    connection, at, said = transaction.connection, transaction.at, text.strip()
    review = find_review(connection, tenant, review_id)
    if not same_person(review.submitter, by):
        # Word for word what a made-up id is told, so that an answer tells nothing of other people's claims.
        raise NotFoundError(f"there is no review {review_id}: `remembrancer reviews` lists what waits")
    if review.status is not ReviewStatus.OPEN:
        raise RefusedError(f"{review_id} is {review.status}: it doesn't wait for an answer any more")
    asked = _questions(connection, tenant, [review_id])
    if not asked:
        raise RefusedError(f"nobody asked anything about {review_id}")
    if not 0 < len(said) <= LONGEST:
        raise UsageError(f"an answer has 1 to {LONGEST} characters")
    transaction.log(tenant, by, ANSWERED, review_id, reason=said)
    bring_back(transaction, tenant, review_id, by=by)
    facts = {"label": review.headline, "by": by}
    event = Event(kind="answered", subject=review.subject, thread=review.thread_id, facts=facts)
    publish(connection, tenant, at, event)
    told = {"by": by, "text": said, "turn": at.isoformat()}
    announce(connection, review, NoticeKind.ANSWERED, for_person(asked[-1].decided_by), at, **told)
    return review


def enquiries_on(connection: Connection, tenant: str, review_ids: Collection[str]) -> dict[str, list[Said]]:
    """Review -> what was asked about it and answered, in order; only those about which something was asked."""
    found: dict[str, list[Said]] = {}
    for one in _questions(connection, tenant, review_ids):
        found.setdefault(one.review_id, []).append(Said(one.decided_by, one.at, one.reason, answers=False))
    for review_id, said in _answers(connection, tenant, list(found)):
        found[review_id].append(said)
    return {review_id: sorted(several, key=lambda said: said.at) for review_id, several in found.items()}


def asked_of(connection: Connection, tenant: str, person: str) -> list[Review]:
    """The open reviews about which this person was asked something, the newest first."""
    t, same = reviews.c, decisions.c.review_id == reviews.c.review_id
    asked = select(t.review_id, t.submitter, t.opened_at).join_from(decisions, reviews, same).distinct()
    open_ = asked.where(decisions.c.tenant == tenant, decisions.c.kind == "respond", t.status == ReviewStatus.OPEN)
    rows = connection.execute(open_.order_by(t.opened_at.desc(), t.review_id))
    mine = [row.review_id for row in rows if row.submitter and same_person(row.submitter, person)]
    return find_reviews(connection, tenant, mine)


def waits_for_answer(said: Mapping[str, list[Said]]) -> int:
    """Of how many reviews the last word is a question."""
    return sum(not several[-1].answers for several in said.values())


def _questions(connection: Connection, tenant: str, review_ids: Collection[str]) -> list[Decision]:
    return [one for one in decisions_on(connection, tenant, list(review_ids)) if one.kind == "respond"]


def _answers(connection: Connection, tenant: str, review_ids: Collection[str]) -> list[tuple[str, Said]]:
    found: list[tuple[str, Said]] = []
    content = (audit_content.c.tenant == audit_log.c.tenant) & (audit_content.c.seq == audit_log.c.seq)
    for some in chunks(list(review_ids), _MANY):
        lines = select(audit_log.c.subject, audit_log.c.actor, audit_log.c.at, audit_content.c.content)
        query = lines.outerjoin_from(audit_log, audit_content, content).where(
            audit_log.c.tenant == tenant, audit_log.c.event == ANSWERED, audit_log.c.subject.in_(some)
        )
        for row in connection.execute(query):
            text = json.loads(row.content or "{}").get("reason", "")
            found.append((row.subject, Said(row.actor, row.at, text, answers=True)))
    return found
