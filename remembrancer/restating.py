"""The state of a conversation after something of it was forgotten: rebuilt from the transcript that was kept."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory.model import Message
from memory.short_term import LIMITS, clipped, summarise


def restated(values: dict[str, Any], said: Sequence[Message]) -> dict[str, Any]:
    """The state's channels with the window as the transcript has it, and the summary written anew from older turns.

    A window holds long messages with their middle cut out and a summary may say things in other words, so blanking
    words alone would leave parts.
    """
    messages = values.get("messages") or []
    kept = {message.message_id: message for message in said}
    window = [_as_kept(message, kept) for message in messages]
    shown = {str(message.id) for message in messages}
    changed: dict[str, Any] = {"messages": window} if messages else {}
    if values.get("summary"):
        older = [_spoken(message) for message in said if message.message_id not in shown]
        changed["summary"] = summarise("", older)
    return {**values, **changed}


def _as_kept(message: BaseMessage, kept: dict[str, Message]) -> BaseMessage:
    found = kept.get(str(message.id))
    if found is None or not isinstance(message.content, str):
        return message
    return message.model_copy(update={"content": clipped(found.content, LIMITS.message_tokens)})


def _spoken(message: Message) -> BaseMessage:
    kind = HumanMessage if message.role == "user" else AIMessage
    return kind(message.content, id=message.message_id)
