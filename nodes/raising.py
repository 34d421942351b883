"""Whether this is a good moment to ask what memory would like to know, and how it is put."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from langchain_core.messages import AnyMessage

from foundation.errors import RemembrancerError
from memory.block import said_on
from memory.model import Remembered
from memory.sessions import IDLE, says_goodbye
from nodes.opening import Question, is_habit, still_true
from nodes.quoting import quotes
from nodes.replies import say
from nodes.services import Services
from nodes.talk import Talk, said_now

_QUIET = frozenset(("stored", "reinforced", "nothing"))
"""What a turn may have led to for something else to be asked in its answer."""
RAISED = frozenset(("habit", "still"))
"""The kinds of questions that count as raised once they are asked."""


def to_ask(state: dict[str, Any], talk: Talk, services: Services) -> Question | None:
    """A question of memory's own; only at the beginning of a sitting, and never on top of something that matters."""
    memory = services.memory()
    if not _is_quiet(state, talk) or _goes_on(state.get("messages") or [], talk, services):
        return None
    due = memory.to_raise(talk.scope, now=talk.now)
    if due is None:
        return None
    if due.status == "proposed":
        return is_habit(due, habit_text(due, talk, services))
    return still_true(due, still_text(due, talk, services))


def note_raised(state: dict[str, Any], talk: Talk, services: Services) -> None:
    """Note that what is asked now was asked, so that it is not asked again."""
    question = state.get("open")
    if question is None or question["kind"] not in RAISED:
        return
    try:
        services.memory().note_raised(talk.scope, question["ids"][0], now=talk.now)
    except RemembrancerError:
        return  # It is of another pool, or gone: then nobody asks about it again anyway.


def habit_text(habit: Remembered, talk: Talk, services: Services) -> str:
    """The question about a pattern, with the words and days that show it."""
    shown = quotes(habit.sources, talk, services)
    return "\n".join([say("habit", talk.lang, content=habit.content), *shown, say("habit.ask", talk.lang)])


def still_text(stale: Remembered, talk: Talk, services: Services) -> str:
    """The question about a preference that is more than a year old."""
    return say("still", talk.lang, content=stale.content, date=f"{said_on(stale, services.zone):%Y-%m-%d}")


def _is_quiet(state: dict[str, Any], talk: Talk) -> bool:
    outcomes = state.get("outcomes") or []
    felt = any(each["kind"] == "episodic" for each in outcomes)
    return (
        not felt
        and not state.get("trouble")
        and not says_goodbye(talk.text)
        and all(each["status"] in _QUIET for each in outcomes)
    )


def _goes_on(messages: Sequence[AnyMessage], talk: Talk, services: Services) -> bool:
    """Whether the person is in the middle of a talk, in this thread or another."""
    now = {str(each.id) for each in said_now(messages)}
    turns = services.memory().talk(talk.scope, since=talk.now - IDLE, until=talk.now + timedelta(seconds=1))
    return any(each.role == "user" and each.message_id not in now for each in turns)
