"""After the answer: have a model read what the rules left unclear. A crash before it only delays it."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from memory.plain import outcomes_of, plain_outcomes
from nodes.services import Services
from nodes.talk import talk_of

_A_TURN = 3
"""Messages read in one turn, so that a long backlog never holds up a talk."""


def reflect(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """What the model found becomes memory; a model that fails is asked again after a later turn."""
    if services.reader is None or state.get("receipt"):
        return {}
    talk = talk_of(state, config, services)
    try:
        found = services.memory().catch_up(talk.scope, extractor=services.reader, limit=_A_TURN, now=talk.now)
    except (RemembrancerError, SQLAlchemyError):
        return {}
    told = [each for each in found if each.status not in ("nothing", "failed")]
    return {"outcomes": plain_outcomes([*outcomes_of(state.get("outcomes") or []), *told])} if told else {}
