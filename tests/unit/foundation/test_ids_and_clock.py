from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.clock import as_utc
from foundation.ids import derived_id, new_id
from foundation.sequences import chunks


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_derived_ids_are_equal_only_for_equal_parts(one: list[str], other: list[str]):
    assert (derived_id("x", *one) == derived_id("x", *other)) == (one == other)


def test_new_ids_differ():
    assert len({new_id("rev") for _ in range(1000)}) == 1000


def test_a_time_without_zone_is_refused():
    with pytest.raises(ValueError, match="no time zone"):
        as_utc(datetime(2026, 1, 1))


def test_a_time_is_moved_to_utc():
    moment = datetime(2026, 1, 1, 8, tzinfo=timezone(timedelta(hours=8)))
    assert as_utc(moment) == datetime(2026, 1, 1, tzinfo=UTC)
    assert as_utc(moment).tzinfo is UTC


@given(st.lists(st.integers()), st.integers(min_value=1, max_value=7))
def test_chunks_lose_and_double_nothing(items: list[int], size: int):
    pieces = list(chunks(items, size))
    assert [one for piece in pieces for one in piece] == items
    assert all(0 < len(piece) <= size for piece in pieces)
