"""What memory would ask of its own accord: a pattern that reflection found, a preference that is more than a year old.

Each is raised once, and seldom: memory that keeps asking is a nuisance. That it was raised stands in its history.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Select, exists, func, select

from foundation.database import reading, writing
from memory import rows, store, tables
from memory.door import Door
from memory.model import Remembered
from memory.past import holds_now
from memory.scope import Scope

DOUBTED_AFTER = timedelta(days=365)
"""A preference without support for so long is asked about again before it is relied on."""
_RAISED = "asked"
_PATTERNS_APART = timedelta(days=1)
_DOUBTS_APART = timedelta(days=7)


class Raising(Door):
    """The calls that say what a conversation may ask when nothing else is open."""

    def to_raise(self, scope: Scope, *, now: datetime | None = None) -> Remembered | None:
        """The pattern (status `proposed`) or the old preference (`current`) to ask about next; None: nothing now."""
        moment = self._now(now)
        with reading(self.engine) as connection:
            last = _last_raised(connection, scope.pool)
            quiet = None if last is None else moment - last
            found = _first(connection, scope, _patterns(scope.pool)) if _long(quiet, _PATTERNS_APART) else None
            if found is None and _long(quiet, _DOUBTS_APART):
                found = _first(connection, scope, _doubted(scope.pool, moment))
            return found

    def note_raised(self, scope: Scope, memory_id: str, *, now: datetime | None = None) -> None:
        """Note in its history that the person was asked about it.

        Raises:
            NotFoundError: no such memory in this scope.
        """
        with writing(self.engine) as connection:
            memory = self._any(connection, scope, memory_id)
            pen = self._pen(connection, scope.pool, self._now(now))
            store.note(pen, memory, what=_RAISED, actor="system", before=None, after=memory.content)


def _long(quiet: timedelta | None, enough: timedelta) -> bool:
    return quiet is None or quiet >= enough


def _last_raised(connection: Connection, pool: str) -> datetime | None:
    mine = (tables.events.c.pool == pool) & (tables.events.c.what == _RAISED)
    return connection.execute(select(func.max(tables.events.c.at)).where(mine)).scalar_one_or_none()


def _first(connection: Connection, scope: Scope, query: Select[str]) -> Remembered | None:
    here = tables.memories.c.topic.in_(("", scope.topic or ""))
    oldest = query.where(here).order_by(tables.memories.c.recorded_at, tables.memories.c.memory_id).limit(1)
    found = list(connection.execute(oldest).scalars())
    return rows.load(connection, scope.pool, found)[found[0]] if found else None


def _patterns(pool: str) -> Select[str]:
    row = tables.memories.c
    proposed = (row.pool == pool) & (row.status == "proposed") & row.rule.startswith("reflection.")
    return select(row.memory_id).where(proposed, ~_raised())


def _doubted(pool: str, now: datetime) -> Select[str]:
    row, since = tables.memories.c, now - DOUBTED_AFTER
    told = exists().where(tables.sources.c.memory_id == row.memory_id, tables.sources.c.said_at > since)
    sourced = exists().where(tables.sources.c.memory_id == row.memory_id)
    old = (row.pool == pool) & (row.category == "preference") & sourced & ~told
    return select(row.memory_id).where(old, holds_now(now), ~_raised(tables.events.c.at > since))


def _raised(*when: ColumnElement[bool]) -> ColumnElement[bool]:
    event, row = tables.events.c, tables.memories.c
    return exists().where(event.pool == row.pool, event.memory_id == row.memory_id, event.what == _RAISED, *when)
