"""The brake between processes: pulled in one it stops another, survives kill -9, and nothing is booked meanwhile."""

import random
import time
from collections.abc import Callable

import pytest

from oversight.brake import brakes_of, pull, release
from tests.support.house import House, assert_whole
from tests.support.processes import Running, run_cli, start, start_cli

MakeHouse = Callable[..., House]
_HOTL = '[oversight]\ndegree = "hotl"\nat_once = 2'


def _audit(house: House) -> Running:
    return start_cli(house, "audit", str(house.papers.folder), "--batch", "one")


def _wait_for_bookings(house: House, number: int) -> None:
    until = time.monotonic() + 60
    while house.bookings() < number:
        assert time.monotonic() < until, "no bookings"
        time.sleep(0.005)


def _booked_while_braked(house: House) -> list[tuple[object, ...]]:
    """Bookings whose line of the log follows a pull before its release: there must never be one."""
    return house.ask(
        "SELECT subject FROM audit_log b WHERE event = 'booked' AND 'brake pulled' = (SELECT event FROM audit_log l"
        " WHERE l.event IN ('brake pulled', 'brake released') AND l.seq < b.seq ORDER BY l.seq DESC LIMIT 1)"
    )


def test_a_brake_pulled_in_a_second_process_stops_a_running_audit_before_its_next_booking(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=30, doubtful=(), limits=_HOTL)
    audit = _audit(house)
    _wait_for_bookings(house, 3)
    assert run_cli(house, "brake", "on", "--by", "wang").code == 0
    booked = house.bookings()
    assert audit.wait().code == 3
    assert 3 <= house.bookings() == booked < 30
    assert _booked_while_braked(house) == []
    assert run_cli(house, "brake", "off", "--by", "wang").code == 0
    assert house.statuses() == {"booked": 30}
    assert_whole(house)


def test_a_braked_run_that_is_killed_waits_on_and_another_process_takes_it_past_the_release(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=6, doubtful=(), limits=_HOTL)
    with house.services.journal.transaction() as transaction:
        pull(transaction, "default", by="wang")
    chance = random.Random(25)
    for _ in range(3):
        audit = _audit(house)
        killed = audit.kill_at_random(chance, within=1.0)
        assert killed or house.ask("SELECT count(*) FROM batches") == [(1,)]
        assert house.bookings() == 0
    assert _audit(house).wait().code == 3
    start_cli(house, "brake", "off", "--by", "wang").kill_at_random(chance, within=0.5)
    with house.services.journal.transaction() as transaction:
        if brakes_of(transaction.connection, "default", on_only=True):
            release(transaction, "default", by="wang")
    with house.office(sweep=True) as office:
        office.go_on()
    assert house.statuses() == {"booked": 6}
    assert_whole(house)


def _flicker(home: str, seed: int) -> None:
    """Pull and release the brake at random moments, as often as there is time."""
    from remembrancer.settings import Settings
    from remembrancer.wiring import open_services

    services, chance = open_services(Settings(_env_file=None, home=home, time_zone="UTC")), random.Random(seed)
    for _ in range(8):
        with services.journal.transaction() as transaction:
            pull(transaction, "default", by="wang")
        time.sleep(chance.uniform(0, 0.1))
        with services.journal.transaction() as transaction:
            release(transaction, "default", by="wang")
        time.sleep(chance.uniform(0, 0.1))


@pytest.mark.parametrize("degree", ["hitl", "hotl", "hootl"])
def test_property_nothing_is_booked_between_a_pull_and_its_release_whatever_runs(
    make_house: MakeHouse, degree: str
) -> None:
    house = make_house(clean=30, doubtful=(), limits=f'[oversight]\ndegree = "{degree}"\nat_once = 1')
    hand = start(house, _flicker, str(house.settings.home), 5)
    code = _audit(house).wait().code
    assert hand.wait().code == 0
    assert code in {0, 3}
    with house.office(sweep=True) as office:
        office.go_on()
    assert len(house.ask("SELECT brake_id FROM brakes")) == 8
    assert _booked_while_braked(house) == []
    assert house.statuses() == {"booked": 30}
    assert_whole(house)


def test_a_limit_lowered_in_a_second_process_holds_for_the_next_booking_of_a_running_audit(
    make_house: MakeHouse,
) -> None:
    house = make_house(clean=30, doubtful=(), limits=_HOTL)
    audit = _audit(house)
    _wait_for_bookings(house, 3)
    lowered = run_cli(house, "limits", "set", "batch_count", "4", "--batch", "one", "--by", "wang")
    assert lowered.code == 0
    booked = house.bookings()
    assert audit.wait().code == 3
    assert house.bookings() == max(booked, 4)
    assert house.ask("SELECT pulled_by, automatic FROM brakes") == [("agent", 1)]
