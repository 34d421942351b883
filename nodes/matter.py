"""What reviews of one kind are about. The nodes pose, judge and apply are the same for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.journal import Transaction
from oversight.reviews import Decision, Review


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a decision doesn't settle a review, in both languages, and the question that is put in its place."""

    why: str
    question: Mapping[str, Any]


class Matter(Protocol):
    """How a question of one kind is put, what stands in the way of an answer, and what a decision does."""

    def put(self, transaction: Transaction, state: Mapping[str, Any], config: RunnableConfig) -> Review | None:
        """The review to open, with its question; None when nothing waits (any more). Binds the thread."""
        ...

    def objection(self, transaction: Transaction, decision: Decision, review: Review) -> Objection | None:
        """What stands in the way of the decision; None when it settles the review."""
        ...

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:
        """Let the decision take effect; whether all of it is committed with this transaction."""
        ...

    def told(self, connection: Connection, decision: Decision, review: Review) -> dict[str, Any]:
        """What became of it, for the state."""
        ...
