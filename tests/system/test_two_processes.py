"""Two processes at once: one wins, the other is told who did, and there is one effect."""

import json
from collections.abc import Callable

import pytest

from tests.support.house import House, assert_booked_once, assert_log_whole, assert_whole
from tests.support.processes import start, start_cli
from tests.support.races import (
    assert_one_asked_and_one_decided,
    assert_one_effect_each,
    assert_one_told_the_other,
    at_the_desk,
    by_bare_graph,
    race,
    waiting_reviews,
)
from tests.support.scripts import decide_at_the_shot

MakeHouse = Callable[..., House]

_ROUNDS = [10, pytest.param(100, marks=pytest.mark.soak)]


@pytest.mark.parametrize("rounds", _ROUNDS)
@pytest.mark.parametrize(
    "kinds", [("approve", "approve"), ("approve", "reject"), ("edit", "approve"), ("reject", "edit")], ids="-".join
)
def test_of_two_decisions_at_once_one_wins_and_the_other_is_told(
    make_house: MakeHouse, rounds: int, kinds: tuple[str, str]
) -> None:
    house = make_house(clean=0, doubtful=("broken_id" if "edit" in kinds else "over_limit",) * rounds)
    said = race(house, at_the_desk(kinds[0], "lin"), at_the_desk(kinds[1], "wu"))
    assert_one_told_the_other(said)
    assert_one_effect_each(house, rounds)
    assert_whole(house)


@pytest.mark.parametrize("rounds", _ROUNDS)
@pytest.mark.parametrize("kind", ["approve", "edit", "reject"])
def test_a_question_to_the_submitter_at_the_same_moment_neither_stops_nor_doubles_a_decision(
    make_house: MakeHouse, rounds: int, kind: str
) -> None:
    house = make_house(clean=0, doubtful=("broken_id",) * rounds)
    said = race(house, at_the_desk(kind, "lin"), at_the_desk("respond", "wu"))
    assert_one_asked_and_one_decided(said)
    assert_one_effect_each(house, rounds)
    assert_whole(house)


@pytest.mark.parametrize("rounds", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_a_bare_graph_racing_the_desk_has_one_effect(make_house: MakeHouse, rounds: int) -> None:
    house = make_house(clean=0, doubtful=("over_limit",) * rounds)
    said = race(house, at_the_desk("approve", "lin"), by_bare_graph("reject"))
    assert len(said) == rounds
    assert_whole(house)
    assert_one_effect_each(house, rounds)


def test_the_command_line_tells_the_loser_with_exit_code_one(make_house: MakeHouse) -> None:
    house = make_house(clean=0)
    ((review_id, _),) = waiting_reviews(house)
    running = [start_cli(house, "decide", review_id, "approve", "--by", person) for person in ("lin", "wu")]
    winner, loser = sorted((one.wait() for one in running), key=lambda done: done.code)
    assert (winner.code, loser.code) == (0, 1), (winner.err, loser.err)
    assert loser.err.startswith(f"remembrancer: {review_id} was already decided: approve by ")
    assert_one_effect_each(house, 1)


def test_fifty_approvals_from_two_processes_have_one_effect(make_house: MakeHouse) -> None:
    house = make_house(clean=0)
    ((review_id, _),) = waiting_reviews(house)
    gun = house.root / "gun"
    gun.mkdir()
    for number in range(25):
        (gun / f"{number}").touch()
    racers = [start(house, decide_at_the_shot, gun, [review_id] * 25, "approve", person) for person in ("lin", "wu")]
    said = [line for one in racers for line in one.wait().out.splitlines() if line != "ready"]
    assert said.count("won") == 1
    assert sum(line.startswith("AlreadyDecidedError") for line in said) == 49
    assert_one_effect_each(house, 1)


def test_two_batches_of_the_same_files_at_once_book_each_invoice_once(make_house: MakeHouse) -> None:
    house = make_house(clean=120, doubtful=("over_limit",))
    folder = str(house.papers.folder)
    running = [start_cli(house, "audit", folder, "--batch", name, "--json") for name in ("one", "two")]
    reports = [json.loads(one.wait().out) for one in running]
    found = [[invoice["status"] for invoice in report["invoices"]] for report in reports]
    assert [len(statuses) for statuses in found] == [121, 121]
    assert house.bookings() == 120
    assert house.statuses()["booked"] == 120
    again = {status for status in house.statuses() if status not in {"booked", "waiting"}}
    assert again <= {"duplicate", "already_audited"}
    assert house.ask("SELECT count(*) FROM reviews WHERE status = 'open'") == [(1,)]
    assert_booked_once(house)
    assert_log_whole(house)


def test_one_batch_audited_by_two_processes_is_run_by_one_of_them(make_house: MakeHouse) -> None:
    house = make_house(clean=120)
    folder = str(house.papers.folder)
    running = [start_cli(house, "audit", folder, "--batch", "one", "--json") for _ in range(2)]
    ended = sorted((one.wait() for one in running), key=lambda done: done.code)
    codes = {done.code for done in ended}
    assert codes in ({1, 3}, {3}), [done.err for done in ended]
    assert house.statuses() == {"booked": 120, "waiting": 1}
    assert_whole(house)
