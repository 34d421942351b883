"""Checking that what is derived agrees with the rows, and making it agree again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Engine, delete, func, select, update

from foundation.database import reading, writing
from memory import outbox, relations, rows, store, tables
from memory.embedders import Vectors
from memory.framing import framed_memories
from memory.postings import PRESENT, Statistics, add_document
from memory.store import Pen
from memory.tokenizer import VERSION
from memory.vectorizer import Vectorizer

PenMaker = Callable[[Connection, str, Mapping[str, Vectors]], Pen]

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a pool's rows need and what its indexes hold; equal numbers are health."""

    pool: str
    current: int
    indexed: int
    """Memories in the keyword index."""
    embedded: int
    """Current memories with a vector of the present embedder."""
    documents: int
    """What the statistics of the pool say."""
    tokens_right: bool
    tokenizer: str
    vectors_wanted: bool
    outbox: int
    """Changes that the vector index still lacks."""

    @property
    def healthy(self) -> bool:
        """Whether nothing is to be repaired."""
        keywords = self.current == self.indexed == self.documents and self.tokens_right
        vectors = self.embedded == self.current or not self.vectors_wanted
        return keywords and vectors and self.outbox == 0 and (self.tokenizer == VERSION or self.current == 0)


def examine(connection: Connection, pool: str, fingerprint: str | None) -> Health:
    """Count rows and what is derived from them."""
    held = _statistics(connection, pool)
    counted = _counted(connection, pool)
    table, vectors = tables.memories, tables.vectors
    current = select(func.count()).where(table.c.pool == pool, table.c.status == "current")
    joined = vectors.join(table, table.c.memory_id == vectors.c.document)
    embedded = (
        select(func.count())
        .select_from(joined)
        .where(
            vectors.c.pool == pool,
            vectors.c.current,
            vectors.c.fingerprint == fingerprint,
            table.c.pool == pool,
            table.c.status == "current",
        )
    )
    late = select(func.count()).where(tables.vector_outbox.c.pool == pool)
    return Health(
        pool=pool,
        current=connection.execute(current).scalar_one(),
        indexed=counted.documents,
        embedded=connection.execute(embedded).scalar_one(),
        documents=held.documents,
        tokens_right=held.length == counted.length,
        tokenizer=_tokenizer(connection, pool),
        vectors_wanted=fingerprint is not None,
        outbox=connection.execute(late).scalar_one(),
    )


def _statistics(connection: Connection, pool: str) -> Statistics:
    query = select(tables.pools.c.documents, tables.pools.c.tokens).where(tables.pools.c.pool == pool)
    return Statistics(*(connection.execute(query).one_or_none() or (0, 0)))


def _counted(connection: Connection, pool: str) -> Statistics:
    row = tables.postings.c
    query = select(func.count(), func.coalesce(func.sum(row.length), 0)).where(row.pool == pool, row.token == PRESENT)
    return Statistics(*connection.execute(query).one())


def _tokenizer(connection: Connection, pool: str) -> str:
    query = select(tables.pools.c.tokenizer).where(tables.pools.c.pool == pool)
    return connection.execute(query).scalar_one_or_none() or VERSION


def rebuild_keywords(pen: Pen) -> int:
    """Make the pool's postings and statistics anew from its rows; returns how many memories were indexed."""
    connection, table = pen.connection, tables.memories
    connection.execute(delete(tables.postings).where(tables.postings.c.pool == pen.pool))
    mine = tables.pools.c.pool == pen.pool
    connection.execute(update(tables.pools).where(mine).values(documents=0, tokens=0, tokenizer=VERSION))
    query = select(table.c.memory_id, table.c.content).where(table.c.pool == pen.pool, table.c.status == "current")
    found = connection.execute(query).all()
    for memory_id, content in found:
        add_document(connection, pen.pool, memory_id, content)
    return len(found)


def rebuild_relations(pen: Pen) -> None:
    """Make the pool's relations anew from its memories, of whatever status: an edge lives as long as its memory."""
    query = select(tables.memories.c.memory_id).where(tables.memories.c.pool == pen.pool)
    ids = pen.connection.execute(query).scalars().all()
    relations.erase_pool(pen.connection, pen.pool)
    for start in range(0, len(ids), _PAGE):
        told = rows.load(pen.connection, pen.pool, ids[start : start + _PAGE])
        relations.note_many(pen.connection, pen.pool, list(told.values()))


def embed_pending(engine: Engine, vectorizer: Vectorizer, pen_of: PenMaker, pool: str) -> int:
    """Embed the current memories without a vector of the present embedder; returns how many are still without.

    Vectors of another embedder are replaced, one by one as the new ones are there; no memory is ever lost for it.
    """
    while True:
        with reading(engine) as connection:
            pending = _pending(connection, pool, vectorizer.fingerprint)
            found = rows.load(connection, pool, pending[:_PAGE])
            frames = framed_memories(connection, pool, found.values())
        embedded = vectorizer.passages(pool, list(frames.values()))
        if not embedded.vectors or not found:
            return len(pending)
        with writing(engine) as connection:
            store.open_pool(connection, pool)
            pen = pen_of(connection, pool, embedded.vectors)
            for memory_id, memory in rows.load(connection, pool, list(found)).items():
                if memory.status == "current":
                    store.put_vector_of(replace(pen, frames={memory.content: frames[memory_id]}), memory)
        if not embedded.complete:
            with reading(engine) as connection:
                return len(_pending(connection, pool, vectorizer.fingerprint))


def _pending(connection: Connection, pool: str, fingerprint: str | None) -> Sequence[str]:
    if fingerprint is None:
        return ()
    table, vectors = tables.memories, tables.vectors
    fresh = select(vectors.c.document).where(
        vectors.c.pool == pool, vectors.c.fingerprint == fingerprint, vectors.c.current
    )
    query = select(table.c.memory_id).where(
        table.c.pool == pool, table.c.status == "current", table.c.memory_id.not_in(fresh)
    )
    return connection.execute(query).scalars().all()


def queue_index(pen: Pen) -> int:
    """Queue all the pool's vectors for the index outside SQL."""
    return outbox.queue_all(pen.connection, pen.pool, pen.now)
