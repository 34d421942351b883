"""Settle the open question by the person's answer."""

from typing import Any

from langchain_core.messages import RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from foundation.errors import RemembrancerError
from memory.answers import yes_or_no
from memory.model import Message, Outcome, Proposal
from memory.plain import outcomes_of, plain_outcomes, proposals_of
from memory.revisions import chosen as pointing_at
from memory.service import Memory
from nodes.forget_me import confirmed, is_his, settled
from nodes.opening import Answer, Question, answer_of
from nodes.redacting import redacted
from nodes.services import Services
from nodes.talk import Talk, talk_of


def settle(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Do what the answer says; an answer that is none leaves the memory proposed."""
    question, answer = state["open"], answer_of(state["open"], state.get("answer"))
    closed: dict[str, Any] = {"open": None, "answer": None}
    talk, memory = talk_of(state, config, services), services.memory()
    if question["kind"] == "forget_me":
        if not is_his(talk, services):
            return {"answer": None}
        yes = confirmed(question, state.get("answer"), talk, services)
        done = _forget_me(question, talk, memory, confirmed=yes)
        settled(question, talk, services)
        return closed | done
    if answer is None:
        return closed
    try:
        doomed = {each.memory_id: each for each in memory.current(talk.scope)} if _erases(question) else {}
        outcome = _done(question, answer, talk, memory)
    except RemembrancerError as error:
        outcome = Outcome(message_id=question["message_id"], status="failed", reason=str(error))
        doomed = {}
    told = plain_outcomes([*outcomes_of(state.get("outcomes") or []), outcome])
    if isinstance(answer, dict) or yes_or_no(talk.text) is not None:
        closed["heard"] = _read_already(state, talk, memory)
    return closed | {"outcomes": told} | redacted(state, [outcome], doomed)


def _read_already(state: dict[str, Any], talk: Talk, memory: Memory) -> list[str]:
    """What only answers the question, or put a pattern right, is not read once more."""
    for message in memory.kept(talk.scope, talk.thread_id, state.get("heard") or []):
        memory.mark_read(talk.scope, message, now=talk.now)
    return []


def _done(question: Question, answer: Answer, talk: Talk, memory: Memory) -> Outcome:
    asked = question["message_id"]
    if question["kind"] == "choose":
        if answer is False:
            return Outcome(message_id=asked, status="nothing", reason="kept")
        chosen = question["ids"][int(answer if isinstance(answer, int) else 0)]
        if question.get("wanted"):
            return _carried_out(question, chosen, talk, memory)
        memory.forget(talk.scope, chosen, now=talk.now)
        return Outcome(message_id=asked, status="forgotten", memory_id=chosen)
    (memory_id,) = question["ids"]
    if question["kind"] == "change":
        return memory.settle(talk.scope, memory_id, accept=bool(answer), now=talk.now)
    if question["kind"] == "habit":
        return _habit(memory_id, answer, talk, memory)
    if not answer:
        memory.invalidate(talk.scope, memory_id, reason="the person says it no longer holds", now=talk.now)
        return Outcome(message_id=asked, status="forgotten", memory_id=memory_id, reason="no longer true")
    return _confirmed(memory_id, talk, memory)


def _erases(question: Question) -> bool:
    wanted = proposals_of(question.get("wanted") or [])
    return question["kind"] == "choose" and (not wanted or wanted[0].verb == "forget")


def _carried_out(question: Question, chosen: str, talk: Talk, memory: Memory) -> Outcome:
    """What was said of several things is done to the one that was chosen."""
    (wanted,) = proposals_of(question["wanted"])
    (message,) = memory.kept(talk.scope, talk.thread_id, [question["message_id"]])
    return memory.apply(talk.scope, message, [pointing_at(wanted, chosen)], now=talk.now)[0]


def _habit(memory_id: str, answer: Answer, talk: Talk, memory: Memory) -> Outcome:
    """A pattern is one, is none, or is another: then in the person's words."""
    if isinstance(answer, dict):
        return memory.settle(talk.scope, memory_id, accept=True, content=answer["corrected"], now=talk.now)
    outcome = memory.settle(talk.scope, memory_id, accept=bool(answer), now=talk.now)
    return outcome if answer else Outcome(message_id=outcome.message_id, status="nothing", reason="declined")


def _confirmed(memory_id: str, talk: Talk, memory: Memory) -> Outcome:
    """The person says it again in other words: another source for it, of today."""
    old = memory.show(talk.scope, memory_id)
    said = Message(f"confirmed-{talk.now.isoformat()}", talk.thread_id, "user", talk.text, talk.now)
    again = Proposal(
        verb="add", content=old.content, quote=talk.text, kind=old.kind, category=old.category,
        importance=old.importance, confidence=0.9, rule="confirmed", slot=old.slot, value=old.value,
        polarity=old.polarity, topic=old.topic, explicit=True,
    )  # fmt: skip
    return memory.apply(talk.scope, said, [again], now=talk.now)[0]


def _forget_me(question: Question, talk: Talk, memory: Memory, *, confirmed: bool) -> dict[str, Any]:
    if not confirmed:
        return {"outcomes": plain_outcomes([Outcome(message_id="", status="nothing", reason="kept everything")])}
    try:
        receipt = memory.forget_me(talk.scope, confirm=question["token"], now=talk.now)
    except RemembrancerError as error:
        failed = Outcome(message_id="", status="failed", reason=str(error))
        return {"outcomes": plain_outcomes([failed])}
    counts = {place: list(count) for place, count in receipt.counts.items()}
    return {
        "messages": [RemoveMessage(REMOVE_ALL_MESSAGES)],
        "summary": "",
        "heard": [],
        "receipt": {
            "lang": talk.lang,
            "counts": counts,
            "proved": list(receipt.proved),
            "requested": list(receipt.requested),
        },
    }
