"""The README's own text: its Python examples run as they stand, each in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (\w+) -->\n```python\n(.*?)```", README, re.DOTALL))


def run(code: str, home: Path) -> str:
    environment = os.environ | {"REMEMBRANCER_HOME": str(home), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("answer", "booked"),
    [
        ('{"type": "approve", "message": "special business, verified"}', 50),
        ('{"type": "reject", "message": "forged"}', 49),
        ('{"type": "edit", "args": {"seller_tax_id": "919900007708035121"}, "message": "code confirmed"}', 50),
    ],
)
def test_the_readmes_example_stops_and_another_process_goes_on(tmp_path: Path, answer: str, booked: int):
    stopped = run(EXAMPLES["stop"], tmp_path)
    assert "100000.00" in stopped
    assert "'seller_tax_id'" in stopped
    given = re.sub(r"decision = \{.*\}", f"decision = {answer}", EXAMPLES["resume"])
    assert f"'booked': {booked}" in run(given, tmp_path)


def test_the_readmes_memory_recalls_the_allergy_for_a_dessert_and_not_the_seat(tmp_path: Path):
    code = EXAMPLES["memory"].replace("sqlite:///memory.db", f"sqlite:///{tmp_path}/memory.db")
    lines = run(code, tmp_path).splitlines()
    assert lines[:2] == ["stored 我坐飞机喜欢靠窗", "stored 我对芒果过敏"]
    assert lines[2:] == ["我对芒果过敏 - 还有我对芒果过敏 monday"]


def test_the_readmes_own_tool_asks_before_it_runs(tmp_path: Path):
    assert run(EXAMPLES["acting"], tmp_path) == "The amount 900.00 is at or over the limit of 500.00\n"


def test_every_file_that_the_readme_links_is_there():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if not link.startswith("http")]
    assert links
    assert all((ROOT / link).exists() for link in links)
