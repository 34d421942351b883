"""What reviews of one kind are about. The nodes pose, judge and apply are the same for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.journal import Transaction
from oversight.reviews import Decision, Review


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a decision doesn't settle a review, in both languages, and the question that is put in its place."""

    why: str
    question: Mapping[str, Any]
    kind: Literal["refused", "second person"] = "refused"
    """Whether the answer was not enough, or was right and another person's is needed, too."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a decision lets pass: how much, and how many different people must have said so."""

    amount: Decimal
    approvals_needed: int = 1


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

    def stakes(self, connection: Connection, decision: Decision, review: Review) -> Stakes:  # noqa: ARG002
        """What this decision lets pass; as the review says unless a correction makes it something else."""
        return Stakes(review.amount, review.approvals_needed)

    def question(self, connection: Connection, review: Review, edits: Mapping[str, str]) -> Mapping[str, Any]:
        """The question about the thing as it stands now, shown with these corrections."""
        ...

    def changes(self, transaction: Transaction, decision: Decision, review: Review) -> str:  # noqa: ARG002
        """Why what was approved isn't what stands there now, in both languages; "" when it is."""
        return ""

    def batch_of(self, connection: Connection, review: Review) -> str:
        """The id of the batch whose brake stops the effect, "" where it belongs to none."""
        ...

    def told(self, connection: Connection, decision: Decision, review: Review) -> dict[str, Any]:
        """What became of it, for the state."""
        ...
