"""What every node of a conversation reads from state and config: who talks, where, when, in which language."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from memory.scope import Scope
from memory.tokenizer import is_chinese
from nodes.services import Services

Lang = Literal["zh", "en"]

KIND = "assistant"
"""The kind under which threads of conversations are bound."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The present turn."""

    owner: str
    thread_id: str
    scope: Scope
    """The person's pool, narrowed to the topic if the talk has one."""
    company: Scope
    now: datetime
    lang: Lang
    text: str
    """What was said last."""


def talk_of(state: dict[str, Any], config: RunnableConfig, services: Services) -> Talk:
    """The present turn.

    Raises:
        RefusedError: the graph runs without a thread.
        UsageError: the person has no usable id.
    """
    owner, topic = services.speaker(config), state.get("topic") or None
    messages = state.get("messages") or []
    return Talk(
        owner=owner,
        thread_id=services.thread(config),
        scope=Scope.user(services.tenant, owner, topic),
        company=Scope.tenant(services.tenant, topic),
        now=services.clock(),
        lang=language_of(messages),
        text=" ".join(message.text for message in _words_of(messages)),
    )


def said_now(messages: Sequence[AnyMessage]) -> list[HumanMessage]:
    """The person's messages that nobody answered yet."""
    said: list[HumanMessage] = []
    for message in reversed(messages):
        if not isinstance(message, HumanMessage):
            break
        said.append(message)
    return said[::-1]


def this_turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """All messages from what the person said last."""
    begins = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return list(messages[begins[-1] :]) if begins else []


def turn_of(messages: Sequence[AnyMessage]) -> str:
    """The id of what the person said last; "" where nobody said anything."""
    turn = this_turn(messages)
    return str(turn[0].id) if turn else ""


def _words_of(messages: Sequence[AnyMessage]) -> list[HumanMessage]:
    """What the person said in this turn, also while tools are at work for him."""
    last = messages[-1] if messages else None
    if not isinstance(last, ToolMessage) and not (isinstance(last, AIMessage) and last.tool_calls):
        return said_now(messages)
    asked = [at for at, message in enumerate(messages) if isinstance(message, HumanMessage)]
    return said_now(messages[: asked[-1] + 1]) if asked else []


def language_of(messages: Sequence[AnyMessage]) -> Lang:
    """The language of what the person said last; words that tell nothing ("ok", a smile) leave it as it was."""
    for message in reversed(messages):
        letters = [letter for letter in message.text if letter.isalpha()]
        if isinstance(message, HumanMessage) and (len(letters) > 3 or is_chinese(message.text)):
            return "zh" if is_chinese(message.text) else "en"
    return "en"
