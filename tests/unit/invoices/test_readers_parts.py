import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.forms.ids import credit_code
from examples.forms.sample import capitals
from invoices.document import Document
from invoices.identity import is_uscc
from invoices.readers import read
from invoices.readers.page_text import Letter, Page, Run, runs_of
from invoices.readers.printed import amounts_in, dates_in
from invoices.readers.reasons import REASONS
from invoices.readers.sources import combined, same
from invoices.record import Invoice, Place, Reading


def letters(text: str, left: float, top: float, size: float = 10.0) -> list[Letter]:
    return [
        Letter(letter, left + index * size, top, left + (index + 1) * size, top + size)
        for index, letter in enumerate(text)
    ]


@pytest.mark.parametrize(
    ("printed", "amount"),
    [
        ("1.234,50 €", "1234.50"),
        ("$1,234.50", "1234.50"),
        ("1 234,50", "1234.50"),
        ("1'234.50 CHF", "1234.50"),
        ("€ 22,50", "22.50"),
        ("¥10600.00", "10600.00"),
        ("-9,32", "-9.32"),
        ("1.000", "1000"),
    ],
)
def test_amounts_read_in_each_countrys_writing(printed: str, amount: str) -> None:
    assert [found for found, _ in amounts_in(printed)] == [Decimal(amount)]


@pytest.mark.parametrize("text", ["21%", "19 %", "08:15", "NL810433941B01"])
def test_what_is_no_money_is_no_amount(text: str) -> None:
    assert list(amounts_in(text)) == []


@pytest.mark.parametrize(
    ("written", "day", "ambiguous"),
    [
        ("8-9-2022", "2022-09-08", False),
        ("03/20/2023", "2023-03-20", False),
        ("03/04/2023", "2023-04-03", True),
        ("2023-06-12", "2023-06-12", False),
        ("19 april 2014", "2014-04-19", False),
        ("Jan 1, 2022", "2022-01-01", False),
        ("5 août 2024", "2024-08-05", False),
        ("2024年05月06日", "2024-05-06", False),
    ],
)
def test_dates_read_in_each_countrys_writing(written: str, day: str, ambiguous: bool) -> None:
    (printed,) = dates_in(written)
    assert (printed.day.isoformat(), printed.ambiguous) == (day, ambiguous)


def test_letters_part_into_runs_at_columns_and_lines() -> None:
    found = runs_of([*letters("名称", 0, 0), *letters("公司", 60, 0), *letters("税号", 0, 30)])
    assert [run.text for run in found] == ["名称", "公司", "税号"]


def test_a_row_finds_a_label_whose_letters_stand_apart() -> None:
    page = Page(1, 600, 400, (Run("合", 60, 10, 70, 20), Run("计", 96, 11, 106, 21), Run("¥1.00", 400, 10, 430, 20)))
    (row,) = page.rows
    assert row.squeezed == "合计¥1.00"
    assert [run.text for run in row.cut(2, 7)] == ["¥1.00"]


def reading(value: str, reader: str, confidence: float = 1.0) -> Reading:
    return Reading(value, value, Place(f"{reader}.xml"), reader, confidence)


def test_two_sources_that_differ_are_named_with_both_values() -> None:
    first = Invoice("a", {"total": reading("10.00", "one")})
    second = Invoice("b", {"total": reading("12.00", "two"), "number": reading("7", "two")})
    both = combined([first, second])
    assert both.text("total") == "10.00"
    assert both.text("number") == "7"
    (remark,) = both.remarks
    assert all(text in remark.en for text in ("10.00", "12.00", "one", "two"))


def test_a_source_that_is_unsure_accuses_nobody() -> None:
    first = Invoice("a", {"number": reading("10", "one")})
    second = replace(first, fields={"number": reading("12", "two", 0.5)})
    assert combined([first, second]).remarks == ()


def test_the_same_amount_in_two_writings_is_no_difference() -> None:
    assert same("total", "10", "10.00")
    assert same("number", "AB 12-3", "ab123")
    assert not same("total", "10.00", "10.01")


@given(st.integers(0, 99_999_999))
def test_made_up_ids_pass_both_checks(serial: int) -> None:
    assert is_uscc(credit_code(serial))
    assert credit_code(serial)[2:8] == "990000"


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("190.19", "壹佰玖拾圆壹角玖分"),
        ("10600.00", "壹万零陆佰圆整"),
        ("11.20", "壹拾壹圆贰角整"),
        ("100.05", "壹佰圆零伍分"),
        ("-212", "（负数）贰佰壹拾贰圆整"),
    ],
)
def test_capital_numerals_are_written_as_banks_write_them(amount: str, words: str) -> None:
    assert capitals(Decimal(amount)) == words


def test_a_number_that_a_spreadsheet_wrote_as_a_power_of_ten_is_never_trusted() -> None:
    content = "发票号码,开票日期,价税合计\n2.699E+19,2026-03-16,10.00\n".encode()
    (invoice,) = read(Document("a.csv", content))
    assert invoice.confidence("number") < 0.8
    assert [remark.kind for remark in invoice.remarks] == ["lost_digits"]


def test_every_reason_has_its_words_in_both_languages() -> None:
    folder = Path(__file__).resolve().parents[3] / "invoices"
    used = {match for file in folder.rglob("*.py") for match in re.findall(r'reason="(\w+)"', file.read_text("utf-8"))}
    assert used <= REASONS.keys()
    assert all(zh and en for zh, en in REASONS.values())
