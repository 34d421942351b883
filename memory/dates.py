"""Reading dates and times in Chinese and English, in the zone of the person who said them.

A phrase is resolved against the moment of the message and never guessed: words that name no day give no date. Returned
moments are aware and in UTC. Weeks begin on Monday; "next Tuesday" and "下周二" lie in the following week, "last Tuesday"
is the latest one before the message.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from foundation.clock import as_utc
from memory import calendar as days_of
from memory.calendar import Days
from memory.clocks import find_time
from memory.recurrence import find_recurrences

_LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A date phrase and the stretch of time it names."""

    phrase: str
    start: int
    """Offset of the phrase in the text."""
    begins: datetime
    """UTC; local midnight when no time of day was said."""
    ends: datetime
    """UTC, exclusive."""
    timed: bool = False
    """A time of day was said."""

    @property
    def end(self) -> int:
        """Offset behind the phrase."""
        return self.start + len(self.phrase)


@dataclass(frozen=True, slots=True)
class _Base:
    day: date
    past: bool


Resolver = Callable[[re.Match[str], _Base], Days | None]

_N = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3}|半)"
_ZH_WEEKDAYS = {character: index for index, character in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_EN_WEEKDAYS = {name: index for index, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_EN_MONTHS = {
    name: index + 1
    for index, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))
}
_WEEKDAY = (
    r"(?P<wd>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b"
)
_MONTH_NAMES = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH = rf"(?P<mon>{_MONTH_NAMES})\b"
_EN_N = r"(?P<n>\d{1,3}|an?|a couple of|a few|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_ZH_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_ZH_SHIFT = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2, "": 0}
_ZH_YEARS = {"前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_EN_SHIFT = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_EN_DAYS = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "the day after tomorrow": 2,
}  # fmt: skip


def _moved(base: _Base, unit: str, count: int) -> Days:
    if unit in {"month", "year"}:
        return days_of.one_day(days_of.add_months(base.day, count * (12 if unit == "year" else 1)))
    return days_of.one_day(base.day + timedelta(days=count * (7 if unit == "week" else 1)))


def _zh_day(found: re.Match[str], base: _Base) -> Days:
    return days_of.one_day(base.day + timedelta(days=_ZH_DAYS[found["d"]]))


_ZH_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}


def _zh_distance(found: re.Match[str], base: _Base) -> Days | None:
    unit = _ZH_UNITS[found["u"]]
    sign = -1 if found["way"].endswith("前") else 1
    if found["n"] == "半":
        return _moved(base, "month", sign * 6) if unit == "year" else None
    count = days_of.number(found["n"])
    return None if count is None else _moved(base, unit, sign * count)


def _zh_week(found: re.Match[str], base: _Base) -> Days:
    which, shift = found["wd"], found["shift"]
    if which is None:
        return days_of.week(base.day, _ZH_SHIFT[shift])
    if which == "末":
        saturday = days_of.weekday(base.day, 5, _ZH_SHIFT[shift]).first
        return Days(saturday, saturday + timedelta(days=2))
    if not shift:
        return days_of.near_weekday(base.day, _ZH_WEEKDAYS[which], past=base.past)
    return days_of.weekday(base.day, _ZH_WEEKDAYS[which], _ZH_SHIFT[shift])


def _zh_month(found: re.Match[str], base: _Base) -> Days:
    month = days_of.month(base.day, _ZH_SHIFT[found["shift"]])
    return _part_of_month(month, found["part"], found["n"])


def _part_of_month(month: Days, part: str | None, day_text: str | None) -> Days:
    if day_text:
        return days_of.day_of_month(month.first, days_of.number(day_text) or 0)
    if part == "初":
        return Days(month.first, month.first + timedelta(days=10))
    if part in {"底", "末"}:
        return Days(month.last - timedelta(days=5), month.last)
    return month


def _zh_near_month(found: re.Match[str], base: _Base) -> Days:
    return _part_of_month(days_of.month(base.day), found["part"], None)


def _zh_year(found: re.Match[str], base: _Base) -> Days:
    year = base.day.year + _ZH_YEARS[found["y"]]
    month_text, season = found["m"], found["season"]
    if month_text:
        month, day = days_of.number(month_text) or 0, found["n"]
        whole = days_of.months_from(year, month, 1)
        return _part_of_month(whole, None, day) if day else whole
    if season:
        return days_of.months_from(year, days_of.SEASON_MONTHS[season], 3)
    return _part_of_year(year, found["part"])


