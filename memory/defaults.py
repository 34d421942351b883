"""Every number of memory, as data: importance and life by category, gates, weights, budgets. Each is a setting."""

from dataclasses import dataclass, field
from datetime import timedelta

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
