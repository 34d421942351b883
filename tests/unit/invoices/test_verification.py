"""Answers of the tax office from a file: honest states, and values that are compared."""

from pathlib import Path

import pytest

from foundation.errors import UsageError
from invoices.verification import NOT_ASKED, FileVerifier, State
from tests.unit.invoices.pairs import CODE, SERIAL, cn, old

HEAD = "code,number,date,total,state,checked_on\n"


def verifier(tmp_path: Path, rows: str) -> FileVerifier:
    path = tmp_path / "answers.csv"
    path.write_text(HEAD + rows, "utf-8")
    return FileVerifier.load(path)


def test_an_invoice_nobody_asked_about_is_not_asked(tmp_path: Path) -> None:
    assert verifier(tmp_path, "").look_up(cn()) == NOT_ASKED


def test_genuine_is_only_what_fits_in_date_and_total(tmp_path: Path) -> None:
    answers = verifier(tmp_path, ",26991000000000000123,2026-05-06,212.00,genuine,2026-06-01\n")
    assert answers.look_up(cn()).state is State.GENUINE
    assert answers.look_up(cn()).source == "answers.csv:2"
    assert answers.look_up(cn(total="213.00")).state is State.DIFFERS
    assert answers.look_up(cn(date="2026-05-07")).state is State.DIFFERS


def test_older_invoices_are_found_by_code_and_number(tmp_path: Path) -> None:
    answers = verifier(tmp_path, f"{CODE},{SERIAL},,,not_found,2026-06-01\n")
    assert answers.look_up(old()).state is State.NOT_FOUND
    assert answers.look_up(cn(number=SERIAL)).state is State.NOT_ASKED


@pytest.mark.parametrize("state", State)
def test_every_state_comes_through_as_it_is(tmp_path: Path, state: State) -> None:
    answers = verifier(tmp_path, f",26991000000000000123,,,{state},2026-06-01\n")
    assert answers.look_up(cn()).state is state


@pytest.mark.parametrize("row", [",1,,,perhaps,2026-06-01", ",1,,,genuine,June", ",,,,genuine,2026-06-01"])
def test_a_row_that_says_something_else_is_refused_with_its_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(UsageError, match=r"answers\.csv:2: "):
        verifier(tmp_path, row + "\n")


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="save them as UTF-8 CSV"):
        FileVerifier.load(tmp_path / "none.csv")
