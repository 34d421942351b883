"""Archived sessions and quotes, after one of the messages that they were made of was forgotten."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, update

from memory import rows, store, tables, transcript
from memory.model import Message, Remembered
from memory.postings import remove_document
from memory.sessions import RULE, plain_summary
from memory.store import Pen
from memory.tokenizer import content_key
from memory.vector_table import drop_vectors

__all__ = ["RULE", "restate"]


def restate(pen: Pen, words: Sequence[str], said_in: Collection[tuple[str, str]]) -> None:
    """Write the archives of these messages anew, from what the transcript has now, and blank the words in quotes.

    An archive that a model wrote may say the same in other words, so its words are not blanked but written anew.
    """
    for thread_id, message_id in sorted(said_in):
        here = (tables.sources.c.thread_id == thread_id) & (tables.sources.c.message_id == message_id)
        told = select(tables.sources.c.memory_id).where(tables.sources.c.pool == pen.pool, here)
        found = rows.load(pen.connection, pen.pool, pen.connection.execute(told).scalars().all())
        for memory in found.values():
            _blank_quotes(pen, memory, words)
            if memory.rule == RULE:
                _write_anew(pen, memory)


def _blank_quotes(pen: Pen, memory: Remembered, words: Sequence[str]) -> None:
    for source in memory.sources:
        blank = transcript.blanked(source.quote, words)
        if blank != source.quote:
            this = (
                (tables.sources.c.memory_id == memory.memory_id)
                & (tables.sources.c.thread_id == source.thread_id)
                & (tables.sources.c.message_id == source.message_id)
            )
            pen.connection.execute(update(tables.sources).where(this).values(quote=blank))


def _write_anew(pen: Pen, memory: Remembered) -> None:
    content = plain_summary(_turns(pen.connection, pen.pool, memory))
    told = (tables.events.c.pool == pen.pool) & (tables.events.c.memory_id == memory.memory_id)
    pen.connection.execute(update(tables.events).where(told).values(before=None, after=None))
    if not content:
        store.retire(pen, memory, "invalidated", what="invalidated", actor="system", rule="nothing of it is left")
        pen.connection.execute(update(tables.events).where(told).values(before=None, after=None))
    drop_vectors(pen.connection, pen.pool, [memory.memory_id])
    remove_document(pen.connection, pen.pool, memory.memory_id)
    key = content_key(content)
    store.change(pen, memory.memory_id, content=content, content_key=key or memory.memory_id, value=None)
    if content and memory.status == "current":
        store.index(pen, replace(memory, content=content, value=None))


def _turns(connection: Connection, pool: str, memory: Remembered) -> list[Message]:
    by_thread: dict[str, list[str]] = {}
    for source in memory.sources:
        by_thread.setdefault(source.thread_id, []).append(source.message_id)
    return [
        turn for thread, messages in by_thread.items() for turn in transcript.load(connection, pool, thread, messages)
    ]
