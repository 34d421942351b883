"""What all doors to memory share: the database, the embedder, the index, the time, and a pen for one pool."""

import threading
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Engine

from foundation.clock import Clock, as_utc, utc_now
from foundation.database import reading
from foundation.errors import NotFoundError, RefusedError
from memory import applying, outbox, rows, store, upkeep
from memory.defaults import Defaults
from memory.embedders import Embedder, Vectors
from memory.model import Remembered
from memory.scope import Scope
from memory.searching import Searcher
from memory.snapshot import Snapshots
from memory.store import Pen
from memory.vector_index import VectorIndex
from memory.vectorizer import Vectorizer


class Door:
    """One database opened for memory; its subclasses say what can be done with it."""

    def __init__(
        self,
        engine: Engine,
        *,
        embedder: Embedder | None,
        vector_index: VectorIndex | None = None,
        clock: Clock = utc_now,
        defaults: Defaults | None = None,
        keeps_erasures: bool = False,
    ) -> None:
        """Work on an engine whose schema is up to date."""
        self._keeps_erasures = keeps_erasures
        self.engine = engine
        self.defaults = defaults or Defaults()
        self._clock = clock
        self._vectorizer = Vectorizer(engine, embedder)
        self._index = vector_index
        self._snapshots = Snapshots(
            fingerprint=self._vectorizer.fingerprint,
            dimension=self._vectorizer.dimension,
            limit=self.defaults.snapshot_bytes,
        )
        self._searcher = Searcher(engine, self._vectorizer, vector_index, self._snapshots, self.defaults)
        self._context = applying.Context(engine, self._vectorizer, self._external, self.defaults, keeps_erasures)
        self._delivering = threading.Lock()

    def show(self, scope: Scope, memory_id: str) -> Remembered:
        """One memory of any status, with its sources.

        Raises:
            NotFoundError: no such memory in this scope.
        """
        with reading(self.engine) as connection:
            return self._any(connection, scope, memory_id)

    def standing(self, scope: Scope, memory_ids: Sequence[str]) -> set[str]:
        """Which of these memories of this scope are still there: current, or replaced by a newer one."""
        with reading(self.engine) as connection:
            return rows.standing(connection, scope.pool, memory_ids)

    @property
    def _external(self) -> bool:
        return self._index is not None and self._index.external

    def _now(self, now: datetime | None) -> datetime:
        return as_utc(now if now is not None else self._clock())

    def _pen(self, connection: Connection, pool: str, now: datetime, vectors: dict[str, Vectors] | None = None) -> Pen:
        store.open_pool(connection, pool)
        fingerprint, external = self._vectorizer.fingerprint, self._external
        return Pen(connection, pool, now, fingerprint, external, vectors or {}, keeps_erasures=self._keeps_erasures)

    def _pen_maker(self, now: datetime | None) -> upkeep.PenMaker:
        moment = self._now(now)
        fingerprint, external = self._vectorizer.fingerprint, self._external
        return lambda connection, pool, vectors: Pen(connection, pool, moment, fingerprint, external, vectors)

    def _current(self, pen: Pen, memory_id: str) -> Remembered:
        found = rows.load(pen.connection, pen.pool, [memory_id]).get(memory_id)
        if found is None or found.status != "current":
            raise NotFoundError(f"there is no current memory {memory_id} in this scope")
        return found

    def _any(self, connection: Connection, scope: Scope, memory_id: str) -> Remembered:
        found = rows.load(connection, scope.pool, [memory_id]).get(memory_id)
        if found is None:
            raise NotFoundError(f"there is no memory {memory_id} in this scope")
        return found

    def _refuse_double(self, pen: Pen, memory: Remembered) -> None:
        if store.is_said(pen, memory):
            raise RefusedError("another memory of this scope says exactly that already: nothing was changed")

    def _deliver(self) -> bool:
        """Bring the vector index what it lacks; only one thread at a time, others' changes go along."""
        fingerprint = self._vectorizer.fingerprint
        if self._index is None or not self._external or fingerprint is None:
            return True
        with self._delivering:
            return outbox.deliver(self.engine, self._index, fingerprint=fingerprint, now=self._now(None))
