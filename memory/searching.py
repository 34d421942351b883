"""Answering a question from named pools: snapshots, postings, the question's vector, then `memory.recall`."""

import logging
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from sqlalchemy import Connection, Engine, Select, bindparam, select, update
from sqlalchemy.exc import SQLAlchemyError

from foundation.clock import as_utc
from foundation.database import reading, writing
from foundation.errors import StorageError, UsageError
from memory import asking, outbox, relations, rows, store, tables
from memory.defaults import Defaults
from memory.embedders import EmbedderError, Vectors
from memory.model import Recall, Recollection, Remembered
from memory.past import Then, holds_at, holds_now, past
from memory.recall import Candidate, Filters, Question, candidates, count_tokens, keywords
from memory.relations import Reached
from memory.scope import Scope
from memory.snapshot import Snapshot, Snapshots
from memory.tokenizer import content_key
from memory.triples import key_of, keys_in, words_in
from memory.vector_index import VectorIndex, VectorIndexError
from memory.vectorizer import Vectorizer

log = logging.getLogger(__name__)

_FROM_INDEX = 100
_COUNT_USE = (
    update(tables.memories)
    .where(tables.memories.c.pool == bindparam("in_pool"), tables.memories.c.memory_id == bindparam("of_memory"))
    .values(access_count=tables.memories.c.access_count + bindparam("times"), last_accessed_at=bindparam("at"))
)
_SPARE = 5


@dataclass(frozen=True, slots=True)
class Explained:
    """A candidate with its memory and whether it was kept in the end."""

    candidate: Candidate
    memory: Remembered
    kept: bool
    why: str


