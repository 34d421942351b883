"""What all tests stand on: no setting from outside, and a work tree that is as clean afterwards as before."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.house import House, build_house

_ROOT = Path(__file__).parents[1]
_KEPT = {"REMEMBRANCER_CORPUS"}

# On a busy machine the wall's time says nothing about a test.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.fixture(autouse=True, scope="session")
def clean_tree() -> Iterator[None]:
    """Tests write into their own folders only."""
    before = _changes()
    yield
    assert _changes() == before, "a test left something behind in the work tree"


@pytest.fixture(autouse=True)
def no_outside_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A developer's own settings and data stay out of the tests."""
    for name in [name for name in os.environ if name.startswith("REMEMBRANCER_") and name not in _KEPT]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="session")
def staffed_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Audited, with a manager chen, a reviewer wang, a submitter lin and an admin: to be copied, never changed."""
    from tests.support.pages import add_people, audited

    house = build_house(tmp_path_factory.mktemp("staffed") / "house")
    audited(house)
    add_people(house, chen="manager", wang="reviewer", lin="submitter", root="admin")
    yield house
    house.close()


@pytest.fixture
def make_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Builds houses in this test's folder."""
    built: list[House] = []

    def make(**papers: object) -> House:
        built.append(build_house(tmp_path / f"house-{len(built)}", **papers))
        return built[-1]

    yield make
    for house in built:
        house.close()


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    """Three clean invoices and one over the limit, not audited yet."""
    return make_house()


def _changes() -> str:
    """What git sees in the work tree; nothing to compare where there is no git."""
    try:
        return subprocess.run(
            ["git", "status", "--porcelain"], cwd=_ROOT, capture_output=True, text=True, check=False
        ).stdout
    except FileNotFoundError:
        return ""
