"""Changing many memories of many pools at once: what a sweep does to what nobody asked for.

Each statement is prepared once and run for every memory, so a batch over a hundred pools costs little more than one
over a single pool. The talk in which a dropped memory was told stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Table,
    Update,
    bindparam,
    delete,
    exists,
    insert,
    select,
    update,
)

from foundation.database import metadata
from memory import relations, store, tables
from memory.holds import pools_held
from memory.postings import PRESENT
from memory.store import Pen


class Marked(NamedTuple):
    """A memory that is to be changed, and whose it is."""

    pool: str
    memory_id: str


@dataclass(frozen=True, slots=True)
class Note:
    """What the history says of each memory."""

    what: str
    rule: str
    reason: str
    actor: str = "system"


_MEMORIES = tables.memories.c
_SELECTED = select(_MEMORIES.pool, _MEMORIES.memory_id).where(
    _MEMORIES.memory_id.in_(bindparam("wanted", expanding=True)), _MEMORIES.status == "current"
)
_NOTE = insert(tables.events)


def _of(table: Table, column: str) -> ColumnElement[bool]:
    return (table.c.pool == bindparam("of_pool")) & (table.c[column] == bindparam("of_memory"))


_POSTED = (tables.postings.c.pool == bindparam("of_pool")) & (tables.postings.c.document == bindparam("of_memory"))
_LENGTH = select(tables.postings.c.length).where(_POSTED, tables.postings.c.token == PRESENT)
_UNCOUNT = (
    update(tables.pools)
    .where(tables.pools.c.pool == bindparam("of_pool"), exists(_LENGTH))
    .values(documents=tables.pools.c.documents - 1, tokens=tables.pools.c.tokens - _LENGTH.scalar_subquery())
)
_UNINDEX = (
    _UNCOUNT,
    delete(tables.postings).where(_of(tables.postings, "document")),
    delete(tables.vectors).where(_of(tables.vectors, "document")),
)
_UNLINK = tuple(
    update(tables.memories).where(_of(tables.memories, link)).values({link: None})
    for link in ("replaces", "replaced_by")
)
_BLANK = update(tables.events).where(_of(tables.events, "memory_id")).values(before=None, after=None, reason="")
DROPPING = (*_UNINDEX, *_UNLINK, _BLANK)
"""What makes a memory unfindable and unnamed, each statement for one `of_pool` and `of_memory`."""
_WEIGH = update(tables.memories).where(_of(tables.memories, "memory_id")).values(weight=bindparam("new_weight"))


def still(connection: Connection, marked: Sequence[Marked], takes: ColumnElement[bool], now: datetime) -> list[Marked]:
    """Open the pools for writing; returns those memories that are current, under no hold, and meet the condition."""
    store.open_pools(connection, sorted({each.pool for each in marked}))
    query = _SELECTED.where(takes, _MEMORIES.pool.not_in(pools_held(now)))
    found = connection.execute(query, {"wanted": [each.memory_id for each in marked]})
    wanted = set(marked)
    return [each for each in map(Marked._make, found) if each in wanted]


def drop(pens: dict[str, Pen], marked: Sequence[Marked], note: Note) -> None:
    """Delete memories for good; a line of history without content stays of each."""
    connection = pens[marked[0].pool].connection
    these = _these(marked)
    touched = relations.touched(connection, [each.memory_id for each in marked])
    for statement in (*DROPPING, *deletions()):
        connection.execute(statement, these)
    relations.drop_lonely(connection, touched)
    for pool, memory_id in marked:
        store.tell_index(pens[pool], memory_id, "delete")
    _write_down(pens, marked, note)


def weigh(pens: dict[str, Pen], marked: Sequence[Marked], weight: float, note: Note) -> None:
    """Let memories rank lower (or higher) than their relevance says."""
    connection = pens[marked[0].pool].connection
    connection.execute(_WEIGH, [{**each, "new_weight": weight} for each in _these(marked)])
    _write_down(pens, marked, note)


def _these(marked: Sequence[Marked]) -> list[dict[str, str]]:
    return [{"of_pool": each.pool, "of_memory": each.memory_id} for each in marked]


@cache
def deletions() -> tuple[Delete | Update, ...]:
    """Every row that belongs to a memory, whatever table it stands in, those first that point to others."""
    own = [each for each in metadata.sorted_tables[::-1] if {"pool", "memory_id"} <= {*each.c.keys()}]
    return tuple(delete(each).where(_of_memory(each)) for each in own if each is not tables.events)


def _of_memory(table: Table) -> ColumnElement[bool]:
    # A bare pool would be looked up by its index: all the pool's rows instead of the memory's few.
    return (table.c.pool.concat("") == bindparam("of_pool")) & (table.c.memory_id == bindparam("of_memory"))


def _write_down(pens: dict[str, Pen], marked: Sequence[Marked], note: Note) -> None:
    same = {
        "what": note.what,
        "actor": note.actor,
        "rule": note.rule,
        "before": None,
        "after": None,
        "reason": note.reason,
    }
    pen = pens[marked[0].pool]
    pen.connection.execute(_NOTE, [{**each._asdict(), "at": pen.now, **same} for each in marked])
