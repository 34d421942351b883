"""A pool's current rows as columns of numpy arrays, so that scanning, filtering and boosting cost microseconds.

A snapshot belongs to one generation of its pool: every write raises the pool's generation in the same transaction, so a
snapshot that is still of the present generation is exact, in any number of processes. It holds ids, numbers and
vectors, no content; the least used are dropped when they take more memory than allowed.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, RowMapping, Select, bindparam, func, select

from memory.embedders import Vectors
from memory.model import Slot
from memory.postings import Matches, Statistics, fetch, matches
from memory.tables import memories, pools, sources, vectors
from memory.tokenizer import normalise
from memory.vector_table import unpack

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_COLUMNS = (
    "memory_id",
    "kind",
    "category",
    "topic",
    "importance",
    "recorded_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "subject",
    "attribute",
    "weight",
)
_HEAD = select(pools.c.generation, pools.c.documents, pools.c.tokens).where(pools.c.pool == bindparam("in_pool"))
_IMPORTANCE = {"critical": 1.0, "normal": 0.3, "low": 0.0}
_TOKENS_KEPT = 4_000
NO_MATCHES = Matches(np.zeros(0, dtype=np.int64), np.zeros(0))
K = TypeVar("K")
_SPEAKER = re.compile(r"^([^\W\d_][\w .'-]{0,30})[:：]\s")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The current rows of a pool, in the order they were said: thread by thread, message by message."""

    pool: str
    generation: int
    statistics: Statistics
    ids: tuple[str, ...]
    place: dict[str, int]
    """Id -> row number."""
    kinds: npt.NDArray[np.str_]
    categories: npt.NDArray[np.str_]
    topics: npt.NDArray[np.str_]
    importance: Floats
    """0 (low) to 1 (critical)."""
    weight: Floats
    """What a memory's rank is multiplied with: 1, or less where it was down-weighted."""
    recorded: Floats
    """Seconds since 1970: when it was said, or recorded where it has no source."""
    starts: Floats
    """Seconds since 1970 of valid_from; minus infinity where there is none."""
    ends: Floats
    """Seconds since 1970 of the earlier of valid_to and expires_at; infinity where there is none."""
    threads: Whole
    """Number of the conversation that it was said in; -1 for none."""
    thread_numbers: dict[str | None, int]
    subjects: dict[str, Whole]
    """Whom memories are about (a slot's subject, or the name before a colon), normalised -> their rows."""
    slots: dict[Slot, Whole]
    """Slot -> its rows."""
    vectors: Vectors
    embedded: Flags
    """Whether the row has a vector of the present embedder."""
    matches: dict[str, Matches] = field(default_factory=dict)
    """Token -> where it stands, as far as it was asked for."""

    @property
    def size(self) -> int:
        """Bytes, roughly."""
        return int(self.vectors.nbytes + 500 * len(self.ids))


class Snapshots:
    """Snapshots by pool, least recently used first out."""

    def __init__(self, *, fingerprint: str | None, dimension: int, limit: int) -> None:
        """`fingerprint`: of the embedder whose vectors count; None: no vectors. `limit`: bytes kept in memory."""
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._limit = limit
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, connection: Connection, pool: str) -> Snapshot:
        """The pool as this transaction sees it."""
        generation, documents, length = connection.execute(_HEAD, {"in_pool": pool}).one_or_none() or (0, 0, 0)
        with self._lock:
            kept = self._kept.get(pool)
            if kept is not None and kept.generation == generation:
                self._kept.move_to_end(pool)
                return kept
        made = self._make(connection, pool, generation, Statistics(documents, length))
        self._keep(made)
        return made

    def read_matches(self, connection: Connection, snapshot: Snapshot, wanted: Iterable[str]) -> None:
        """Make sure that the snapshot, taken in this transaction, knows where these tokens stand."""
        missing = [token for token in wanted if token not in snapshot.matches]
        if not missing or not snapshot.ids:
            return
        found = matches(fetch(connection, snapshot.pool, missing), snapshot.place, snapshot.statistics)
        if len(snapshot.matches) > _TOKENS_KEPT:
            snapshot.matches.clear()
        snapshot.matches.update({token: found.get(token, NO_MATCHES) for token in missing})

    def forget(self, pool: str) -> None:
        """Drop what is held of a pool."""
        with self._lock:
            self._kept.pop(pool, None)

    def _keep(self, made: Snapshot) -> None:
        with self._lock:
            self._kept[made.pool] = made
            self._kept.move_to_end(made.pool)
            while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > self._limit:
                self._kept.popitem(last=False)

    def _make(self, connection: Connection, pool: str, generation: int, statistics: Statistics) -> Snapshot:
        rows = connection.execute(_CURRENT_ROWS, {"in_pool": pool}).mappings().all()
        place = {row["memory_id"]: number for number, row in enumerate(rows)}
        matrix, embedded = self._matrix(connection, pool, place)
        return build(pool, generation, statistics, rows, matrix, embedded)

    def _matrix(self, connection: Connection, pool: str, place: dict[str, int]) -> tuple[Vectors, Flags]:
        matrix = np.zeros((len(place), self._dimension if self._fingerprint else 0), dtype=np.float32)
        embedded = np.zeros(len(place), dtype=np.bool_)
        if self._fingerprint is None:
            return matrix, embedded
        for document, data in connection.execute(_CURRENT_VECTORS, {"in_pool": pool, "made_by": self._fingerprint}):
            number = place.get(document)
            if number is not None:
                matrix[number] = unpack(data)
                embedded[number] = True
        return matrix, embedded


