"""The shipped counts are what the readers do: nothing that books unseen claims more than was measured."""

from benchmarks.calibration import own_samples
from invoices.readers.measured import MEASURED
from nodes.weighing import _RELIABILITY
from oversight.calibration import LEAST, cautious

BOOKS = 0.8


def test_what_the_shipped_counts_call_eight_tenths_was_right_at_least_that_often() -> None:
    for name, table in _RELIABILITY.items():
        for one in table.bins:
            meant = table.calibrate(one.raw)
            if cautious(one.raw, meant) >= BOOKS and meant.measured:
                assert meant.value >= BOOKS, name


def test_no_figure_is_replaced_on_fewer_than_the_least_number_of_values() -> None:
    for table in _RELIABILITY.values():
        for one in table.bins:
            assert not table.calibrate(one.raw).measured or table.calibrate(one.raw).count >= LEAST


def test_the_own_samples_still_read_as_they_were_counted() -> None:
    """A reader that gets worse shows here: no more wrong values than were counted when the table was made."""
    wrong: dict[str, int] = {}
    for reader, raw, right in own_samples():
        assert reader in MEASURED, reader
        if raw >= BOOKS and not right:
            wrong[reader] = wrong.get(reader, 0) + 1
    counted = {name: sum(count - right for _, count, right in bins) for name, bins in MEASURED.items()}
    assert all(number <= counted[reader] for reader, number in wrong.items())
