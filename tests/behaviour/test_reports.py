"""Reports: text from documents stays text in every format."""

import csv
import io
import zipfile
from pathlib import Path

import pytest

from graphs.state import AuditInput
from remembrancer.office import open_office
from remembrancer.reports import FORMATS, BatchReport, gather, render
from remembrancer.settings import load_settings
from remembrancer.texts import Speech

HOSTILE = '=HYPERLINK("http://evil/","<script>alert(1)</script>")'
POLICY = '[company]\nnames = ["青禾"]\ntax_ids = ["91990000801689098N"]\n[limits]\nmax_age_days = 36500\n'
ROWS = (
    "number,code,date,seller,seller_tax_id,buyer,buyer_tax_id,net,tax,total,currency\n"
    '"26993736273169095081","",2026-10-03,"=HYPERLINK(""http://evil/"",""<script>alert(1)</script>"")",'
    "919900007708035121,青禾,91990000801689098N,-100.00,-6.00,-106.00,CNY\n"
)


@pytest.fixture
def report(tmp_path: Path) -> BatchReport:
    (tmp_path / "list.csv").write_text(ROWS, "utf-8")
    (tmp_path / "policy.toml").write_text(POLICY, "utf-8")
    (tmp_path / "broken.xml").write_text("<EInvoice><x", "utf-8")
    start: AuditInput = {"paths": [str(tmp_path / "list.csv"), str(tmp_path / "broken.xml")]}
    with open_office(load_settings(home=tmp_path / "home")) as office:
        batch = office.audit({**start, "policy": str(tmp_path / "policy.toml")}, name="one")
        return gather(office.services, batch.batch_id)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_is_written_in_both_languages(report: BatchReport, name: str, lang: str):
    assert len(render(report, name, Speech(lang))) > 300


def test_markup_in_a_field_is_text_in_html(report: BatchReport):
    page = render(report, "html", Speech("en")).decode()
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def test_html_loads_nothing_from_anywhere(report: BatchReport):
    page = render(report, "html", Speech("en")).decode()
    assert not any(mark in page for mark in ("<link", "<img", "url(", "src=", "@import"))


def test_a_field_never_becomes_a_formula_in_csv_and_amounts_stay_amounts(report: BatchReport):
    text = render(report, "csv", Speech("en")).decode("utf-8-sig")
    first = list(csv.reader(io.StringIO(text)))[1]
    assert first[2] == "'" + HOSTILE
    assert first[12] == "-106.00"
    assert first[7] == "26993736273169095081"


def test_xlsx_holds_text_cells_only(report: BatchReport):
    with zipfile.ZipFile(io.BytesIO(render(report, "xlsx", Speech("en")))) as book:
        sheets = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in "".join(sheets)
    assert 't="n"' not in "".join(sheets)
    assert "26993736273169095081" in texts


def test_one_broken_file_is_one_unreadable_invoice_with_its_reason(report: BatchReport):
    assert report.counts["unreadable"] == 1
    assert any("broken XML" in one.unreadable for one in report.invoices)
