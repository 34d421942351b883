"""Put the facts before the answer: the profile and what was recalled, as one block of data about the user."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from memory.block import Facts, context_block
from memory.model import Remembered
from memory.service import Memory
from nodes.services import Services
from nodes.talk import Talk, talk_of
from prompts import load


def inject(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Make the block; without the store there is none, and the reply says so."""
    talk, recalled = talk_of(state, config, services), state.get("recalled") or {}
    items = recalled.get("found") or []
    try:
        memory = services.memory()
        facts = Facts(
            profile=memory.profile(talk.scope, now=talk.now),
            found=[_load(each["memory_id"], talk, memory) for each in items],
            stale=frozenset(each["memory_id"] for each in items if each["doubted"]),
            zone=services.zone,
        )
    except (RemembrancerError, SQLAlchemyError):
        return {"facts": ""}
    prompt = load("assistant", talk.lang)
    block = context_block(facts, prompt.fill("facts"), prompt.fill("doubted"), talk.lang)
    profile = [each.memory_id for each in facts.profile]
    return {"facts": block, "recalled": {**recalled, "profile": profile}}


def _load(memory_id: str, talk: Talk, memory: Memory) -> Remembered:
    try:
        return memory.show(talk.scope, memory_id)
    except RemembrancerError:
        return memory.show(talk.company, memory_id)
