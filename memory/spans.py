"""From when to when something was so: "2019年到2022年我住在北京", "I lived in Oslo from 2015 to 2018", "since May".

Only what is told of the past or holds since is read; a bare year lasts from its first to its last day.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from memory.calendar import add_months
from memory.dates import find_dates


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time that a clause names, and the clause without it."""

    begins: datetime | None
    ends: datetime | None
    """Exclusive; None: it still goes on, as far as the words tell."""
    rest: str


_EN_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EN_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_ZH_POINT = r"(?:(?:19|20)\d\d\s?年(?:的?\d{1,2}月份?)?|[去前今]年(?:的?(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?|年[初底]|[春夏秋冬]天)?|上个?月|(?:\d{1,2}|[一二两三四五六七八九十]{1,2})年前|(?<![\d年])\d{1,2}月份?)"
_EN_POINT = rf"(?:(?:{_EN_MONTH} )?(?:of )?(?:19|20)\d\d|(?:last|this) (?:year|month|week|spring|summer|autumn|fall|winter)|(?:last |this )?{_EN_MONTH}|(?:\d{{1,2}}|an?|two|three|four|five|six|seven|eight|nine|ten) (?:year|month|week)s? ago)"
_LEAD = r"^[\s，,]*"
_TRAIL = r"[\s，,]*"
_FORMS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        rf"(?:从|自)?\s*(?P<a>{_ZH_POINT})(?:起|开始)?\s*(?:到|至|[-–~～—])\s*(?P<b>{_ZH_POINT}|(?:现在|今天|如今))(?:为止|之间|期间|这段时间|那几年)?(?:的时候)?[，,]?",
        rf"(?:从|自)(?:从)?\s*(?P<a>{_ZH_POINT})(?:起|开始|以来|之后|就)*[，,]?",
        rf"^(?P<a>{_ZH_POINT})(?:的时候|起|开始|之后|以后|就|我就)*[，,]?(?=[\s我就又才开搬换跳加入去来回刚在住])",
        rf"(?<=我)(?P<a>{_ZH_POINT})(?:的时候|起|开始|之后|以后|就)*[，,]?",
        rf"(?:直到|一直到|到)(?P<b>{_ZH_POINT})(?:为止|之前|以前)?[，,]?",
        rf"\b(?:from|between) (?P<a>{_EN_POINT}) (?:to|until|till|through|and|-|–) (?P<b>{_EN_POINT}|(?:now|today))",
        r"\b(?P<a>(?:19|20)\d\d)\s?[-–]\s?(?P<b>(?:19|20)\d\d)\b",
        rf"\bsince (?P<a>{_EN_POINT})",
        rf"\b(?:until|till|up to) (?P<b>{_EN_POINT})",
        rf"\b(?:(?:back )?in )?(?P<a>{_EN_POINT})\b",
    )
)  # fmt: skip
_NOW = re.compile(r"现在|今天|如今|now|today", re.IGNORECASE)
_YEAR = re.compile(rf"(?:(?P<mon>{_EN_MONTH}) (?:of )?)?(?P<y>(?:19|20)\d\d)\s?年?(?:的?(?P<m>\d{{1,2}})月份?)?", re.IGNORECASE)  # fmt: skip
_PAST_TENSE = tuple(
    (re.compile(words, re.IGNORECASE), plain)
    for words, plain in (
        (r"\blived\b", "live"), (r"\bworked\b", "work"), (r"\bused to (?=live|work|be|study)", ""), (r"\bstudied\b", "study"),
        (r"^(I|we) (?:was|were)\b", r"\1 am"), (r"^(I|we) had been\b", r"\1 am"), (r"\b(?:came|went) back\b", "moved back"),
        (r"(?<=[住做在])过", ""), (r"^(我)?(?:以前|曾经|原来)", r"\1"),
    )
)  # fmt: skip


def span_of(text: str, said_at: datetime, zone: ZoneInfo) -> Span | None:
    """The stretch of time that `text` names; None where it names none that lies behind `said_at`."""
    for form in _FORMS:
        found = form.search(text)
        span = found and _span(found, text, said_at, zone)
        if span:
            return span
    return None


def _span(found: re.Match[str], text: str, said_at: datetime, zone: ZoneInfo) -> Span | None:
    parts = found.groupdict()
    first = _point(parts["a"], said_at, zone) if parts.get("a") else None
    last = _point(parts["b"], said_at, zone) if parts.get("b") else None
    begins, ends = first and first[0], last and last[1]
    if (begins is None and ends is None) or any(each is not None and each > said_at for each in (begins, ends)):
        return None
    if begins is not None and ends is not None and begins >= ends:
        return None
    rest = f"{text[: found.start()].rstrip()} {text[found.end() :].lstrip()}".strip(" ,，")
    if not text.isascii():
        rest = re.sub(r"(?<=[\u4e00-\u9fff]) +| +(?=[\u4e00-\u9fff])", "", rest)
    return Span(begins=begins, ends=ends, rest=_present(rest) if ends is not None else rest)


def _present(text: str) -> str:
    for past, plain in _PAST_TENSE:
        text = past.sub(plain, text)
    return re.sub(r" {2,}", " ", text).strip()


def _point(phrase: str, said_at: datetime, zone: ZoneInfo) -> tuple[datetime, datetime | None] | None:
    """First moment and end of what a phrase names; "now" has no end."""
    if _NOW.fullmatch(phrase):
        return said_at, None
    found = _YEAR.fullmatch(phrase.strip())
    if found is None:
        dates = find_dates(phrase if not phrase.isascii() else f"in {phrase}", said_at, zone, past=True)
        dates = dates or find_dates(phrase, said_at, zone, past=True)
        return (dates[0].begins, dates[0].ends) if dates else None
    month = int(found["m"]) if found["m"] else _month(found["mon"])
    if month is not None and not 1 <= month <= 12:
        return None
    first = date(int(found["y"]), month or 1, 1)
    return _local(first, zone), _local(add_months(first, 1 if month else 12), zone)


def _month(name: str | None) -> int | None:
    return _EN_MONTHS.index(name[:3].lower()) + 1 if name else None


def _local(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
