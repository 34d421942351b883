"""The calendar of a review: whole days are days of work where the policy says so."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oversight.due_times import Schedule

SHANGHAI = ZoneInfo("Asia/Shanghai")
FRIDAY = datetime(2026, 9, 4, 15, 0, tzinfo=SHANGHAI)


def weekend(day: date) -> bool:
    return day.weekday() >= 5


WORK = Schedule(is_day_off=weekend, zone=SHANGHAI)


@pytest.mark.parametrize(
    ("start", "days", "lands"),
    [
        (FRIDAY, 1, "2026-09-07T15:00"),
        (FRIDAY, 3, "2026-09-09T15:00"),
        (FRIDAY + timedelta(days=1), 1, "2026-09-07T15:00"),
        (datetime(2026, 9, 9, 15, 0, tzinfo=SHANGHAI), -3, "2026-09-04T15:00"),
        (FRIDAY, 0, "2026-09-04T15:00"),
    ],
)
def test_three_days_from_a_friday_on_end_on_wednesday(start: datetime, days: int, lands: str) -> None:
    assert WORK.moved(start, timedelta(days=days)) == datetime.fromisoformat(lands).replace(tzinfo=SHANGHAI)


def test_a_day_is_a_day_in_the_companys_zone_not_in_utc() -> None:
    late_friday = datetime(2026, 9, 4, 20, 0, tzinfo=UTC)
    assert late_friday.astimezone(SHANGHAI).weekday() == 5
    assert WORK.moved(late_friday, timedelta(days=1)) == datetime(2026, 9, 6, 20, 0, tzinfo=UTC)


def test_without_a_calendar_every_day_counts() -> None:
    assert Schedule().moved(FRIDAY, timedelta(days=3)) == FRIDAY + timedelta(days=3)


@given(st.integers(0, 400), st.integers(0, 60), st.booleans())
def test_so_many_days_of_work_lie_between_and_the_way_back_never_leads_past_the_start(
    offset: int, days: int, back: bool
) -> None:
    start = FRIDAY + timedelta(days=offset)
    there = WORK.moved(start, timedelta(days=-days if back else days))
    first, last = sorted((start.date(), there.date()))
    passed = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    counted = passed[:-1] if back else passed[1:]
    assert sum(not weekend(day) for day in counted) == days
    assert (there.hour, there.tzinfo) == (start.hour, start.tzinfo)
    assert days == 0 or not weekend(there.date())
