"""Memories and conversations of other programs: ChatGPT's and Claude's exports, mem0's, a LangGraph store's items.

Conversations become messages and are read by our own rules, as if they were said today with their own dates. Statements
that another program remembered are foreign words: a source less credible than the person, screened as a document is.
What can't be read is told, one item at a time, and keeps nothing else out. The shapes are in `foreign_shapes`.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import ValidationError

from foundation.errors import UsageError
from foundation.ids import derived_id
from memory.foreign_shapes import ChatGpt, Claude, Mem0
from memory.model import Category, Message, Remembered, Speaker

Json = Any
Format = Literal["jsonl", "mem0", "chatgpt", "claude"]
_ROLES: Mapping[str, Speaker] = {"user": "user", "human": "user", "assistant": "assistant", "tool": "tool"}
_TEXT_KEYS = ("content", "memory", "text", "data")
_SHOWN_USERS = 5


@dataclass(frozen=True, slots=True)
class Statement:
    """What another program remembered: its id there, the words, since when, of which category if it says so."""

    origin: str
    foreign_id: str
    text: str
    at: datetime | None
    category: Category = "domain_knowledge"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An item of an export that isn't what it should be."""

    number: int
    """Its place in the file, from 1."""
    why: str


def parsed(text: str) -> Json:
    """The document of an export file.

    Raises:
        UsageError: it is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the file is no JSON ({error}): name an export as the other program wrote it") from None


def format_of(text: str) -> Format:
    """Which program wrote an export.

    Raises:
        UsageError: none that is known.
    """
    first = text.lstrip().partition("\n")[0]
    if first.startswith("{") and '"memory_id"' in first:
        return "jsonl"
    for item in _listed(parsed(text)):
        for name, key in (("chatgpt", "mapping"), ("claude", "chat_messages"), ("mem0", "memory")):
            if isinstance(item, dict) and key in item:
                return name  # type: ignore[return-value]
    raise UsageError("the file is no export of ours, of mem0, ChatGPT or Claude: say --format")


def _listed(document: Json) -> list[Json]:
    if isinstance(document, dict):
        document = document.get("results") or document.get("memories") or document.get("conversations") or []
    return list(document) if isinstance(document, list) else []


def conversations(document: Json, form: Format, *, default: datetime) -> Iterator[Message | Unreadable]:
    """The messages of an export of ChatGPT or Claude, conversation by conversation, oldest first.

    Args:
        document: what the file holds.
        form: chatgpt or claude.
        default: the date of what has none.
    """
    read: Callable[[Json, datetime], Iterable[Message]] = _chatgpt if form == "chatgpt" else _claude
    for number, conversation in enumerate(_listed(document), start=1):
        try:
            yield from list(read(conversation, default))
        except ValidationError as error:
            yield Unreadable(number, _fault(error))


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the item'}: {first['msg']}"


def _chatgpt(told: Json, default: datetime) -> Iterator[Message]:
    """The branch that the person saw last: from the current node up to the root."""
    conversation = ChatGpt.model_validate(told)
    nodes, thread = conversation.mapping, conversation.thread
    begun = _moment(conversation.create_time, default)
    branch: list[str] = []
    node_id = conversation.current_node if conversation.current_node in nodes else conversation.last_leaf
    while node_id in nodes and node_id not in branch:
        branch.append(node_id)
        node_id = nodes[node_id].parent
    for each in reversed(branch):
        said = nodes[each].message
        role = _ROLES.get(said.role) if said else None
        if said and role and said.text and not said.is_hidden:
            yield Message(said.id or each, thread, role, said.text, _moment(said.create_time, begun))


def _claude(told: Json, default: datetime) -> Iterator[Message]:
    conversation = Claude.model_validate(told)
    thread = conversation.thread
    begun = _moment(conversation.created_at, default)
    for number, said in enumerate(conversation.chat_messages):
        role = _ROLES.get(said.sender)
        if role and said.words:
            name = said.uuid or derived_id("msg", thread, str(number))
            yield Message(name, thread, role, said.words, _moment(said.created_at, begun))


def statements(document: Json, user: str) -> Iterator[Statement | Unreadable]:
    """What mem0 remembered of one person: the answer of its `get_all`, or the list in it.

    Args:
        document: what the file holds.
        user: whose statements are wanted, where the file holds those of several.

    Raises:
        UsageError: it holds those of several people, none of whom is `user`.
    """
    items = list(enumerate(_listed(document), start=1))
    people = sorted({str(each["user_id"]) for _, each in items if isinstance(each, dict) and each.get("user_id")})
    if len(people) > 1 and user not in people:
        named = ", ".join(people[:_SHOWN_USERS]) + (" ..." if len(people) > _SHOWN_USERS else "")
        raise UsageError(f"the file holds the memories of several people ({named}): pass --user with one of them")
    for number, item in items:
        try:
            told = Mem0.model_validate(item)
        except ValidationError as error:
            yield Unreadable(number, _fault(error))
            continue
        if told.memory.strip() and (len(people) < 2 or told.user_id == user):
            name, at = told.id or derived_id("mem0", told.memory), _moment(told.updated_at or told.created_at, None)
            yield Statement("mem0", name, told.memory, at, _category(told.metadata))


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
