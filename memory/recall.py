"""Finding what matters to a question: arms, union, fusion, gate, bounded boosts, budget.

Each arm scores between 0 and 1: `keyword` is BM25 divided by the best the question could get, `vector` a centred
cosine, `slot` whether the question asks for exactly that, `relation` how few edges lie between a memory and what the
question names. Their weighted sum is the relevance; memories said right before or after a relevant one in the same
conversation borrow from it, and those about somebody whom the question names gain. The gate judges relevance only.
Recency and importance then order what passed, by at most fifteen per cent each: they never lift what is irrelevant, and
age never drops what is relevant. What was said in the conversation that asks comes before what is as relevant but of
another one: a vague "any cheaper ones?" means what it is about just now.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from memory.asking import Words, asks_slot, is_named, token_set
from memory.defaults import Defaults
from memory.embedders import Vectors
from memory.model import Arm, Category, Kind
from memory.postings import Weight
from memory.postings import scores as bm25_scores
from memory.relations import Reached
from memory.snapshot import Flags, Floats, Snapshot, Whole

ArmName = Literal["keyword", "vector", "slot", "profile", "recent", "neighbour", "relation"]

_SAME_SITTING = 24 * 3600.0
_NEARNESS = 0.8
"""What is left of a relation's score with each edge more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a recall is limited to; None doesn't limit."""

    kinds: frozenset[Kind] | None = None
    categories: frozenset[Category] | None = None
    topic: str | None = None
    """Only this topic; a scope with a topic reads the pool's general memories, too."""
    named: bool = False
    """Only what the question names, and what that stands in relation to: nothing that is merely alike."""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question made ready: its words, its vector (None without an embedder), the time, the limits."""

    words: Words
    vector: Vectors | None
    now: datetime
    topic: str | None
    filters: Filters
    thread: str | None = None
    """The conversation that asks."""


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
    """Each factor of each row."""

    vector: Floats
    keyword: Floats
    slot: Floats
    lent: Floats
    related: Floats
    relevance: Floats
    recency: Floats
    final: Floats

    def of(self, arm: ArmName) -> Floats:
        """By what an arm ranks."""
        by_arm = {"keyword": self.keyword, "vector": self.vector, "slot": self.slot, "relation": self.related}
        return by_arm[arm] if arm in by_arm else np.where(self.lent > 0, self.relevance, 0)


_ARMS: tuple[ArmName, ...] = ("keyword", "vector", "slot", "neighbour", "relation")
_Ranks = dict[ArmName, list[int]]


def keywords(question: Words, snapshot: Snapshot) -> Mapping[str, Weight]:
    """The question's tokens with their weight, without the names that the subject boost already counts."""
    names = [token_set(subject) for subject in snapshot.subjects if is_named(question, subject)]
    if not names:
        return question.weights
    named = frozenset().union(*names)
    return {token: weight for token, weight in question.weights.items() if token not in named} or question.weights


def candidates(
    question: Question,
    snapshot: Snapshot,
    defaults: Defaults,
    *,
    nearest: Sequence[tuple[str, float]] | None = None,
    related: Mapping[str, Reached] | None = None,
    most: int | None = None,
) -> tuple[list[Candidate], int]:
    """The pool's candidates for this question, best first, and how many there are.

    Args:
        question: what is asked.
        snapshot: the pool; it knows where the question's `keywords` stand.
        defaults: weights and gates.
        nearest: what an outside vector index answered; None: the snapshot's own vectors are scanned.
        related: what relations lead to from what the question names.
        most: only so many, and only those that pass the gate; None: all, each with the verdict of the gate.
    """
    if not snapshot.ids:
        return [], 0
    scores = _score(question, snapshot, defaults, nearest, related or {})
    allowed = _allowed(question, snapshot)
    if question.filters.named:
        allowed &= _is_named(snapshot, related or {})
    ranks = _brought(scores, allowed, defaults.candidates)
    brought = np.array(sorted({row for rows in ranks.values() for row in rows}), dtype=np.int64)
    if not len(brought):
        return [], 0
    order = brought[np.argsort(-scores.final[brought], kind="stable")]
    if most is None:
        chosen = order
    else:
        chosen = order[scores.relevance[order] >= _threshold(scores.relevance[brought], defaults)][:most]
    best = float(scores.relevance[brought].max())
    return [_candidate(snapshot, scores, ranks, int(row), best, defaults) for row in chosen], len(brought)


def _threshold(relevance: Floats, defaults: Defaults) -> float:
    return max(defaults.gate, defaults.gate_relative * float(relevance.max()))


