"""What a deletion still owes outside the rows of memory: conversations' checkpoints, exports, logs, slack in files.

A deletion and this note of it are one transaction, so a crash in between loses neither. The note carries the words to
look for until they are out of everything; then they leave the note, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from foundation.ids import new_id
from memory.tables import erasures

What = Literal["memory", "message", "person"]


@dataclass(frozen=True, slots=True)
class Erasure:
    """A deletion whose words may still stand outside."""

    erasure_id: str
    pool: str
    what: What
    subjects: tuple[str, ...]
    """Ids of the memories that are gone; for a message, its thread and its id."""
    asked_at: datetime
    texts: tuple[str, ...] | None
    """What to look for; None: the words are out, and the files are still to be cleared of what was freed."""


def note(
    connection: Connection, pool: str, what: What, subjects: Sequence[str], texts: Iterable[str], now: datetime
) -> None:
    """Note a deletion in the transaction that makes it."""
    row = {"pool": pool, "what": what, "subjects": list(subjects), "asked_at": now, "texts": list(texts)}
    connection.execute(insert(erasures).values(erasure_id=new_id("era"), **row))


def pending(connection: Connection, pool: str | None = None) -> list[Erasure]:
    """The deletions that are still to be finished, oldest first; of one pool, or (for upkeep) of all."""
    query = select(erasures).order_by(erasures.c.asked_at, erasures.c.erasure_id)
    if pool is not None:
        query = query.where(erasures.c.pool == pool)
    return [
        Erasure(
            row.erasure_id,
            row.pool,
            row.what,
            tuple(row.subjects),
            row.asked_at,
            None if row.texts is None else tuple(row.texts),
        )
        for row in connection.execute(query)
    ]


def words_are_out(connection: Connection, erasure_ids: Sequence[str]) -> None:
    """Note that the words stand nowhere any more, and drop them from the note."""
    connection.execute(update(erasures).where(erasures.c.erasure_id.in_(erasure_ids)).values(texts=None))


def finish(connection: Connection, erasure_ids: Sequence[str]) -> None:
    """Nothing is owed any more."""
    connection.execute(delete(erasures).where(erasures.c.erasure_id.in_(erasure_ids)))
