"""The command line on the fifty sample invoices: in this process where that is enough, in one of its own where not."""

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from remembrancer.cli import main

ROOT = Path(__file__).parents[2]
FIFTY = str(ROOT / "examples" / "fifty")
RIGHT_ID = "919900007708035121"
WRONG_ID = "91990000770035121X"


@dataclass
class Done:
    code: int
    out: str
    err: str


class Shell:
    """Runs the program with a home of its own."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        settings = {"REMEMBRANCER_HOME": str(home), "REMEMBRANCER_LANG": "en", "COLUMNS": "80"}
        for name, value in settings.items():
            patch.setenv(name, value)

    def __call__(self, *arguments: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main(list(arguments))
        return Done(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    def alone(self, *arguments: str) -> Done:
        """The same in a process of its own."""
        command = [sys.executable, "-W", "error", "-m", "remembrancer", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=180)
        return Done(done.returncode, done.stdout, done.stderr)

    def json(self, *arguments: str) -> dict:
        return json.loads(self(*arguments, "--json").out)

    def review(self) -> str:
        (waiting,) = json.loads(self("reviews", "--json").out)
        return waiting["review_id"]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path / "home", monkeypatch)


@pytest.fixture
def audited(shell: Shell) -> Shell:
    assert shell("audit", FIFTY, "--batch", "september", "--submitter", "clerk").code == 3
    return shell


def test_seed_22_fifty_invoices_forty_nine_booked_one_waits(shell: Shell):
    done = shell.alone("audit", FIFTY)
    assert done.code == 3
    assert done.err == ""
    words = done.out.split()
    assert words[words.index("booked") + 1] == "49"
    assert words[words.index("waiting") + 1] == "1"
    assert "91990000770035121" in done.out
    assert "099002600711" in done.out
    assert "at or over the limit" in done.out
    assert f"edit --set seller_tax_id={RIGHT_ID}" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines() if "decide" not in line and "report" not in line)
    assert "\x1b[" not in done.out


def test_the_json_of_an_audit_stands_alone_and_has_the_documented_shape(shell: Shell):
    done = shell.alone("audit", FIFTY, "--json")
    document = json.loads(done.out)
    assert done.code == 3
    assert set(document) == {"batch", "invoices", "totals"}
    last = document["invoices"][-1]
    assert {"id", "file", "status", "fields", "findings", "review_id"} <= set(last)
    fields = ["seller", "seller_tax_id", "buyer", "buyer_tax_id", "code", "number", "date"]
    assert list(last["fields"]) == [*fields, "currency", "net", "tax", "total"]
    assert {finding["rule"] for finding in last["findings"]} >= {"seller_tax_id", "known_code", "amount_limit"}
    assert all(set(finding) == {"rule", "severity", "trigger", "message"} for finding in last["findings"])
    assert last["review_id"]
    assert document["totals"]["by_status"] == {"booked": 49, "waiting": 1}


def test_seed_22_a_right_correction_books_it_and_the_report_shows_who_and_what(audited: Shell, tmp_path: Path):
    review = audited.review()
    change = ("edit", "--set", f"seller_tax_id={RIGHT_ID}", "--reason", "code confirmed", "--by", "manager")
    assert audited("decide", review, *change).code == 0
    assert audited("reviews").out.strip() == "Nothing waits for a person."
    for name in ("html", "xlsx", "json", "csv"):
        assert audited("report", "september", "--format", name, "-o", str(tmp_path / f"r.{name}")).code == 0
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    (decision,) = report["decisions"]
    assert (decision["kind"], decision["decided_by"], decision["reason"]) == ("edit", "manager", "code confirmed")
    assert decision["edits"] == {"seller_tax_id": RIGHT_ID}
    assert report["totals"]["by_status"] == {"booked": 50}
    assert report["audit_log"]["fault"] == ""
    assert audited("doctor").code == 0


def test_a_wrong_correction_comes_back_with_the_reason(audited: Shell):
    review = audited.review()
    done = audited("decide", review, "edit", "--set", f"seller_tax_id={WRONG_ID}", "--by", "manager")
    assert done.code == 3
    assert "no valid 18-character credit code" in done.out
    assert audited.review() == review


def test_seed_22_an_approval_books_it_as_special_business(audited: Shell):
    assert audited("decide", audited.review(), "approve", "--reason", "special", "--by", "manager").code == 0
    again = audited.json("audit", FIFTY, "--batch", "september")
    assert again["totals"]["by_status"] == {"booked": 50}


def test_seed_22_a_rejection_needs_a_reason_and_is_never_booked(audited: Shell):
    review = audited.review()
    bare = audited("decide", review, "reject", "--by", "manager")
    assert (bare.code, "--reason" in bare.err) == (2, True)
    assert audited("decide", review, "reject", "--reason", "forged", "--by", "manager").code == 0
    again = audited.json("audit", FIFTY, "--batch", "october")
    assert again["totals"]["by_status"] == {"already_audited": 50}
    assert again["invoices"][-1]["first"]["status"] == "rejected"


def test_asking_the_submitter_leaves_the_review_open(audited: Shell):
    review = audited.review()
    assert audited("decide", review, "respond", "--reason", "Which contract?", "--by", "manager").code == 0
    assert audited.review() == review
    assert audited("decide", review, "approve", "--by", "manager").code == 0


def test_the_second_decision_is_told_who_was_first(audited: Shell):
    review = audited.review()
    assert audited("decide", review, "approve", "--by", "wang").code == 0
    late = audited("decide", review, "reject", "--reason", "forged", "--by", "li")
    assert late.code == 1
    assert "already decided: approve by wang" in late.err


def test_the_submitter_cannot_decide_his_own_claim(audited: Shell):
    refused = audited("decide", audited.review(), "approve", "--by", "Clerk")
    assert refused.code == 1
    assert "second person" in refused.err


def test_the_same_files_again_are_recognised(audited: Shell):
    done = audited("audit", FIFTY, "--batch", "again")
    assert done.code == 3
    assert "49 booked" in done.out
    again = audited.json("audit", FIFTY, "--batch", "again")
    assert again["totals"]["by_status"] == {"already_audited": 50}


def test_a_finished_batch_of_the_same_name_is_shown_as_it_stands(audited: Shell):
    done = audited.json("audit", FIFTY, "--batch", "september")
    assert done["totals"]["by_status"] == {"booked": 49, "waiting": 1}


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("audit", "nowhere"), 2, "doesn't exist"),
        (("audit", str(ROOT / "examples" / "make_fifty.py"), "--policy", "none.toml"), 2, "name an existing policy"),
        (("audit", "no-such-folder"), 2, "doesn't exist"),
        (("decide", "rev_none", "approve"), 1, "there is no review rev_none"),
        (("decide", "rev_none", "edit", "--set", "x"), 2, "FIELD=VALUE"),
        (("report", "none"), 1, "there is no batch none"),
        (("policy", "check", str(ROOT / "README.md")), 2, "no valid TOML"),
        (("--lang", "fr", "reviews"), 2, "zh or en"),
    ],
)
def test_bad_input_is_one_line_that_says_what_to_do(shell: Shell, arguments: tuple[str, ...], code: int, says: str):
    done = shell(*arguments)
    assert done.code == code
    assert says in done.err
    assert done.err.startswith("remembrancer: ")
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


def test_a_wrong_setting_stops_the_start(shell: Shell):
    shell.patch.setenv("REMEMBRANCER_LOG_LEVEL", "loud")
    done = shell("reviews")
    assert (done.code, "REMEMBRANCER_LOG_LEVEL" in done.err) == (2, True)


def test_it_speaks_chinese(shell: Shell):
    done = shell("--lang", "zh", "audit", FIFTY)
    plain = "".join(done.out.split())
    assert "1张发票等待审批" in plain
    assert "不是有效的18位统一社会信用代码" in plain


def test_nothing_is_traced_to_a_cloud_unless_switched_on():
    code = "import remembrancer, os; print(os.environ['LANGSMITH_TRACING'], os.environ['LANGGRAPH_STRICT_MSGPACK'])"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LANG", "LC_"))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=clean)
    assert done.stdout.split() == ["false", "true"]


def test_rule_statistics_say_what_people_made_of_each_rule(audited: Shell):
    audited("decide", audited.review(), "edit", "--set", f"seller_tax_id={RIGHT_ID}", "--reason", "ok", "--by", "m")
    records = audited.json("rules", "stats")
    assert records["seller_tax_id"] | {"fired": 1, "corrected": 1, "overturned": "0.000"} == records["seller_tax_id"]
    assert records["amount_limit"] | {"fired": 1, "overridden": 1, "overturned": "1.000"} == records["amount_limit"]
    assert "amount_limit" in audited("rules", "stats").out


def test_a_policy_preview_says_what_would_have_waited(audited: Shell, tmp_path: Path):
    text = (Path(FIFTY) / "policy.toml").read_text("utf-8")
    stricter = tmp_path / "policy.toml"
    stricter.write_text(text.replace('"100000.00" ', '"10000.00" '), "utf-8")
    (tmp_path / "register.csv").write_bytes((Path(FIFTY) / "register.csv").read_bytes())
    found = audited.json("policy", "preview", str(stricter))
    assert found["invoices"] == 50
    assert found["rules"] == {"amount_limit": len(found["would_wait"])}
    assert len(found["would_wait"]) > 0
    assert audited.json("policy", "preview", str(Path(FIFTY) / "policy.toml"))["would_wait"] == []


def test_a_booking_is_reversed_with_a_second_entry_and_never_booked_again(audited: Shell):
    number = audited.json("audit", FIFTY, "--batch", "september")["invoices"][0]["fields"]["number"]
    assert audited("reverse", number, "--reason", "sent back", "--by", "manager").code == 0
    again = audited("reverse", number, "--reason", "twice", "--by", "manager")
    assert (again.code, "nothing to reverse" in again.err) == (1, True)
    assert audited("reverse", number, "--reason", " ", "--by", "manager").code == 2
    vouchers = json.loads(audited("vouchers", "september", "--format", "json").out)["vouchers"]
    pair = [one for one in vouchers if one["number"] == number]
    assert [one["kind"] for one in pair] == ["regular", "reversal"]
    assert pair[0]["payable"] == pair[1]["payable"].removeprefix("-")
    assert audited.json("audit", FIFTY, "--batch", "october")["invoices"][0]["first"]["status"] == "reversed"
    assert audited("doctor").code == 0


def test_the_submitter_cannot_reverse_his_own_booking(audited: Shell):
    number = audited.json("audit", FIFTY, "--batch", "september")["invoices"][0]["fields"]["number"]
    refused = audited("reverse", number, "--reason", "mine", "--by", "clerk")
    assert (refused.code, "second person" in refused.err) == (1, True)


def test_vouchers_exported_twice_are_the_same(audited: Shell):
    first = audited("vouchers", "september").out
    assert first == audited("vouchers", "september").out
    assert len(first.splitlines()) == 50


def test_users_are_added_listed_delegated_and_removed_and_the_log_says_so(shell: Shell):
    assert shell("users", "list", "--json").out == "[]\n"
    assert shell("users", "add", "wu", "--role", "manager", "--limit", "200000").code == 0
    assert shell("users", "add", "Lin").code == 0
    assert shell("users", "add", "LIN").code == 2
    assert shell("users", "add", "qi", "--role", "boss").code == 2
    assert shell("users", "delegate", "wu", "--to", "lin", "--from", "2026-12-01", "--until", "2026-12-05").code == 0
    lin, wu = json.loads(shell("users", "list", "--json").out)
    assert (lin["name"], lin["roles"], lin["limit"]) == ("Lin", ["reviewer"], "")
    assert (wu["roles"], wu["limit"], wu["delegate_to"]) == (["manager"], "200000.00", "lin")
    assert wu["delegate_until"] == "2026-12-05"
    assert "Lin" in shell("users", "list").out
    assert shell("users", "remove", "lin").code == 0
    assert [one["name"] for one in json.loads(shell("users", "list", "--json").out)] == ["wu"]
    assert shell("doctor").code == 0
