"""Reading what comes again: "每月25号", "每周二四", "every Sunday", "the first Wednesday of the month"."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, time
from typing import Literal

from memory import calendar as days_of
from memory.clocks import find_time

Unit = Literal["day", "week", "month", "year"]

_LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A phrase that names days which come again."""

    phrase: str
    start: int
    """Offset of the phrase in the text."""
    unit: Unit
    interval: int = 1
    """2 for every other week; which of the two is not known, so `falls_on` takes both."""
    weekdays: frozenset[int] = frozenset()
    """Monday is 0; empty for any."""
    month: int | None = None
    month_day: int | None = None
    nth: int | None = None
    """The n-th such weekday of the month; -1 for the last."""
    at: time | None = None
    """Local time of day, if one was said."""

    @property
    def end(self) -> int:
        """Offset behind the phrase."""
        return self.start + len(self.phrase)

    def falls_on(self, day: date) -> bool:
        """Whether `day` may be one of the days; a month too short for the 31st gives its last day."""
        last = calendar.monthrange(day.year, day.month)[1]
        return (
            (not self.weekdays or day.weekday() in self.weekdays)
            and (self.month is None or day.month == self.month)
            and (self.month_day is None or day.day == min(self.month_day, last))
            and (self.nth is None or self._is_nth(day, last))
        )

    def _is_nth(self, day: date, last: int) -> bool:
        return day.day + 7 > last if self.nth == -1 else (day.day - 1) // 7 + 1 == self.nth


_ZH_DAY = {character: index for index, character in enumerate("一二三四五六日")} | {"天": 6}
_EN_DAY = {name: index for index, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_NTH = {"第一": 1, "第二": 2, "第三": 3, "第四": 4, "最后一": -1,
        "first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}  # fmt: skip
_WORKDAYS = frozenset(range(5))
_WEEKEND = frozenset({5, 6})
_N = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_WD = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"

_ROWS: tuple[tuple[str, Unit], ...] = (
        (r"每个?月(?:的)?(?P<nth>第[一二三四]|最后一)个?(?:周|星期|礼拜)(?P<days>[一二三四五六日天])", "month"),
        (rf"(?:每个?月|按月)(?:的)?(?:(?P<n>{_N})[号日]|(?P<edge>[初底末]))?", "month"),
        (rf"每年(?:的)?(?:(?P<m>{_N})月(?:份)?(?:(?P<n>{_N})[号日])?)?|年年", "year"),
        (rf"每隔?(?P<n>{_N})个?(?:周|星期|礼拜)|隔周|双周", "week"),
        (r"(?:每个?)(?:周|星期|礼拜)(?P<days>[一二三四五六日天、和跟到至]+)?(?P<end>末)?|逢周(?P<days2>[一二三四五六日天])", "week"),
        (r"(?P<work>每个?工作日|工作日(?:都|每天|里)?)|(?P<end>周末双休|周末(?:一般|都|通常|经常|总))", "week"),
        (r"每天|每日|(?<![今明昨后前半一每整])天天(?!气)|每(?=早|晚)", "day"),
        (rf"\b(?:(?:on )?the )?(?P<nth>first|second|third|fourth|last) (?P<days>{_WD}) of (?:the|every|each) month", "month"),
        (r"\b(?:on )?the (?P<n>[12]?\d|3[01])(?:st|nd|rd|th)? of (?:every|each|the) month", "month"),
        (r"\b(?:on )?the last working day of (?:the|every|each) month(?P<edge>)", "month"),
        (rf"\b(?:every other|every second|alternate) (?P<days>{_WD}|week)\b(?P<other>)|\bbiweekly\b", "week"),
        (rf"\b(?:every|each) (?P<days>{_WD}(?:(?:,? and |, | & |/){_WD})*)\b", "week"),
        (rf"\bon (?P<days>{_WD}s(?:(?:,? and |, ){_WD}s)*)\b", "week"),
        (rf"(?<=[a-z] )(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:{_WD})s)*)\b", "week"),
        (r"\b(?P<work>(?:on |every )?(?:weekdays?|workdays?))\b|\b(?P<end>(?:on |every |at )?weekends)\b|\bevery week(?P<end2>end)?\b"
         r"|\bweekly\b", "week"),
        (r"\b(?:every|each) (?:single )?(?:day|morning|evening|night|afternoon)\b|\bdaily\b", "day"),
        (r"\b(?:every|each) month\b|\bmonthly\b", "month"),
        (r"\b(?:every|each) (?:year|spring|summer|autumn|fall|winter)\b|\bannually\b|\byearly\b", "year"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(text, re.IGNORECASE), unit) for text, unit in _ROWS)


def find_recurrences(text: str) -> list[Recurrence]:
    """The recurring phrases of `text` (its first 2,000 characters) in order, without overlaps."""
    text = text[:_LONGEST_TEXT]
    found: list[Recurrence] = []
    for pattern, unit in _PATTERNS:
        for match in pattern.finditer(text):
            if not any(match.start() < other.end and other.start < match.end() for other in found):
                found.append(_recurrence(match, unit, text))
    return sorted(found, key=lambda recurrence: recurrence.start)


def _recurrence(match: re.Match[str], unit: Unit, text: str) -> Recurrence:
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    clock = find_time(text[match.end() : match.end() + 12])
    day = days_of.number(parts["n"]) if "n" in parts and unit != "week" else None
    return Recurrence(
        phrase=match.group(),
        start=match.start(),
        unit=unit,
        interval=_interval(match.group(), parts, unit),
        weekdays=_weekdays(parts),
        month=days_of.number(parts["m"]) if "m" in parts else None,
        month_day=day if day is not None else _edge(parts),
        nth=_NTH.get(parts.get("nth", "").lower()),
        at=clock[0] if clock else None,
    )


def _edge(parts: dict[str, str]) -> int | None:
    if "edge" not in parts:
        return None
    return 1 if parts["edge"] == "初" else 31


def _interval(phrase: str, parts: dict[str, str], unit: Unit) -> int:
    if unit == "week" and "n" in parts:
        return days_of.number(parts["n"]) or 1
    return 2 if "other" in parts or phrase.lower() in {"隔周", "双周", "biweekly"} else 1


def _weekdays(parts: dict[str, str]) -> frozenset[int]:
    if "work" in parts:
        return _WORKDAYS
    if "end" in parts or "end2" in parts:
        return _WEEKEND
    named = parts.get("days") or parts.get("days2") or ""
    if not named.isascii():
        return _zh_weekdays(named)
    return frozenset(_EN_DAY[word[:3].lower()] for word in re.findall(_WD, named, re.IGNORECASE))


def _zh_weekdays(named: str) -> frozenset[int]:
    days = [_ZH_DAY[character] for character in named if character in _ZH_DAY]
    if re.search(r"[到至]", named) and len(days) == 2:
        return frozenset(range(days[0], days[1] + 1))
    return frozenset(days)
