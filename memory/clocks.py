"""Reading times of day in Chinese and English: "下午三点半", "9:15", "at 3pm"."""

import re
from datetime import time

from memory import calendar as days_of

_ZH_PART = r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|早|晚)?"
_TIMES = (
    re.compile(
        rf"{_ZH_PART}(?P<h>2[0-4]|1\d|\d|[一二两三四五六七八九十]{{1,3}})(?:点钟?(?!几|多|了?儿?[^半一三0-9]?儿)|时(?![候间长代]))"
        r"(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<m>[0-5]?\d)分?)?"
    ),
    re.compile(rf"{_ZH_PART} ?(?<!\d)(?P<h>2[0-3]|[01]?\d)[:：](?P<m>[0-5]\d)(?!\d) ?(?P<en>am|pm)?", re.IGNORECASE),
    re.compile(r"\b(?P<h>1[0-2]|\d) ?(?P<en>am|pm|a\.m\.|p\.m\.)(?![a-z])", re.IGNORECASE),
    re.compile(r"\bat (?P<h>2[0-3]|1\d|\d)(?!\d|[:.]\d|%| ?(?:euro|dollar|percent|people))\b"),
)
_LATE = {"下午", "傍晚", "晚上", "夜里", "晚", "pm", "p.m."}


def find_time(text: str) -> tuple[time, int, int] | None:
    """The first time of day in `text` with the offsets where its words begin and end; None when there is none."""
    for pattern in _TIMES:
        found = pattern.search(text)
        if found and (clock := _clock(found.groupdict())):
            return clock, found.start(), found.end()
    return None


def _clock(parts: dict[str, str | None]) -> time | None:
    hour = days_of.number(parts["h"] or "")
    if hour is None or hour > 24:
        return None
    minute = int(parts.get("m") or 0)
    minute = 30 if parts.get("half") else {"一": 15, "三": 45}.get(parts.get("quarter") or "", minute)
    return time(_hour(hour, (parts.get("part") or parts.get("en") or "").lower()) % 24, minute)


def _hour(hour: int, mark: str) -> int:
    if mark in _LATE and hour < 12:
        return hour + 12
    return 0 if mark in {"am", "a.m."} and hour == 12 else hour