def build(
    pool: str, generation: int, statistics: Statistics, rows: Sequence[RowMapping], matrix: Vectors, embedded: Flags
) -> Snapshot:
    """A snapshot of these rows, which are in the order they were said."""
    ids = tuple(row["memory_id"] for row in rows)
    threads = dict.fromkeys(row["thread_id"] for row in rows if row["thread_id"] is not None)
    numbers: dict[str | None, int] = {thread: number for number, thread in enumerate(threads)}
    return Snapshot(
        pool=pool,
        generation=generation,
        statistics=statistics,
        ids=ids,
        place={memory_id: number for number, memory_id in enumerate(ids)},
        kinds=_texts(rows, "kind"),
        categories=_texts(rows, "category"),
        topics=_texts(rows, "topic"),
        importance=np.array([_IMPORTANCE[row["importance"]] for row in rows]),
        weight=np.array([row["weight"] for row in rows], dtype=np.float64),
        recorded=np.array([_seconds(row["said_at"] or row["recorded_at"], 0.0) for row in rows]),
        starts=np.array([_seconds(row["valid_from"], -np.inf) for row in rows]),
        ends=np.array([min(_seconds(row[name], np.inf) for name in ("valid_to", "expires_at")) for row in rows]),
        threads=np.array([numbers.get(row["thread_id"], -1) for row in rows], dtype=np.int64),
        thread_numbers=numbers,
        subjects=_grouped(_subject(row) for row in rows),
        slots=_grouped(Slot(row["subject"], row["attribute"]) if row["subject"] else None for row in rows),
        vectors=matrix,
        embedded=embedded,
    )


def select_rows(
    connection: Connection, pool: str, condition: ColumnElement[bool], *, content: bool = False
) -> Sequence[RowMapping]:
    """The pool's rows that meet a condition, in the order they were said, with what a snapshot needs of them."""
    return connection.execute(_rows(condition, content=content), {"in_pool": pool}).mappings().all()


def _rows(condition: ColumnElement[bool], *, content: bool = False) -> Select[tuple[object, ...]]:
    said = (
        select(
            sources.c.memory_id,
            func.min(sources.c.said_at).label("said_at"),
            func.min(sources.c.thread_id).label("thread_id"),
        )
        .where(sources.c.pool == bindparam("in_pool"))
        .group_by(sources.c.memory_id)
        .subquery()
    )
    wanted = [memories.c[name] for name in (*_COLUMNS, *(("content",) if content else ()))]
    return (
        select(*wanted, func.substr(memories.c.content, 1, 34).label("head"), said.c.said_at, said.c.thread_id)
        .select_from(memories.outerjoin(said, said.c.memory_id == memories.c.memory_id))
        .where(memories.c.pool == bindparam("in_pool"), condition)
        .order_by(said.c.thread_id, said.c.said_at, memories.c.memory_id)
    )


_CURRENT_ROWS = _rows(memories.c.status == "current")
_CURRENT_VECTORS = select(vectors.c.document, vectors.c.vector).where(
    vectors.c.pool == bindparam("in_pool"), vectors.c.fingerprint == bindparam("made_by"), vectors.c.current
)


def _grouped(keys: Iterable[K | None]) -> dict[K, Whole]:
    """The numbers of the rows that share a key; rows with an empty one belong to none."""
    grouped: dict[K, list[int]] = {}
    for number, key in enumerate(keys):
        if key:
            grouped.setdefault(key, []).append(number)
    return {key: np.array(numbers, dtype=np.int64) for key, numbers in grouped.items()}


def _texts(rows: Sequence[RowMapping], name: str) -> npt.NDArray[np.str_]:
    return np.array([row[name] for row in rows], dtype=np.str_)


def _seconds(moment: datetime | None, otherwise: float) -> float:
    return otherwise if moment is None else moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()


def _subject(row: RowMapping) -> str:
    if row["subject"]:
        return normalise(row["subject"])
    named = _SPEAKER.match(row["head"])
    return normalise(named.group(1)) if named else ""
