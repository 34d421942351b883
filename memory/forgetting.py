"""Forgetting for good: rows, versions, the content of events, postings, vectors, outbox; what others support stays."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import Connection, Table, delete, func, select, update

from foundation.database import metadata
from foundation.errors import NotFoundError, UsageError
from memory import archives, erasures, holds, postings, relations, rows, signals, store, tables, transcript
from memory.asking import asks_slot, read
from memory.model import Proposal, Receipt, Remembered, Slot
from memory.polarity import statement
from memory.scope import Scope
from memory.store import Pen
from memory.tables import NAMESPACE_END, store_pool
from memory.tokenizer import content_key
from memory.vector_table import drop_vectors

_PLACE_NAMES = {"vector_outbox": "outbox"}
_NOT_CONTENT = (tables.pools, tables.legal_holds, tables.erasures)
_INDEX = "vector index"
_CLEAR_LEAD = 1.5
_TELLING = 4
"""Characters that a word must have to be blanked out of conversations: "Go" stands in too many sentences."""
_JUST_NOW = re.compile(r"刚才|刚刚|刚说|\bjust\b|\blast\b", re.IGNORECASE)


def erase(pen: Pen, memory_id: str, *, actor: str, reason: str) -> list[str]:
    """Delete a memory and the versions it replaced, everywhere; returns the ids that are gone.

    What stays is a line of history without content: that something was forgotten, when, by whom. Words that another
    memory says, too, stay where they are.

    Raises:
        NotFoundError: the pool has no such memory.
    """
    chain = _versions(pen.connection, pen.pool, memory_id)
    if not chain:
        raise NotFoundError(f"there is no memory {memory_id} in this scope")
    patterns = [each for each in _derived(pen, chain) if each.rule != archives.RULE]
    said = {word for each in chain for word in telling(each)} | {each.content for each in patterns}
    said_in = {(source.thread_id, source.message_id) for each in chain for source in each.sources}
    chain += patterns
    ids = [each.memory_id for each in chain]
    words = _not_said_by_others(pen, said, ids, said_in)
    if holds.active(pen.connection, pen.pool, pen.now):
        holds.withhold(pen, ids, words)
    for each in chain:
        _erase_one(pen, each)
    transcript.redact(pen.connection, pen.pool, words)
    archives.restate(pen, words, said_in)
    gone = replace(chain[0], rule="forget")
    store.note(pen, gone, what="forgotten", actor=actor, before=None, after=None, reason=reason)
    if pen.keeps_erasures:
        erasures.note(pen.connection, pen.pool, "memory", ids, words, pen.now)
    return ids


def _not_said_by_others(
    pen: Pen, words: set[str], ids: Sequence[str], said_in: Collection[tuple[str, str]]
) -> list[str]:
    """Those of the words that no other memory of the pool says, longest first.

    An archived session says nothing of its own, and a quote of the very message that is being forgotten doesn't count.
    """
    kept = [word for word in words if not _said_by_another(pen, word, ids, said_in)]
    return sorted(kept, key=len, reverse=True)


def _said_by_another(pen: Pen, word: str, ids: Sequence[str], said_in: Collection[tuple[str, str]]) -> bool:
    memories, sources = tables.memories.c, tables.sources.c
    own = memories.memory_id.not_in(ids) & (memories.rule != archives.RULE)
    like = memories.content.contains(word, autoescape=True)
    contents = select(memories.content).where(memories.pool == pen.pool, own, like)
    # LIKE may take "U1" for "u1".
    if any(word in said for said in pen.connection.execute(contents).scalars()):
        return True
    quotes = (
        select(sources.quote, sources.thread_id, sources.message_id)
        .join(tables.memories, memories.memory_id == sources.memory_id)
        .where(sources.pool == pen.pool, own, sources.quote.contains(word, autoescape=True))
    )
    return any(
        word in row.quote and (row.thread_id, row.message_id) not in said_in for row in pen.connection.execute(quotes)
    )


def telling(memory: Remembered) -> list[str]:
    """The words that give a memory away wherever they stand, longest first."""
    words = {memory.content, memory.value or "", *(source.quote for source in memory.sources)}
    return sorted((each for each in words if len(each) >= _TELLING), key=len, reverse=True)


def _versions(connection: Connection, pool: str, memory_id: str) -> list[Remembered]:
    chain: list[Remembered] = []
    wanted: str | None = memory_id
    while wanted is not None and wanted not in {each.memory_id for each in chain}:
        found = rows.load(connection, pool, [wanted]).get(wanted)
        if found is None:
            break
        chain.append(found)
        # What is only proposed hasn't replaced anything yet.
        wanted = None if found.status in ("proposed", "quarantined") else found.replaces
    return chain


def _derived(pen: Pen, chain: Sequence[Remembered]) -> list[Remembered]:
    """What was made of the same turns by itself: archives of sessions and patterns, which carry their words."""
    turns = [(source.thread_id, source.message_id) for memory in chain for source in memory.sources]
    table, told = tables.memories, tables.sources
    made = table.c.rule.like("session.%") | table.c.rule.like("reflection.%")
    query = select(table.c.memory_id).select_from(told.join(table, table.c.memory_id == told.c.memory_id))
    found = [
        memory_id
        for thread_id, message_id in dict.fromkeys(turns)
        for memory_id in pen.connection.execute(
            query.where(told.c.pool == pen.pool, told.c.thread_id == thread_id, told.c.message_id == message_id, made)
        ).scalars()
    ]
    known = {each.memory_id for each in chain}
    return [each for each in rows.load(pen.connection, pen.pool, found).values() if each.memory_id not in known]


def _is_derived(pen: Pen, memory_id: str) -> bool:
    found = rows.load(pen.connection, pen.pool, [memory_id]).get(memory_id)
    return found is not None and found.rule.startswith("reflection.")


def _erase_one(pen: Pen, memory: Remembered) -> None:
    memory_id, connection = memory.memory_id, pen.connection
    postings.remove_document(connection, pen.pool, memory_id)
    drop_vectors(connection, pen.pool, [memory_id])
    relations.erase(connection, pen.pool, [memory_id])
    signals.erase(connection, pen.pool, memory)
    store.tell_index(pen, memory_id, "delete")
    table = tables.memories
    for column in (table.c.replaces, table.c.replaced_by):
        linked = (table.c.pool == pen.pool) & (column == memory_id)
        connection.execute(update(table).where(linked).values({column: None}))
    told = (tables.events.c.pool == pen.pool) & (tables.events.c.memory_id == memory_id)
    connection.execute(update(tables.events).where(told).values(before=None, after=None, reason=""))
    _blank_mentions(connection, pen.pool, memory.content)
    _delete_rows(pen, [memory_id])


def _delete_rows(pen: Pen, memory_ids: Sequence[str]) -> None:
    """Every row that belongs to these memories, whatever table it stands in; their history stays."""
    for own in _pool_tables():
        if "memory_id" in own.c and own is not tables.events:
            # A bare pool would be looked up by its index: all the pool's rows instead of these few.
            mine = (own.c.pool.concat("") == pen.pool) & own.c.memory_id.in_(memory_ids)
            pen.connection.execute(delete(own).where(mine))


def _pool_tables() -> list[Table]:
    """The tables whose rows belong to pools and hold what was said, those that point to others first."""
    found = [each for each in metadata.sorted_tables if "pool" in each.c and each not in _NOT_CONTENT]
    return found[::-1]


def _blank_mentions(connection: Connection, pool: str, content: str) -> None:
    """The event of a version that was superseded carries the new one's words, too."""
    for column in (tables.events.c.before, tables.events.c.after):
        mine = (tables.events.c.pool == pool) & (column == content)
        connection.execute(update(tables.events).where(mine).values({column: None}))


