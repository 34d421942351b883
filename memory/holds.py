"""Legal holds: what may not be destroyed yet. What is forgotten under a hold leaves the pool, and waits apart.

The held rows carry a pool key that no scope has, so no search, list, export or conversation reaches them. When the last
hold of a pool is lifted or over, they are erased as they would have been.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, insert, literal, select, true, update

from foundation.errors import NotFoundError, UsageError
from foundation.ids import new_id
from foundation.upserts import replace_rows
from memory.store import Pen
from memory.tables import events, legal_holds, memories, sources, transcript

_HELD = "held:"
_MEMORY_TABLES = (sources, memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Why a pool's content may not be destroyed, by whose order, and until when (None: until it is lifted)."""

    hold_id: str
    pool: str
    reason: str
    placed_by: str
    placed_at: datetime
    until: datetime | None
    lifted_at: datetime | None = None


def place(
    connection: Connection, pool: str, *, reason: str, by: str, now: datetime, until: datetime | None = None
) -> Hold:
    """Put a hold on a pool.

    Raises:
        UsageError: no reason, nobody is named, or it would be over already.
    """
    if not reason.strip() or not by.strip():
        raise UsageError("a legal hold needs a reason and a name: add --reason TEXT and --by NAME")
    if until is not None and until <= now:
        raise UsageError(f"a hold until {until.isoformat()} would be over already: choose a later date")
    hold = Hold(hold_id=new_id("hold"), pool=pool, reason=reason, placed_by=by, placed_at=now, until=until)
    connection.execute(insert(legal_holds).values({name: getattr(hold, name) for name in Hold.__slots__}))
    return hold


def active(connection: Connection, pool: str, now: datetime) -> list[Hold]:
    """The holds on a pool that are in force, oldest first."""
    return _listed(connection, (legal_holds.c.pool == pool) & _in_force(now))


def pools_held(now: datetime) -> Select[str]:
    """The pools under a hold, as part of a question."""
    return select(legal_holds.c.pool).where(_in_force(now))


def listed(connection: Connection, pools: ColumnElement[bool]) -> list[Hold]:
    """All holds on the pools of a condition, lifted ones included, oldest first."""
    return _listed(connection, pools)


def everything(connection: Connection) -> list[Hold]:
    """The holds on all pools, lifted ones included, oldest first."""
    return _listed(connection, true())


def carry_over(connection: Connection, orders: Sequence[Hold]) -> None:
    """Bring holds from another state of the database: each stands as it is told, lifted or not."""
    named = [{name: getattr(each, name) for name in Hold.__slots__} for each in orders]
    replace_rows(connection, legal_holds, named, key=("hold_id",))


def over(connection: Connection, pools: ColumnElement[bool], now: datetime) -> list[str]:
    """Those of the pools with something withheld and no hold in force any more."""
    query = select(legal_holds.c.pool).where(pools, ~_in_force(now)).distinct()
    return [
        pool
        for pool in connection.execute(query).scalars()
        if not active(connection, pool, now) and _holds_something(connection, pool)
    ]


def lift(connection: Connection, pool: str, hold_id: str, *, now: datetime) -> Hold:
    """End a hold on a pool.

    Raises:
        NotFoundError: the pool has no such hold in force.
    """
    this = (legal_holds.c.pool == pool) & (legal_holds.c.hold_id == hold_id)
    found = _listed(connection, this & legal_holds.c.lifted_at.is_(None))
    if not found:
        raise NotFoundError(f"there is no hold {hold_id} in force: `remembrancer memory hold list` shows them")
    connection.execute(update(legal_holds).where(legal_holds.c.hold_id == hold_id).values(lifted_at=now))
    return found[0]


def held_pool(pool: str) -> str:
    """The key under which the withheld rows of a pool lie."""
    return _HELD + pool


def withhold(pen: Pen, memory_ids: Sequence[str], words: Sequence[str]) -> None:
    """Put memories apart with their sources, a copy of their history, and a copy of the messages with these words."""
    ours = held_pool(pen.pool)
    for table in _MEMORY_TABLES:
        mine = (table.c.pool == pen.pool) & table.c.memory_id.in_(memory_ids)
        pen.connection.execute(update(table).where(mine).values(pool=ours))
    pen.connection.execute(
        update(memories).where(memories.c.pool == ours, memories.c.status == "current").values(status="invalidated")
    )
    _copy_events(pen, events.c.memory_id.in_(memory_ids))
    for word in words:
        withhold_messages(pen, transcript.c.content.contains(word, autoescape=True))


def withhold_messages(pen: Pen, which: ColumnElement[bool]) -> None:
    """Keep a copy of messages apart, as they stand now; one that is kept already stays as it was."""
    names = [column.name for column in transcript.c]
    kept = transcript.alias()
    same = and_(
        kept.c.pool == held_pool(pen.pool),
        kept.c.thread_id == transcript.c.thread_id,
        kept.c.message_id == transcript.c.message_id,
    )
    columns = [literal(held_pool(pen.pool)) if name == "pool" else transcript.c[name] for name in names]
    fresh = select(*columns).where(transcript.c.pool == pen.pool, which, ~exists().where(same))
    pen.connection.execute(insert(transcript).from_select(names, fresh))


def withhold_all(pen: Pen) -> None:
    """Put everything of the pool apart: memories, sources, history, conversations."""
    ids = pen.connection.execute(select(memories.c.memory_id).where(memories.c.pool == pen.pool)).scalars().all()
    withhold(pen, ids, ())
    withhold_messages(pen, literal(True))
    left = events.c.memory_id.not_in(ids)
    _copy_events(pen, left)


def _copy_events(pen: Pen, which: ColumnElement[bool]) -> None:
    names = [column.name for column in events.c if column.name != "event_id"]
    columns = [literal(held_pool(pen.pool)) if name == "pool" else events.c[name] for name in names]
    told = (events.c.before.is_not(None)) | (events.c.after.is_not(None))
    query = select(*columns).where(events.c.pool == pen.pool, told, which)
    pen.connection.execute(insert(events).from_select(names, query))


def _in_force(now: datetime) -> ColumnElement[bool]:
    return legal_holds.c.lifted_at.is_(None) & (legal_holds.c.until.is_(None) | (legal_holds.c.until > now))


def _listed(connection: Connection, which: ColumnElement[bool]) -> list[Hold]:
    query = select(legal_holds).where(which).order_by(legal_holds.c.placed_at, legal_holds.c.hold_id)
    return [Hold(**row) for row in connection.execute(query).mappings()]


def _holds_something(connection: Connection, pool: str) -> bool:
    return any(
        connection.execute(select(table.c.pool).where(table.c.pool == held_pool(pool)).limit(1)).first()
        for table in (memories, transcript, events)
    )