def _part_of_year(year: int, part: str | None) -> Days:
    first, count = {"初": (1, 2), "底": (12, 1), "末": (12, 1)}.get(part or "", (1, 12))
    return days_of.months_from(year, first, count)


def _zh_near_year(found: re.Match[str], base: _Base) -> Days:
    return _part_of_year(base.day.year, found["part"])


def _zh_month_day(found: re.Match[str], base: _Base) -> Days:
    month = days_of.number(found["m"]) or 0
    day = days_of.number(found["n"]) if found["n"] else None
    if found["y"]:
        return _exact(int(found["y"]), month, day)
    return days_of.month_day(base.day, month, day, past=base.past)


def _zh_day_number(found: re.Match[str], base: _Base) -> Days:
    return _near_day_number(base, days_of.number(found["n"]) or 0)


def _near_day_number(base: _Base, day: int) -> Days:
    shifts = (0, -1, -2) if base.past else (0, 1, 2)
    for shift in shifts:
        try:
            found = days_of.day_of_month(days_of.month(base.day, shift).first, day)
        except ValueError:
            continue
        if found.first <= base.day if base.past else found.last > base.day:
            return found
    raise ValueError(f"no near day {day}")


def _exact(year: int, month: int, day: int | None) -> Days:
    return days_of.months_from(year, month, 1) if day is None else days_of.one_day(date(year, month, day))


def _iso(found: re.Match[str], _: _Base) -> Days:
    return _exact(int(found["y"]), int(found["m"]), int(found["n"]))


def _quarter(found: re.Match[str], base: _Base) -> Days:
    quarter = days_of.number(found["q"]) or 0
    year = int(found["y"]) if found["y"] else base.day.year
    return days_of.months_from(year, quarter * 3 - 2, 3)


def _en_day(found: re.Match[str], base: _Base) -> Days:
    return days_of.one_day(base.day + timedelta(days=_EN_DAYS[found["d"].lower()]))


def _en_distance(found: re.Match[str], base: _Base) -> Days | None:
    count = days_of.number(found["n"])
    sign = -1 if found["way"] and found["way"].lower() in {"ago", "earlier"} else 1
    return None if count is None else _moved(base, found["u"].lower(), sign * count)


def _en_shifted(found: re.Match[str], base: _Base) -> Days:
    shift, unit = _EN_SHIFT[found["shift"].lower()], found["u"].lower()
    if unit == "week":
        return days_of.week(base.day, shift)
    if unit == "month":
        month = days_of.month(base.day, shift)
        return days_of.day_of_month(month.first, int(found["n"])) if found["n"] else month
    if unit == "year":
        return days_of.months_from(base.day.year + shift, 1, 12)
    if unit == "weekend":
        saturday = days_of.weekday(base.day, 5, shift).first
        return Days(saturday, saturday + timedelta(days=2))
    return _season(base, unit, shift)


def _season(base: _Base, season: str, shift: int) -> Days:
    first_month = days_of.SEASON_MONTHS[season]
    years = range(base.day.year - 2, base.day.year + 3)
    seasons = [days_of.months_from(year, first_month, 3) for year in years]
    if shift < 0:
        return max((s for s in seasons if s.last <= base.day), key=lambda s: s.first)
    fitting = (s for s in seasons if (s.last > base.day if shift == 0 else s.first > base.day))
    return min(fitting, key=lambda s: s.first)


def _en_weekday(found: re.Match[str], base: _Base) -> Days:
    which = _EN_WEEKDAYS[found["wd"][:3].lower()]
    shift = (found["shift"] or "").lower()
    if shift in {"last", "past", "previous"}:
        return days_of.near_weekday(base.day, which, past=True)
    if shift in {"next", "following"}:
        return days_of.weekday(base.day, which, 1)
    return days_of.near_weekday(base.day, which, past=base.past and not shift)


def _en_month_day(found: re.Match[str], base: _Base) -> Days:
    month = _EN_MONTHS[found["mon"][:3].lower()]
    day = int(found["n"]) if found["n"] else None
    if found["y"]:
        return _exact(int(found["y"]), month, day)
    return days_of.month_day(base.day, month, day, past=base.past)


