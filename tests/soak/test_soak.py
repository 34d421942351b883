"""Kills by the thousand, power cuts and years, each round checked. A few in every run; `make soak` runs them all.

`SOAK_GRAPH_KILLS`, `SOAK_LEDGER_KILLS`, `SOAK_POWER_CUTS` and `SOAK_YEARS` set how many `make soak` runs, `SOAK_FOLDER`
where: a folder in memory saves the disk.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import randbelow

import pytest

from tests.soak.graph_kills import run_graph_kills
from tests.soak.ledger_kills import run_ledger_kills
from tests.soak.power_cuts import run_power_cuts
from tests.soak.years import run_years
from tests.support.house import House
from tests.support.processes import start

_DAY = 86_400.0

Run = Callable[..., str]


@pytest.fixture
def run(house: House, tmp_path: Path) -> Iterator[Run]:
    """Runs a soak in a process of its own with everything imported; returns what it printed."""
    folder = Path(os.environ.get("SOAK_FOLDER") or tmp_path) / f"soak-{os.getpid()}"

    def go(work: Callable[..., None], number: float, *more: object) -> str:
        seed = randbelow(2**32)
        done = start(house, work, folder, number, seed, *more).wait(_DAY)
        assert done.code == 0, f"seed {seed}: {done.out}{done.err}"
        print(f"\nseed {seed}: {done.out}")
        return done.out.splitlines()[-1]

    yield go
    shutil.rmtree(folder, ignore_errors=True)


def _number(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """A few by default, and as many as the environment says in a soak."""
    wanted = int(os.environ.get(name) or many)
    return pytest.mark.parametrize("number", [few, pytest.param(wanted, marks=pytest.mark.soak)], ids=["few", "soak"])


@_number("SOAK_GRAPH_KILLS", 30, 20_000)
def test_each_decision_has_one_effect_however_often_the_graph_is_killed(run: Run, number: int) -> None:
    assert int(run(run_graph_kills, number).split()[0]) >= number


@_number("SOAK_LEDGER_KILLS", 60, 100_000)
def test_what_the_ledger_acknowledged_is_there_once_whenever_it_is_killed(run: Run, number: int) -> None:
    assert int(run(run_ledger_kills, number).split()[0]) >= number


@_number("SOAK_POWER_CUTS", 300, 100_000)
def test_a_power_cut_loses_nothing_acknowledged(run: Run, number: int) -> None:
    assert int(run(run_power_cuts, number, "FULL").split()[0]) >= number


@pytest.mark.parametrize(
    "years", [0.1, pytest.param(float(os.environ.get("SOAK_YEARS") or 10), marks=pytest.mark.soak)], ids=["few", "soak"]
)
def test_over_the_years_each_review_has_one_end_and_the_files_stay_small(run: Run, years: float) -> None:
    assert f"{int(years)} years: " in run(run_years, years)


def test_sabotage_without_full_synchronous_a_power_cut_loses_decisions(house: House, tmp_path: Path) -> None:
    done = start(house, run_power_cuts, tmp_path / "cuts", 300, 1, "NORMAL").wait()
    assert done.code != 0
    assert "LostError: after" in done.err
    assert "lost, it is the state after commit" in done.err


def test_sabotage_without_the_sweep_kills_leave_decisions_without_effect(house: House, tmp_path: Path) -> None:
    done = start(house, run_graph_kills, tmp_path / "kills", 200, 1, True).wait()
    assert done.code != 0
    assert "AssertionError" in done.err
