"""Writing memories: row, source, event, postings and vector in the caller's one transaction.

Every function takes a `Pen`: the open transaction with the pool it may write to, the time, and the vectors that were
made before it opened. Nothing here embeds, and nothing leaves the pool.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, func, insert, select, union, update

from memory import relations, rows, tables
from memory.embedders import Vectors
from memory.model import Remembered, Source, Status
from memory.postings import add_document, add_documents, remove_document
from memory.sql import count_up_many, keep_first, keep_first_of_many
from memory.tokenizer import content_key
from memory.vector_table import Point, put_vector, put_vectors, set_vector_current, text_key

_IN_CHUNK = 500
_WRITE = insert(tables.memories)
_NOTE = insert(tables.events)
_CURRENT = select(tables.memories.c.memory_id).where(
    tables.memories.c.pool == bindparam("in_pool"), tables.memories.c.status == "current"
)
_KNOWN_IDS = select(tables.memories.c.memory_id).where(
    tables.memories.c.pool == bindparam("in_pool"), tables.memories.c.memory_id.in_(bindparam("wanted", expanding=True))
)
_KNOWN_KEYS = select(tables.memories.c.topic, tables.memories.c.content_key).where(
    tables.memories.c.pool == bindparam("in_pool"),
    tables.memories.c.status == "current",
    tables.memories.c.content_key.in_(bindparam("wanted", expanding=True)),
)
# Two searches of an index each: as one condition with OR it would be a walk over all rows of the pool.
_SAME_WORDS_OR_SLOT = union(
    _CURRENT.where(
        tables.memories.c.topic == bindparam("of_topic"), tables.memories.c.content_key == bindparam("of_key")
    ),
    _CURRENT.where(tables.memories.c.subject == bindparam("whose"), tables.memories.c.attribute == bindparam("which")),
)


@dataclass(frozen=True, slots=True)
class Pen:
    """An open write transaction on one pool."""

    connection: Connection
    pool: str
    now: datetime
    fingerprint: str | None = None
    """Of the embedder that made `embedded`; None: no embedder."""
    external: bool = False
    """Whether a vector index outside SQL must be told."""
    embedded: Mapping[str, Vectors] = field(default_factory=dict)
    """Text key -> vector, made before the transaction opened; what is missing stays pending."""
    frames: Mapping[str, str] = field(default_factory=dict)
    """Content -> the text by which it was embedded, where that isn't the content itself."""
    keeps_erasures: bool = False
    """Whether somebody clears what lies outside these tables after a deletion, and must be told what to look for."""


def open_pool(connection: Connection, pool: str) -> None:
    """Lock the pool for this transaction and raise its generation."""
    open_pools(connection, [pool])


def open_pools(connection: Connection, pools: Sequence[str]) -> None:
    """Lock pools for this transaction, in the order given, and raise their generations."""
    # The rows are held until the commit, so on PostgreSQL, too, one writer a pool goes at a time.
    count_up_many(connection, tables.pools, [{"pool": pool} for pool in pools], key=("pool",), column="generation")


def write(pen: Pen, memory: Remembered, sources: Sequence[Source], *, what: str, actor: str, reason: str = "") -> bool:
    """Store a new memory; False when the same words are current already (the unique index decides, not a look before).

    Args:
        pen: the transaction.
        memory: the row to write.
        sources: where it came from.
        what: the event's name ("created", "superseded", "quarantined").
        actor: who caused it.
        reason: why, in one line.
    """
    row = rows.columns(memory, pool=pen.pool, content_key=content_key(memory.content))
    if not keep_first(pen.connection, tables.memories, row):
        return False
    for source in sources:
        add_source(pen, memory.memory_id, source)
    relations.note(pen.connection, pen.pool, memory)
    if memory.status == "current":
        index(pen, memory)
    note(pen, memory, what=what, actor=actor, before=None, after=memory.content, reason=reason)
    return True


def write_many(pen: Pen, memories: Sequence[Remembered], *, what: str, actor: str) -> int:
    """Store many memories with their sources at once, without those that are known; returns how many are new.

    Known is an id that the pool has, and words that are current in it already.
    """
    fresh = _unknown(pen, memories)
    if not fresh:
        return 0
    connection, pool = pen.connection, pen.pool
    connection.execute(_WRITE, [rows.columns(each, pool=pool, content_key=content_key(each.content)) for each in fresh])
    told = [_source_row(pen, each.memory_id, source) for each in fresh for source in each.sources]
    keep_first_of_many(connection, tables.sources, told)
    relations.note_many(connection, pool, fresh)
    current = [each for each in fresh if each.status == "current"]
    add_documents(connection, pool, {each.memory_id: each.content for each in current})
    _put_vectors_of(pen, current)
    connection.execute(
        _NOTE,
        [_event_row(pen, each, what=what, actor=actor, before=None, after=each.content, reason="") for each in fresh],
    )
    return len(fresh)


