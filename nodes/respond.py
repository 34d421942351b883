"""Answer: with the model where there is one, else by saying honestly what was kept and what is recalled."""

from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from foundation.errors import RemembrancerError
from memory.short_term import assemble
from nodes.calls import offered, proposals_in
from nodes.replies import notes, receipt_text, reply, say
from nodes.services import Services
from nodes.speaking import spoken, with_remarks
from nodes.talk import Talk, talk_of, this_turn
from prompts import load


def respond(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """The reply, as a message of its own; with tools, what the model wants to do or say, not yet weighed."""
    talk = talk_of(state, config, services)
    if state.get("receipt"):
        return {"messages": [AIMessage(receipt_text(state["receipt"]))]}
    if services.model is None:
        return {"messages": [spoken(reply(state, talk), state, talk, services)]}
    try:
        said = _said(state, talk, services)
    except RemembrancerError as error:
        return {"messages": [spoken(_without_model(error, state, talk), state, talk, services)]}
    if services.tools is not None:
        return proposals_in(said, state)
    text = with_remarks(said.text, state, talk)
    return {"messages": [spoken(text, state, talk, services, message_id=str(said.id or ""))]}


def _said(state: dict[str, Any], talk: Talk, services: Services) -> AIMessage:
    assert services.model is not None
    told, tools = _prompt(state, talk, services), offered(services.tools, talk.lang)
    return services.model.call(lambda chat: (chat.bind_tools(tools) if tools else chat).invoke(told))


def _prompt(state: dict[str, Any], talk: Talk, services: Services) -> list[AnyMessage]:
    prompt = load("assistant", talk.lang)
    system = [prompt.fill("system"), *([load("acting", talk.lang).fill("system")] if services.tools else [])]
    facts = "\n\n".join(part for part in (state.get("facts") or "", notes(state, talk)) if part)
    summary = prompt.fill("summary", summary=state["summary"]) if state.get("summary") else ""
    return assemble("\n\n".join(system), facts, summary, state["messages"])


def _without_model(error: RemembrancerError, state: dict[str, Any], talk: Talk) -> str:
    """What can be said when the model fails, and that it failed; what was done in this turn already, too."""
    results = [message for message in this_turn(state["messages"]) if isinstance(message, ToolMessage)]
    done = [say("acted", talk.lang, name=message.name or "", result=message.text) for message in results]
    return "\n".join([say("model_failed", talk.lang, error=str(error)), *(done or [reply(state, talk)])])
