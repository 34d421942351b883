"""Bringing what SQL committed to a vector index outside: in order, again until it works, from any process."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update

from foundation.database import reading, writing
from memory.tables import vector_outbox, vectors
from memory.vector_index import VectorIndex, VectorIndexError
from memory.vector_table import Point, unpack

_PENDING = select(vector_outbox.c.entry_id).where(vector_outbox.c.pool == bindparam("in_pool")).limit(1)
# SQLite gives the id of the newest deleted row again: what another process delivered meanwhile is told by all of these.
_DELIVERED = delete(vector_outbox).where(
    vector_outbox.c.entry_id == bindparam("entry"),
    vector_outbox.c.document == bindparam("about"),
    vector_outbox.c.due_at == bindparam("due"),
)
_BATCH = 200
_FIRST_DELAY = timedelta(seconds=1)
_LONGEST_DELAY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Entry:
    """One change that the index must still make."""

    entry_id: int
    pool: str
    document: str
    action: str
    attempts: int
    due_at: datetime

    def itself(self) -> dict[str, object]:
        """What tells this change from a later one that was given its id."""
        return {"entry": self.entry_id, "about": self.document, "due": self.due_at}


def waiting(engine: Engine) -> int:
    """How many changes the index lacks."""
    with reading(engine) as connection:
        return connection.execute(select(func.count()).select_from(vector_outbox)).scalar_one()


def is_behind(connection: Connection, pool: str) -> bool:
    """Whether the index lacks a change of this pool."""
    return connection.execute(_PENDING, {"in_pool": pool}).first() is not None


def deliver(engine: Engine, index: VectorIndex, *, fingerprint: str, now: datetime) -> bool:
    """Bring what is due to the index; says whether the index answered.

    Each change is idempotent and the outbox entry goes only after the index has confirmed it, so a crash in between
    repeats it.
    """
    while True:
        due = _due(engine, now)
        if not due:
            return True
        if not _carry_out(engine, index, due, fingerprint, now):
            return False


def _due(engine: Engine, now: datetime) -> list[Entry]:
    table = vector_outbox.c
    query = select(table.entry_id, table.pool, table.document, table.action, table.attempts, table.due_at)
    with reading(engine) as connection:
        rows = connection.execute(query.where(table.due_at <= now).order_by(table.entry_id).limit(_BATCH))
        return [Entry(*row) for row in rows]


def _carry_out(engine: Engine, index: VectorIndex, due: Sequence[Entry], fingerprint: str, now: datetime) -> bool:
    try:
        for pool in dict.fromkeys(entry.pool for entry in due):
            mine = [entry for entry in due if entry.pool == pool]
            index.upsert(pool, _points(engine, pool, [each.document for each in mine], fingerprint))
            index.delete(pool, [each.document for each in mine if each.action == "delete"])
    except VectorIndexError as error:
        _postpone(engine, due, now, str(error))
        return False
    with writing(engine) as connection:
        connection.execute(_DELIVERED, [entry.itself() for entry in due])
    return True


def _points(engine: Engine, pool: str, documents: Sequence[str], fingerprint: str) -> list[Point]:
    # What was deleted since has no vector any more and is not brought back.
    query = select(vectors.c.document, vectors.c.vector).where(
        vectors.c.pool == pool,
        vectors.c.document.in_(documents),
        vectors.c.fingerprint == fingerprint,
        vectors.c.current,
    )
    with reading(engine) as connection:
        return [Point(document, unpack(data)) for document, data in connection.execute(query)]


def _postpone(engine: Engine, due: Sequence[Entry], now: datetime, error: str) -> None:
    with writing(engine) as connection:
        for entry in due:
            delay = min(_FIRST_DELAY * 2**entry.attempts, _LONGEST_DELAY)
            connection.execute(
                update(vector_outbox)
                .where(vector_outbox.c.entry_id == entry.entry_id)
                .values(attempts=entry.attempts + 1, due_at=now + delay, error=error)
            )


def queue_all(connection: Connection, pool: str, now: datetime) -> int:
    """Queue every current vector of the pool; returns how many."""
    documents = (
        connection.execute(select(vectors.c.document).where(vectors.c.pool == pool, vectors.c.current)).scalars().all()
    )
    connection.execute(delete(vector_outbox).where(vector_outbox.c.pool == pool, vector_outbox.c.action == "upsert"))
    if documents:
        rows = [{"pool": pool, "document": each, "action": "upsert", "due_at": now} for each in documents]
        connection.execute(insert(vector_outbox), rows)
    return len(documents)