def _en_days_of_month(found: re.Match[str], base: _Base) -> Days:
    first = _en_month_day(found, base).first
    return Days(first, days_of.day_of_month(first, int(found["n2"])).last)


def _en_day_number(found: re.Match[str], base: _Base) -> Days:
    if found["shift"]:
        return days_of.day_of_month(days_of.month(base.day, _EN_SHIFT[found["shift"].lower()]).first, int(found["n"]))
    return _near_day_number(base, int(found["n"]))


def _en_edge(found: re.Match[str], base: _Base) -> Days:
    start = found["edge"].lower() in {"start", "beginning"}
    if found["u"].lower() == "year":
        return _part_of_year(base.day.year, "初" if start else "底")
    shift = _EN_SHIFT.get((found["shift"] or "this").lower(), 0)
    return _part_of_month(days_of.month(base.day, shift), "初" if start else "底", None)


def _table(*rows: tuple[str, Resolver]) -> tuple[tuple[re.Pattern[str], Resolver], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), resolver) for pattern, resolver in rows)


_SEASONS = "spring|summer|autumn|fall|winter"
_NTH = r"(?P<n>[12]?\d|3[01])(?:st|nd|rd|th)"
_YEAR = r"(?:,? +(?P<y>(?:19|20)\d\d)\b)?"

