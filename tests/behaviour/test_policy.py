from pathlib import Path

import pytest

from foundation.errors import PolicyError
from invoices.policy import Policy, load_policy

GOOD = """[company]
names = ["青禾示例科技有限公司"]
tax_ids = ["91990000801689098N"]

[limits]
amount = "50000.00"

[register]
file = "register.csv"
"""


def write(folder: Path, text: str = GOOD, register: str = "kind,value,name\nseller,1,x\ncode,2,\n") -> Path:
    (folder / "register.csv").write_text(register, "utf-8")
    path = folder / "policy.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_policy_is_the_same_after_it_was_kept_as_text(tmp_path: Path):
    policy = load_policy(write(tmp_path))
    again = Policy.from_text(policy.to_text())
    assert again == policy
    assert again.digest == policy.digest


def test_a_changed_register_changes_the_digest(tmp_path: Path):
    before = load_policy(write(tmp_path)).digest
    assert load_policy(write(tmp_path, register="kind,value,name\nseller,1,x\n")).digest != before


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('amount = "50000.00"', "amount = -5", "6: limits.amount"),
        ('amount = "50000.00"', "amount = 0.1", "6: limits.amount"),
        ('amount = "50000.00"', 'amuont = "5"', "6: limits.amuont"),
        ('names = ["青禾示例科技有限公司"]', "names = []", "2: company.names"),
    ],
)
def test_a_wrong_policy_is_refused_with_the_line(tmp_path: Path, old: str, new: str, line: str):
    with pytest.raises(PolicyError, match=rf"policy\.toml:{line}"):
        load_policy(write(tmp_path, GOOD.replace(old, new)))


def test_a_file_that_is_no_toml_is_refused_with_the_line(tmp_path: Path):
    with pytest.raises(PolicyError, match="line 2"):
        load_policy(write(tmp_path, "[company]\nnames = [\n"[:-1] + "x"))


def test_a_register_row_of_unknown_kind_is_refused_with_its_line(tmp_path: Path):
    with pytest.raises(PolicyError, match=r"register\.csv:2"):
        load_policy(write(tmp_path, register="kind,value\nvendor,1\n"))


def test_a_missing_policy_says_so(tmp_path: Path):
    with pytest.raises(PolicyError, match="name an existing policy"):
        load_policy(tmp_path / "none.toml")