def _lift(connection: Connection, used: Iterable[tuple[str, str]]) -> None:
    """What was down-weighted for not being used counts fully again."""
    table = tables.memories
    for pool, group in groupby(sorted(used), key=itemgetter(0)):
        light = (table.c.pool == pool) & table.c.memory_id.in_([memory_id for _, memory_id in group])
        if connection.execute(update(table).where(light, table.c.weight < 1).values(weight=1.0)).rowcount:
            store.open_pool(connection, pool)


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
        then: Then | None,
        filters: Filters,
        thread: str | None,
        budget: int,
    ) -> Recall:
        """The best `k` memories for the question within the token budget."""
        asked = self._asked(query, thread)
        with _readable(), reading(self._engine) as connection:
            found = self._candidates(connection, scopes, asked, now, then, filters, most=2 * k + _SPARE)
            kept = _keep(connection, found.listed, k, budget)
        if then is None:
            self._count_use([(each.candidate.pool, each.memory.memory_id) for each in kept], now)
        return Recall(
            query=query,
            recollections=tuple(
                Recollection(
                    memory=each.memory, score=each.candidate.score, arms=each.candidate.arms, why=each.candidate.why
                )
                for each in kept
            ),
            degraded=found.degraded,
            dropped=found.total - len(kept),
        )

    def explain(
        self,
        scopes: Sequence[Scope],
        query: str,
        *,
        k: int,
        now: datetime,
        then: Then | None,
        filters: Filters,
        thread: str | None,
        budget: int,
    ) -> list[Explained]:
        """Every candidate, best first, with arms, factors and the reason why it was kept or not."""
        asked = self._asked(query, thread)
        with _readable(), reading(self._engine) as connection:
            found = self._candidates(connection, scopes, asked, now, then, filters, most=None)
            return _select(found.listed, _load(connection, found.listed), k, budget)

    def flush(self, now: datetime) -> None:
        """Write the counted uses."""
        with self._lock:
            used, self._used = self._used, Counter()
        if not used:
            return
        rows = [
            {"in_pool": pool, "of_memory": memory_id, "times": times, "at": now}
            for (pool, memory_id), times in sorted(used.items())
        ]
        with writing(self._engine) as connection:
            connection.execute(_COUNT_USE, rows)
            _lift(connection, used)

    def _count_use(self, found: Sequence[tuple[str, str]], now: datetime) -> None:
        with self._lock:
            self._used.update(found)
            full = self._used.total() >= self._defaults.access_batch
        if full:
            self.flush(now)

    def _candidates(
        self,
        connection: Connection,
        scopes: Sequence[Scope],
        asked: "_Asked",
        now: datetime,
        then: Then | None,
        filters: Filters,
        *,
        most: int | None,
    ) -> "_Found":
        if not scopes:
            raise UsageError("a search names the scopes it reads: none was given")
        degraded = list(asked.degraded)
        listed: list[Candidate] = []
        total = 0
        for scope in dict.fromkeys(scopes):
            question = Question(
                words=asked.words,
                vector=asked.vector,
                now=as_utc(then.moment if then else now),
                topic=scope.topic,
                filters=filters,
                thread=asked.thread,
            )
            found, number = self._pool(connection, scope.pool, question, then, degraded, most)
            listed, total = listed + found, total + number
        listed.sort(key=lambda each: (-each.score, each.memory_id))
        return _Found(listed, total, tuple(dict.fromkeys(degraded)))

    def _asked(self, query: str, thread: str | None) -> "_Asked":
        """The question made ready; embedding takes long, so it is done before a transaction opens."""
        words = asking.read(query)
        try:
            return _Asked(words, self._vectorizer.question(query) if query.strip() else None, thread, ())
        except EmbedderError:
            return _Asked(words, None, thread, ("embedder",))

    def _pool(
        self,
        connection: Connection,
        pool: str,
        question: Question,
        then: Then | None,
        degraded: list[str],
        most: int | None,
    ) -> tuple[list[Candidate], int]:
        if then is not None:
            held = past(connection, pool, then, self._vectorizer.fingerprint, self._vectorizer.dimension)
            return candidates(
                question, held, self._defaults, related=self._related(connection, pool, question, then), most=most
            )
        snapshot = self._snapshots.of(connection, pool)
        self._snapshots.read_matches(connection, snapshot, keywords(question.words, snapshot))
        nearest = self._nearest(connection, snapshot, question, degraded)
        related = self._related(connection, pool, question, None)
        return candidates(question, snapshot, self._defaults, nearest=nearest, related=related, most=most)

    @staticmethod
    def _related(connection: Connection, pool: str, question: Question, then: Then | None) -> dict[str, Reached]:
        """What the things that the question names are related to."""
        holds = holds_now(question.now) if then is None else holds_at(then)
        family = {key_of(f"user's {relation}") for relation in question.words.relations}
        text = question.words.text
        named = sorted(keys_in(text) | family)
        return relations.reach(connection, pool, named, holds, words=words_in(text))

    def _nearest(
        self, connection: Connection, snapshot: Snapshot, question: Question, degraded: list[str]
    ) -> list[tuple[str, float]] | None:
        """What the outside index answers; None, where there is none, it is down or behind: SQL's vectors are used."""
        if self._index is None or not self._index.external or question.vector is None or not snapshot.ids:
            return None
        try:
            if not outbox.is_behind(connection, snapshot.pool):
                return self._index.search(snapshot.pool, question.vector, _FROM_INDEX)
        except VectorIndexError as error:
            log.warning("the vectors in SQL are searched instead: %s", error)
        degraded.append("vector index")
        return None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question's words and vector, and which parts didn't answer."""

    words: asking.Words
    vector: Vectors | None
    thread: str | None
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidates of all pools, best first; how many there are in all; which parts didn't answer."""

    listed: list[Candidate]
    total: int
    degraded: tuple[str, ...]


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


def _keep(connection: Connection, passed: Sequence[Candidate], k: int, budget: int) -> list[Explained]:
    """The kept ones; as many are read in full as are kept, and more only where doubles or the budget made gaps."""
    wanted = k
    while True:
        part = passed[:wanted]
        kept = [each for each in _select(part, _load(connection, part), k, budget) if each.kept]
        if len(kept) >= k or len(part) == len(passed):
            return kept
        wanted = len(passed)


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
