"""Answer: with the model where there is one, else by saying honestly what was kept and what is recalled."""

from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from foundation.ids import derived_id
from foundation.model_port import Model
from memory.applying import storable
from memory.model import Message
from memory.short_term import LIMITS, assemble, clipped
from nodes.replies import notes, receipt_text, remarks, reply, say
from nodes.services import Services
from nodes.talk import Talk, talk_of
from prompts import load


def respond(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """The reply, as a message of its own; the open question is always asked."""
    talk = talk_of(state, config, services)
    if state.get("receipt"):
        return {"messages": [AIMessage(receipt_text(state["receipt"]))]}
    message = _answered(state, talk, services.model) if services.model else AIMessage(reply(state, talk))
    message.content = clipped(storable(message.text), LIMITS.message_tokens)
    message.id = message.id or derived_id("reply", talk.thread_id, *(str(each.id) for each in state["messages"]))
    _keep(message, talk, services)
    return {"messages": [message]}


def _answered(state: dict[str, Any], talk: Talk, model: Model) -> AIMessage:
    """The model's answer; when it fails, what can be said without it, and that it failed."""
    prompt = load("assistant", talk.lang)
    noted = notes(state, talk)
    facts = "\n\n".join(part for part in (state.get("facts") or "", noted) if part)
    told = prompt.fill("summary", summary=state["summary"]) if state.get("summary") else ""
    try:
        answer = model.call(lambda chat: chat.invoke(assemble(prompt.fill("system"), facts, told, state["messages"])))
    except RemembrancerError as error:
        return AIMessage("\n".join([say("model_failed", talk.lang, error=str(error)), reply(state, talk)]))
    said = answer.text.strip()
    added = [line for line in remarks(state, talk) if line not in said]
    return AIMessage("\n\n".join([said, *added] if said else added), id=answer.id)


def _keep(message: AIMessage, talk: Talk, services: Services) -> None:
    """The reply in the transcript, for "this one" and "he"; never read for memories."""
    try:
        said = Message(str(message.id), talk.thread_id, "assistant", message.text, talk.now)
        services.memory().keep(talk.scope, said, read=True, now=talk.now)
    except (RemembrancerError, SQLAlchemyError):
        # The answer matters more than its copy; what doesn't work is said in it.
        return
