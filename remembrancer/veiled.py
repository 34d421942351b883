"""A chat model that never sees personal data: placeholders go out, and what comes back is put in plain words again.

One call is one exchange with placeholders of its own. Texts are veiled wherever they stand in a message: in its words,
in blocks, in the arguments of tool calls. Pictures can't be.
"""

from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from foundation.masking import Veil

_CARRIES_TEXT = ("content", "tool_calls", "invalid_tool_calls", "additional_kwargs")


class VeiledChat(ChatOpenAI):
    """An OpenAI-compatible chat model behind a veil; it doesn't stream, because a placeholder may come in pieces."""

    disable_streaming: bool = True

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        veil = Veil()
        return _revealed(super()._generate(_hidden(messages, veil), *args, **kwargs), veil)

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        veil = Veil()
        return _revealed(await super()._agenerate(_hidden(messages, veil), *args, **kwargs), veil)


def _hidden(messages: list[BaseMessage], veil: Veil) -> list[BaseMessage]:
    return [_changed(message, veil.hide) for message in messages]


def _revealed(result: ChatResult, veil: Veil) -> ChatResult:
    generations = [
        ChatGeneration(message=_changed(each.message, veil.reveal), generation_info=each.generation_info)
        for each in result.generations
    ]
    return ChatResult(generations=generations, llm_output=result.llm_output)


def _changed(message: BaseMessage, change: Any) -> Any:
    values = {name: _each_text(getattr(message, name), change) for name in _CARRIES_TEXT if hasattr(message, name)}
    return message.model_copy(update=values)


def _each_text(value: Any, change: Any) -> Any:
    """`value` with every text in it changed; the address of a picture stays."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, BaseModel):
        return type(value).model_validate(_each_text(value.model_dump(), change))
    if isinstance(value, dict):
        return {
            name: each if name in ("image_url", "id", "type") else _each_text(each, change)
            for name, each in value.items()
        }
    if isinstance(value, list):
        return [_each_text(each, change) for each in value]
    return value
