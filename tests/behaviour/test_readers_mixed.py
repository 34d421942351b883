"""Every document of examples/mixed reads to exactly what its truth table says, or fails for the reason it states."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.folder import members
from invoices.money import parse_money
from invoices.readers import ocr, read
from invoices.record import Invoice

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "mixed"
TRUTH = json.loads((FOLDER.parent / "mixed_truth.json").read_text(encoding="utf-8"))
BOOKS = 0.8
AMOUNTS = {"net", "tax", "total"}
PICTURES = {name for name in TRUTH if name.startswith("scan-")}


def invoices_in(name: str) -> Iterator[Invoice]:
    for _, member in members(Document(name, (FOLDER / name).read_bytes())):
        if isinstance(member, UnreadableError):
            raise member
        yield from read(member)


@pytest.mark.parametrize("name", [name for name, truth in TRUTH.items() if truth["reason"]])
def test_what_cannot_be_read_says_why(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    with pytest.raises(UnreadableError) as refused:
        list(invoices_in(name))
    assert refused.value.reason == TRUTH[name]["reason"]
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [name for name, truth in TRUTH.items() if not truth["reason"]])
def test_every_field_reads_as_it_was_written(name: str) -> None:
    if name in PICTURES and not ocr.is_installed():
        pytest.skip("the extra `ocr` is not installed")
    found = list(invoices_in(name))
    truth = TRUTH[name]
    assert len(found) == len(truth["invoices"])
    for invoice, wanted in zip(found, truth["invoices"], strict=True):
        got = {field: invoice.text(field) for field in wanted}
        for field in AMOUNTS & got.keys():
            if parse_money(got[field]) == parse_money(wanted[field]):
                got[field] = wanted[field]
        assert got == wanted
        assert all(invoice.confidence(field) < BOOKS for field in truth["unsure"])
    assert {remark.kind for invoice in found for remark in invoice.remarks} == set(truth["remarks"])


def test_every_reading_says_where_it_stood_and_how_sure_it_is() -> None:
    for name in ("cn-digital.pdf", "cn-full.ofd", "eu-hybrid-factur-x.pdf", "list-text.xlsx", "cn-digital.xml"):
        for invoice in invoices_in(name):
            for reading in invoice.fields.values():
                assert reading.where.file.startswith(name)
                assert 0 < reading.confidence <= 1
                assert reading.reader


def test_the_text_of_a_page_carries_page_and_box() -> None:
    (invoice,) = invoices_in("cn-digital.pdf")
    where = invoice.fields["total"].where
    assert where.page == 1
    assert where.box is not None
    assert 250 < where.box[1] < 290


def test_the_mixed_examples_stay_small_and_many() -> None:
    assert len(TRUTH) >= 60
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 3 * 2**20
