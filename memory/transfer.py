"""Memories as JSON lines: everything a pool holds, and back again."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field, TypeAdapter, ValidationError
from sqlalchemy import Engine, select
from typing_extensions import TypedDict

from foundation.database import reading
from foundation.errors import UsageError
from foundation.ids import new_id
from memory import rows, store, tables
from memory.model import Category, Importance, Kind, Remembered, Slot, Source, Speaker, Status
from memory.store import Pen

FORMAT = 1
_OTHERWISE = frozenset(("format", "slot", "episode", "sources"))
"""Fields of a line that a memory holds in another shape, or not at all."""
_PAGE = 500


class SourceLine(TypedDict):
    """A source as JSON."""

    thread_id: Annotated[str, Field(min_length=1)]
    message_id: Annotated[str, Field(min_length=1)]
    quote: str
    speaker: Speaker
    said_at: AwareDatetime


class Line(TypedDict):
    """A memory as JSON; times are ISO 8601 in UTC."""

    format: int
    memory_id: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Kind
    category: Category
    content: Annotated[str, Field(min_length=1)]
    slot: tuple[str, str] | None
    value: str | None
    polarity: bool
    topic: str | None
    importance: Importance
    confidence: Annotated[float, Field(ge=0, le=1)]
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None
    recorded_at: AwareDatetime
    expires_at: AwareDatetime | None
    status: Status
    version: Annotated[int, Field(ge=1)]
    replaced_by: str | None
    replaces: str | None
    rule: str
    episode: rows.EpisodeData | None
    sources: list[SourceLine]


_LINE: TypeAdapter[Line] = TypeAdapter(Line)


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
        "slot": (memory.slot.subject, memory.slot.attribute) if memory.slot else None,
        "value": memory.value,
        "polarity": memory.polarity,
        "topic": memory.topic,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "recorded_at": memory.recorded_at,
        "expires_at": memory.expires_at,
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
                "said_at": source.said_at,
            }
            for source in memory.sources
        ],
    }
    return json.dumps(line, ensure_ascii=False, default=datetime.isoformat)


def from_line(text: str, number: int) -> Remembered:
    """The memory that a line holds.

    Raises:
        UsageError: the line is no memory of this format.
    """
    try:
        told = json.loads(text)
        if isinstance(told, dict) and told.get("format", FORMAT) != FORMAT:
            raise UsageError(f"line {number} is of format {told['format']}: this version reads {FORMAT}")
        return _memory(_LINE.validate_python(told, strict=False))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise UsageError(f"line {number} is no exported memory ({where}: {first['msg']})") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"line {number} is no exported memory ({error})") from None


def _memory(line: Line) -> Remembered:
    episode = rows.episode_from(line["episode"])
    if episode and episode.when and episode.when.tzinfo is None:
        raise ValueError("episode.when has no time zone")
    told = {name: value for name, value in line.items() if name not in _OTHERWISE}
    return Remembered(
        slot=Slot(*line["slot"]) if line["slot"] else None,
        last_accessed_at=None,
        access_count=0,
        episode=episode,
        sources=tuple(Source(**each) for each in line["sources"]),
        **told,  # type: ignore[arg-type] # the other fields of a line are those of a memory
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