def erase_message(pen: Pen, thread_id: str, message_id: str, *, actor: str) -> list[str]:
    """Delete a message from the transcript with what only it supports; returns the ids that are gone.

    Raises:
        NotFoundError: the pool has no such message, and no memory that came from it.
    """
    mine = (
        (tables.sources.c.pool == pen.pool)
        & (tables.sources.c.thread_id == thread_id)
        & (tables.sources.c.message_id == message_id)
    )
    supported = pen.connection.execute(select(tables.sources.c.memory_id).where(mine)).scalars().all()
    said = _message_out(pen, thread_id, message_id)
    if not said and not supported:
        raise NotFoundError(
            f"there is no message {message_id} in the conversation {thread_id}: `memory show` names both"
        )
    signals.erase_message(pen.connection, pen.pool, thread_id, message_id)
    alone = [each for each in dict.fromkeys(supported) if len(_sources(pen, each)) == 1 or _is_derived(pen, each)]
    gone: list[str] = []
    for memory_id in alone:
        if memory_id not in gone:
            gone += erase(pen, memory_id, actor=actor, reason="its only source was deleted")
    pen.connection.execute(delete(tables.sources).where(mine))
    said_in = {(thread_id, message_id)}
    words = _not_said_by_others(pen, {word for word in said if len(word) >= _TELLING}, gone, said_in)
    transcript.redact(pen.connection, pen.pool, words)
    archives.restate(pen, words, said_in)
    if pen.keeps_erasures:
        erasures.note(pen.connection, pen.pool, "message", [thread_id, message_id], words, pen.now)
    return gone


