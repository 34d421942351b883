"""After the answer: archive the session that ended, and have a model read what the rules left unclear.

A crash before it only delays it.
"""

from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy.exc import SQLAlchemyError

from foundation.errors import RemembrancerError
from memory.model import Outcome
from memory.plain import outcomes_of, plain_outcomes
from nodes.raising import note_raised
from nodes.services import Services
from nodes.talk import Talk, talk_of

_A_TURN = 3
"""Messages read in one turn, so that a long backlog never holds up a talk."""
_ALL = 100
"""Messages read when the window overflows: what leaves it is read first."""


def reflect(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """What the model found becomes memory; a model that fails is asked again after a later turn."""
    if state.get("receipt"):
        return {}
    talk = talk_of(state, config, services)
    try:
        note_raised(state, talk, services)
        services.memory().close_sessions(talk.scope, thread_id=talk.thread_id, now=talk.now)
        found = _read(talk, services, waiting=_A_TURN if not state.get("overflow") else _ALL)
    except (RemembrancerError, SQLAlchemyError):
        return {}
    told = [each for each in found if each.status not in ("nothing", "failed")]
    return {"outcomes": plain_outcomes([*outcomes_of(state.get("outcomes") or []), *told])} if told else {}


def _read(talk: Talk, services: Services, *, waiting: int) -> list[Outcome]:
    if services.reader is None:
        return []
    return services.memory().catch_up(talk.scope, extractor=services.reader, limit=waiting, now=talk.now)
