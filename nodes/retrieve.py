"""Recall what matters to the message, from the person's pool and the company's."""

from collections.abc import Iterable
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from memory.block import said_on
from memory.daybook import agenda_asked, due, talk_asked
from memory.model import Message, Recall, Recollection, Remembered
from memory.raising import DOUBTED_AFTER
from memory.service import Memory
from memory.short_term import clipped
from nodes.opening import still_true
from nodes.raising import still_text, to_ask
from nodes.replies import WHY
from nodes.services import Services
from nodes.talk import Talk, talk_of

_MOST_TURNS = 20
_QUESTION_TOKENS = 500


def retrieve(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Search both pools by name; what can't be reached is told, never hidden."""
    talk = talk_of(state, config, services)
    try:
        return _recalled(state, talk, services)
    except (RemembrancerError, SQLAlchemyError):
        return {"recalled": {}, "trouble": [*(state.get("trouble") or []), "read"]}


def _recalled(state: dict[str, Any], talk: Talk, services: Services) -> dict[str, Any]:
    memory = services.memory()
    question = clipped(WHY.sub("", talk.text), _QUESTION_TOKENS)
    recall = memory.search([talk.scope, talk.company], question, now=talk.now, thread=talk.thread_id)
    new = {outcome["memory_id"] for outcome in state.get("outcomes") or [] if outcome["status"] != "reinforced"}
    found = [_item(each, talk, services) for each in recall.recollections if each.memory.memory_id not in new]
    found += _due(found, talk, memory, services)
    recalled = {
        "found": found,
        "talk": _talk(talk, memory, services),
        "degraded": list(recall.degraded),
        "dropped": recall.dropped,
    }
    asked = state.get("open") or _doubt(found, recall, talk, services) or to_ask(state, talk, services)
    return {"recalled": recalled, "open": asked}


def _item(found: Recollection, talk: Talk, services: Services) -> dict[str, Any]:
    return {**_told(found.memory, talk, services), "arms": [arm.name for arm in found.arms], "why": found.why}


def _told(memory: Remembered, talk: Talk, services: Services) -> dict[str, Any]:
    """A memory as the reply and the block tell it: small facts, dated in the person's zone."""
    source = max(memory.sources, key=lambda each: each.said_at, default=None)
    return {
        "memory_id": memory.memory_id,
        "content": memory.content,
        "quote": source.quote if source else "",
        "thread": source.thread_id if source else "",
        "speaker": source.speaker if source else "",
        "said_on": f"{said_on(memory, services.zone):%Y-%m-%d}",
        "rule": memory.rule,
        "doubted": _is_doubted(memory, talk, services),
    }


def _is_doubted(memory: Remembered, talk: Talk, services: Services) -> bool:
    """A preference that nobody repeated for a year is asked about before it is relied on."""
    return memory.category == "preference" and talk.now - said_on(memory, services.zone) > DOUBTED_AFTER


def _due(found: Iterable[dict[str, Any]], talk: Talk, memory: Memory, services: Services) -> list[dict[str, Any]]:
    when = agenda_asked(talk.text, talk.now, services.zone)
    if when is None:
        return []
    known = {each["memory_id"] for each in found}
    listed = due(memory.current(talk.scope, now=talk.now), when, services.zone)
    told = [_told(each, talk, services) for each in listed if each.memory_id not in known]
    return [{**each, "arms": ["day"], "why": when.phrase} for each in told]


def _talk(talk: Talk, memory: Memory, services: Services) -> list[dict[str, str]]:
    when = talk_asked(talk.text, talk.now, services.zone)
    if when is None:
        return []
    turns: list[Message] = memory.talk(talk.scope, since=when.begins, until=when.ends)
    said = [each for each in turns if each.role == "user"][-_MOST_TURNS:]
    return [
        {"said_on": f"{each.created_at.astimezone(services.zone):%Y-%m-%d}", "text": each.content[:200]}
        for each in said
    ]


def _doubt(found: Iterable[dict[str, Any]], recall: Recall, talk: Talk, services: Services) -> dict[str, Any] | None:
    """The question whether something said long ago still holds, where the answer would rest on it."""
    memories = {each.memory.memory_id: each.memory for each in recall.recollections}
    for item in found:
        if item["doubted"] and item["memory_id"] in memories:
            stale = memories[item["memory_id"]]
            return still_true(stale, still_text(stale, talk, services))
    return None
