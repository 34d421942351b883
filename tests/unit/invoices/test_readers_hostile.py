"""Whatever bytes arrive, a reader answers with invoices or with a reason (at length: benchmarks/fuzz_readers.py)."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import fuzz_readers
from examples.forms.ofd import zipped
from foundation.errors import UnreadableError
from invoices.archive import Archive
from invoices.document import Document
from invoices.folder import members
from invoices.readers import ocr, pdf_file
from invoices.readers.ofd_package import deltas, numbers
from invoices.readers.pkcs7 import signed_content
from invoices.readers.printed import amounts_in, dates_in

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "mixed"
SEEDS = (
    "cn-digital.xml",
    "cn-full.ofd",
    "cn-xbrl.ofd",
    "cn-digital.pdf",
    "eu-hybrid-factur-x.pdf",
    "eu-hybrid-af-only.pdf",
    "eu-fatturapa.xml.p7m",
    "list-text.xlsx",
    "list-utf16.csv",
    "folder.zip",
)
SHORT = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def no_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)


@pytest.mark.parametrize("name", SEEDS)
@SHORT
@given(change=st.sampled_from(fuzz_readers.CHANGES), seed=st.integers(0, 2**32))
def test_a_damaged_file_gives_invoices_or_a_reason(
    no_ocr: None, name: str, change: Callable[[bytes, random.Random], bytes], seed: int
) -> None:
    content = change((FOLDER / name).read_bytes(), random.Random(seed))
    assert all(fuzz_readers.ends(name, content))


@given(st.binary(max_size=400), st.sampled_from([b"", b"%PDF-1.7\n", b"PK\x03\x04", b"<a>", b"\x30\x80", b"\xff\xfe"]))
def test_random_bytes_give_a_reason(content: bytes, head: bytes) -> None:
    assert "read" not in list(fuzz_readers.ends("x", head + content))


@given(st.binary(max_size=300))
def test_an_envelope_is_opened_or_none(content: bytes) -> None:
    head = bytes.fromhex("308006092a864886f70d010702a080") + bytes.fromhex("06092a864886f70d010701")
    assert signed_content(head + content) is None or isinstance(signed_content(head + content), bytes)


@given(st.text())
def test_any_text_has_dates_and_amounts_or_none(text: str) -> None:
    assert all(1990 <= printed.day.year <= 2100 for printed in dates_in(text))
    assert all(amount.is_finite() for amount, _ in amounts_in(text))


@given(st.text(alphabet="g0123456789.- einfa", max_size=60))
def test_deltas_stay_finite_and_few(text: str) -> None:
    assert len(deltas(text)) <= 4_000
    assert all(abs(number) < 1e6 for number in numbers(text))


def test_a_delta_that_claims_a_billion_letters_is_cut() -> None:
    assert len(deltas("g 999999999 1.5")) <= 4_000


def test_a_stream_deflated_twice_is_still_a_bomb() -> None:
    import zlib

    inner = zlib.compress(bytes(200 * 2**20), 9)
    content = b"%PDF-1.4\nstream\n" + zlib.compress(inner) + b"\nendstream"
    with pytest.raises(UnreadableError) as refused:
        pdf_file.refuse_bombs(content, "a.pdf")
    assert refused.value.reason == "zip_bomb"


def test_a_zip_that_understates_its_sizes_is_stopped_while_it_unpacks() -> None:
    content = bytearray((FOLDER / "folder-bomb.zip").read_bytes())
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = content.find(mark) + (22 if mark == b"PK\x03\x04" else 24)
        content[at : at + 4] = (100).to_bytes(4, "little")
    archive = Archive(bytes(content), "a.zip")
    with pytest.raises(UnreadableError) as refused:
        archive.read(archive.names[0])
    assert refused.value.reason in {"zip_bomb", "broken_zip"}


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(UnreadableError) as refused:
        Document("a.pdf", bytes(51 * 2**20))
    assert refused.value.reason == "too_large"


def test_members_never_raise() -> None:
    for file in FOLDER.glob("folder*.zip"):
        assert list(members(Document(file.name, file.read_bytes())))


def test_a_member_without_a_name_is_no_member() -> None:
    content = zipped({"QQ": b"x", "b.xml": b"<a/>"}).replace(b"QQ", b"\0Q")
    assert [name for name, _ in members(Document("a.zip", content))] == ["a.zip/b.xml"]
