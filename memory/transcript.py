"""Whole conversations in SQL: the sources of memories, and what is still to be read."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, select, update

from foundation.clock import as_utc
from foundation.upserts import keep_first
from memory.model import Message
from memory.tables import transcript

FORGOTTEN = "[…]"
"""Stands in a conversation where words were forgotten."""


def record(connection: Connection, pool: str, message: Message, *, now: datetime) -> bool:
    """Keep a message as it was said (already storable); False when it is known."""
    row = {
        "pool": pool,
        "thread_id": message.thread_id,
        "message_id": message.message_id,
        "role": message.role,
        "content": message.content,
        "created_at": as_utc(message.created_at),
        "recorded_at": now,
    }
    return keep_first(connection, transcript, row)


def is_extracted(connection: Connection, pool: str, message: Message) -> bool:
    """Whether this message was read for memories already."""
    query = select(transcript.c.extracted_at).where(_this(pool, message))
    return connection.execute(query).scalar_one_or_none() is not None


def mark_extracted(connection: Connection, pool: str, message: Message, *, now: datetime) -> None:
    """Note that a message was read."""
    connection.execute(update(transcript).where(_this(pool, message)).values(extracted_at=now))


def unread(connection: Connection, pool: str, limit: int) -> list[Message]:
    """The messages that were kept but not yet read for memories, oldest first."""
    query = select(transcript).where(transcript.c.pool == pool, transcript.c.extracted_at.is_(None))
    return _messages(connection, query.order_by(transcript.c.created_at, transcript.c.message_id).limit(limit))


def before(connection: Connection, pool: str, message: Message, limit: int) -> list[Message]:
    """The last messages of the same thread before this one, oldest first."""
    query = (
        select(transcript)
        .where(
            transcript.c.pool == pool,
            transcript.c.thread_id == message.thread_id,
            transcript.c.message_id != message.message_id,
            transcript.c.created_at <= as_utc(message.created_at),
        )
        .order_by(transcript.c.created_at.desc(), transcript.c.recorded_at.desc(), transcript.c.message_id.desc())
        .limit(limit)
    )
    return _messages(connection, query)[::-1]


def load(connection: Connection, pool: str, thread_id: str, message_ids: Sequence[str]) -> list[Message]:
    """These messages of a thread, oldest first; unknown ones are left out."""
    mine = (transcript.c.pool == pool) & (transcript.c.thread_id == thread_id)
    query = select(transcript).where(mine, transcript.c.message_id.in_(message_ids))
    return _messages(connection, query.order_by(transcript.c.created_at, transcript.c.message_id))


def between(connection: Connection, pool: str, since: datetime, until: datetime) -> list[Message]:
    """What was said in the pool from one moment up to another, oldest first."""
    said = (transcript.c.created_at >= as_utc(since)) & (transcript.c.created_at < as_utc(until))
    query = select(transcript).where(transcript.c.pool == pool, said)
    return _messages(connection, query.order_by(transcript.c.created_at, transcript.c.message_id))


def since(connection: Connection, pool: str, moment: datetime) -> list[Message]:
    """What was said in the pool from a moment on, oldest first."""
    query = select(transcript).where(transcript.c.pool == pool, transcript.c.created_at >= as_utc(moment))
    return _messages(connection, query.order_by(transcript.c.created_at, transcript.c.recorded_at))


def last(connection: Connection, pool: str, thread_id: str, limit: int) -> list[Message]:
    """The last messages of a thread, oldest first."""
    query = select(transcript).where(transcript.c.pool == pool, transcript.c.thread_id == thread_id)
    newest = query.order_by(transcript.c.created_at.desc(), transcript.c.recorded_at.desc()).limit(limit)
    return _messages(connection, newest)[::-1]


def thread(connection: Connection, pool: str, thread_id: str) -> list[Message]:
    """The whole thread, oldest first."""
    query = select(transcript).where(transcript.c.pool == pool, transcript.c.thread_id == thread_id)
    return _messages(connection, query.order_by(transcript.c.created_at, transcript.c.message_id))


def blanked(text: str, words: Sequence[str]) -> str:
    """The text with these words taken out."""
    for word in words:
        text = text.replace(word, FORGOTTEN)
    return text


def redact(connection: Connection, pool: str, words: Sequence[str]) -> None:
    """Take the words of a forgotten memory out of what was said, by whomever."""
    for word in words:
        holding = (transcript.c.pool == pool) & transcript.c.content.contains(word, autoescape=True)
        for row in connection.execute(select(transcript).where(holding)).mappings().all():
            this = (transcript.c.thread_id == row["thread_id"]) & (transcript.c.message_id == row["message_id"])
            changed = update(transcript).where(transcript.c.pool == pool, this)
            connection.execute(changed.values(content=blanked(row["content"], [word])))


def _this(pool: str, message: Message) -> ColumnElement[bool]:
    row = transcript.c
    return (row.pool == pool) & (row.thread_id == message.thread_id) & (row.message_id == message.message_id)


def _messages(connection: Connection, query: Select[tuple[object, ...]]) -> list[Message]:
    found: Sequence[RowMapping] = connection.execute(query).mappings().all()
    return [
        Message(row["message_id"], row["thread_id"], row["role"], row["content"], row["created_at"]) for row in found
    ]
