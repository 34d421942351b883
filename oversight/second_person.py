"""Two different people where policy says so. What the first approved is a slate; only the same slate is approved twice.

An edit makes another slate: then both are needed again, and whoever made the edit is the first of them.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from foundation.errors import NotAllowedError
from foundation.ids import derived_id
from oversight.people import name_key
from oversight.reviews import Decision, Review
from oversight.tables import approvals


def slate_of(review: Review, edits: Mapping[str, str]) -> str:
    """What is approved: the thing as it stands, with these values changed."""
    return derived_id("slate", review.review_id, review.digest, json.dumps(dict(edits), sort_keys=True))


def others_before(connection: Connection, decision: Decision, review: Review) -> int:
    """How many other people have approved the same slate.

    Raises:
        NotAllowedError: this person, or the one he stands in for, is among them already.
    """
    people = {name_key(name) for name in (decision.decided_by, decision.behalf_of) if name}
    query = select(approvals).where(approvals.c.review_id == review.review_id)
    rows = connection.execute(query.where(approvals.c.slate == slate_of(review, decision.edits))).all()
    others = [row for row in rows if row.decision_id != decision.decision_id]
    if any(people & {row.person, row.behalf_of} for row in others):
        raise NotAllowedError(f"{decision.decided_by} has approved this already: a second, different person must, too")
    return len(others)


def keep_approval(connection: Connection, decision: Decision, review: Review) -> None:
    """Keep the approval of a slate, and forget those of any other."""
    slate = slate_of(review, decision.edits)
    mine = approvals.c.review_id == review.review_id
    connection.execute(delete(approvals).where(mine & (approvals.c.slate != slate)))
    connection.execute(delete(approvals).where(mine & (approvals.c.decision_id == decision.decision_id)))
    row = {
        "review_id": review.review_id,
        "slate": slate,
        "person": name_key(decision.decided_by),
        "tenant": review.tenant,
        "behalf_of": name_key(decision.behalf_of),
        "decision_id": decision.decision_id,
        "at": decision.at,
    }
    connection.execute(insert(approvals), row)


def approval_ids(connection: Connection, review_id: str) -> set[str]:
    """The decisions by which one person approved, and that wait for the second one."""
    query = select(approvals.c.decision_id).where(approvals.c.review_id == review_id)
    return set(connection.execute(query).scalars())


def forget_approvals(connection: Connection, review: Review) -> None:
    """Forget all approvals of the review: what they approved is not what stands there now."""
    connection.execute(delete(approvals).where(approvals.c.review_id == review.review_id))


def proposed_edits(question: Mapping[str, Any]) -> Mapping[str, str]:
    """The corrections that a first person made and a second one is asked to approve."""
    return dict(question.get("proposed", {}))
