"""Every number of memory, as data: importance and life by category, gates, weights, budgets. Each is a setting."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from foundation.errors import UsageError
from memory.model import Category, Importance


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """How important a category is and how long its memories live."""

    importance: Importance
    days: int | None
    """Days after its date (or after it was said); None: no expiry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How the arms are fused; each arm's score is between 0 and 1 before it is weighted.

    Chosen by `benchmarks/recall.py` with cross-validation by conversation.
    """

    vector: float = 2.0
    keyword: float = 1.5
    slot: float = 1.0
    neighbour: float = 0.2
    """Share of its relevance that a memory lends to those said right before and after it."""
    subject: float = 0.3
    """For a memory about somebody whom the question names."""
    relation: float = 0.6
    """For a memory that relations lead to from what the question names."""


SweepVerb = Literal["hard", "soft", "down-weight"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """When memories are forgotten without being asked to, and how."""

    unused_days: float = 90
    """Not used for so many days (nor told anew): the verb is applied."""
    seldom_after_days: float = 90
    """Only memories of at least this age are judged by how often they are used."""
    monthly_uses: float = 1
    """Fewer uses than this in thirty days is seldom."""
    verb: SweepVerb = "down-weight"
    """What is done to the unused and the seldom used."""
    down_weight: float = 0.2
    """What the rank of a down-weighted memory is multiplied with."""
    capacity: int = 1_000_000
    """Current memories that a tenant may have."""
    batch: int = 200
    """Memories a transaction, at most, of however many pools."""
    batch_seconds: float = 0.1
    """How long a transaction may last: it takes no further memory after half of that, and then commits."""
    pause_seconds: float = 0.01
    """Between two transactions: writers that wait try again every few milliseconds."""

    def __post_init__(self) -> None:
        """Refuse numbers that would forget what is new.

        Raises:
            UsageError: a number is negative, or no memory would be left.
        """
        for name in ("unused_days", "seldom_after_days", "monthly_uses", "batch_seconds", "pause_seconds"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} is {getattr(self, name)}: it can't be negative")
        if self.capacity < 1 or self.batch < 1:
            raise UsageError("the capacity and the batch of a sweep are at least 1")
        if not 0 < self.down_weight <= 1:
            raise UsageError(f"down_weight is {self.down_weight}: choose more than 0 and at most 1")


def _lives() -> dict[Category, Life]:
    return {
        "user_profile": Life(importance="critical", days=None),
        "preference": Life(importance="normal", days=None),
        "task_progress": Life(importance="normal", days=90),
        "domain_knowledge": Life(importance="normal", days=None),
        "conversation_history": Life(importance="normal", days=90),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """The settings of memory with their defaults."""

    lives: dict[Category, Life] = field(default_factory=_lives)
    forgetting: Forgetting = field(default_factory=Forgetting)
    weights: Weights = field(default_factory=Weights)
    asks_below: float = 0.8
    """A conflict with less confidence than this is put to the person."""
    candidates: int = 20
    """Candidates an arm may bring."""
    kept: int = 5
    budget: int = 600
    """Tokens that the kept memories may take together."""
    recency_half_life: timedelta = timedelta(days=30)
    recency_boost: float = 0.15
    """The most that being recent can add, as a share of the relevance."""
    importance_boost: float = 0.15
    thread_boost: float = 0.3
    """The same for what was said in the conversation that asks."""
    gate: float = 0.45
    """Least relevance: the weighted sum of cosine, share of words, slot, and what neighbours lend."""
    gate_relative: float = 0.35
    """Least share of the best candidate's relevance."""
    reinforcement: float = 0.25
    """Share of the missing confidence that another telling by the person adds."""
    profile_rows: int = 50
    recent_rows: int = 5
    access_batch: int = 64
    snapshot_bytes: int = 128 * 2**20
    """Memory that cached vectors may take in a process."""


MANY_VALUES = frozenset(("nickname", "family", "household", "pet name", "role", "relation"))
"""Attributes of a slot that hold several values at once: another value stands beside the first.

Extraction gives most of what can be many an attribute for each object ("likes:川菜", "allergy:核桃"), which holds one
value; these are the others.
"""