def _unknown(pen: Pen, memories: Sequence[Remembered]) -> list[Remembered]:
    # The pool is locked, so nobody writes between this look and the insert.
    ids = _taken(pen, _KNOWN_IDS, [each.memory_id for each in memories])
    keys = _taken(pen, _KNOWN_KEYS, [content_key(each.content) for each in memories])
    fresh: list[Remembered] = []
    for each in memories:
        said = (each.topic or "", content_key(each.content))
        if (each.memory_id,) in ids or (each.status == "current" and said in keys):
            continue
        ids.add((each.memory_id,))
        if each.status == "current":
            keys.add(said)
        fresh.append(each)
    return fresh


def _taken(pen: Pen, query: Select[str] | Select[str, str], wanted: Sequence[str]) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for start in range(0, len(wanted), _IN_CHUNK):
        part = {"in_pool": pen.pool, "wanted": list(wanted[start : start + _IN_CHUNK])}
        found.update(tuple(row) for row in pen.connection.execute(query, part))
    return found


def _put_vectors_of(pen: Pen, memories: Sequence[Remembered]) -> None:
    if pen.fingerprint is not None:
        points: dict[str, list[Point]] = defaultdict(list)
        for each in memories:
            key = text_key(each.content)
            if key in pen.embedded:
                points[key].append(Point(each.memory_id, pen.embedded[key]))
        put_vectors(pen.connection, pen.pool, points, fingerprint=pen.fingerprint)
    for each in memories if pen.external else ():
        tell_index(pen, each.memory_id, "upsert")


def add_source(pen: Pen, memory_id: str, source: Source) -> bool:
    """Note where a memory came from; False when that was known."""
    return keep_first(pen.connection, tables.sources, _source_row(pen, memory_id, source))


def _source_row(pen: Pen, memory_id: str, source: Source) -> dict[str, object]:
    return {
        "memory_id": memory_id,
        "pool": pen.pool,
        "thread_id": source.thread_id,
        "message_id": source.message_id,
        "quote": source.quote,
        "speaker": source.speaker,
        "said_at": source.said_at,
    }


def index(pen: Pen, memory: Remembered) -> None:
    """Make a current memory findable: postings, and its vector if there is one."""
    add_document(pen.connection, pen.pool, memory.memory_id, memory.content)
    put_vector_of(pen, memory)


def put_vector_of(pen: Pen, memory: Remembered) -> None:
    """Store the memory's vector, new or from before it was retired; without one it stays pending."""
    key = text_key(pen.frames.get(memory.content, memory.content))
    vector = pen.embedded.get(key)
    if pen.fingerprint is None:
        return
    if vector is not None:
        point = Point(memory.memory_id, vector)
        put_vector(pen.connection, pen.pool, point, fingerprint=pen.fingerprint, key=key)
    else:
        set_vector_current(pen.connection, pen.pool, memory.memory_id, current=True)
    tell_index(pen, memory.memory_id, "upsert")


def unindex(pen: Pen, memory_id: str) -> None:
    """Make a memory unfindable; its row and history stay."""
    remove_document(pen.connection, pen.pool, memory_id)
    set_vector_current(pen.connection, pen.pool, memory_id, current=False)
    tell_index(pen, memory_id, "delete")


def tell_index(pen: Pen, document: str, action: str) -> None:
    """Queue a change for the vector index outside SQL; it is carried out after the commit, and again until it works."""
    if not pen.external:
        return
    mine = (tables.vector_outbox.c.pool == pen.pool) & (tables.vector_outbox.c.document == document)
    pen.connection.execute(delete(tables.vector_outbox).where(mine))
    row = {"pool": pen.pool, "document": document, "action": action, "due_at": pen.now}
    pen.connection.execute(insert(tables.vector_outbox).values(row))


def change(pen: Pen, memory_id: str, **values: object) -> None:
    """Set columns of one row of the pool."""
    mine = (tables.memories.c.pool == pen.pool) & (tables.memories.c.memory_id == memory_id)
    pen.connection.execute(update(tables.memories).where(mine).values(**values))


