"""Keep short-term memory small: turns that leave the window go into the running summary."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig

from foundation.errors import RemembrancerError
from foundation.model_port import Model
from memory.short_term import fitted, split, summarise
from memory.summary import summarise_by_model
from nodes.services import Services
from nodes.talk import Lang, language_of
from prompts import load


def fold(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:  # noqa: ARG001
    """The window that stays, and the summary with what left it."""
    older, _ = split(state["messages"])
    if not older:
        return {"overflow": False}
    summary = _summary(state.get("summary") or "", older, language_of(state["messages"]), services.model)
    removed = [RemoveMessage(id=str(message.id)) for message in older]
    return {"messages": removed, "summary": summary, "overflow": True}


def _summary(summary: str, older: Sequence[AnyMessage], lang: Lang, model: Model | None) -> str:
    if model is not None:
        prompt = load("summary", lang)
        try:
            written = model.call(lambda chat: summarise_by_model(chat, summary, older, prompt.fields))
            return fitted(written) or summarise(summary, older)
        except RemembrancerError:
            pass  # The answer is out already; a plain summary is better than none.
    return summarise(summary, older)
