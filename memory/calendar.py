"""Counting with days: month ends, weeks that begin on Monday, quarters, seasons, numbers written as words.

Knows no language's phrases; `dates` reads those.
"""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

_ZH_DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_EN_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
        ]
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "few": 3, "twenty": 20, "thirty": 30}
SEASON_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of whole local days: `first` inclusive, `last` exclusive."""

    first: date
    last: date


def number(text: str) -> int | None:
    """The number that digits, Chinese numerals up to 99 or English words write; None when it is none."""
    text = text.strip().lower()
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= 4 else None
    if text in _EN_NUMBERS:
        return _EN_NUMBERS[text]
    return _chinese_number(text)


def _chinese_number(text: str) -> int | None:
    tens, ten, units = text.partition("十")
    if any(character not in _ZH_DIGITS for character in tens + units) or len(tens) > 1 or len(units) > 1:
        return None
    if not ten:
        return _ZH_DIGITS[tens] if tens else None
    return (_ZH_DIGITS[tens] if tens else 1) * 10 + (_ZH_DIGITS[units] if units else 0)


def one_day(day: date) -> Days:
    """The stretch of that one day."""
    return Days(day, day + timedelta(days=1))


def week(day: date, weeks: int = 0) -> Days:
    """The week (Monday to Sunday) of `day`, moved by `weeks`."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)
    return Days(monday, monday + timedelta(days=7))


def weekday(day: date, which: int, weeks: int = 0) -> Days:
    """Weekday `which` (Monday is 0) of the week of `day`, moved by `weeks`."""
    return one_day(week(day, weeks).first + timedelta(days=which))


def near_weekday(day: date, which: int, *, past: bool) -> Days:
    """The latest such weekday before `day`, or the first one from `day` on."""
    distance = (day.weekday() - which) % 7 or 7 if past else -((which - day.weekday()) % 7)
    return one_day(day - timedelta(days=distance))


def add_months(day: date, months: int) -> date:
    """`day` moved by months; the 31st becomes the last day of a shorter month.

    Raises:
        ValueError: the year leaves the calendar.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    if not date.min.year <= year < date.max.year:
        raise ValueError(f"the year {year} is outside the calendar")
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def month(day: date, months: int = 0) -> Days:
    """The month of `day`, moved by `months`."""
    first = add_months(day.replace(day=1), months)
    return Days(first, add_months(first, 1))


def months_from(year: int, first_month: int, count: int) -> Days:
    """`count` months beginning with `first_month` of `year`."""
    first = date(year, first_month, 1)
    return Days(first, add_months(first, count))


def day_of_month(within: date, day_number: int) -> Days:
    """Day `day_number` of the month of `within`.

    Raises:
        ValueError: the month has no such day.
    """
    return one_day(within.replace(day=day_number))


def month_day(base: date, month_number: int, day_number: int | None, *, past: bool) -> Days:
    """A date without a year: the next one from `base` on, or the latest one before it.

    Raises:
        ValueError: no such day in any near year.
    """
    years = (base.year, base.year - 1, base.year + 1, base.year - 4, base.year + 4)
    found = [days for year in years if (days := _dated(year, month_number, day_number)) is not None]
    fitting = [days for days in found if (days.first <= base if past else days.last > base)]
    if not fitting:
        raise ValueError(f"no day {day_number} in month {month_number}")
    return max(fitting, key=_first) if past else min(fitting, key=_first)


def _first(days: Days) -> date:
    return days.first


def _dated(year: int, month_number: int, day_number: int | None) -> Days | None:
    try:
        if day_number is None:
            return months_from(year, month_number, 1)
        return one_day(date(year, month_number, day_number))
    except ValueError:
        return None
