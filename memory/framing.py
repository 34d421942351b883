"""The text by which a memory is embedded.

A statement stands alone. A turn of talk ("Yes, last Friday!") means little without the one before it, so it is embedded
together with that; on long conversations this finds a good deal more than the turn alone (`benchmarks/recall.py`).
"""

from collections.abc import Iterable

from sqlalchemy import Connection

from memory import transcript
from memory.model import Category, Message, Remembered

FRAMED: frozenset[Category] = frozenset(("conversation_history",))


def framed(connection: Connection, pool: str, category: Category, message: Message, content: str) -> str:
    """What stands for `content`, said in `message`, when it is embedded."""
    if category not in FRAMED:
        return content
    return "\n".join([*(turn.content for turn in transcript.before(connection, pool, message, 1)), content])


def framed_memories(connection: Connection, pool: str, memories: Iterable[Remembered]) -> dict[str, str]:
    """Memory id -> the text by which it is embedded."""
    return {memory.memory_id: _framed(connection, pool, memory) for memory in memories}


def _framed(connection: Connection, pool: str, memory: Remembered) -> str:
    if not memory.sources:
        return memory.content
    told = memory.sources[0]
    said = Message(told.message_id, told.thread_id, told.speaker, told.quote, told.said_at)
    return framed(connection, pool, memory.category, said, memory.content)
