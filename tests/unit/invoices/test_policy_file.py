"""The policy file: all parts are read, and a wrong one is refused with its line."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from foundation.errors import PolicyError
from invoices.policy import Policy, load_policy

EXAMPLE = Path(__file__).parents[3] / "examples" / "policy.example.toml"
BASE = '[company]\nnames = ["甲"]\ntax_ids = ["91997653JU6XYHXB0T"]\n'


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "policy.toml"


def load(path: Path, text: str) -> Policy:
    path.write_text(text, "utf-8")
    return load_policy(path)


def test_the_commented_example_is_valid_and_comes_back_from_its_text() -> None:
    policy = load_policy(EXAMPLE)
    assert [cap.per for cap in policy.caps] == ["day", "month", "trip", "invoice"]
    assert policy.levels == {"round_amount": "off", "date_old": "hard", "capital_total": "review"}
    assert len(policy.company_ids) == 2
    assert Policy.from_text(policy.to_text()) == policy
    assert Policy.from_text(policy.to_text()).digest == policy.digest


@pytest.mark.parametrize(
    ("more", "line", "says"),
    [
        ('[[caps]]\nper = "week"\namount = "1"\n', 5, "caps.0.per"),
        ('[[caps]]\nper = "day"\namount = "1"\n[[caps]]\nper = "day"\namount = 1.5\n', 9, "write amounts in quotes"),
        ("[limits]\nsplit_days = 0\n", 5, "limits.split_days"),
        ('[dates]\nwindow_ends = "02-30"\n', 4, "no day of every year"),
        ('[dates]\ngrace_days = "many"\n', 5, "dates.grace_days"),
        ('[vat]\nseverity = "loud"\n', 5, "vat.severity"),
        ('[severity]\nround_amount = "review"\nno_such_rule = "hard"\n', 6, "no rule 'no_such_rule'"),
        ('[severity]\ndate_future = "hint"\n', 5, "date_future is hard"),
        ('[[lowered]]\nrule = "date_future"\nto = "hint"\nby = "x"\non = 2026-01-01\n', 4, "lowered.0.reason"),
        ('[lookup]\nfile = "none.csv"\n', 5, "there is no file"),
        ('[[blacklists]]\nsource = "x"\non = 2026-01-01\n', 4, "needs `file`"),
        ("[approval]\nremind_days = 3\n", 4, "remind_days must be less"),
        ("[approval]\nexpire_days = 2\n", 4, "expire_days must be more"),
        ('[approval]\nsecond_person_from = "0"\n', 5, "second_person_from"),
        ('[approval]\nsecond_person_for = ["seller"]\n', 5, "second_person_for"),
        ("[unknown]\nkey = 1\n", 4, "unknown"),
    ],
)
def test_a_wrong_policy_is_refused_with_the_line(written: Path, more: str, line: int, says: str) -> None:
    with pytest.raises(PolicyError) as refused:
        load(written, BASE + more)
    assert str(refused.value).startswith(f"{written}:{line}: ")
    assert says in str(refused.value)


def test_a_hard_rule_is_not_switched_off_in_passing(written: Path) -> None:
    with pytest.raises(PolicyError, match=r":1: off: date_real is a hard rule"):
        load(written, 'off = ["date_real"]\n' + BASE)
    lowered = (
        '[[lowered]]\nrule = "date_real"\nto = "off"\nby = "manager"\non = 2026-01-01\nreason = "imported lists"\n'
    )
    assert load(written, BASE + lowered).levels == {"date_real": "off"}


def test_a_blacklist_keeps_its_source_and_day(written: Path) -> None:
    (written.parent / "bad.csv").write_text(
        "tax_id,name,reason\n91997653JU6XYHXB0T,,runaway\n,丙方有限公司,\n", "utf-8"
    )
    policy = load(written, BASE + '[[blacklists]]\nsource = "bureau"\non = 2026-05-01\nfile = "bad.csv"\n')
    listing = policy.blacklists[0]
    assert (listing.source, listing.on) == ("bureau", date(2026, 5, 1))
    assert listing.by_key["91997653JU6XYHXB0T"].reason == "runaway"
    assert "丙方有限公司" in listing.by_key


def test_a_blacklist_row_without_a_firm_is_refused_with_its_line(written: Path) -> None:
    (written.parent / "bad.csv").write_text("tax_id,name,reason\n,,why\n", "utf-8")
    with pytest.raises(PolicyError, match=r"bad\.csv:2: "):
        load(written, BASE + '[[blacklists]]\nsource = "bureau"\non = 2026-05-01\nfile = "bad.csv"\n')


def test_a_file_that_the_policy_names_is_found_beside_it(written: Path) -> None:
    (written.parent / "answers.csv").write_text("code,number,date,total,state,checked_on\n", "utf-8")
    policy = load(written, BASE + '[lookup]\nfile = "answers.csv"\n')
    assert policy.lookup.file == str((written.parent / "answers.csv").resolve())


def test_amounts_stay_exact(written: Path) -> None:
    policy = load(written, BASE + '[[caps]]\nper = "day"\namount = "0.10"\n')
    assert policy.caps[0].amount == Decimal("0.10")
    assert str(Policy.from_text(policy.to_text()).caps[0].amount) == "0.10"
