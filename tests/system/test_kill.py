"""kill -9 at any moment: nothing is lost, nothing is booked twice, and the same command goes on."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from secrets import randbelow

import pytest

from tests.support.crashes import run_cli_until
from tests.support.house import House, assert_whole, build_house
from tests.support.kills import WAITS, Kills, audit_and_decide
from tests.support.processes import KILLED, run_cli, start

_FEWEST_STEPS = 15
_DOUBTFUL = ("over_limit", "broken_id", "over_limit", "broken_id")


@pytest.mark.parametrize(
    ("kills_wanted", "clean"), [(10, 150), pytest.param(200, 500, marks=pytest.mark.soak)], ids=["ten", "soak"]
)
def test_nothing_is_lost_or_doubled_by_kills_at_random_moments(tmp_path: Path, kills_wanted: int, clean: int) -> None:
    kills, rounds = Kills(seed=randbelow(2**32)), 0
    print(f"\nseed {kills.seed}")
    while kills.hits < kills_wanted:
        rounds += 1
        house = build_house(tmp_path / f"round-{rounds}", clean=clean, doubtful=_DOUBTFUL, seed=rounds)
        audit_and_decide(house, kills)
        assert house.statuses() == {"booked": clean + 2, "rejected": 2}
        assert house.bookings() == clean + 2
        assert_whole(house)
        house.close()
        shutil.rmtree(house.root)
    print(f"{kills.hits} kills hit a running command in {rounds} rounds of {clean} invoices")


def _die_at_each_step(before: House, stride: int, *command: str) -> Iterator[tuple[int, House]]:
    """The house after the command died at a step: each step where `stride` is 1, else every so-many-th."""
    step = 1 + randbelow(stride)
    while True:
        house = before.copy(before.root.parent / f"step-{step}")
        done = start(house, run_cli_until, step, *command).wait()
        if done.code != KILLED:
            assert done.code in {0, WAITS}, done.err
            assert step > _FEWEST_STEPS, "the steps were not counted"
            return
        yield step, house
        house.close()
        step += stride


_STRIDES = pytest.mark.parametrize(
    "stride", [15, pytest.param(1, marks=pytest.mark.soak)], ids=["some_steps", "all_steps"]
)


@_STRIDES
@pytest.mark.parametrize("kind", ["approve", "reject"])
def test_a_decision_survives_a_kill_at_each_of_its_durable_steps(house: House, kind: str, stride: int) -> None:
    """Between decision, application and checkpoint there is no gap in which it is lost or takes effect twice."""
    effect = {"approve": {"booked": 4}, "reject": {"booked": 3, "rejected": 1}}[kind]
    run_cli(house, "audit", str(house.papers.folder), "--batch", "one")
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    decide = ("decide", review_id, kind, "--by", "lin", "--reason", "verified by phone")
    for step, died in _die_at_each_step(house, stride, *decide):
        again = run_cli(died, *decide)
        assert again.code == 0, (step, again.err)
        assert died.statuses() == effect, step
        assert died.log_lines("decided") == 1
        assert_whole(died)


@_STRIDES
def test_an_audit_survives_a_kill_at_each_of_its_durable_steps(house: House, stride: int) -> None:
    audit = ("audit", str(house.papers.folder), "--batch", "one")
    for step, died in _die_at_each_step(house, stride, *audit):
        again = run_cli(died, *audit)
        assert again.code == WAITS, (step, again.err)
        assert died.statuses() == {"booked": 3, "waiting": 1}, step
        assert_whole(died)