def _sources(pen: Pen, memory_id: str) -> Sequence[object]:
    return rows.sources_of(pen.connection, pen.pool, [memory_id]).get(memory_id, ())


def _message_out(pen: Pen, thread_id: str, message_id: str) -> list[str]:
    """Take a message out of the transcript; returns what it said."""
    table = tables.transcript
    this = (table.c.thread_id == thread_id) & (table.c.message_id == message_id)
    if holds.active(pen.connection, pen.pool, pen.now):
        holds.withhold_messages(pen, this)
    said = pen.connection.execute(select(table.c.content).where(table.c.pool == pen.pool, this)).scalars().all()
    pen.connection.execute(delete(table).where(table.c.pool == pen.pool, this))
    return list(said)


def erase_pool(pen: Pen) -> None:
    """Delete everything of the pool: memories, history, transcript, indexes, whatever else carries its key."""
    connection = pen.connection
    texts = texts_of(connection, pen.pool) if pen.keeps_erasures else []
    mine = tables.vectors.c.pool == pen.pool
    documents = connection.execute(select(tables.vectors.c.document).where(mine)).scalars().all()
    if holds.active(connection, pen.pool, pen.now):
        holds.withhold_all(pen)
    for table in _pool_tables():
        connection.execute(delete(table).where(table.c.pool == pen.pool))
    for namespace in _namespaces(connection, pen.pool):
        _erase_namespace(connection, namespace)
    for document in documents:
        store.tell_index(pen, document, "delete")
    connection.execute(update(tables.pools).where(tables.pools.c.pool == pen.pool).values(documents=0, tokens=0))
    if pen.keeps_erasures:
        erasures.note(connection, pen.pool, "person", (), texts, pen.now)


def _namespaces(connection: Connection, pool: str) -> list[str]:
    """The namespaces of `MemoryStore` that name the person: the tenant's id and his, one after the other."""
    try:
        scope = Scope.of_pool(pool)
    except UsageError:
        return []
    named = f"{NAMESPACE_END}{scope.tenant_id}{NAMESPACE_END}{scope.user_id}{NAMESPACE_END}"
    listed = connection.execute(select(tables.store_items.c.namespace).distinct()).scalars()
    return [each for each in listed if scope.user_id and named in NAMESPACE_END + each]


def _erase_namespace(connection: Connection, namespace: str) -> None:
    connection.execute(delete(tables.store_items).where(tables.store_items.c.namespace == namespace))
    for table in _pool_tables():
        connection.execute(delete(table).where(table.c.pool == store_pool(namespace)))


def _leaves(value: object) -> list[str]:
    if isinstance(value, dict | list):
        return [text for each in (value.values() if isinstance(value, dict) else value) for text in _leaves(each)]
    return [value] if isinstance(value, str) and len(value) >= _TELLING else []


_TEXTS = (
    tables.memories.c.content,
    tables.memories.c.value,
    tables.sources.c.quote,
    tables.events.c.before,
    tables.events.c.after,
    tables.transcript.c.content,
)


def texts_of(connection: Connection, pool: str) -> list[str]:
    """Every telling text that the pool holds, each once, longest first."""
    found: set[str] = set()
    for column in _TEXTS:
        mine = (column.table.c.pool == pool) & (func.length(column) >= _TELLING)
        found.update(connection.execute(select(column).where(mine).distinct()).scalars())
    for namespace in _namespaces(connection, pool):
        kept = select(tables.store_items.c.value).where(tables.store_items.c.namespace == namespace)
        for value in connection.execute(kept).scalars():
            found.update(_leaves(value))
    return sorted(found, key=lambda text: (-len(text), text))


