"""Memories as JSON lines: everything a pool holds, and back again."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict, cast

from sqlalchemy import Engine, select

from foundation.database import reading
from foundation.errors import UsageError
from foundation.ids import new_id
from memory import rows, store, tables
from memory.model import Category, Importance, Kind, Remembered, Slot, Source, Speaker, Status
from memory.store import Pen

FORMAT = 1
_PAGE = 500


class SourceLine(TypedDict):
    """A source as JSON."""

    thread_id: str
    message_id: str
    quote: str
    speaker: str
    said_at: str


class Line(TypedDict):
    """A memory as JSON; times are ISO 8601 in UTC."""

    format: int
    memory_id: str
    kind: str
    category: str
    content: str
    slot: list[str] | None
    value: str | None
    polarity: bool
    topic: str | None
    importance: str
    confidence: float
    valid_from: str | None
    valid_to: str | None
    recorded_at: str
    expires_at: str | None
    status: str
    version: int
    replaced_by: str | None
    replaces: str | None
    rule: str
    episode: rows.EpisodeData | None
    sources: list[SourceLine]


def everything(engine: Engine, pool: str, statuses: frozenset[Status]) -> Iterator[Remembered]:
    """All memories of the pool with these statuses, page by page, in the order they were recorded."""
    table = tables.memories
    after: tuple[datetime, str] | None = None
    while True:
        query = select(table.c.memory_id, table.c.recorded_at).where(
            table.c.pool == pool, table.c.status.in_(sorted(statuses))
        )
        if after is not None:
            moment, last = after
            later = (table.c.recorded_at > moment) | ((table.c.recorded_at == moment) & (table.c.memory_id > last))
            query = query.where(later)
        with reading(engine) as connection:
            page = connection.execute(query.order_by(table.c.recorded_at, table.c.memory_id).limit(_PAGE)).all()
            found = rows.load(connection, pool, [row[0] for row in page])
        yield from (found[row[0]] for row in page if row[0] in found)
        if len(page) < _PAGE:
            return
        after = (page[-1][1], page[-1][0])


def to_line(memory: Remembered) -> str:
    """One memory as a line of JSON."""
    line: Line = {
        "format": FORMAT,
        "memory_id": memory.memory_id,
        "kind": memory.kind,
        "category": memory.category,
        "content": memory.content,
        "slot": [memory.slot.subject, memory.slot.attribute] if memory.slot else None,
        "value": memory.value,
        "polarity": memory.polarity,
        "topic": memory.topic,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "valid_from": _iso(memory.valid_from),
        "valid_to": _iso(memory.valid_to),
        "recorded_at": memory.recorded_at.isoformat(),
        "expires_at": _iso(memory.expires_at),
        "status": memory.status,
        "version": memory.version,
        "replaced_by": memory.replaced_by,
        "replaces": memory.replaces,
        "rule": memory.rule,
        "episode": rows.episode_data(memory.episode),
        "sources": [
            {
                "thread_id": source.thread_id,
                "message_id": source.message_id,
                "quote": source.quote,
                "speaker": source.speaker,
                "said_at": source.said_at.isoformat(),
            }
            for source in memory.sources
        ],
    }
    return json.dumps(line, ensure_ascii=False)


def from_line(text: str, number: int) -> Remembered:
    """The memory that a line holds.

    Raises:
        UsageError: the line is no memory of this format.
    """
    try:
        line = cast(Line, json.loads(text))
        if line["format"] != FORMAT:
            raise UsageError(f"line {number} is of format {line['format']}: this version reads {FORMAT}")
        return _memory(line)
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"line {number} is no exported memory ({type(error).__name__}: {error})") from None


def _memory(line: Line) -> Remembered:
    return Remembered(
        memory_id=line["memory_id"],
        kind=cast(Kind, line["kind"]),
        category=cast(Category, line["category"]),
        content=line["content"],
        slot=Slot(*line["slot"]) if line["slot"] else None,
        value=line["value"],
        polarity=line["polarity"],
        topic=line["topic"],
        importance=cast(Importance, line["importance"]),
        confidence=line["confidence"],
        valid_from=_moment(line["valid_from"]),
        valid_to=_moment(line["valid_to"]),
        recorded_at=datetime.fromisoformat(line["recorded_at"]),
        last_accessed_at=None,
        access_count=0,
        expires_at=_moment(line["expires_at"]),
        status=cast(Status, line["status"]),
        version=line["version"],
        replaced_by=line["replaced_by"],
        replaces=line["replaces"],
        rule=line["rule"],
        episode=rows.episode_from(line["episode"]),
        sources=tuple(
            Source(
                thread_id=each["thread_id"],
                message_id=each["message_id"],
                quote=each["quote"],
                speaker=cast(Speaker, each["speaker"]),
                said_at=datetime.fromisoformat(each["said_at"]),
            )
            for each in line["sources"]
        ),
    )


def take_in(pen: Pen, memories: Iterable[Remembered], *, actor: str) -> int:
    """Write imported memories; what the pool holds already is left alone. Returns how many are new.

    An id that another pool uses is replaced by a new one, in the links, too.
    """
    listed = list(memories)
    ids = _free_ids(pen, [memory.memory_id for memory in listed])
    own = [
        replace(
            memory,
            memory_id=ids[memory.memory_id],
            replaces=ids.get(memory.replaces or ""),
            replaced_by=ids.get(memory.replaced_by or ""),
        )
        for memory in listed
    ]
    return store.write_many(pen, own, what="imported", actor=actor)


def _free_ids(pen: Pen, ids: Sequence[str]) -> dict[str, str]:
    table = tables.memories
    taken: set[str] = set()
    for start in range(0, len(ids), _PAGE):
        query = select(table.c.memory_id).where(
            table.c.memory_id.in_(ids[start : start + _PAGE]), table.c.pool != pen.pool
        )
        taken.update(pen.connection.execute(query).scalars())
    return {memory_id: new_id("mem") if memory_id in taken else memory_id for memory_id in ids}


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
