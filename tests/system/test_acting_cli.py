"""The assistant's actions on the command line: chat shows what waits, and it is decided there or by `decide`."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from remembrancer.chat import open_chat
from remembrancer.settings import load_settings
from tests.scripted_model import Reply, ScriptedModel, scripted_model
from tests.system.test_cli import Shell
from tests.system.test_memory_cli import chat

_TOOLS = Path(__file__).parents[2] / "examples" / "tools.py"


def calls(name: str, **args: object) -> Reply:
    return Reply(tools=((name, {**args, "confidence": 0.95}),))


def answers(text: str, confidence: float = 0.95) -> Reply:
    return Reply(tools=(("answer", {"text": text, "confidence": confidence}),))


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model([]) as it:
        yield it


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: ScriptedModel) -> Shell:
    for name, value in (("EMBEDDER", "none"), ("TOOLS", f"{_TOOLS}:TOOLS"), ("MODEL_RETRIES", "0"), ("LANG", "en")):
        monkeypatch.setenv(f"REMEMBRANCER_{name}", value)
    monkeypatch.setenv("OPENAI_BASE_URL", model.url)
    return Shell(tmp_path / "home", monkeypatch)


def deeds(home: Path) -> list[str]:
    """What the example tools really did, in order."""
    path = home / "demo-ledger.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=30)) as ledger:
        return [f"{deed} {what}" for deed, what in ledger.execute("SELECT deed, what FROM deeds ORDER BY rowid")]


LARGE = calls("transfer", to="Wang", amount=20_000)


def test_chat_shows_what_waits_and_takes_the_decision(shell: Shell, model: ScriptedModel, tmp_path: Path) -> None:
    model.replies.extend([LARGE, answers("Sent."), answers("Anything else?")])
    done = chat(shell, "Send Wang 20000\nmaybe\napprove\n")
    assert "20,000.00 is at or over the limit" in done.out
    assert "approve | edit: NAME=VALUE | reject: REASON | respond: TEXT" in done.out
    assert "remembrancer decide rev_" in done.out
    assert "The last answer was not taken" in done.out
    assert done.out.rstrip().endswith("Sent.")
    assert deeds(tmp_path / "home") == ["transferred 20000.00 to Wang"]


def test_chat_takes_an_edit_in_words(shell: Shell, model: ScriptedModel, tmp_path: Path) -> None:
    model.replies.extend([LARGE, answers("已转。")])
    chat(shell, "给老王转两万\n修改：amount=400，to=Li\n")
    assert deeds(tmp_path / "home") == ["transferred 400.00 to Li"]


def test_a_chat_that_is_opened_again_says_what_it_waits_for(shell: Shell, model: ScriptedModel) -> None:
    model.replies.extend([LARGE])
    chat(shell, "Send Wang 20000\n")
    assert "20,000.00 is at or over the limit" in chat(shell, "").out


def test_an_answer_that_is_weighed_is_not_heard_before(shell: Shell, model: ScriptedModel) -> None:
    model.replies.extend([answers("Perhaps Go.", confidence=0.6), answers("I don't know.")])
    done = chat(shell, "Which language?\nreject: no guessing\n")
    assert done.out.rstrip().endswith("I don't know.")
    assert "Confidence 0.60 is below 0.80" in done.out


def test_forgetting_takes_the_words_out_of_what_was_done(shell: Shell, model: ScriptedModel, tmp_path: Path) -> None:
    model.replies.extend(
        [answers("记住了"), calls("transfer", to="Wang", amount=5, note="寄到阳光花园三栋"), answers("好")]
    )
    chat(shell, "我的地址是阳光花园三栋\n给老王转五块，写上我的地址\n")
    model.replies.extend([answers("?")])
    chat(shell, "忘记所有关于我的事\n确认\n")
    with closing(sqlite3.connect(tmp_path / "home" / "remembrancer.db")) as database:
        rows = database.execute("SELECT args, result FROM actions").fetchall()
    assert rows
    assert "阳光花园" not in json.dumps(rows, ensure_ascii=False)


@pytest.mark.parametrize(
    ("decision", "options", "status", "deed"),
    [
        ("approve", (), "done", ["transferred 20000.00 to Wang"]),
        ("edit", ("--set", "amount=300", "--set", "to=Li"), "done", ["transferred 300.00 to Li"]),
        ("reject", ("--reason", "forged"), "refused", []),
        ("respond", ("--reason", "paid in cash"), "answered", []),
    ],
)
def test_decide_drives_the_assistants_thread_and_the_next_chat_tells(
    shell: Shell,
    model: ScriptedModel,
    tmp_path: Path,
    decision: str,
    options: tuple[str, ...],
    status: str,
    deed: list[str],
) -> None:
    model.replies.extend([LARGE, answers("It is settled."), answers("Bye.")])
    chat(shell, "Send Wang 20000\n", "--user", "lin")
    (waiting,) = json.loads(shell("reviews", "--json").out)
    assert (waiting["action"], waiting["amount"]) == ("transfer", "20000.00")
    assert "transfer: Wang 20000.0" in shell("reviews").out
    done = shell("decide", waiting["review_id"], decision, *options, "--by", "wu", "--json")
    told = json.loads(done.out)
    assert (done.code, told["review_status"], told["invoice_status"]) == (0, "applied", status)
    assert deeds(tmp_path / "home") == deed
    assert json.loads(shell("reviews", "--json").out) == []
    again = shell("decide", waiting["review_id"], "approve", "--by", "chen")
    assert again.code == 1
    assert "already decided" in again.err
    assert chat(shell, "Bye\n", "--user", "lin").out.splitlines() == ["Bye."]


def test_a_chat_that_stays_open_tells_what_was_decided_elsewhere(
    shell: Shell, model: ScriptedModel, tmp_path: Path
) -> None:
    model.replies.extend([LARGE, answers("It is settled."), answers("Bye.")])
    settings = load_settings()
    with open_chat(settings, user="lin") as talk:
        assert "20,000.00" in "".join(talk.say("Send Wang 20000"))
        (waiting,) = json.loads(shell("reviews", "--json").out)
        assert shell("decide", waiting["review_id"], "approve", "--by", "wu").code == 0
        assert "".join(talk.say("Bye")).split() == ["It", "is", "settled.", "Bye."]
