"""Hear what the person says: bind the thread, keep the words, and see whether they answer an open question."""

from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.database import reading, writing
from foundation.errors import StorageError
from memory.applying import storable
from memory.model import Message
from memory.short_term import LIMITS, clipped
from nodes.opening import answer_to
from nodes.services import Services
from nodes.talk import KIND, Talk, said_now, talk_of
from oversight.threads import bind_own_thread, is_own_thread

_NEW_TURN: dict[str, Any] = {
    "outcomes": [], "recalled": {}, "facts": "", "receipt": None, "answer": None, "call": None, "draft": None,
    "question": None, "decision": None, "halted": None,
}  # fmt: skip


def perceive(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Keep each message as it was said (its words never get lost), and a bounded copy of it in the state."""
    talk = talk_of(state, config, services)
    said = said_now(state.get("messages") or [])
    open_question = state.get("open")
    heard, trouble = _keep(said, talk, services)
    answer = answer_to(open_question, _said_to(open_question, said, talk))
    return {
        **_NEW_TURN,
        "messages": [HumanMessage(clipped(storable(each.text), LIMITS.message_tokens), id=each.id) for each in said],
        "heard": heard,
        "trouble": trouble,
        "answer": answer,
        "open": open_question if answer is not None else None,
    }


def _said_to(question: dict[str, Any] | None, said: list[HumanMessage], talk: Talk) -> str:
    """What may answer the question; where the thread paused at it, the wish stands unanswered before the answer."""
    if question is not None and question["kind"] == "forget_me" and said:
        return said[-1].text
    return talk.text


def _keep(said: list[HumanMessage], talk: Talk, services: Services) -> tuple[list[str], list[str]]:
    """The ids of the messages that are still to be read, and what doesn't work."""
    try:
        _bind(talk, services)
        memory = services.memory()
        kept = [memory.keep(talk.scope, _message(each, talk), now=talk.now) for each in said]
    except (StorageError, SQLAlchemyError):
        return [], ["write"]
    return [message.message_id for message, fresh in kept if fresh], []


def _bind(talk: Talk, services: Services) -> None:
    with reading(services.engine) as connection:
        if is_own_thread(connection, talk.thread_id, services.tenant, KIND, talk.owner):
            return
    with writing(services.engine) as connection:
        bind_own_thread(connection, talk.thread_id, services.tenant, KIND, talk.owner, talk.now)


def _message(said: HumanMessage, talk: Talk) -> Message:
    return Message(str(said.id), talk.thread_id, "user", said.text, talk.now)