PHRASES = _table(
    (r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>1[0-2]|0?[1-9])[-/.](?P<n>3[01]|[12]\d|0?[1-9])(?!\d)", _iso),
    (rf"(?P<y>[去今明前后])年(?:(?P<m>{_N})月(?:份)?(?:(?P<n>{_N})[日号])?|(?P<season>[春夏秋冬])[天季]?|(?P<part>[初底末]))?",
     _zh_year),
    (rf"(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>{_N})月(?:份)?(?:(?P<n>{_N})[日号])?(?!后|前|以)", _zh_month_day),
    (r"(?<!一)(?<!每)(?<!半)(?<!天)(?<!以)(?P<d>大前|大后|前|昨|今|明|后)(?:[天日](?!后)|儿个?|(?=[早晚](?:上)?))", _zh_day),
    (rf"(?<!第)(?P<n>{_N})(?:个)?(?P<u>天|日|周|星期|礼拜|月|年)(?:之|以)?(?P<way>前|后)", _zh_distance),
    (r"(?<!每)(?<!隔)(?P<shift>上上|下下|上|下|这|本)个?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天末])?", _zh_week),
    (r"(?<![每个上下这本隔周一二两三四五六期拜])(?P<shift>)(?:周|星期|礼拜)(?P<wd>[一二三四五六日天末])(?![年期个岁])", _zh_week),
    (rf"(?P<shift>上上|下下|上|下|这|本)个?月(?:(?P<part>[初底末])|(?P<n>{_N})[日号])?", _zh_month),
    (r"(?<!每)(?<!个)月(?P<part>[初底末])", _zh_near_month),
    (r"(?<![每去今明前后])年(?P<part>[初底])", _zh_near_year),
    (r"(?:(?P<y>(?:19|20)\d\d)年?)?(?:第(?P<q>[一二三四])季度)", _quarter),
    (r"\bQ(?P<q>[1-4])(?: (?P<y>(?:19|20)\d\d))?\b", _quarter),
    (r"(?<![\d月年第每])(?<!每月)(?<!每个月)(?P<n>3[01]|[12]\d|[1-9]|[一二三四五六七八九十]{1,3})号(?![楼线院机门码店库院称召])",
     _zh_day_number),
    (r"\b(?P<d>the day before yesterday|the day after tomorrow|last night|this (?:morning|afternoon|evening)"
     r"|yesterday|today|tonight|tomorrow)\b", _en_day),
    (rf"\b{_EN_N} (?P<u>day|week|month|year)s? (?P<way>ago|earlier|from now)\b", _en_distance),
    (rf"\b(?:in|within) (?:the next )?{_EN_N} (?P<u>day|week|month|year)s?\b(?! ago)(?P<way>)", _en_distance),
    (rf"\b(?P<shift>last|next|this|past|coming|previous) (?P<u>week(?!end)|weekend|month|year|{_SEASONS})\b"
     r"(?: on the (?P<n>[12]?\d|3[01])(?:st|nd|rd|th))?", _en_shifted),
    (rf"\b(?:(?P<shift>last|next|this|past|coming|previous|following) )?(?<!every )(?<!each ){_WEEKDAY}(?!s)", _en_weekday),
    (rf"\b(?:the )?(?P<n>[12]?\d|3[01])(?:st|nd|rd|th)? (?:to|until|through|-) (?:the )?(?P<n2>[12]?\d|3[01])(?:st|nd|rd|th)?"
     rf" (?:of )?{_MONTH}{_YEAR}", _en_days_of_month),
    (rf"\b{_MONTH} (?P<n>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?!:){_YEAR}", _en_month_day),
    (rf"\b(?P<n>[12]?\d|3[01])(?:st|nd|rd|th)? (?:of )?{_MONTH}{_YEAR}", _en_month_day),
    (rf"\b(?:in|by|since|until|before|after|during|next|last|this|early|late) (?P<mon>(?!mar\b)(?:{_MONTH_NAMES}))\b(?P<n>)"
     rf"{_YEAR}", _en_month_day),
    (rf"(?<!\bin )\b(?<!in the )(?:the )?{_NTH}(?: of (?P<shift>next|this|last) month)?\b(?! (?:grade|floor|time|place|of every|of each|of the))",
     _en_day_number),
    (r"\b(?P<edge>start|beginning|end) of (?:the |(?P<shift>this|next|last) )(?P<u>month|year)\b", _en_edge),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Span:
    found: re.Match[str]
    resolver: Resolver
    days: Days
    end: int = -1

    def __post_init__(self) -> None:
        if self.end < 0:
            object.__setattr__(self, "end", self.found.end())

    @property
    def start(self) -> int:
        return self.found.start()


_TO = re.compile(r" ?(?:到|至|[-–~～—]|to|until|through)(?: the)? ?", re.IGNORECASE)


def find_dates(text: str, said_at: datetime, zone: ZoneInfo, *, past: bool = False) -> list[When]:
    """The date phrases of `text` in order, without overlaps; recurring ones ("每周一", "every Sunday") are left out.

    Args:
        text: what was said; only its first 2,000 characters are read.
        said_at: when it was said, aware.
        zone: where the person lives: "昨天" is a day there.
        past: the sentence tells of the past, so "on Sunday" is the last one.

    Raises:
        ValueError: `said_at` has no time zone.
    """
    text = text[:_LONGEST_TEXT]
    base = _Base(as_utc(said_at).astimezone(zone).date(), past)
    spans: list[_Span] = []
    taken = [(r.start, r.end) for r in find_recurrences(text)]
    for pattern, resolver in PHRASES:
        for found in pattern.finditer(text):
            if not _overlaps(found.span(), taken) and (days := _resolve(resolver, found, base)):
                taken.append(found.span())
                spans.append(_Span(found, resolver, days))
    return [_when(text, span, zone) for span in _joined(text, sorted(spans, key=lambda span: span.start))]


def _joined(text: str, spans: list[_Span]) -> list[_Span]:
    """`spans` with "下周一到周三" as one stretch, its end counted from its beginning."""
    joined: list[_Span] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before and _TO.fullmatch(text[before.end : span.start]):
            days = _resolve(span.resolver, span.found, _Base(before.days.first, past=False)) or span.days
            joined[-1] = replace(before, days=Days(before.days.first, max(days.last, before.days.last)), end=span.end)
        else:
            joined.append(span)
    return joined


def _resolve(resolver: Resolver, found: re.Match[str], base: _Base) -> Days | None:
    try:
        return resolver(found, base)
    except (ValueError, OverflowError):
        return None


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def _when(text: str, span: _Span, zone: ZoneInfo) -> When:
    start, end, days = span.start, span.end, span.days
    clock = find_time(text[end : end + 16])
    if clock is None or (days.last - days.first).days != 1 or not _close(text[end : end + clock[1]]):
        moments = (_local(days.first, time(), zone), _local(days.last, time(), zone))
        return When(phrase=text[start:end], start=start, begins=moments[0], ends=moments[1])
    begins = _local(days.first, clock[0], zone)
    phrase = text[start : end + clock[2]].rstrip()
    return When(phrase=phrase, start=start, begins=begins, ends=begins + timedelta(hours=1), timed=True)


def _close(between: str) -> bool:
    return len(between) <= 6 and not re.search(r"[，。,.;；到至]", between)


def _local(day: date, clock: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, clock, zone).astimezone(UTC)
