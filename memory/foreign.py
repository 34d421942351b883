"""Memories and conversations of other programs: ChatGPT's and Claude's exports, mem0's, a LangGraph store's items.

Conversations become messages and are read by our own rules, as if they were said today with their own dates. Statements
that another program remembered are foreign words: a source less credible than the person, screened as a document is.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from foundation.errors import UsageError
from foundation.ids import derived_id
from memory.model import Category, Message, Remembered, Speaker

Json = Any
Format = Literal["jsonl", "mem0", "chatgpt", "claude"]
_ROLES: Mapping[str, Speaker] = {"user": "user", "human": "user", "assistant": "assistant", "tool": "tool"}
_TEXT_KEYS = ("content", "memory", "text", "data")


@dataclass(frozen=True, slots=True)
class Statement:
    """What another program remembered: its id there, the words, since when, of which category if it says so."""

    origin: str
    foreign_id: str
    text: str
    at: datetime | None
    category: Category = "domain_knowledge"


def parsed(text: str) -> Json:
    """The document of an export file.

    Raises:
        UsageError: it is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"the file is no JSON ({error}): name an export as the other program wrote it") from None


def format_of(text: str) -> Format:
    """Which program wrote an export.

    Raises:
        UsageError: none that is known.
    """
    first = text.lstrip().partition("\n")[0]
    if first.startswith("{") and '"memory_id"' in first:
        return "jsonl"
    document = parsed(text)
    listed = _listed(document)
    sample = listed[0] if listed else {}
    for name, key in (("chatgpt", "mapping"), ("claude", "chat_messages"), ("mem0", "memory")):
        if isinstance(sample, dict) and key in sample:
            return name  # type: ignore[return-value]
    raise UsageError("the file is no export of ours, of mem0, ChatGPT or Claude: say --format")


def _listed(document: Json) -> list[Json]:
    if isinstance(document, dict):
        document = document.get("results") or document.get("memories") or []
    return list(document) if isinstance(document, list) else []


def conversations(document: Json, form: Format, *, default: datetime) -> Iterator[Message]:
    """The messages of an export of ChatGPT or Claude, conversation by conversation, oldest first.

    Args:
        document: what the file holds.
        form: chatgpt or claude.
        default: the date of what has none.
    """
    read: Callable[[dict[str, Json], datetime], Iterable[Message]] = _chatgpt if form == "chatgpt" else _claude
    for conversation in _listed(document):
        if isinstance(conversation, dict):
            yield from read(conversation, default)


def _chatgpt(conversation: dict[str, Json], default: datetime) -> Iterator[Message]:
    """The branch that the person saw last: from the current node up to the root."""
    nodes: dict[str, Json] = conversation.get("mapping") or {}
    thread = f"chatgpt:{conversation.get('conversation_id') or conversation.get('id') or conversation.get('title')}"
    begun = _moment(conversation.get("create_time"), default)
    branch, node_id = [], conversation.get("current_node") or _last(nodes)
    while node_id in nodes and node_id not in branch:
        branch.append(node_id)
        node_id = nodes[node_id].get("parent")
    for each in reversed(branch):
        told = nodes[each].get("message") or {}
        role = _ROLES.get(str((told.get("author") or {}).get("role")))
        parts = (told.get("content") or {}).get("parts") or []
        text = "\n".join(part for part in parts if isinstance(part, str)).strip()
        if role and text:
            yield Message(str(told.get("id") or each), thread, role, text, _moment(told.get("create_time"), begun))


def _last(nodes: Mapping[str, Json]) -> str | None:
    leaves = [name for name, node in nodes.items() if not node.get("children")]
    return leaves[-1] if leaves else None


def _claude(conversation: dict[str, Json], default: datetime) -> Iterator[Message]:
    thread = f"claude:{conversation.get('uuid') or conversation.get('name')}"
    begun = _moment(conversation.get("created_at"), default)
    for number, told in enumerate(conversation.get("chat_messages") or []):
        role = _ROLES.get(str(told.get("sender")))
        blocks = [block.get("text", "") for block in told.get("content") or [] if block.get("type") == "text"]
        text = ("\n".join(blocks) or str(told.get("text") or "")).strip()
        if role and text:
            name = str(told.get("uuid") or derived_id("msg", thread, str(number)))
            yield Message(name, thread, role, text, _moment(told.get("created_at"), begun))


def statements(document: Json) -> Iterator[Statement]:
    """What mem0 remembered: the answer of its `get_all`, or the list in it."""
    for item in _listed(document):
        text = item.get("memory") if isinstance(item, dict) else None
        if isinstance(text, str) and text.strip():
            told = item.get("metadata") or {}
            at = _moment(item.get("updated_at") or item.get("created_at"), None)
            yield Statement("mem0", str(item.get("id") or derived_id("mem0", text)), text, at, _category(told))


def of_item(key: str, value: Mapping[str, Json], at: datetime) -> Statement | None:
    """What an item of a LangGraph store says, in langmem's shape or a plain one; None when it says nothing."""
    told: Json = value
    for _ in range(2):
        if isinstance(told, Mapping):
            told = next((told[name] for name in _TEXT_KEYS if name in told), None)
    return Statement("store", key, told, at, _category(value)) if isinstance(told, str) and told.strip() else None


def as_mem0(memories: Iterable[Remembered], user: str) -> dict[str, Json]:
    """Memories in the shape of mem0's `get_all`."""
    return {
        "results": [
            {
                "id": each.memory_id,
                "memory": each.content,
                "user_id": user,
                "created_at": each.recorded_at.isoformat(),
                "updated_at": each.recorded_at.isoformat(),
                "metadata": {"category": each.category, "kind": each.kind, "importance": each.importance},
            }
            for each in memories
        ]
    }


def _category(told: Mapping[str, Json]) -> Category:
    named = told.get("category")
    known: tuple[Category, ...] = ("user_profile", "preference", "task_progress", "domain_knowledge")
    return next((each for each in known if each == named), "domain_knowledge")


def _moment(told: Json, otherwise: Json) -> Json:
    """Seconds since 1970 or ISO 8601, aware; `otherwise` for what is neither."""
    try:
        if isinstance(told, int | float):
            return datetime.fromtimestamp(told, UTC)
        at = datetime.fromisoformat(str(told)) if told else otherwise
    except (ValueError, OverflowError, OSError):
        return otherwise
    return at.replace(tzinfo=UTC) if isinstance(at, datetime) and at.tzinfo is None else at
