"""Finding what matters to a question: arms, union, fusion, gate, bounded boosts, budget.

Each arm scores between 0 and 1: `keyword` is BM25 divided by the best the question could get, `vector` a centred
cosine, `slot` whether the question asks for exactly that. Their weighted sum is the relevance; memories said right
before or after a relevant one in the same conversation borrow from it, and those about somebody whom the question names
gain. The gate judges relevance only. Recency and importance then order what passed, by at most fifteen per cent each:
they never lift what is irrelevant, and age never drops what is relevant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from memory.asking import named, slots_asked
from memory.defaults import Defaults
from memory.embedders import Vectors
from memory.model import Arm, Category, Kind
from memory.postings import Posting, Weight, bm25, weights
from memory.snapshot import Flags, Floats, Snapshot
from memory.tokenizer import tokens

ArmName = Literal["keyword", "vector", "slot", "profile", "recent", "neighbour"]

_SAME_SITTING = 24 * 3600.0
_IMPORTANCE = {"critical": 1.0, "normal": 0.3, "low": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a recall is limited to; None doesn't limit."""

    kinds: frozenset[Kind] | None = None
    categories: frozenset[Category] | None = None
    topic: str | None = None
    """Only this topic; a scope with a topic reads the pool's general memories, too."""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question made ready: its text, its vector (None without an embedder), the time, the limits."""

    text: str
    vector: Vectors | None
    now: datetime
    topic: str | None
    filters: Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that an arm brought, with every factor of its score."""

    pool: str
    memory_id: str
    relevance: float
    score: float
    similarity: float
    coverage: float
    recency: float
    importance: float
    arms: tuple[Arm, ...]
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class _Scores:
    vector: Floats
    keyword: Floats
    slot: Floats
    own: Floats
    lent: Floats
    relevance: Floats


def keyword_tokens(question: str, subjects: Sequence[str]) -> dict[str, Weight]:
    """The question's tokens with their weight, without the names that the subject boost already counts."""
    asked = weights(question)
    names = {token for subject in named(question, set(subjects)) for token in tokens(subject)}
    rest = {token: weight for token, weight in asked.items() if token not in names}
    return rest or asked


def candidates(
    question: Question,
    snapshot: Snapshot,
    found: Sequence[Posting],
    defaults: Defaults,
    *,
    nearest: Sequence[tuple[str, float]] | None = None,
) -> list[Candidate]:
    """The pool's candidates for this question, best first, each with the verdict of the gate.

    Args:
        question: what is asked.
        snapshot: the pool.
        found: the postings of the question's tokens.
        defaults: weights and gates.
        nearest: what an outside vector index answered; None: the snapshot's own vectors are scanned.
    """
    if not snapshot.ids:
        return []
    allowed = _allowed(question, snapshot)
    scores = _score(question, snapshot, found, defaults, nearest)
    brought = _brought(scores, allowed, defaults.candidates)
    recency = _recency(snapshot, question.now, defaults)
    importance = np.array([_IMPORTANCE[str(each)] for each in snapshot.importances])
    boost = 1 + defaults.recency_boost * recency + defaults.importance_boost * importance
    final = scores.relevance * boost
    best = max((float(scores.relevance[row]) for row in brought), default=0.0)
    listed = []
    for row in sorted(brought, key=lambda row: (-final[row], snapshot.ids[row])):
        passed, why = _gate(scores, row, best, defaults)
        listed.append(
            Candidate(
                pool=snapshot.pool,
                memory_id=snapshot.ids[row],
                relevance=float(scores.relevance[row]),
                score=float(final[row]),
                similarity=float(scores.vector[row]),
                coverage=float(scores.keyword[row]),
                recency=float(recency[row]),
                importance=float(importance[row]),
                arms=brought[row],
                passed=passed,
                why=why,
            )
        )
    return listed


def _allowed(question: Question, snapshot: Snapshot) -> Flags:
    filters = question.filters
    now = question.now.timestamp()
    allowed: Flags = snapshot.ends > now
    if question.topic is not None:
        allowed &= (snapshot.topics == question.topic) | (snapshot.topics == "")
    if filters.topic is not None:
        allowed &= snapshot.topics == filters.topic
    if filters.kinds is not None:
        allowed &= np.isin(snapshot.kinds, sorted(filters.kinds))
    if filters.categories is not None:
        allowed &= np.isin(snapshot.categories, sorted(filters.categories))
    moments = np.where(np.isfinite(snapshot.starts), snapshot.starts, snapshot.recorded)
    if filters.since is not None:
        allowed &= moments >= filters.since.timestamp()
    if filters.until is not None:
        allowed &= moments < filters.until.timestamp()
    return allowed


