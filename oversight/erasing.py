"""Taking words out of checkpoints: the newest checkpoint of a thread is rewritten, older ones are dropped.

A thread that waits for a person needs its newest checkpoint with the saved results beside it, and nothing older. Both
stay, rewritten; whatever state a graph keeps in them, every text in it passes through the caller's hands.
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

from langgraph.types import Interrupt, Send
from pydantic import BaseModel

from oversight.checkpoints import GuardedSqliteSaver
from oversight.sealing import writing_at

Rewrite = Callable[[str], str]
ChannelRewrite = Callable[[dict[str, Any]], dict[str, Any]]

_NEWEST = "SELECT checkpoint_ns, MAX(checkpoint_id) FROM checkpoints WHERE thread_id = ? GROUP BY checkpoint_ns"
_OLDER = (
    "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id <> ?",
    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id <> ?",
)
_READ = (
    "SELECT type, checkpoint, metadata FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
)
_REPLACE = (
    "UPDATE checkpoints SET type = ?, checkpoint = ?, metadata = ?, parent_checkpoint_id = NULL"
    " WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
)
_READ_WRITES = (
    "SELECT rowid, type, value, thread_id, checkpoint_ns, checkpoint_id, task_id, channel FROM writes"
    " WHERE thread_id = ?"
)
_REPLACE_WRITE = "UPDATE writes SET type = ?, value = ? WHERE rowid = ?"

STRUCTURE = frozenset(
    {"id", "ids", "type", "role", "name", "status", "kind", "category", "lang", "rule", "heard", "source", "step"}
    | {"thread", "thread_id", "message_id", "memory_id", "review_id", "run_id", "parents"}
    | {"action_name", "allowed_decisions"}
)
"""Fields that name things: a word that was forgotten and is such a name, too, must not break the state."""
_ARGUMENTS = "args"
"""What an action is to do: whatever its fields are called, they hold words."""


def rewrite_thread(saver: GuardedSqliteSaver, thread_id: str, words: Rewrite, channels: ChannelRewrite) -> bool:
    """Rewrite the newest checkpoint of a thread and drop the older ones; False when the thread has none.

    Args:
        saver: the checkpoint file.
        thread_id: the thread; the caller holds its lock.
        words: every text of the checkpoint, its metadata and its saved results goes through this.
        channels: the state's channels go through this before, all together.
    """
    with saver.cursor() as cursor:
        newest = cursor.execute(_NEWEST, (thread_id,)).fetchall()
        for namespace, checkpoint_id in newest:
            this = (thread_id, namespace, checkpoint_id)
            for statement in _OLDER:
                cursor.execute(statement, this)
            kind, data, metadata = cursor.execute(_READ, this).fetchone()
            checkpoint = saver.serde.loads_typed((kind, data))
            values = channels(checkpoint["channel_values"])
            checkpoint["channel_values"] = {name: rewritten(value, words) for name, value in values.items()}
            with writing_at([this]):
                written = saver.serde.dumps_typed(checkpoint)
            told = json.dumps(rewritten(json.loads(metadata or "{}"), words), ensure_ascii=False).encode()
            cursor.execute(_REPLACE, (*written, told, *this))
        for rowid, kind, data, *place in cursor.execute(_READ_WRITES, (thread_id,)).fetchall():
            value = rewritten(saver.serde.loads_typed((kind, data)), words)
            with writing_at([tuple(place)]):
                cursor.execute(_REPLACE_WRITE, (*saver.serde.dumps_typed(value), rowid))
    return bool(newest)


def rewritten(value: Any, words: Rewrite, names: frozenset[str] = STRUCTURE) -> Any:
    """The value with every text in it rewritten, whatever it is made of; keys, and fields that are `names`, stay."""
    if isinstance(value, str):
        return words(value)
    if isinstance(value, Mapping):
        return _fields(value, words, names)
    if isinstance(value, list | set | frozenset) or type(value) is tuple:
        return type(value)(rewritten(each, words, names) for each in value)
    return _object(value, words, names)


def _fields(values: Mapping[Any, Any], words: Rewrite, names: frozenset[str]) -> dict[Any, Any]:
    inside = {name: frozenset[str]() if name == _ARGUMENTS else names for name in values}
    return {name: each if name in names else rewritten(each, words, inside[name]) for name, each in values.items()}


def _object(value: Any, words: Rewrite, names: frozenset[str]) -> Any:
    if isinstance(value, BaseModel):
        return value.model_copy(update=_fields(value.__dict__, words, names))
    if isinstance(value, Interrupt):
        return Interrupt(value=rewritten(value.value, words, names), id=value.id)
    if isinstance(value, Send):
        return Send(value.node, rewritten(value.arg, words, names))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
        return dataclasses.replace(value, **_fields(fields, words, names))
    if isinstance(value, tuple):  # a named one
        return type(value)(*(rewritten(each, words, names) for each in value))
    return value