def _candidate(
    snapshot: Snapshot, scores: _Scores, ranks: _Ranks, row: int, best: float, defaults: Defaults
) -> Candidate:
    passed, why = _gate(scores, row, best, defaults)
    return Candidate(
        pool=snapshot.pool,
        memory_id=snapshot.ids[row],
        relevance=float(scores.relevance[row]),
        score=float(scores.final[row]),
        similarity=float(scores.vector[row]),
        coverage=float(scores.keyword[row]),
        recency=float(scores.recency[row]),
        importance=float(snapshot.importance[row]),
        arms=tuple(
            Arm(name=name, rank=rows.index(row) + 1, score=float(scores.of(name)[row]))
            for name, rows in ranks.items()
            if row in rows
        ),
        passed=passed,
        why=why,
    )


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
    defaults: Defaults,
    nearest: Sequence[tuple[str, float]] | None,
    related: Mapping[str, Reached],
) -> _Scores:
    weight = defaults.weights
    vector = _similarities(question, snapshot, nearest)
    keyword = _coverage(question, snapshot)
    slot = _marked(snapshot, (rows for each, rows in snapshot.slots.items() if asks_slot(question.words, each)))
    about = _marked(snapshot, (rows for each, rows in snapshot.subjects.items() if is_named(question.words, each)))
    own = weight.vector * np.maximum(vector, 0) + weight.keyword * keyword + weight.slot * slot
    lent = _lent(own, snapshot, weight.neighbour)
    linked = _linked(snapshot, related)
    along = weight.relation * linked * (1 + _of_first(own, snapshot, related))
    relevance = own + lent + weight.subject * about + along
    recency = _recency(snapshot, question.now, defaults)
    boost = 1 + defaults.recency_boost * recency + defaults.importance_boost * snapshot.importance
    if question.thread in snapshot.thread_numbers:
        boost += defaults.thread_boost * (snapshot.threads == snapshot.thread_numbers[question.thread])
    return _Scores(vector, keyword, slot, lent, linked, relevance, recency, relevance * boost * snapshot.weight)


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


def _coverage(question: Question, snapshot: Snapshot) -> Floats:
    asked = keywords(question.words, snapshot)
    found, best = bm25_scores(asked, snapshot.matches, len(snapshot.ids), snapshot.statistics)
    return np.minimum(found / best, 1.0) if best else found


def _marked(snapshot: Snapshot, groups: Iterable[Whole]) -> Floats:
    marks = np.zeros(len(snapshot.ids))
    for rows in groups:
        marks[rows] = 1.0
    return marks


def _linked(snapshot: Snapshot, related: Mapping[str, Reached]) -> Floats:
    """How near each row stands to what the question names, along relations."""
    linked = np.zeros(len(snapshot.ids))
    for memory_id, reached in related.items():
        if memory_id in snapshot.place:
            linked[snapshot.place[memory_id]] = _NEARNESS ** (reached.edges - 1)
    return linked


def _is_named(snapshot: Snapshot, related: Mapping[str, Reached]) -> Flags:
    named = np.zeros(len(snapshot.ids), dtype=np.bool_)
    for memory_id, reached in related.items():
        if reached.forward and memory_id in snapshot.place:
            named[snapshot.place[memory_id]] = True
    return named


def _of_first(own: Floats, snapshot: Snapshot, related: Mapping[str, Reached]) -> Floats:
    """For what lies further off: how much the relation by which it is reached matters to the question."""
    first = np.zeros_like(own)
    for memory_id, reached in related.items():
        if reached.via != memory_id and memory_id in snapshot.place and reached.via in snapshot.place:
            first[snapshot.place[memory_id]] = own[snapshot.place[reached.via]]
    return first


def _lent(own: Floats, snapshot: Snapshot, share: float) -> Floats:
    """What each row borrows from the one said before and the one said after it in the same sitting."""
    lent = np.zeros_like(own)
    gap = np.diff(snapshot.recorded)
    near = (snapshot.threads[1:] == snapshot.threads[:-1]) & (snapshot.threads[1:] >= 0) & (gap > 0)
    near &= gap <= _SAME_SITTING
    lent[1:] += np.where(near, share * own[:-1], 0)
    lent[:-1] += np.where(near, share * own[1:], 0)
    return lent


def _brought(scores: _Scores, allowed: Flags, limit: int) -> _Ranks:
    ranks: _Ranks = {}
    for name in _ARMS:
        values = scores.of(name)
        ranks[name] = _top(np.where(allowed & (values > 0), values, -np.inf), limit)
    return ranks


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
