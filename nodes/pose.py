"""Open a review and put its question into the state, verdict and evidence included."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig

from foundation.journal import Transaction
from nodes.matter import Matter
from nodes.remembering import kept_memories, with_precedents
from nodes.services import Services
from oversight.notices import NoticeKind, announce, waits_for
from oversight.reviews import Review, find_review, open_review


def pose(state: dict[str, Any], config: RunnableConfig, *, services: Services, matter: Matter) -> dict[str, Any]:
    """Open the review (or find it open already) and return its question; None when nothing waits any more."""
    kept_of = kept_memories(services)
    with services.journal.transaction() as transaction:
        review = matter.put(transaction, state, config)
        question = open_and_tell(transaction, _informed(transaction, review, kept_of)) if review else None
    return {"question": question, "answer": None, "decision": None}


def _informed(transaction: Transaction, review: Review, kept_of: Callable[[Sequence[str]], Set[str]]) -> Review:
    """The review whose question tells what was decided before in cases like it."""
    told = with_precedents(transaction.connection, dict(review.question), review.tenant, kept_of)
    return replace(review, question=told)


def open_and_tell(transaction: Transaction, review: Review) -> dict[str, Any]:
    """Open the review unless it is open already, and tell whom it waits for; returns its question."""
    open_review(transaction.connection, review)
    kept = find_review(transaction.connection, review.tenant, review.review_id)
    if kept.opened_at == transaction.at:
        rules = [fired["rule"] for fired in review.question["triggers"]]
        announce(transaction.connection, kept, NoticeKind.OPENED, waits_for(kept), transaction.at)
        transaction.log(review.tenant, "agent", "review opened", review.review_id, about=review.subject, rules=rules)
    return dict(kept.question)
