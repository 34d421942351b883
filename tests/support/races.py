"""Races of two processes, round after round; the same scenario is run whole and with a guard taken away."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.house import House, assert_booked_once, assert_log_whole
from tests.support.processes import Running, start
from tests.support.scripts import answer_at_the_shot, decide_always_winning, decide_at_the_shot

Racer = Callable[[House, Path, list[tuple[str, str]]], Running]
"""Starts a process that decides these (review, thread) at the shots."""


def at_the_desk(kind: str, by: str) -> Racer:
    """Through the office, as CLI and inbox do."""
    return lambda house, gun, waiting: start(house, decide_at_the_shot, gun, [one[0] for one in waiting], kind, by)


def without_compare_and_set(kind: str, by: str) -> Racer:
    """Through an office whose compare-and-set always wins."""
    return lambda house, gun, waiting: start(house, decide_always_winning, gun, [one[0] for one in waiting], kind, by)


def by_bare_graph(kind: str) -> Racer:
    """By `graph.invoke(Command(resume=...))` alone."""
    return lambda house, gun, waiting: start(house, answer_at_the_shot, gun, [one[1] for one in waiting], kind)


def waiting_reviews(house: House) -> list[tuple[str, str]]:
    """Review and thread of all that waits, once the papers are audited."""
    with house.office() as office:
        office.audit(house.start(), name="race")
    rows = house.ask("SELECT review_id, thread_id FROM reviews WHERE status = 'open' ORDER BY review_id")
    return [(str(review), str(thread)) for review, thread in rows]


def race(house: House, *racers: Racer) -> list[tuple[str, ...]]:
    """Let the racers decide each waiting review at the same moment; what each said, round by round."""
    waiting = waiting_reviews(house)
    gun = house.root / "gun"
    gun.mkdir()
    running = [racer(house, gun, waiting) for racer in racers]
    for one in running:
        one.wait_for_lines(1)
    for number in range(len(waiting)):
        (gun / f"{number}").touch()
        for one in running:
            one.wait_for_lines(number + 2)
    ended = [one.wait() for one in running]
    assert [done.code for done in ended] == [0] * len(ended), [done.err for done in ended]
    return list(zip(*(done.out.splitlines()[1:] for done in ended), strict=True))


def in_turn(house: House, *racers: Racer) -> list[tuple[str, ...]]:
    """Let each racer decide all that waits before the next one does; what each said, round by round."""
    waiting = waiting_reviews(house)
    gun = house.root / "gun"
    gun.mkdir()
    for number in range(len(waiting)):
        (gun / f"{number}").touch()
    ended = [racer(house, gun, waiting).wait() for racer in racers]
    assert [done.code for done in ended] == [0] * len(ended), [done.err for done in ended]
    return list(zip(*(done.out.splitlines()[1:] for done in ended), strict=True))


def assert_one_told_the_other(rounds: list[tuple[str, ...]]) -> None:
    """In each round one process won, and the other was told who did."""
    for said in rounds:
        losers = [line for line in said if line != "won"]
        assert len(losers) == 1, f"not exactly one of two won: {said}"
        assert losers[0].startswith("AlreadyDecidedError rev_")
        assert "was already decided: " in losers[0]
        assert " by lin-" in losers[0] or " by wu-" in losers[0]


def assert_one_asked_and_one_decided(rounds: list[tuple[str, ...]]) -> None:
    """In each round the decision won; the question was asked before it, or told that it came too late."""
    for decided, asked in rounds:
        assert decided == "won"
        assert asked == "asked" or asked.startswith("AlreadyDecidedError rev_")


def assert_one_decision_each(house: House, rounds: int) -> None:
    """Each review was won by one decision only."""
    won = house.ask("SELECT review_id FROM decisions WHERE taken")
    assert sorted(won) == sorted(set(won)), "not exactly one decision won"
    assert len(won) == rounds


def assert_one_effect_each(house: House, rounds: int) -> None:
    """Each review has one winner and one effect that fits it."""
    reviews = house.ask(
        "SELECT r.status, d.kind, i.status, (SELECT count(*) FROM bookings b WHERE b.invoice_id = i.invoice_id)"
        " FROM reviews r JOIN decisions d ON d.decision_id = r.decision_id JOIN invoices i ON i.invoice_id = r.subject"
    )
    assert len(reviews) == rounds
    fitting: set[tuple[Any, ...]] = {
        ("applied", "approve", "booked", 1),
        ("applied", "edit", "booked", 1),
        ("applied", "reject", "rejected", 0),
    }
    assert set(reviews) <= fitting
    assert house.log_lines("decided") == rounds
    assert house.log_lines("booked") + house.log_lines("rejected") == rounds
    assert_booked_once(house)
    assert_log_whole(house)
