"""Finding the memory that a person points at: by its kind, by when it was told, by what was being talked about then.

Each thing that was said of it must hold; of what is left the newest is taken only where "just now" was said. Everything
that fits is returned, so that a doubt becomes a question and never a change of the wrong one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, or_, select

from foundation.clock import as_utc
from memory import rows, tables, things
from memory.asking import token_set
from memory.model import Reference, Remembered, Source
from memory.tables import memories, transcript

_AROUND = timedelta(hours=1)
"""What was said so long before or after in the same talk belongs to the scene."""
_MOST = 5_000
_POINTING = frozenset(("事", "事情", "那个", "东西", "thing", "stuff", "one"))

Place = tuple[str, str]
"""Thread and id of a message."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The memories that a reference may mean, newest first."""

    memories: Sequence[Remembered]
    sure: bool = True
    """False where the words that tell it from others of its kind stand nowhere: that one is asked about."""


def meant(connection: Connection, pool: str, at: Reference, message: Place) -> Meant:
    """What a reference may mean among the current memories of a pool.

    Args:
        connection: where to look.
        pool: in whose pool.
        at: the reference.
        message: the message that points; what it told itself is never meant.
    """
    known = _current(connection, pool, at)
    if at.memory_id is not None:
        return Meant(known)
    listed = [each for each in known if {_place(source) for source in each.sources} != {message} and _is_kind(at, each)]
    if at.scene:
        listed = [each for each in listed if _of_scene(connection, pool, at.scene, each, message)]
    listed = _narrowed(listed, [each for each in listed if any(_told_then(at, source) for source in each.sources)])
    named = _by_words(at, listed)
    listed = _narrowed(_narrowed(listed, named), _by_aspect(at, listed))
    listed.sort(key=lambda each: (each.recorded_at, each.memory_id), reverse=True)
    return Meant(listed[:1] if at.just_now else listed, sure=bool(named) or not _telling(at))


def _narrowed(listed: list[Remembered], narrower: Sequence[Remembered]) -> list[Remembered]:
    """Those of the list that are among the narrower ones, where any is."""
    return [each for each in listed if each in narrower] or listed


def _current(connection: Connection, pool: str, at: Reference) -> list[Remembered]:
    mine = (memories.c.pool == pool) & (memories.c.status == "current")
    query = select(memories.c.memory_id).where(mine).order_by(memories.c.recorded_at.desc()).limit(_MOST)
    if at.memory_id is not None:
        query = query.where(memories.c.memory_id == at.memory_id)
    if at.since is not None and at.until is not None:
        said = tables.sources.c
        then = said.said_at.between(as_utc(at.since) - at.slack, as_utc(at.until) + at.slack)
        query = query.where(memories.c.memory_id.in_(select(said.memory_id).where(said.pool == pool, then)))
    return list(rows.load(connection, pool, list(connection.execute(query).scalars())).values())


def _place(source: Source) -> Place:
    return source.thread_id, source.message_id


def _is_kind(at: Reference, memory: Remembered) -> bool:
    """Whether it is of the kind; a thing of no kind that we know is one whose words stand there."""
    thing = things.kind(at.thing)
    if thing is not None:
        return things.is_one(thing, memory)
    wanted = token_set(at.words) - _POINTING
    return bool(wanted) and wanted <= token_set(_said(memory))


def _told_then(at: Reference, source: Source) -> bool:
    if at.since is None or at.until is None:
        return True
    return as_utc(at.since) <= source.said_at < as_utc(at.until)


def _telling(at: Reference) -> frozenset[str]:
    """The words that tell it from others of its kind: "Italian" of "that Italian restaurant"."""
    thing = things.kind(at.thing)
    return token_set(thing.called.sub(" ", at.words) if thing else "") - _POINTING


def _by_words(at: Reference, listed: Sequence[Remembered]) -> list[Remembered]:
    wanted = _telling(at)
    shared = {each.memory_id: len(wanted & token_set(_said(each))) for each in listed}
    best = max(shared.values(), default=0)
    return [each for each in listed if best and shared[each.memory_id] == best]


def _by_aspect(at: Reference, listed: Sequence[Remembered]) -> list[Remembered]:
    aspect = things.kind(at.aspect)
    return [each for each in listed if aspect is not None and things.is_one(aspect, each)]


def _said(memory: Remembered) -> str:
    return " ".join((memory.content, *(source.quote for source in memory.sources)))


def _of_scene(connection: Connection, pool: str, scene: str, memory: Remembered, message: Place) -> bool:
    """Whether this was being talked about when the memory was told, or is the topic it belongs to."""
    around = _around(connection, pool, memory.sources, message)
    return _names(scene, " ".join((memory.topic or "", _said(memory), *around)))


def _around(connection: Connection, pool: str, sources: Iterable[Source], message: Place) -> Sequence[str]:
    row = transcript.c
    near = [
        (row.thread_id == source.thread_id)
        & row.created_at.between(source.said_at - _AROUND, source.said_at + _AROUND)
        & ~((row.thread_id == message[0]) & (row.message_id == message[1]))
        for source in sources
    ]
    return connection.execute(select(row.content).where(row.pool == pool, or_(*near))).scalars().all() if near else ()


def _names(scene: str, said: str) -> bool:
    thing = things.named(scene)
    if scene.lower() in said.lower() or (token_set(scene) and token_set(scene) <= token_set(said)):
        return True
    return thing is not None and token_set(scene) <= _POINTING and thing.shown.search(said) is not None
