"""Read what was heard for memories, by rules."""

from typing import Any

from langchain_core.runnables import RunnableConfig

from memory.plain import plain_proposals
from nodes.services import Services
from nodes.talk import talk_of


def extract(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """What each message wants done to memory; nothing is changed yet."""
    if not state.get("heard"):
        return {"proposals": []}
    talk, memory = talk_of(state, config, services), services.memory()
    heard = memory.kept(talk.scope, talk.thread_id, state["heard"])
    read = [(message, memory.propose(talk.scope, message, now=talk.now)) for message in heard]
    return {
        "proposals": [
            {"message_id": message.message_id, "wanted": plain_proposals(proposals)} for message, proposals in read
        ]
    }
