"""Each guard is taken away in turn: the check that stands on it must go red, or it proves nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from foundation.database import assert_durable
from foundation.errors import StorageError
from oversight.checkpoints import GuardedSqliteSaver, open_saver
from remembrancer.office import Office, Swept
from tests.support.ghosts import edit_two_to_one_number, make_ghost, sweep_and_check, sweep_and_find_one_of_two
from tests.support.house import House
from tests.support.races import (
    Racer,
    assert_one_decision_each,
    assert_one_effect_each,
    assert_one_told_the_other,
    at_the_desk,
    in_turn,
    without_compare_and_set,
)

MakeHouse = Callable[..., House]


def drop_unique_key(house: House) -> None:
    """Take the ledger's unique key away."""
    house.change("DROP INDEX ux_bookings_once")


@pytest.mark.parametrize("sabotaged", [False, True], ids=["guarded", "sabotaged"])
def test_without_the_unique_key_one_number_is_booked_twice(make_house: MakeHouse, sabotaged: bool) -> None:
    house = make_house(clean=0, doubtful=("over_limit", "over_limit"))
    edit_two_to_one_number(house)
    if sabotaged:
        drop_unique_key(house)
        with pytest.raises(AssertionError, match="one number was booked twice"):
            sweep_and_find_one_of_two(house)
    else:
        sweep_and_find_one_of_two(house)


@pytest.mark.parametrize("sabotaged", [False, True], ids=["guarded", "sabotaged"])
def test_without_the_compare_and_set_both_decisions_win(make_house: MakeHouse, sabotaged: bool) -> None:
    racer: Callable[[str, str], Racer] = without_compare_and_set if sabotaged else at_the_desk
    house = make_house(clean=0, doubtful=("over_limit",) * 2)
    # In turn: at the same moment it is chance in which order two processes overwrite one another.
    said = in_turn(house, racer("approve", "lin"), racer("reject", "wu"))
    if sabotaged:
        with pytest.raises(AssertionError, match="not exactly one decision won"):
            assert_one_decision_each(house, 2)
    else:
        assert_one_told_the_other(said)
        assert_one_decision_each(house, 2)
        assert_one_effect_each(house, 2)


@pytest.mark.parametrize("sabotaged", [False, True], ids=["guarded", "sabotaged"])
def test_without_the_sweep_a_ghost_stays(house: House, monkeypatch: pytest.MonkeyPatch, sabotaged: bool) -> None:
    make_ghost(house)
    if sabotaged:
        monkeypatch.setattr(Office, "sweep", lambda _: Swept())
        with pytest.raises(AssertionError):
            sweep_and_check(house)
    else:
        sweep_and_check(house)


def test_without_full_synchronous_the_ledger_is_refused(house: House) -> None:
    engine = house.services.engine
    assert_durable(engine)
    engine.dispose()

    def weaken(connection: Any, _: object) -> None:
        connection.execute("PRAGMA synchronous=NORMAL").close()

    event.listen(engine, "connect", weaken)
    try:
        with pytest.raises(StorageError, match="must be FULL"):
            assert_durable(engine)
    finally:
        event.remove(engine, "connect", weaken)


def test_without_full_synchronous_the_checkpoints_are_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_saver(house.settings.checkpoints) as saver:
        assert saver.synchronous() == 2
    guarded = GuardedSqliteSaver.setup

    def weakened(self: GuardedSqliteSaver) -> None:
        guarded(self)
        self.conn.execute("PRAGMA synchronous=NORMAL").close()

    monkeypatch.setattr(GuardedSqliteSaver, "setup", weakened)
    with pytest.raises(StorageError, match="must be FULL"), open_saver(house.settings.checkpoints):
        pass