def census(connection: Connection, pool: str) -> dict[str, int]:
    """How many rows of the pool each place holds."""
    return {
        _PLACE_NAMES.get(table.name, table.name.removeprefix("memory_")): connection.execute(
            select(func.count()).select_from(table).where(table.c.pool == pool)
        ).scalar_one()
        for table in _pool_tables()[::-1]
    }


def receipt(
    before: dict[str, int],
    after: dict[str, int],
    *,
    index: bool | None,
    held: dict[str, int],
    under: Sequence[holds.Hold],
) -> Receipt:
    """What a deletion did, from the counts before and after, and what holds keep of it.

    Args:
        before: rows by place.
        after: the same afterwards.
        index: whether an index outside has confirmed the deletion; None where there is none.
        held: rows by place that were put apart.
        under: the holds in force.
    """
    order = holds_text(under)
    rows_gone = [place for place in before if place not in ("events", "outbox") and not held.get(place)]
    return Receipt(
        counts={place: (before[place], after[place]) for place in before},
        proved=(*rows_gone, *((_INDEX,) if index else ())),
        requested=(_INDEX,) if index is False else (),
        retained={place: order for place, count in held.items() if count and under},
    )


def holds_text(under: Sequence[holds.Hold]) -> str:
    """By which orders something is kept."""
    return "; ".join(f"{hold.hold_id}: {hold.reason}" for hold in under)


def request(words: str) -> Proposal:
    """The request to forget what `words` say."""
    return Proposal(
        verb="forget",
        content=words,
        quote=words,
        kind="semantic",
        category="conversation_history",
        importance="normal",
        confidence=1.0,
        rule="asked",
        explicit=True,
    )


def find_to_forget(connection: Connection, pool: str, proposal: Proposal) -> list[Remembered]:
    """The memories that a request to forget means: one, or several between which the person must choose."""
    asked = postings.weights(proposal.content)
    found = postings.fetch(connection, pool, list(asked))
    scores, best = postings.bm25(asked, found, postings.Statistics(1_000, 10_000))
    ids = set(scores) | set(_by_slot(connection, pool, proposal))
    known = [each for each in rows.load(connection, pool, ids).values() if each.status == "current"]
    exact = [each for each in known if _means(proposal, each)]
    if exact:
        return [_newest(exact)]
    if named := _asked_for(connection, pool, proposal):
        return [_newest(named)] if _JUST_NOW.search(proposal.quote) else named
    ranked = sorted(known, key=lambda each: -scores.get(each.memory_id, 0.0))
    ranked = [each for each in ranked if scores.get(each.memory_id, 0.0) >= 0.2 * best]
    if not ranked:
        return []
    top = scores[ranked[0].memory_id]
    return [each for each in ranked if scores[each.memory_id] * _CLEAR_LEAD > top]


def _by_slot(connection: Connection, pool: str, proposal: Proposal) -> Sequence[str]:
    if proposal.slot is None:
        return ()
    table = tables.memories
    query = select(table.c.memory_id).where(
        table.c.pool == pool,
        table.c.subject == proposal.slot.subject,
        table.c.attribute == proposal.slot.attribute,
        table.c.status == "current",
    )
    return connection.execute(query).scalars().all()


def _asked_for(connection: Connection, pool: str, proposal: Proposal) -> list[Remembered]:
    """The memories that answer what the request names by its kind: "the address", whatever words it was told in."""
    table = tables.memories
    query = select(table.c.memory_id, table.c.subject, table.c.attribute).where(
        table.c.pool == pool, table.c.status == "current", table.c.attribute.is_not(None)
    )
    words = read(proposal.content)
    asked = [row.memory_id for row in connection.execute(query) if asks_slot(words, Slot(row.subject, row.attribute))]
    return list(rows.load(connection, pool, asked).values())


def _means(proposal: Proposal, known: Remembered) -> bool:
    if content_key(proposal.content) == content_key(known.content):
        return True
    if proposal.value is not None and known.value is not None:
        same = content_key(proposal.value) == content_key(known.value)
        return same and proposal.polarity == known.polarity
    if proposal.slot is not None and proposal.slot == known.slot:
        return proposal.value is None or proposal.value == known.value
    said, remembered = statement(proposal.content), statement(known.content)
    return bool(said.core) and said.core == remembered.core


def _newest(known: Sequence[Remembered]) -> Remembered:
    return max(known, key=lambda each: (each.recorded_at, each.memory_id))
