"""What comes up again and again without being told: a tool named in three conversations is one that the person uses.

Only which conversation named what is counted, in a table of its own; the words stay in the transcript.
"""

import re
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from foundation.clock import as_utc
from foundation.upserts import keep_first
from memory.lexicon import PROGRAMMING
from memory.model import Message, Proposal, Remembered, Slot
from memory.perceive import perceive
from memory.screening import screen
from memory.speech import blank
from memory.tables import memories, signals
from memory.tokenizer import content_key, is_chinese

CONVERSATIONS = 3
"""So many conversations make a signal."""
_TOOLS = (
    rf"{PROGRAMMING}|Excel|Word|PowerPoint|Notion|Obsidian|Figma|Photoshop|Docker|Kubernetes|Git|GitHub|GitLab|Linux|macOS|Windows|Vim|Emacs"
    r"|VS ?Code|PyCharm|IntelliJ|Xcode|React|Vue|Angular|Svelte|Django|Flask|FastAPI|Spring|Rails|Node(?:\.js)?|PostgreSQL|Postgres|MySQL"
    r"|SQLite|MongoDB|Redis|Kafka|Spark|Pandas|NumPy|PyTorch|TensorFlow|LaTeX|Markdown|Terraform|Ansible|Jira|Slack|飞书|钉钉|企业微信|石墨文档|语雀|剪映|墨刀"
)
_NAMED = re.compile(rf"(?<![A-Za-z0-9_.])(?:{_TOOLS})(?![A-Za-z0-9_+#])")
_AGAINST = re.compile(
    r"不(?:用|要|想|喜欢|会|再)|别|没用过|讨厌|放弃|弃用|改用|\b(?:not|never|no|don't|without|hate|dislike|instead of|stop(?:ped)?|quit|avoid)\b",
    re.IGNORECASE,
)
_OWN = frozenset(("statement", "question", "request"))


def named_in(message: Message) -> list[str]:
    """The tools that the person names in a message as something he works with; empty for anybody else's words."""
    text, _ = blank(message.content)
    if message.role != "user" or not _NAMED.search(text) or screen(message.content) is not None:
        return []
    said = [each for each in perceive(message) if each.speech in _OWN and not _AGAINST.search(each.quote)]
    found = {content_key(name): name for each in said for name in _NAMED.findall(each.quote)}
    return list(found.values())


def count(connection: Connection, pool: str, name: str, message: Message) -> bool:
    """Note that a conversation named this; True when it is just the third one to do so."""
    key = content_key(name)
    before = _conversations(connection, pool, key)
    row = {
        "pool": pool,
        "signal": key,
        "thread_id": message.thread_id,
        "message_id": message.message_id,
        "said_at": as_utc(message.created_at),
    }
    keep_first(connection, signals, row)
    return before == CONVERSATIONS - 1 and _conversations(connection, pool, key) == CONVERSATIONS


def _conversations(connection: Connection, pool: str, key: str) -> int:
    query = select(func.count(signals.c.thread_id.distinct()))
    return int(connection.execute(query.where(signals.c.pool == pool, signals.c.signal == key)).scalar_one())


def places(connection: Connection, pool: str, name: str) -> list[tuple[str, str, datetime]]:
    """Where it was named: thread, message, time; the first message of each conversation."""
    query = (
        select(signals.c.thread_id, signals.c.message_id, signals.c.said_at)
        .where(signals.c.pool == pool, signals.c.signal == content_key(name))
        .order_by(signals.c.said_at, signals.c.message_id)
    )
    first: dict[str, tuple[str, str, datetime]] = {}
    for thread_id, message_id, said_at in connection.execute(query):
        first.setdefault(thread_id, (thread_id, message_id, said_at))
    return list(first.values())


def is_known(connection: Connection, pool: str, name: str) -> bool:
    """Whether a current memory speaks of it already, for or against."""
    query = select(memories.c.value).where(
        memories.c.pool == pool, memories.c.status == "current", memories.c.value.is_not(None)
    )
    return content_key(name) in {content_key(value) for value in connection.execute(query).scalars()}


def proposal(name: str, quote: str) -> Proposal:
    """What is kept of it: that the person uses it."""
    return Proposal(
        verb="add",
        content=f"我常用 {name}" if is_chinese(quote) else f"I often use {name}",
        quote=quote,
        kind="semantic",
        category="preference",
        importance="normal",
        confidence=0.75,
        rule="repeated",
        slot=Slot("user", f"tool:{name.lower()}"),
        value=name,
    )


def erase(connection: Connection, pool: str, memory: Remembered) -> None:
    """Forget that what a memory speaks of was ever named."""
    mine = (signals.c.pool == pool) & (signals.c.signal == content_key(memory.value or ""))
    connection.execute(delete(signals).where(mine))


def erase_message(connection: Connection, pool: str, thread_id: str, message_id: str) -> None:
    """Forget what a message named."""
    mine = (signals.c.pool == pool) & (signals.c.thread_id == thread_id) & (signals.c.message_id == message_id)
    connection.execute(delete(signals).where(mine))