def _score(
    question: Question,
    snapshot: Snapshot,
    found: Sequence[Posting],
    defaults: Defaults,
    nearest: Sequence[tuple[str, float]] | None,
) -> _Scores:
    weight = defaults.weights
    vector = _similarities(question, snapshot, nearest)
    keyword = _coverage(question, snapshot, found)
    slot = _slots(question, snapshot)
    own = weight.vector * np.maximum(vector, 0) + weight.keyword * keyword + weight.slot * slot
    lent = _lent(own, snapshot, weight.neighbour)
    relevance = own + lent + weight.subject * _about_named(question, snapshot)
    return _Scores(vector, keyword, slot, own, lent, relevance)


def _similarities(question: Question, snapshot: Snapshot, nearest: Sequence[tuple[str, float]] | None) -> Floats:
    if question.vector is None or not snapshot.vectors.shape[1]:
        return np.zeros(len(snapshot.ids))
    if nearest is None:
        return np.asarray(snapshot.vectors @ question.vector, dtype=np.float64)
    similarities = np.zeros(len(snapshot.ids))
    for memory_id, similarity in nearest:
        if memory_id in snapshot.place:
            similarities[snapshot.place[memory_id]] = similarity
    return similarities


def _coverage(question: Question, snapshot: Snapshot, found: Sequence[Posting]) -> Floats:
    coverage = np.zeros(len(snapshot.ids))
    asked = keyword_tokens(question.text, snapshot.subjects)
    scores, best = bm25(asked, [each for each in found if each.token in asked], snapshot.statistics)
    for memory_id, score in scores.items():
        if memory_id in snapshot.place:
            coverage[snapshot.place[memory_id]] = min(score / best, 1.0)
    return coverage


def _slots(question: Question, snapshot: Snapshot) -> Floats:
    asked = slots_asked(question.text, set(snapshot.slots))
    return np.array([float(slot in asked) for slot in snapshot.slots])


def _about_named(question: Question, snapshot: Snapshot) -> Floats:
    whom = named(question.text, set(snapshot.subjects))
    return np.array([float(subject in whom) for subject in snapshot.subjects])


def _lent(own: Floats, snapshot: Snapshot, share: float) -> Floats:
    """What each row borrows from the one said before and the one said after it in the same sitting."""
    lent = np.zeros_like(own)
    gap = np.diff(snapshot.recorded)
    near = (snapshot.threads[1:] == snapshot.threads[:-1]) & (snapshot.threads[1:] >= 0) & (gap > 0)
    near &= gap <= _SAME_SITTING
    lent[1:] += np.where(near, share * own[:-1], 0)
    lent[:-1] += np.where(near, share * own[1:], 0)
    return lent


def _brought(scores: _Scores, allowed: Flags, limit: int) -> dict[int, tuple[Arm, ...]]:
    arms: dict[int, list[Arm]] = {}
    listed: tuple[tuple[ArmName, Floats], ...] = (
        ("keyword", scores.keyword),
        ("vector", scores.vector),
        ("slot", scores.slot),
        ("neighbour", np.where(scores.lent > 0, scores.relevance, 0)),
    )
    for name, values in listed:
        masked = np.where(allowed & (values > 0), values, -np.inf)
        for rank, row in enumerate(_top(masked, limit), start=1):
            arms.setdefault(int(row), []).append(Arm(name=name, rank=rank, score=float(values[row])))
    return {row: tuple(found) for row, found in arms.items()}


def _top(values: Floats, limit: int) -> list[int]:
    if len(values) > limit:
        rows = np.argpartition(-values, limit)[:limit]
        rows = rows[np.argsort(-values[rows], kind="stable")]
    else:
        rows = np.argsort(-values, kind="stable")
    return [int(row) for row in rows if np.isfinite(values[row])]


def _recency(snapshot: Snapshot, now: datetime, defaults: Defaults) -> Floats:
    age = np.maximum(now.timestamp() - snapshot.recorded, 0)
    return np.asarray(0.5 ** (age / defaults.recency_half_life.total_seconds()))


def _gate(scores: _Scores, row: int, best: float, defaults: Defaults) -> tuple[bool, str]:
    relevance = float(scores.relevance[row])
    if relevance < defaults.gate:
        return False, "not relevant enough"
    if relevance < defaults.gate_relative * best:
        return False, "far behind the best"
    if scores.slot[row] > 0:
        return True, "the question asks for its slot"
    similarity, coverage = float(scores.vector[row]), float(scores.keyword[row])
    return True, f"shares {coverage:.0%} of the question's weight in words, similarity {similarity:.2f}"


def count_tokens(text: str) -> int:
    """An estimate of a model's tokens: a CJK character counts one, other text a token for each four characters."""
    wide = sum(1 for character in text if ord(character) >= 0x2E80)
    return wide + -(-(len(text) - wide) // 4)
