"""Every file of the public corpus reaches an end through the office: nothing crashes, nothing is lost."""

import csv
import json
import os
from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import select

from foundation.database import reading
from invoices.readers.reasons import REASONS
from invoices.tables import invoices
from remembrancer.office import open_office
from remembrancer.settings import Settings

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
CORPUS = Path(os.environ.get("REMEMBRANCER_CORPUS", _BESIDE)) / "invoices"
ENDS = {"booked", "waiting", "unreadable", "duplicate"}
POLICY = """[company]
names = ["Nobody in the corpus Ltd"]
tax_ids = ["GB000000000"]

[limits]
max_age_days = 36500
"""

pytestmark = pytest.mark.skipif(
    not (CORPUS / "corpus.tsv").is_file(),
    reason="the public corpus isn't here: set REMEMBRANCER_CORPUS to the folder that holds invoices/corpus.tsv",
)

Ends = dict[str, list[tuple[str, str, list[str]]]]
"""File -> (status, reason, rules that ask) of each invoice in it."""


def files() -> list[str]:
    with (CORPUS / "corpus.tsv").open(encoding="utf-8", newline="") as table:
        return [row["file"] for row in csv.DictReader(table, delimiter="\t")]


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Ends:
    root = tmp_path_factory.mktemp("corpus")
    (root / "policy.toml").write_text(POLICY, encoding="utf-8")
    settings = Settings(_env_file=None, home=root / "home", lang="en", time_zone="UTC")
    found: Ends = defaultdict(list)
    with open_office(settings, sweep=False) as office:
        # The folder is named once, so that each file is known by its path in the corpus.
        office.audit({"paths": [str(CORPUS)], "policy": str(root / "policy.toml")}, name="corpus")
        with reading(office.services.engine) as connection:
            for row in connection.execute(select(invoices)):
                rules = [one["rule"] for one in json.loads(row.findings) if one["trigger"]]
                found[row.file].append((row.status, row.reason, rules))
        office.services.engine.dispose()
    return found


def _of(file: str, ends: Ends) -> list[tuple[str, str, list[str]]]:
    """The ends of the file's invoices; a zip folder's members are named below it."""
    return [end for name, some in ends.items() if name == file or name.startswith(f"{file}/") for end in some]


def test_every_file_of_the_corpus_reaches_an_end(ends: Ends) -> None:
    without = [file for file in files() if not _of(file, ends)]
    assert without == []
    assert {status for some in ends.values() for status, _, _ in some} <= ENDS


def test_no_reader_fails_and_every_unreadable_file_says_why(ends: Ends) -> None:
    reasons = {reason for some in ends.values() for status, reason, _ in some if status == "unreadable"}
    assert reasons <= REASONS.keys()


def test_nothing_made_out_to_somebody_else_is_booked(ends: Ends) -> None:
    waiting = [rules for some in ends.values() for status, _, rules in some if status == "waiting"]
    assert all(rules for rules in waiting)
    assert not [file for file, some in ends.items() for status, _, _ in some if status == "booked"]
