"""kill -9 while the assistant acts: what can't be taken back happens once, and what may have happened is asked."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbelow
from typing import Any

import pytest

from foundation.database import reading
from oversight.reviews import ReviewStatus, list_reviews, pending_reviews
from tests.scripted_model import Reply, scripted_model
from tests.support.crashes import die_at_step, run_cli_until
from tests.support.house import House, assert_nothing_lies_about, build_house
from tests.support.processes import KILLED, run_cli, start

_TOOLS = Path(__file__).parents[2] / "examples" / "tools.py"
_FEWEST_STEPS = 15
_STRIDES = pytest.mark.parametrize(
    "stride", [29, pytest.param(1, marks=pytest.mark.soak)], ids=["some_steps", "all_steps"]
)


@dataclass(frozen=True)
class ActingHouse(House):
    """A house whose assistant has the example tools."""

    model: str = ""

    @property
    def environment(self) -> dict[str, str]:
        told = {"OPENAI_BASE_URL": self.model, "REMEMBRANCER_TOOLS": f"{_TOOLS}:TOOLS", "REMEMBRANCER_EMBEDDER": "none"}
        return {**super().environment, **told}

    def copy(self, root: Path) -> "ActingHouse":
        root.mkdir(parents=True)
        shutil.copytree(self.settings.home, root / "home")
        return replace(self, root=root)

    def deeds(self) -> list[str]:
        path = self.settings.home / "demo-ledger.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path, timeout=30)) as ledger:
            return [what for (what,) in ledger.execute("SELECT what FROM deeds ORDER BY rowid")]


def talk(text: str) -> None:
    """Say one thing, as `remembrancer chat` does."""
    from remembrancer.chat import open_chat
    from remembrancer.settings import load_settings

    with open_chat(load_settings(), user="lin") as chat:
        print("".join(chat.say(text)))


def talk_until(steps: int, text: str) -> None:
    """Say one thing and die at the n-th step."""
    die_at_step(steps)
    talk(text)


def _model(amount: int) -> Any:
    """Proposes the transfer, and answers once a tool has told something; a call that a crash cut off gets the same."""

    def reply(request: dict[str, Any]) -> Reply:
        last = request["messages"][-1]
        if last["role"] == "tool" or "Send" not in str(last["content"]):
            return Reply(tools=(("answer", {"text": "Done.", "confidence": 0.95}),))
        return Reply(tools=(("transfer", {"to": "Wang", "amount": amount, "confidence": 0.95}),))

    return reply


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ActingHouse]:
    amount = request.param
    built = build_house(tmp_path / "house", clean=0, doubtful=())
    with scripted_model([], otherwise=_model(amount)) as model:
        yield ActingHouse(built.root, built.papers, model=model.url)
    built.close()


def _die_at_each_step(
    before: ActingHouse, stride: int, work: Any, *arguments: Any
) -> Iterator[tuple[int, ActingHouse]]:
    step = 1 + randbelow(stride)
    while True:
        died = before.copy(before.root.parent / f"step-{step}")
        done = start(died, work, step, *arguments).wait()
        if done.code != KILLED:
            assert step > _FEWEST_STEPS, f"the steps were not counted: {done.err}"
            return
        yield step, died
        died.close()
        step += stride


def _open(house: ActingHouse) -> list[dict[str, Any]]:
    with reading(house.services.engine) as connection:
        return [dict(review.question) for review in list_reviews(connection, house.services.tenant)]


def _settle(house: ActingHouse) -> None:
    """Whatever is unknown after the crash is asked, and a person who looks into the ledger settles it."""
    for question in _open(house):
        assert [fired["rule"] for fired in question["triggers"]] == ["outcome_unknown"]
        known = ("respond", "--reason", "it was sent") if house.deeds() else ("approve",)
        decided = run_cli(house, "decide", question["review_id"], *known, "--by", "wu")
        assert decided.code == 0, decided.err
    assert _open(house) == []


@_STRIDES
@pytest.mark.parametrize("house", [20_000], indirect=True)
@pytest.mark.parametrize("kind", ["approve", "reject"])
def test_a_decision_on_an_action_survives_a_kill_at_each_of_its_durable_steps(
    house: ActingHouse, kind: str, stride: int
) -> None:
    assert start(house, talk, "Send Wang 20000").wait().code == 0
    (question,) = _open(house)
    decide = ("decide", question["review_id"], kind, "--by", "wu", "--reason", "verified by phone")
    for step, died in _die_at_each_step(house, stride, run_cli_until, *decide):
        again = run_cli(died, *decide)
        assert again.code == 0, (step, again.err)
        if kind == "approve":
            _settle(died)
        assert died.deeds() == (["20000.00 to Wang"] if kind == "approve" else []), step
        assert died.log_lines("decided") >= 1
        _assert_at_rest(died)


@_STRIDES
@pytest.mark.parametrize("house", [400], indirect=True)
def test_an_action_that_nobody_was_asked_about_survives_a_kill_at_each_of_its_durable_steps(
    house: ActingHouse, stride: int
) -> None:
    for step, died in _die_at_each_step(house, stride, talk_until, "Send Wang 400"):
        assert run_cli(died, "reviews").code == 0
        _settle(died)
        said = start(died, talk, "Hello").wait()
        assert said.out.rstrip().endswith("Done."), (step, said.err)
        assert len(died.deeds()) <= 1, step
        _assert_at_rest(died)


def _assert_at_rest(house: ActingHouse) -> None:
    """No ghost, no decision without effect, no action that may still run."""
    assert_nothing_lies_about(house)
    with reading(house.services.engine) as connection:
        assert [one for one in pending_reviews(connection, "default") if one.status is ReviewStatus.DECIDED] == []
    assert house.ask("SELECT status FROM actions WHERE status IN ('approved', 'started')") == []
    assert house.services.journal.verify("default").fault == ""
