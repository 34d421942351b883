"""Dates and recurrences: resolved in the person's zone from the message's moment, never guessed."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import find_dates
from memory.recurrence import find_recurrences

WEDNESDAY = datetime(2024, 3, 6, 2, 0, tzinfo=UTC)
ZONES = [ZoneInfo(name) for name in ("UTC", "Asia/Shanghai", "America/New_York")]
SHANGHAI = ZONES[1]


def first(text: str, said_at: datetime = WEDNESDAY, zone: ZoneInfo = SHANGHAI, *, past: bool = False) -> str:
    (found, *_) = find_dates(text, said_at, zone, past=past)
    return found.begins.astimezone(zone).strftime("%Y-%m-%d %H:%M" if found.timed else "%Y-%m-%d")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("昨天", "2024-03-05"),
        ("大前天", "2024-03-03"),
        ("上周三", "2024-02-28"),
        ("下周一", "2024-03-11"),
        ("下个月25号", "2024-04-25"),
        ("三天前", "2024-03-03"),
        ("半年前", "2023-09-06"),
        ("明年春天", "2025-03-01"),
        ("去年三月", "2023-03-01"),
        ("周五下午三点", "2024-03-08 15:00"),
        ("明早八点", "2024-03-07 08:00"),
        ("2月29号", "2028-02-29"),
        ("8月13日", "2024-08-13"),
        ("last Tuesday", "2024-03-05"),
        ("next Tuesday", "2024-03-12"),
        ("in two weeks", "2024-03-20"),
        ("next month on the 3rd", "2024-04-03"),
        ("Q3", "2024-07-01"),
        ("May 18th", "2024-05-18"),
        ("the 10th to the 17th of July", "2024-07-10"),
        ("Thursday at 3pm", "2024-03-07 15:00"),
        ("2024-12-03", "2024-12-03"),
    ],
)
def test_a_phrase_names_its_day(text: str, day: str) -> None:
    assert first(text) == day


def test_a_weekday_in_the_past_is_the_last_one() -> None:
    assert first("I ran on Sunday", past=True) == "2024-03-03"
    assert first("on Sunday") == "2024-03-10"


@pytest.mark.parametrize(
    "text", ["三号线", "一天", "以前天天跑步", "今天天气", "1月32号", "the 45th", "第三天", "May I ask", "下午五点"]
)
def test_what_names_no_day_gives_no_date_or_only_its_own(text: str) -> None:
    assert [found.phrase for found in find_dates(text, WEDNESDAY, SHANGHAI)] in ([], ["今天"])


@pytest.mark.parametrize("zone", ZONES)
def test_yesterday_is_a_day_of_the_persons_zone(zone: ZoneInfo) -> None:
    local_day = WEDNESDAY.astimezone(zone).date() - timedelta(days=1)
    (found,) = find_dates("昨天去医院复查了", WEDNESDAY, zone)
    assert found.begins.astimezone(zone).date() == local_day
    assert found.phrase == "昨天"


def test_the_day_of_a_clock_change_has_its_true_length() -> None:
    zone = ZoneInfo("America/New_York")
    (found,) = find_dates("2024-03-10", WEDNESDAY, zone)
    assert found.ends - found.begins == timedelta(hours=23)
    (gap,) = find_dates("2024-03-10 02:30", WEDNESDAY, zone)
    assert gap.begins.tzinfo is UTC


def test_month_ends_are_kept() -> None:
    end_of_january = datetime(2023, 1, 31, 12, 0, tzinfo=UTC)
    assert first("一个月后", end_of_january) == "2023-02-28"
    assert first("月底", end_of_january) == "2023-01-27"


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(ZONES),
    st.sampled_from(
        ["昨天", "下周三", "上个月", "三天前", "月底", "12月31日", "last week", "in a month", "next spring", "Q4"]
    ),
)
def test_every_stretch_is_ordered_aware_and_in_utc(said_at: datetime, zone: ZoneInfo, phrase: str) -> None:
    for found in find_dates(phrase, said_at, zone):
        assert found.begins < found.ends
        assert found.begins.tzinfo is UTC


@given(st.text(max_size=200), st.sampled_from(ZONES))
def test_no_text_breaks_the_reading(text: str, zone: ZoneInfo) -> None:
    for found in find_dates(text, WEDNESDAY, zone):
        assert text[found.start : found.end] == found.phrase


@pytest.mark.parametrize(
    ("text", "day", "falls"),
    [
        ("每月25号提醒我", date(2024, 3, 25), True),
        ("每月25号提醒我", date(2024, 3, 24), False),
        ("每月31号", date(2024, 2, 29), True),
        ("每周二四晚上", date(2024, 3, 7), True),
        ("每个月最后一个周五", date(2024, 3, 29), True),
        ("每个月最后一个周五", date(2024, 3, 22), False),
        ("every Sunday", date(2024, 3, 10), True),
        ("on the first Wednesday of the month", date(2024, 3, 6), True),
        ("every weekday", date(2024, 3, 9), False),
        ("每天下午五点", date(2024, 3, 9), True),
    ],
)
def test_a_recurrence_knows_its_days(text: str, day: date, falls: bool) -> None:
    (found,) = find_recurrences(text)
    assert found.falls_on(day) is falls
