"""The whole of examples/mixed, audited through the office, ends as its truth table says."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import select

from foundation.database import reading
from invoices.readers import ocr
from invoices.tables import invoices
from remembrancer.office import open_office
from remembrancer.settings import Settings

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "mixed"
TRUTH = json.loads((FOLDER.parent / "mixed_truth.json").read_text(encoding="utf-8"))
PICTURES = {name for name in TRUTH if name.startswith("scan-")}
WITHOUT_OCR = {"not_installed", "no_text"}

Ends = dict[str, list[tuple[str, str, frozenset[str]]]]
"""File -> (status, reason, rules that ask) of each invoice in it."""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Ends:
    settings = Settings(_env_file=None, home=tmp_path_factory.mktemp("home"), lang="en", time_zone="UTC")
    start = {"paths": [str(FOLDER)], "policy": str(FOLDER / "policy.toml")}
    found: Ends = defaultdict(list)
    with open_office(settings, sweep=False) as office:
        office.audit(start, name="mixed")
        with reading(office.services.engine) as connection:
            for row in connection.execute(select(invoices).order_by(invoices.c.file_seq, invoices.c.part)):
                asked = frozenset(one["rule"] for one in json.loads(row.findings) if one["trigger"])
                found[_file(row.file)].append((row.status, row.reason, asked))
        office.services.engine.dispose()
    return found


def _file(name: str) -> str:
    """The document of the truth table: a zip folder's members count as their folder."""
    return name.partition("/")[0]


def test_every_document_has_an_end(ends: Ends) -> None:
    assert ends.keys() == TRUTH.keys()


@pytest.mark.parametrize("name", sorted(TRUTH.keys() - PICTURES))
def test_each_document_ends_as_its_truth_says(name: str, ends: Ends) -> None:
    truth = TRUTH[name]
    assert {(status, reason) for status, reason, _ in ends[name]} == {(truth["end"], truth["reason"] or "")}
    assert len(ends[name]) == max(len(truth["invoices"]), 1)
    if truth["end"] == "waiting":
        assert all(set(truth["rules"]) <= asked for _, _, asked in ends[name])
    if truth["end"] == "booked":
        assert all(not asked for _, _, asked in ends[name])


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_no_picture_is_booked_unseen(name: str, ends: Ends) -> None:
    ((status, reason, asked),) = ends[name]
    if ocr.is_installed():
        assert status == TRUTH[name]["end"]
        assert set(TRUTH[name]["rules"]) <= asked
    else:
        assert status == "unreadable"
        assert reason in WITHOUT_OCR


def test_every_fault_that_is_no_reading_error_waits_or_is_a_duplicate() -> None:
    harmless = {"credit"}
    for truth in TRUTH.values():
        if set(truth["faults"]) - harmless:
            assert truth["end"] != "booked"
