"""A confidence means what was measured: counts, an isotonic mapping, and caution where little is known."""

import random

import pytest

from oversight.calibration import LEAST, Bin, Reliability, cautious, reliability, table_lines


def _values(raw: float, count: int, right: int) -> list[tuple[float, bool]]:
    return [(raw, number < right) for number in range(count)]


def test_a_table_counts_values_and_right_ones_by_raw_confidence() -> None:
    table = reliability("r", [*_values(0.9, 10, 8), *_values(0.6, 4, 1)])
    assert table.bins == (Bin(0.6, 4, 1), Bin(0.9, 10, 8))
    assert table.count == 14
    assert table.error == pytest.approx((4 * 0.35 + 10 * 0.1) / 14)


def test_a_reader_that_claims_too_much_means_what_was_measured() -> None:
    table = reliability("boaster", _values(0.95, 200, 120))
    meant = table.calibrate(0.95)
    assert meant.measured
    assert meant.value == pytest.approx(121 / 202)
    assert cautious(0.95, meant) < 0.8


def test_a_calibrated_eight_tenths_is_right_eight_times_in_ten() -> None:
    chance = random.Random(7)
    claims = [chance.choice((0.5, 0.7, 0.9, 0.99)) for _ in range(20_000)]
    truly = {0.5: 0.3, 0.7: 0.55, 0.9: 0.8, 0.99: 0.9}
    table = reliability("r", [(raw, chance.random() < truly[raw]) for raw in claims])
    for raw, share in truly.items():
        assert table.calibrate(raw).value == pytest.approx(share, abs=0.02)


def test_too_few_labelled_values_leave_the_figure_as_it_was_set_and_say_so() -> None:
    table = reliability("rare", _values(0.7, LEAST - 1, LEAST - 1))
    meant = table.calibrate(0.7)
    assert (meant.value, meant.measured, meant.count) == (0.7, False, LEAST - 1)
    assert "too few: 0.70 stays" in "\n".join(table_lines(table))


@pytest.mark.parametrize("raw", [0.3, 0.99])
def test_what_lies_outside_of_the_measured_range_stays_as_it_is(raw: float) -> None:
    meant = reliability("r", _values(0.6, 100, 50)).calibrate(raw)
    assert (meant.value, meant.measured) == (raw, False)


def test_a_higher_claim_never_means_less() -> None:
    chance = random.Random(3)
    for _ in range(200):
        bins = [Bin(number / 10, count, chance.randint(0, count)) for number, count in enumerate([40] * 10)]
        table = Reliability("r", tuple(bins))
        meant = [table.calibrate(one.raw).value for one in bins]
        assert meant == pytest.approx(sorted(meant))


def test_a_measurement_takes_trust_away_and_never_gives_more_than_was_claimed() -> None:
    modest = reliability("pictures", _values(0.7, 500, 500)).calibrate(0.7)
    assert modest.value > 0.99
    assert cautious(0.7, modest) == 0.7


@pytest.mark.parametrize("count", range(LEAST, 400, 7))
def test_a_claim_that_the_values_do_not_contradict_stays(count: int) -> None:
    sure = reliability("xml", _values(1.0, count, count)).calibrate(1.0)
    assert cautious(1.0, sure) == 1.0
