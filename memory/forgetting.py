"""Forgetting for good: rows, versions, the content of events, postings, vectors, outbox; what others support stays."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, delete, func, select, update

from foundation.errors import NotFoundError
from memory import postings, relations, rows, store, tables, transcript
from memory.asking import asks_slot, read
from memory.model import Proposal, Receipt, Remembered, Slot
from memory.polarity import statement
from memory.store import Pen
from memory.tokenizer import content_key
from memory.vector_table import drop_vectors

PLACES = ("memories", "sources", "events", "postings", "vectors", "outbox", "relations", "transcript")
_CLEAR_LEAD = 1.5
_TELLING = 4
"""Characters that a word must have to be blanked out of conversations: "Go" stands in too many sentences."""
_JUST_NOW = re.compile(r"刚才|刚刚|刚说|\bjust\b|\blast\b", re.IGNORECASE)


def erase(pen: Pen, memory_id: str, *, actor: str, reason: str) -> list[str]:
    """Delete a memory and the versions it replaced, everywhere; returns the ids that are gone.

    What stays is a line of history without content: that something was forgotten, when, by whom.

    Raises:
        NotFoundError: the pool has no such memory.
    """
    chain = _versions(pen.connection, pen.pool, memory_id)
    if not chain:
        raise NotFoundError(f"there is no memory {memory_id} in this scope")
    for each in chain:
        _erase_one(pen, each)
        transcript.redact(pen.connection, pen.pool, telling(each))
    gone = replace(chain[0], rule="forget")
    store.note(pen, gone, what="forgotten", actor=actor, before=None, after=None, reason=reason)
    return [each.memory_id for each in chain]


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


def _erase_one(pen: Pen, memory: Remembered) -> None:
    memory_id, connection = memory.memory_id, pen.connection
    postings.remove_document(connection, pen.pool, memory_id)
    drop_vectors(connection, pen.pool, [memory_id])
    relations.erase(connection, pen.pool, [memory_id])
    store.tell_index(pen, memory_id, "delete")
    table = tables.memories
    for column in (table.c.replaces, table.c.replaced_by):
        linked = (table.c.pool == pen.pool) & (column == memory_id)
        connection.execute(update(table).where(linked).values({column: None}))
    told = (tables.events.c.pool == pen.pool) & (tables.events.c.memory_id == memory_id)
    connection.execute(update(tables.events).where(told).values(before=None, after=None, reason=""))
    _blank_mentions(connection, pen.pool, memory.content)
    for source_table in (tables.sources, tables.memories):
        mine = (source_table.c.pool == pen.pool) & (source_table.c.memory_id == memory_id)
        connection.execute(delete(source_table).where(mine))


def _blank_mentions(connection: Connection, pool: str, content: str) -> None:
    """The event of a version that was superseded carries the new one's words, too."""
    for column in (tables.events.c.before, tables.events.c.after):
        mine = (tables.events.c.pool == pool) & (column == content)
        connection.execute(update(tables.events).where(mine).values({column: None}))


def erase_message(pen: Pen, thread_id: str, message_id: str, *, actor: str) -> list[str]:
    """Delete a message from the transcript with what only it supports; returns the ids that are gone."""
    mine = (
        (tables.sources.c.pool == pen.pool)
        & (tables.sources.c.thread_id == thread_id)
        & (tables.sources.c.message_id == message_id)
    )
    supported = pen.connection.execute(select(tables.sources.c.memory_id).where(mine)).scalars().all()
    pen.connection.execute(delete(tables.sources).where(mine))
    pen.connection.execute(
        delete(tables.transcript).where(
            tables.transcript.c.pool == pen.pool,
            tables.transcript.c.thread_id == thread_id,
            tables.transcript.c.message_id == message_id,
        )
    )
    still = rows.sources_of(pen.connection, pen.pool, list(supported))
    gone: list[str] = []
    for memory_id in supported:
        if memory_id not in still and memory_id not in gone:
            gone += erase(pen, memory_id, actor=actor, reason="its only source was deleted")
    return gone


def erase_pool(pen: Pen) -> None:
    """Delete everything of the pool: memories, history, transcript, indexes."""
    documents = (
        pen.connection.execute(select(tables.vectors.c.document).where(tables.vectors.c.pool == pen.pool))
        .scalars()
        .all()
    )
    relations.erase_pool(pen.connection, pen.pool)
    for table in (
        tables.sources,
        tables.memories,
        tables.events,
        tables.postings,
        tables.vectors,
        tables.transcript,
    ):
        pen.connection.execute(delete(table).where(table.c.pool == pen.pool))
    pen.connection.execute(delete(tables.vector_outbox).where(tables.vector_outbox.c.pool == pen.pool))
    for document in documents:
        store.tell_index(pen, document, "delete")
    pen.connection.execute(update(tables.pools).where(tables.pools.c.pool == pen.pool).values(documents=0, tokens=0))


def census(connection: Connection, pool: str) -> dict[str, int]:
    """How many rows of the pool each place holds."""
    by_name = {
        "memories": tables.memories,
        "sources": tables.sources,
        "events": tables.events,
        "postings": tables.postings,
        "vectors": tables.vectors,
        "outbox": tables.vector_outbox,
        "relations": tables.relations,
        "transcript": tables.transcript,
    }
    return {
        place: connection.execute(select(func.count()).select_from(table).where(table.c.pool == pool)).scalar_one()
        for place, table in by_name.items()
    }


def receipt(before: dict[str, int], after: dict[str, int], *, external: bool) -> Receipt:
    """What a deletion did, from the counts before and after."""
    counts = {place: (before[place], after[place]) for place in PLACES}
    proved = tuple(place for place in PLACES if place not in ("events", "outbox"))
    return Receipt(counts=counts, proved=proved, requested=("vector index",) if external else ())


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
    if proposal.slot is not None and proposal.slot == known.slot:
        return proposal.value is None or proposal.value == known.value
    said, remembered = statement(proposal.content), statement(known.content)
    return bool(said.core) and said.core == remembered.core


def _newest(known: Sequence[Remembered]) -> Remembered:
    return max(known, key=lambda each: (each.recorded_at, each.memory_id))
