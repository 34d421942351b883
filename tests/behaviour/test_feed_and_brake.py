"""The live feed tells what happened, once and in order; a brake pulled anywhere stops everywhere."""

from datetime import UTC, datetime

import pytest

from foundation.database import reading
from foundation.errors import NotAllowedError, RefusedError
from oversight.brake import BrakedError, brakes_of, is_on, pull, release, require_released
from oversight.feed import Event, last_seq, prune, publish, since
from tests.support.house import House, assert_log_whole
from tests.support.processes import run_cli

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def _publish(house: House, *events: Event, tenant: str = "default") -> int:
    with house.services.journal.transaction() as transaction:
        return publish(transaction.connection, tenant, NOON, *events)


def _told(house: House, seq: int = 0, **narrowed: object) -> list[tuple[int, str]]:
    with reading(house.services.engine) as connection:
        return [(event.seq, event.subject) for event in since(connection, "default", seq, **narrowed)]


def test_a_watcher_sees_each_event_once_and_in_order(house: House) -> None:
    last = _publish(house, Event(kind="booked", subject="a"), Event(kind="booked", subject="b", batch="bat"))
    assert (last, _told(house)) == (2, [(1, "a"), (2, "b")])
    _publish(house, Event(kind="held", subject="c", batch="bat"))
    assert _told(house, last) == [(3, "c")]
    assert _told(house, batch="bat") == [(2, "b"), (3, "c")]
    assert _told(house, limit=1) == [(1, "a")]


def test_one_tenants_feed_knows_nothing_of_anothers(house: House) -> None:
    _publish(house, Event(kind="booked", subject="theirs"), tenant="other")
    _publish(house, Event(kind="booked", subject="ours"))
    assert _told(house) == [(1, "ours")]


def test_what_was_rolled_back_was_never_told(house: House) -> None:
    def fail() -> None:
        with house.services.journal.transaction() as transaction:
            publish(transaction.connection, "default", NOON, Event(kind="booked", subject="never"))
            raise RefusedError("no")

    with pytest.raises(RefusedError):
        fail()
    _publish(house, Event(kind="booked", subject="first"))
    assert _told(house) == [(1, "first")]


def test_a_pruned_feed_keeps_the_newest_and_never_uses_a_number_again(house: House) -> None:
    _publish(house, *(Event(kind="booked", subject=str(number)) for number in range(10)))
    with house.services.journal.transaction() as transaction:
        assert prune(transaction.connection, "default", keep=3) == 7
        assert prune(transaction.connection, "default", keep=0) == 3
    assert _publish(house, Event(kind="booked", subject="next")) == 11
    assert _told(house) == [(11, "next")]
    with reading(house.services.engine) as connection:
        assert last_seq(connection, "default") == 11


def test_an_event_says_in_both_languages_what_happened_and_survives_a_missing_fact() -> None:
    event = Event(kind="booked", facts={"label": "{amount} <b>", "amount": "12.00"})
    assert event.text("en") == "{amount} <b> was booked: 12.00 –"
    assert event.text("zh") == "{amount} <b> 已入账，12.00 –"
    assert Event(kind="of another field").text("en") == "of another field"


def test_a_brake_stops_its_batch_and_no_other(house: House) -> None:
    with house.services.journal.transaction() as transaction:
        pull(transaction, "default", batch="bat_1", by="wang", why="look first")
    with reading(house.services.engine) as connection:
        assert is_on(connection, "default", "bat_2") is None
        assert is_on(connection, "default") is None
        assert is_on(connection, "other", "bat_1") is None
        with pytest.raises(BrakedError, match=r"pulled by wang: look first; `remembrancer brake off`"):
            require_released(connection, "default", "bat_1")


def test_a_brake_on_everything_stops_every_batch_and_thread(house: House) -> None:
    with house.services.journal.transaction() as transaction:
        pull(transaction, "default", by="wang")
    with reading(house.services.engine) as connection:
        assert is_on(connection, "default", "bat_2")
        assert is_on(connection, "default", thread="chat")
        assert is_on(connection, "other") is None


def test_pulling_twice_is_one_brake_and_releasing_needs_one(house: House) -> None:
    with house.services.journal.transaction() as transaction:
        first = pull(transaction, "default", by="wang", why="first")
        assert pull(transaction, "default", by="li", why="second") == first
        released = release(transaction, "default", by="li", why="fine")
        assert (released.pulled_by, released.released_by, released.on) == ("wang", "li", False)
        assert is_on(transaction.connection, "default") is None
        with pytest.raises(RefusedError, match="no brake is on there"):
            release(transaction, "default", by="li")
        pull(transaction, "default", by="wang", why="again")
        assert len(brakes_of(transaction.connection, "default")) == 2


def test_nobody_pulls_no_brake(house: House) -> None:
    with house.services.journal.transaction() as transaction, pytest.raises(NotAllowedError, match="nobody is named"):
        pull(transaction, "default", by="  ")


def test_who_braked_and_released_and_why_is_in_the_audit_log_and_in_the_feed(house: House) -> None:
    assert run_cli(house, "brake", "on", "--by", "wang", "--reason", "odd amounts").code == 0
    assert "pulled by wang" in run_cli(house, "brake").out
    assert run_cli(house, "brake", "off", "--by", "li", "--reason", "checked").code == 0
    assert run_cli(house, "brake").out.strip() == "No brake is on."
    refused = run_cli(house, "brake", "off", "--by", "li")
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert house.ask("SELECT actor, event FROM audit_log") == [("wang", "brake pulled"), ("li", "brake released")]
    assert [kind for (kind,) in house.ask("SELECT kind FROM feed_events ORDER BY seq")] == ["braked", "released"]
    assert_log_whole(house)
