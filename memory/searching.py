"""Answering a question from named pools: snapshots, postings, the question's vector, then `memory.recall`."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, Select, select, update
from sqlalchemy.exc import SQLAlchemyError

from foundation.clock import as_utc
from foundation.database import reading, writing
from foundation.errors import StorageError, UsageError
from memory import postings, rows, tables
from memory.defaults import Defaults
from memory.embedders import EmbedderError, Vectors
from memory.model import Recall, Recollection, Remembered
from memory.past import Past
from memory.recall import Candidate, Filters, Question, candidates, count_tokens, keyword_tokens
from memory.scope import Scope
from memory.snapshot import Snapshot, Snapshots
from memory.tokenizer import content_key
from memory.vector_index import VectorIndex, VectorIndexError
from memory.vectorizer import Vectorizer

_FROM_INDEX = 100
_SPARE = 5


@dataclass(frozen=True, slots=True)
class Explained:
    """A candidate with its memory and whether it was kept in the end."""

    candidate: Candidate
    memory: Remembered
    kept: bool
    why: str


class Searcher:
    """Searches the pools that a caller names, and no others."""

    def __init__(
        self,
        engine: Engine,
        vectorizer: Vectorizer,
        index: VectorIndex | None,
        snapshots: Snapshots,
        defaults: Defaults,
    ) -> None:
        self._engine = engine
        self._vectorizer = vectorizer
        self._index = index
        self._snapshots = snapshots
        self._defaults = defaults
        self._used: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def search(
        self,
        scopes: Sequence[Scope],
        query: str,
        *,
        k: int,
        now: datetime,
        as_of: datetime | None,
        filters: Filters,
        budget: int,
    ) -> Recall:
        """The best `k` memories for the question within the token budget."""
        listed, degraded = self._candidates(scopes, query, now, as_of, filters)
        # Only what may be kept is read in full: some passed ones fall to the budget or are doubles.
        passed = [each for each in listed if each.passed][: 2 * k + _SPARE]
        explained = _select(passed, self._read(passed), k, budget)
        kept = [each for each in explained if each.kept]
        if as_of is None:
            self._count_use([(each.candidate.pool, each.memory.memory_id) for each in kept], now)
        return Recall(
            query=query,
            recollections=tuple(
                Recollection(
                    memory=each.memory, score=each.candidate.score, arms=each.candidate.arms, why=each.candidate.why
                )
                for each in kept
            ),
            degraded=degraded,
            dropped=len(listed) - len(kept),
        )

    def explain(
        self,
        scopes: Sequence[Scope],
        query: str,
        *,
        k: int,
        now: datetime,
        as_of: datetime | None,
        filters: Filters,
        budget: int,
    ) -> list[Explained]:
        """Every candidate, best first, with arms, factors and the reason why it was kept or not."""
        listed, _ = self._candidates(scopes, query, now, as_of, filters)
        return _select(listed, self._read(listed), k, budget)

    def flush(self, now: datetime) -> None:
        """Write the counted uses."""
        with self._lock:
            used, self._used = self._used, Counter()
        if not used:
            return
        table = tables.memories
        with writing(self._engine) as connection:
            for (pool, memory_id), times in sorted(used.items()):
                connection.execute(
                    update(table)
                    .where(table.c.pool == pool, table.c.memory_id == memory_id)
                    .values(access_count=table.c.access_count + times, last_accessed_at=now)
                )

    def _count_use(self, found: Sequence[tuple[str, str]], now: datetime) -> None:
        with self._lock:
            self._used.update(found)
            full = self._used.total() >= self._defaults.access_batch
        if full:
            self.flush(now)

    def _candidates(
        self,
        scopes: Sequence[Scope],
        query: str,
        now: datetime,
        as_of: datetime | None,
        filters: Filters,
    ) -> tuple[list[Candidate], tuple[str, ...]]:
        if not scopes:
            raise UsageError("a search names the scopes it reads: none was given")
        degraded: list[str] = []
        vector = self._question_vector(query, degraded)
        listed: list[Candidate] = []
        moment = as_utc(as_of or now)
        with _readable(), reading(self._engine) as connection:
            for scope in dict.fromkeys(scopes):
                question = Question(text=query, vector=vector, now=moment, topic=scope.topic, filters=filters)
                listed += self._pool(connection, scope.pool, question, as_of, degraded)
        listed.sort(key=lambda each: (-each.score, each.memory_id))
        return listed, tuple(dict.fromkeys(degraded))

    def _read(self, listed: Sequence[Candidate]) -> dict[tuple[str, str], Remembered]:
        if not listed:
            return {}
        with _readable(), reading(self._engine) as connection:
            return _load(connection, listed)

    def _question_vector(self, query: str, degraded: list[str]) -> Vectors | None:
        try:
            return self._vectorizer.question(query) if query.strip() else None
        except EmbedderError:
            degraded.append("embedder")
            return None

    def _pool(
        self, connection: Connection, pool: str, question: Question, as_of: datetime | None, degraded: list[str]
    ) -> list[Candidate]:
        if as_of is not None:
            past = Past.of(connection, pool, as_utc(as_of), self._vectorizer.fingerprint, self._vectorizer.dimension)
            return candidates(question, past.snapshot, past.postings, self._defaults)
        snapshot = self._snapshots.of(connection, pool)
        asked = keyword_tokens(question.text, snapshot.subjects)
        found = postings.fetch(connection, pool, list(asked)) if snapshot.ids else []
        return candidates(
            question, snapshot, found, self._defaults, nearest=self._nearest(snapshot, question, degraded)
        )

    def _nearest(self, snapshot: Snapshot, question: Question, degraded: list[str]) -> list[tuple[str, float]] | None:
        if self._index is None or not self._index.external or question.vector is None or not snapshot.ids:
            return None
        try:
            return self._index.search(snapshot.pool, question.vector, _FROM_INDEX)
        except VectorIndexError:
            degraded.append("vector index")
            return None


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise StorageError(f"memory can't be read ({type(error).__name__}): check the database") from error


def _load(connection: Connection, listed: Sequence[Candidate]) -> dict[tuple[str, str], Remembered]:
    found: dict[tuple[str, str], Remembered] = {}
    for pool in dict.fromkeys(each.pool for each in listed):
        ids = [each.memory_id for each in listed if each.pool == pool]
        found.update(((pool, memory_id), each) for memory_id, each in rows.load(connection, pool, ids).items())
    return found


def _select(
    listed: Sequence[Candidate], memories: dict[tuple[str, str], Remembered], k: int, budget: int
) -> list[Explained]:
    chosen: list[Explained] = []
    said: set[str] = set()
    left, kept = budget, 0
    for candidate in listed:
        memory = memories.get((candidate.pool, candidate.memory_id))
        if memory is None:
            continue
        cost = count_tokens(memory.content)
        why = (
            candidate.why if not candidate.passed else _limit(kept, k, cost, left, content_key(memory.content) in said)
        )
        fits = candidate.passed and not why
        chosen.append(Explained(candidate, memory, fits, candidate.why if fits else why))
        if fits:
            kept, left = kept + 1, left - cost
            said.add(content_key(memory.content))
    return chosen


def _limit(kept: int, k: int, cost: int, left: int, said: bool) -> str:
    if kept >= k:
        return f"behind the best {k}"
    if said:
        return "the same words are kept already"
    return "over the token budget" if cost > left else ""


def profile(connection: Connection, pool: str, now: datetime, limit: int) -> list[Remembered]:
    """The critical facts of a pool, by SQL alone: the profile that every answer may rest on."""
    table = tables.memories
    query = select(table.c.memory_id).where(
        table.c.pool == pool, table.c.status == "current", table.c.importance == "critical"
    )
    return _living(connection, pool, query.order_by(table.c.recorded_at.desc()).limit(limit), now)


def recent(connection: Connection, pool: str, now: datetime, limit: int) -> list[Remembered]:
    """What was remembered last."""
    table = tables.memories
    query = select(table.c.memory_id).where(table.c.pool == pool, table.c.status == "current")
    return _living(connection, pool, query.order_by(table.c.recorded_at.desc(), table.c.memory_id).limit(limit), now)


def _living(connection: Connection, pool: str, query: Select[tuple[str]], now: datetime) -> list[Remembered]:
    table = tables.memories
    alive = query.where((table.c.expires_at.is_(None)) | (table.c.expires_at > now))
    ids = [str(memory_id) for memory_id in connection.execute(alive).scalars()]
    found = rows.load(connection, pool, ids)
    return [found[memory_id] for memory_id in ids]
