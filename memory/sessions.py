"""A conversation that ended: which of its turns count, and what is archived of it. Pure but for reading the transcript.

A session is a run of turns of one thread with less than half an hour between them. It ended when half an hour has
passed, or when the person said goodbye. Only the person's own words are archived: no answer becomes a memory.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from memory.model import Message, Source
from memory.perceive import perceive
from memory.recall import count_tokens
from memory.screening import screen

Summariser = Callable[[Sequence[Message]], str]

RULE = "session.end"
IDLE = timedelta(minutes=30)
_GOODBYE = re.compile(
    r"^[\s，,。.!！~～]*(?:(?:好的?|嗯|行|谢谢(?:你)?|多谢|那|就这样吧?|先这样吧?|今天就到这(?:里|儿)?吧?|不聊了|我先(?:走|下|撤)了|下次(?:再)?聊|回头(?:再)?聊|明天(?:再)?聊|明天见|回见|再见|拜拜|晚安|88|thanks|thank you|ok|okay|well|that's all(?: for (?:today|now))?|good ?bye|bye(?: bye)?|see you(?: (?:later|soon|tomorrow))?|talk to you later|good night|ttyl|cheers|for now)[\s，,。.!！~～啦了哦呀吧]*)+$",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"就这样|先这样|就到这|不聊了|我先(?:走|下|撤)|再?聊|明天见|回见|再见|拜拜|晚安|88|that's all|bye|see you|later|good night|ttyl",
    re.IGNORECASE,
)
_COUNTS = frozenset(("statement", "question", "request"))
_ASKS = frozenset(("question", "request"))
_HELD = frozenset(("do not remember", "role play", "joke", "forget request", "quote"))
_LONGEST_QUOTE = 200
_SHORTEST = 4
"""Tokens below which a turn ("收到", "go on") tells nothing."""


def says_goodbye(text: str) -> bool:
    """Whether a message takes leave and says nothing else."""
    return bool(_GOODBYE.match(text) and _LEAVES.search(text))


def sessions(turns: Sequence[Message], idle: timedelta = IDLE) -> list[list[Message]]:
    """A thread's turns, oldest first, cut where nothing was said for `idle` or after a goodbye."""
    found: list[list[Message]] = []
    left = False
    for turn in turns:
        fresh = not found or turn.created_at - found[-1][-1].created_at >= idle or (left and turn.role == "user")
        if fresh:
            found.append([turn])
        else:
            found[-1].append(turn)
        left = says_goodbye(turn.content) if turn.role == "user" else left and not fresh
    return found


def is_over(session: Sequence[Message], now: datetime, idle: timedelta = IDLE) -> bool:
    """Whether a session ended."""
    said = [turn for turn in session if turn.role == "user"]
    return now - session[-1].created_at >= idle or bool(said and says_goodbye(said[-1].content))


def telling(session: Sequence[Message]) -> list[Message]:
    """The person's turns that say something which may be kept: no chatter, no joke, nothing that was to stay unkept."""
    return [turn for turn in session if turn.role == "user" and _tells(turn)]


def asking(session: Sequence[Message]) -> list[Message]:
    """Those of the person's telling turns that ask for something."""
    return [turn for turn in telling(session) if {each.speech for each in perceive(turn)} & _ASKS]


def _tells(turn: Message) -> bool:
    short = count_tokens(turn.content) < _SHORTEST
    if short or says_goodbye(turn.content) or screen(turn.content) is not None:
        return False
    speeches = {each.speech for each in perceive(turn)}
    return bool(speeches & _COUNTS) and not speeches & _HELD


def plain_summary(turns: Sequence[Message]) -> str:
    """What was said, in the length of a summary, without a model."""
    from langchain_core.messages import HumanMessage

    from memory.short_term import summarise

    return summarise("", [HumanMessage(turn.content) for turn in turns])


def sources_of(turns: Sequence[Message]) -> list[Source]:
    """The turns as sources."""
    return [
        Source(
            thread_id=turn.thread_id,
            message_id=turn.message_id,
            quote=turn.content[:_LONGEST_QUOTE],
            speaker=turn.role,
            said_at=turn.created_at,
        )
        for turn in turns
    ]
