"""Questions about a day: what is due then, and what was talked about then."""

import re
from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.dates import When, find_dates
from memory.model import Remembered
from memory.recurrence import find_recurrences

_AGENDA = re.compile(
    r"有(?:什么|啥|哪些)(?:事|安排|计划|会|要做)|(?:什么|啥)(?:安排|日程|计划)|要(?:做|干)(?:什么|啥)|日程|待办"
    r"|\b(?:what'?s|what is|what do I have|anything|what am I) (?:\w+ ){0,3}(?:on|up|planned|due|scheduled|doing|for)\b|\bagenda\b|\bschedule\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"我.{0,8}?(?:问|说|聊|讲|提|谈)(?:过|了|到)?.{0,3}?(?:什么|啥|哪些)"
    r"|\bwhat (?:did|have) (?:I|we) (?:ask|say|said|tell|told|talk|talked|discuss|discussed|mention)",
    re.IGNORECASE,
)


def agenda_asked(question: str, now: datetime, zone: ZoneInfo) -> When | None:
    """The days whose duties the question asks for."""
    return _day(question, now, zone, past=False) if _AGENDA.search(question) else None


def talk_asked(question: str, now: datetime, zone: ZoneInfo) -> When | None:
    """The days whose conversation the question asks for."""
    return _day(question, now, zone, past=True) if _TALK.search(question) else None


def due(memories: Iterable[Remembered], when: When, zone: ZoneInfo) -> list[Remembered]:
    """The memories whose date, or one of whose recurring days, lies in that time."""
    day = when.begins.astimezone(zone).date()

    def falls(memory: Remembered) -> bool:
        dated = memory.episode.when if memory.episode else None
        if dated is not None:
            return when.begins <= dated < when.ends
        recurring = find_recurrences(memory.content) if memory.kind == "procedural" else []
        return any(each.falls_on(day) for each in recurring)

    return [memory for memory in memories if falls(memory)]


def _day(question: str, now: datetime, zone: ZoneInfo, *, past: bool) -> When | None:
    found = find_dates(question, now, zone, past=past)
    return found[0] if found else None