def retire(
    pen: Pen,
    memory: Remembered,
    status: Status,
    *,
    what: str,
    actor: str,
    rule: str,
    replaced_by: Remembered | None = None,
    reason: str = "",
) -> None:
    """Take a memory out of the current ones without losing it."""
    new_id = replaced_by.memory_id if replaced_by else memory.replaced_by
    change(pen, memory.memory_id, status=status, retired_at=pen.now, replaced_by=new_id)
    unindex(pen, memory.memory_id)
    after = replaced_by.content if replaced_by else None
    note(pen, replace(memory, rule=rule), what=what, actor=actor, before=memory.content, after=after, reason=reason)


def revive(pen: Pen, memory: Remembered, *, what: str, actor: str, rule: str, reason: str = "") -> Remembered:
    """Make a retired, proposed or quarantined memory current again."""
    change(pen, memory.memory_id, status="current", retired_at=None, replaced_by=None)
    revived = replace(memory, status="current", replaced_by=None)
    index(pen, revived)
    note(pen, replace(memory, rule=rule), what=what, actor=actor, before=None, after=memory.content, reason=reason)
    return revived


def note(
    pen: Pen, memory: Remembered, *, what: str, actor: str, before: str | None, after: str | None, reason: str = ""
) -> None:
    """Append to the history."""
    row = _event_row(pen, memory, what=what, actor=actor, before=before, after=after, reason=reason)
    pen.connection.execute(_NOTE, row)


def _event_row(
    pen: Pen, memory: Remembered, *, what: str, actor: str, before: str | None, after: str | None, reason: str
) -> dict[str, object]:
    return {
        "pool": pen.pool,
        "memory_id": memory.memory_id,
        "what": what,
        "at": pen.now,
        "actor": actor,
        "rule": memory.rule,
        "before": before,
        "after": after,
        "reason": reason,
    }


def rivals(
    pen: Pen, memory_ids: Sequence[str], *, slot: tuple[str, str] | None, topic: str | None, key: str
) -> list[Remembered]:
    """The current memories that a new statement may concern: these ids, the same slot, the same words; newest first."""
    subject, attribute = slot or (None, None)
    same = {"in_pool": pen.pool, "of_topic": topic or "", "of_key": key, "whose": subject, "which": attribute}
    ids = [*memory_ids, *pen.connection.execute(_SAME_WORDS_OR_SLOT, same).scalars()]
    found = rows.load(pen.connection, pen.pool, ids).values() if ids else ()
    living = [each for each in found if each.status == "current" and _alive(each, pen.now)]
    return sorted(living, key=lambda each: (-each.recorded_at.timestamp(), each.memory_id))


def was_so(pen: Pen, value: str, topic: str | None) -> Remembered | None:
    """The latest memory with this value and a slot that was replaced or is over, to say what came back."""
    row = tables.memories.c
    over = (row.status == "superseded") | ((row.status == "current") & (row.valid_to <= pen.now))
    return _latest_with(pen, value, topic, over)


def is_so(pen: Pen, value: str, topic: str | None) -> Remembered | None:
    """The current memory with this value that answers a question about the person, tastes left out."""
    row = tables.memories.c
    return _latest_with(pen, value, topic, (row.status == "current") & ~row.attribute.startswith("likes:"))


def _latest_with(pen: Pen, value: str, topic: str | None, states: ColumnElement[bool]) -> Remembered | None:
    row = tables.memories.c
    same = (row.pool == pen.pool) & (row.topic == (topic or "")) & row.attribute.is_not(None)
    query = select(row.memory_id).where(same, states, func.lower(row.value) == value.lower())
    newest = query.order_by(row.retired_at.desc(), row.recorded_at.desc(), row.memory_id).limit(1)
    found = pen.connection.execute(newest).scalars().all()
    return rows.load(pen.connection, pen.pool, found).get(found[0]) if found else None


def _alive(memory: Remembered, now: datetime) -> bool:
    return memory.expires_at is None or memory.expires_at > now


def is_said(pen: Pen, memory: Remembered) -> bool:
    """Whether another current memory of the same topic has the same words."""
    table = tables.memories
    query = select(table.c.memory_id).where(
        table.c.pool == pen.pool,
        table.c.topic == (memory.topic or ""),
        table.c.content_key == content_key(memory.content),
        table.c.status == "current",
        table.c.memory_id != memory.memory_id,
    )
    return pen.connection.execute(query).first() is not None
