"""A LangGraph `BaseStore` over the memory database, so that langmem's tools and any other graph can keep things in it.

Values stand in `store_items`; the same postings and vectors as for memories make them findable, each namespace a pool
of its own. Questions are embedded as questions, what has expired is never returned (swept or not), the nearest comes
first, and deleting validates its namespace exactly as putting does.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
)
from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, delete, func, select, update

from foundation.clock import Clock, as_utc, utc_now
from foundation.database import reading, writing
from foundation.upserts import replace_row
from memory import postings, store
from memory.applying import storable
from memory.embedders import Embedder, EmbedderError, Vectors
from memory.store import Pen
from memory.tables import NAMESPACE_END, pools, store_items, store_pool
from memory.vector_table import Point, drop_vectors, put_vector, text_key, vectors_of
from memory.vectorizer import Vectorizer

_KEYWORD = 0.4
"""How much sharing all the question's words closes of the gap that the vectors leave to certainty."""
Json = Any  # a value's type is the caller's; LangGraph's interface says dict[str, Any]


class MemoryStore(BaseStore):
    """Keeps JSON values by namespace and key, with filters, semantic and keyword search, and time to live."""

    supports_ttl = True

    def __init__(
        self,
        engine: Engine,
        *,
        embedder: Embedder | None = None,
        clock: Clock = utc_now,
        ttl: TTLConfig | None = None,
    ) -> None:
        """`engine`: of a database with the present schema (`Memory.open(...).engine`)."""
        self._engine = engine
        self._vectorizer = Vectorizer(engine, embedder)
        self._clock = clock
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations in order.

        Raises:
            InvalidNamespaceError: a namespace is empty, or has an empty part or one with a dot.
        """
        return [self._one(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations in order, without holding up the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep(self) -> int:
        """Delete what has expired; returns how many."""
        now = as_utc(self._clock())
        with reading(self._engine) as connection:
            over = connection.execute(
                select(store_items.c.namespace, store_items.c.key).where(store_items.c.expires_at <= now)
            ).all()
        for namespace, key in over:
            self._delete(namespace, key)
        return len(over)

    def _one(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise TypeError(f"{type(op).__name__} is no store operation")

    def _put(self, op: PutOp) -> None:
        namespace = _name(op.namespace)
        if op.value is None:
            self._delete(namespace, op.key)
            return
        now = as_utc(self._clock())
        value = json.loads(storable(json.dumps(op.value, ensure_ascii=False)))
        text = _indexed_text(value, op.index)
        embedded = self._vectorizer.passages(store_pool(namespace), [text] if text else [])
        expires = None if op.ttl is None else now + timedelta(minutes=op.ttl)
        with writing(self._engine) as connection:
            row = {"namespace": namespace, "key": op.key, "value": value, "updated_at": now, "expires_at": expires}
            made = connection.execute(select(store_items.c.created_at).where(_this(namespace, op.key))).scalar()
            full = {**row, "ttl_minutes": op.ttl, "created_at": made or now}
            replace_row(connection, store_items, full, key=("namespace", "key"))
            self._index(connection, namespace, op.key, text, embedded.vectors, now)

    def _index(
        self,
        connection: Connection,
        namespace: str,
        key: str,
        text: str | None,
        vectors: Mapping[str, Vectors],
        now: datetime,
    ) -> None:
        pen = Pen(connection, store_pool(namespace), now)
        store.open_pool(connection, pen.pool)
        postings.remove_document(connection, pen.pool, key)
        drop_vectors(connection, pen.pool, [key])
        if text is None:
            return
        postings.add_document(connection, pen.pool, key, text)
        fingerprint, hashed = self._vectorizer.fingerprint, text_key(text)
        if fingerprint is not None and hashed in vectors:
            put_vector(connection, pen.pool, Point(key, vectors[hashed]), fingerprint=fingerprint, key=hashed)

    def _delete(self, namespace: str, key: str) -> None:
        with writing(self._engine) as connection:
            self._index(connection, namespace, key, None, {}, as_utc(self._clock()))
            connection.execute(delete(store_items).where(_this(namespace, key)))

    def _get(self, op: GetOp) -> Item | None:
        now = as_utc(self._clock())
        with reading(self._engine) as connection:
            query = select(store_items).where(_this(_name(op.namespace), op.key), _alive(now))
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            return None
        if op.refresh_ttl:
            self._refresh([row], now)
        return _item(row)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        now = as_utc(self._clock())
        prefix = _prefix(op.namespace_prefix)
        with reading(self._engine) as connection:
            query = select(store_items).where(_below(prefix), _alive(now))
            rows = connection.execute(query.order_by(store_items.c.updated_at.desc(), store_items.c.key)).mappings()
            fitting = [row for row in rows if _fits(row["value"], op.filter)]
            scores = self._scores(connection, op.query, fitting) if op.query else {}
        if op.query:
            fitting.sort(key=lambda row: -scores[row["namespace"], row["key"]])
        chosen = fitting[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._refresh(chosen, now)
        return [_found(row, scores.get((row["namespace"], row["key"]))) for row in chosen]

    def _scores(
        self, connection: Connection, question: str, rows: Sequence[RowMapping]
    ) -> dict[tuple[str, str], float]:
        asked = postings.weights(question)
        vector = self._question(question)
        scores: dict[tuple[str, str], float] = {}
        for namespace in dict.fromkeys(row["namespace"] for row in rows):
            keys = [row["key"] for row in rows if row["namespace"] == namespace]
            words = _coverage(connection, store_pool(namespace), asked)
            meaning = self._similarities(connection, store_pool(namespace), keys, vector)
            for key in keys:
                scores[namespace, key] = _fused(words.get(key, 0.0), meaning.get(key))
        return scores

    def _question(self, question: str) -> Vectors | None:
        try:
            return self._vectorizer.question(storable(question))
        except EmbedderError:
            return None

    def _similarities(
        self, connection: Connection, pool: str, keys: Sequence[str], vector: Vectors | None
    ) -> dict[str, float]:
        fingerprint = self._vectorizer.fingerprint
        if vector is None or fingerprint is None:
            return {}
        held = vectors_of(connection, pool, keys, fingerprint)
        return {key: max(float(each @ vector), 0.0) for key, each in held.items()}

    def _refresh(self, rows: Sequence[RowMapping], now: datetime) -> None:
        living = [row for row in rows if row["ttl_minutes"] is not None]
        if not living:
            return
        with writing(self._engine) as connection:
            for row in living:
                later = now + timedelta(minutes=row["ttl_minutes"])
                this = _this(row["namespace"], row["key"])
                connection.execute(update(store_items).where(this).values(expires_at=later))

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        with reading(self._engine) as connection:
            query = select(store_items.c.namespace).where(_alive(as_utc(self._clock()))).distinct()
            names = [_parts(name) for name in connection.execute(query).scalars()]
        kept = [name for name in names if all(_matches(name, each) for each in op.match_conditions or ())]
        cut = sorted({name[: op.max_depth] if op.max_depth else name for name in kept})
        return cut[op.offset : op.offset + op.limit]


@dataclass(frozen=True, slots=True)
class _Operator:
    """A comparison that a filter may ask for."""

    name: str
    holds: Callable[[Json, Json], bool]


_OPERATORS = {
    each.name: each
    for each in (
        _Operator("$eq", lambda value, wanted: bool(value == wanted)),
        _Operator("$ne", lambda value, wanted: bool(value != wanted)),
        _Operator("$gt", lambda value, wanted: _comparable(value, wanted) and bool(value > wanted)),
        _Operator("$gte", lambda value, wanted: _comparable(value, wanted) and bool(value >= wanted)),
        _Operator("$lt", lambda value, wanted: _comparable(value, wanted) and bool(value < wanted)),
        _Operator("$lte", lambda value, wanted: _comparable(value, wanted) and bool(value <= wanted)),
    )
}


def _comparable(value: Json, wanted: Json) -> bool:
    numbers = isinstance(value, int | float) and isinstance(wanted, int | float)
    return numbers or (isinstance(value, str) and isinstance(wanted, str))


def _fits(value: dict[str, Json], wanted: Mapping[str, Json] | None) -> bool:
    return all(_holds(value.get(name), condition) for name, condition in (wanted or {}).items())


def _holds(value: Json, condition: Json) -> bool:
    if not isinstance(condition, dict) or not any(str(name).startswith("$") for name in condition):
        return bool(value == condition)
    unknown = [name for name in condition if name not in _OPERATORS]
    if unknown:
        raise ValueError(f"the filter operator {unknown[0]} is unknown: use one of {', '.join(_OPERATORS)}")
    return all(_OPERATORS[name].holds(value, wanted) for name, wanted in condition.items())


def _name(namespace: tuple[str, ...]) -> str:
    if not namespace:
        raise InvalidNamespaceError("a namespace has at least one part")
    return _prefix(namespace)


def _prefix(namespace: tuple[str, ...]) -> str:
    for part in namespace:
        if not isinstance(part, str) or not part or "." in part or NAMESPACE_END in part or "\0" in part:
            raise InvalidNamespaceError(f"{part!r} in {namespace} is no part of a namespace: text without dots")
    return "".join(part + NAMESPACE_END for part in namespace)


def _parts(name: str) -> tuple[str, ...]:
    return tuple(name.split(NAMESPACE_END)[:-1])


def _this(namespace: str, key: str) -> ColumnElement[bool]:
    return (store_items.c.namespace == namespace) & (store_items.c.key == key)


def _below(prefix: str) -> ColumnElement[bool]:
    # LIKE would take % as a pattern and, on SQLite, U1 for u1.
    return func.substr(store_items.c.namespace, 1, len(prefix)) == prefix


def _alive(now: datetime) -> ColumnElement[bool]:
    return store_items.c.expires_at.is_(None) | (store_items.c.expires_at > now)


def _indexed_text(value: dict[str, Json], index: Literal[False] | list[str] | None) -> str | None:
    if index is False:
        return None
    if index is None:
        return "\n".join(_leaves(value)) or None
    texts = [text for path in index for text in get_text_at_path(value, tokenize_path(path))]
    return "\n".join(texts) or None


def _leaves(value: Json) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _leaves(each)]
    if isinstance(value, list):
        return [text for each in value for text in _leaves(each)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def _fused(coverage: float, similarity: float | None) -> float:
    """Between 0 and 1; the same text scores 1, and shared words only ever raise a score."""
    if similarity is None:
        return coverage
    return 1 - (1 - min(similarity, 1.0)) * (1 - _KEYWORD * coverage)


def _coverage(connection: Connection, pool: str, asked: Mapping[str, postings.Weight]) -> dict[str, float]:
    head = connection.execute(select(pools.c.documents, pools.c.tokens).where(pools.c.pool == pool)).one_or_none()
    statistics = postings.Statistics(*(head or (0, 0)))
    scores, best = postings.bm25(asked, postings.fetch(connection, pool, list(asked)), statistics)
    return {key: min(score / best, 1.0) for key, score in scores.items()}


def _matches(name: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(name):
        return False
    part = name[: len(path)] if condition.match_type == "prefix" else name[len(name) - len(path) :]
    return all(wanted in ("*", found) for wanted, found in zip(path, part, strict=True))


def _item(row: RowMapping) -> Item:
    return Item(
        value=row["value"],
        key=row["key"],
        namespace=_parts(row["namespace"]),
        created_at=row["created_at"].astimezone(UTC),
        updated_at=row["updated_at"].astimezone(UTC),
    )


def _found(row: RowMapping, score: float | None) -> SearchItem:
    return SearchItem(
        namespace=_parts(row["namespace"]),
        key=row["key"],
        value=row["value"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        score=score,
    )
