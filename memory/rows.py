"""Between rows of the database and the words of memory."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, RowMapping, bindparam, select
from typing_extensions import TypedDict

from foundation.masking import IRREVOCABLE, mask
from foundation.sequences import chunks
from memory import tables
from memory.model import Category, Episode, Event, Importance, Kind, Remembered, Slot, Source, Speaker, Status

_IN_CHUNK = 500
_STANDS: tuple[Status, ...] = ("current", "superseded")
_ROWS = select(tables.memories).where(
    tables.memories.c.pool == bindparam("in_pool"),
    tables.memories.c.memory_id.in_(bindparam("wanted", expanding=True)),
)
_SOURCES = (
    select(tables.sources)
    .where(
        # A bare pool would be looked up by its index: all the pool's sources instead of these few.
        tables.sources.c.pool.concat("") == bindparam("in_pool"),
        tables.sources.c.memory_id.in_(bindparam("wanted", expanding=True)),
    )
    .order_by(tables.sources.c.said_at, tables.sources.c.message_id)
)


class EpisodeData(TypedDict, total=False):
    """An episode as JSON."""

    when: str | None
    when_phrase: str | None
    where: str | None
    who: list[str]
    mood: str | None


def discreet(text: str) -> str:
    """What is read of a row: one that was written before some kind of secret was known is masked all the same."""
    return mask(text, IRREVOCABLE)


def remembered(row: RowMapping, sources: Sequence[Source] = ()) -> Remembered:
    """The memory that a row of `memories` holds."""
    return Remembered(
        memory_id=row["memory_id"],
        kind=cast(Kind, row["kind"]),
        category=cast(Category, row["category"]),
        content=discreet(row["content"]),
        slot=Slot(row["subject"], row["attribute"]) if row["subject"] is not None else None,
        value=row["value"] and discreet(row["value"]),
        polarity=row["polarity"],
        topic=row["topic"] or None,
        importance=cast(Importance, row["importance"]),
        confidence=row["confidence"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        recorded_at=row["recorded_at"],
        last_accessed_at=row["last_accessed_at"],
        access_count=row["access_count"],
        expires_at=row["expires_at"],
        status=cast(Status, row["status"]),
        version=row["version"],
        replaced_by=row["replaced_by"],
        replaces=row["replaces"],
        rule=row["rule"],
        episode=episode_from(row["episode"]),
        sources=tuple(sources),
    )


def columns(memory: Remembered, *, pool: str, content_key: str) -> dict[str, object]:
    """The row of `memories` that holds this memory."""
    return {
        "memory_id": memory.memory_id,
        "pool": pool,
        "topic": memory.topic or "",
        "kind": memory.kind,
        "category": memory.category,
        "content": memory.content,
        "content_key": content_key,
        "subject": memory.slot.subject if memory.slot else None,
        "attribute": memory.slot.attribute if memory.slot else None,
        "value": memory.value,
        "polarity": memory.polarity,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "recorded_at": memory.recorded_at,
        "last_accessed_at": memory.last_accessed_at,
        "access_count": memory.access_count,
        "expires_at": memory.expires_at,
        "status": memory.status,
        "version": memory.version,
        "replaced_by": memory.replaced_by,
        "replaces": memory.replaces,
        "rule": memory.rule,
        "episode": episode_data(memory.episode),
    }


def episode_data(episode: Episode | None) -> EpisodeData | None:
    """An episode as JSON, or None."""
    if episode is None:
        return None
    return {
        "when": episode.when.isoformat() if episode.when else None,
        "when_phrase": episode.when_phrase,
        "where": episode.where,
        "who": list(episode.who),
        "mood": episode.mood,
    }


def episode_from(data: EpisodeData | None) -> Episode | None:
    """The episode that JSON holds, or None."""
    if data is None:
        return None
    when = data.get("when")
    return Episode(
        when=datetime.fromisoformat(when) if when else None,
        when_phrase=data.get("when_phrase"),
        where=data.get("where"),
        who=tuple(data.get("who") or ()),
        mood=data.get("mood"),
    )


def event(row: RowMapping) -> Event:
    """The event that a row of `memory_events` holds."""
    plain = {name: row[name] for name in ("memory_id", "what", "at", "actor", "rule", "reason")}
    plain |= {name: row[name] and discreet(row[name]) for name in ("before", "after")}
    return Event(**plain)


def source(row: RowMapping) -> Source:
    """The source that a row of `memory_sources` holds."""
    return Source(
        thread_id=row["thread_id"],
        message_id=row["message_id"],
        quote=discreet(row["quote"]),
        speaker=cast(Speaker, row["speaker"]),
        said_at=row["said_at"],
    )


def load(connection: Connection, pool: str, ids: Iterable[str]) -> dict[str, Remembered]:
    """The memories of this pool with these ids, whatever their status, with their sources."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Remembered] = {}
    for chunk in chunks(wanted, _IN_CHUNK):
        told = sources_of(connection, pool, chunk)
        for row in connection.execute(_ROWS, {"in_pool": pool, "wanted": chunk}).mappings():
            found[row["memory_id"]] = remembered(row, told.get(row["memory_id"], ()))
    return found


def standing(connection: Connection, pool: str, ids: Sequence[str]) -> set[str]:
    """Which of these memories of this pool are current or superseded."""
    query, found = select(tables.memories.c.memory_id), set[str]()
    for chunk in chunks(ids, _IN_CHUNK):
        own = (tables.memories.c.pool == pool, tables.memories.c.memory_id.in_(chunk))
        found |= set(connection.execute(query.where(*own, tables.memories.c.status.in_(_STANDS))).scalars())
    return found


def sources_of(connection: Connection, pool: str, ids: Sequence[str]) -> dict[str, list[Source]]:
    """The sources of each of these memories, in the order they were said."""
    told: dict[str, list[Source]] = defaultdict(list)
    for row in connection.execute(_SOURCES, {"in_pool": pool, "wanted": list(ids)}).mappings():
        told[row["memory_id"]].append(source(row))
    return told
