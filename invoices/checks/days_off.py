"""Days off: China's official calendar with make-up work days; elsewhere the optional `holidays`, else weekends."""

from datetime import date
from functools import lru_cache

import chinese_calendar

_SATURDAY = 5


@lru_cache(maxsize=4096)
def is_day_off(day: date, region: str = "CN") -> bool | None:
    """Whether `day` is a day off in `region` (ISO 3166), None where no calendar knows its year."""
    return _china(day) if region == "CN" else _elsewhere(day, region)


def _china(day: date) -> bool | None:
    try:
        return bool(chinese_calendar.is_holiday(day))
    except NotImplementedError:
        return None


def _elsewhere(day: date, region: str) -> bool | None:
    try:
        import holidays
    except ImportError:
        return True if day.weekday() >= _SATURDAY else None
    try:
        calendar = holidays.country_holidays(region, years=day.year)
    except NotImplementedError:
        return None
    return day.weekday() >= _SATURDAY or day in calendar
