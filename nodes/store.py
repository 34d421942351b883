"""Carry out what the messages want, and tell honestly what became of it."""

from typing import Any

from langchain_core.runnables import RunnableConfig

from foundation.errors import RemembrancerError
from memory.model import Message, Outcome, Proposal
from memory.plain import outcomes_of, plain_outcomes, proposals_of
from nodes.forget_me import open_forgetting
from nodes.opening import question_of, request_of
from nodes.quarantine_matter import open_quarantine
from nodes.quoting import side_by_side
from nodes.redacting import redacted
from nodes.services import Services
from nodes.talk import Talk, talk_of


def store(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Apply the proposals; a conflict stays proposed, and its question is asked."""
    done = outcomes_of(state.get("outcomes") or [])
    wanted = {each["message_id"]: proposals_of(each["wanted"]) for each in state.get("proposals") or []}
    emptied: dict[str, Any] = {"proposals": [], "heard": []}
    if not wanted:
        return emptied
    talk, memory = talk_of(state, config, services), services.memory()
    forgets = any(proposal.verb == "forget" for proposals in wanted.values() for proposal in proposals)
    before = {each.memory_id: each for each in memory.current(talk.scope)} if forgets else {}
    for message in memory.kept(talk.scope, talk.thread_id, list(wanted)):
        done += _apply(message, wanted[message.message_id], talk, services)
    open_quarantine(services, talk.owner, done)
    question = question_of(done, memory, talk.scope)
    if question is not None:
        question = side_by_side(question, talk, services)
        question = {**question, "request": request_of(question)}
        if question["kind"] == "forget_me":
            question = open_forgetting(question, talk, services)
    return {**emptied, "outcomes": plain_outcomes(done), "open": question, **redacted(state, done, before)}


def _apply(message: Message, proposals: list[Proposal], talk: Talk, services: Services) -> list[Outcome]:
    """What became of one message; one that fails stays unread and is read again later."""
    memory = services.memory()
    try:
        outcomes = memory.apply(talk.scope, message, proposals, now=talk.now)
        if services.reader is None or not _is_unclear(message, services):
            outcomes += memory.mark_read(talk.scope, message, now=talk.now)
    except RemembrancerError as error:
        return [Outcome(message_id=message.message_id, status="failed", reason=str(error))]
    return outcomes


def _is_unclear(message: Message, services: Services) -> bool:
    from memory.extract import Context
    from memory.model_extract import unclear

    return bool(unclear(message, Context(zone=services.zone)))
