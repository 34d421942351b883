"""How many expected fields of the public corpus the readers get right, by source, and what is wrong and why.

    REMEMBRANCER_CORPUS=../shared/data python benchmarks/corpus.py [--all]

The corpus isn't part of this project (see its README for sources and licences). Rows of `en16931_unit` hold several
fragments that test one rule each; they are read on a line of their own, and no fields are expected of them.
"""

import csv
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.money import parse_money
from invoices.readers import read
from invoices.record import Invoice

FIELDS = (
    "seller",
    "seller_tax_id",
    "buyer",
    "buyer_tax_id",
    "number",
    "date",
    "currency",
    "net",
    "tax",
    "total",
    "payable",
)
MONEY = frozenset({"net", "tax", "total", "payable"})
TEXT_READERS = frozenset({"pdf_text", "ofd_text", "ocr"})
BOOKS = 0.8


@dataclass(frozen=True)
class Outcome:
    """One expected field: what was wanted, what was read, by whom, how sure."""

    file: str
    family: str
    field: str
    wanted: str
    got: str
    confidence: float

    @property
    def right(self) -> bool:
        return agrees(self.field, self.wanted, self.got)


def corpus() -> Path:
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("REMEMBRANCER_CORPUS", default)) / "invoices"


def wanted_value(text: str) -> str:
    """The expected value without its explanation: `30.50 (not in file: ...)`, `*** (=0.00)`, `477.06+45.87 ...`."""
    plain = re.sub(r"\s*\([^)]*\)$", "", text).strip()
    if re.fullmatch(r"[\d.]+\+[\d.]+( .*)?", plain):
        parts = plain.split(" ")[0].split("+")
        return str(sum(parse_money(part) or 0 for part in parts))
    return plain


def agrees(field: str, wanted: str, got: str) -> bool:
    if field in MONEY:
        amounts = parse_money(wanted), parse_money(got)
        return amounts[0] is not None and amounts[0] == amounts[1]
    if field.endswith("tax_id"):
        return _letters(wanted) == _letters(got) or (
            wanted[:2].isalpha() is False and _letters(got).endswith(_letters(wanted))
        )
    return _letters(wanted) == _letters(got)


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def outcomes(row: dict[str, str], invoices: list[Invoice]) -> Iterator[Outcome]:
    invoice = invoices[0] if invoices else None
    readers = {reading.reader for reading in invoice.fields.values()} if invoice else set()
    family = (
        "text layer"
        if readers & TEXT_READERS and not readers - TEXT_READERS - {"ofd_custom_data", "ofd"}
        else "structured"
    )
    for field in FIELDS:
        wanted = wanted_value(row[field])
        if wanted:
            got = invoice.text(field) if invoice else ""
            if field == "payable" and not got and invoice:
                got = invoice.text("total")
            yield Outcome(row["file"], family, field, wanted, got, invoice.confidence(field) if invoice else 0.0)


def fragments(path: Path) -> tuple[int, int]:
    """How many of a test set's fragments read as an invoice with fields, and how many as one without any."""
    found = [0, 0]
    for test in etree.parse(path).getroot().iterfind("{*}test"):
        for fragment in test:
            if etree.QName(fragment).localname not in {"assert", "description"}:
                (invoice,) = read(Document(path.name, etree.tostring(fragment)))
                found[0 if invoice.fields else 1] += 1
    return found[0], found[1]


def main() -> None:
    folder = corpus()
    if not folder.exists():
        sys.exit(f"no corpus at {folder}: set REMEMBRANCER_CORPUS")
    rows = list(csv.DictReader((folder / "corpus.tsv").open(encoding="utf-8"), delimiter="\t"))
    found: list[Outcome] = []
    notes, ends, seconds = [], Counter[str](), Counter[str]()
    for row in rows:
        path = folder / row["file"]
        start = time.perf_counter()
        invoices: list[Invoice] = []
        try:
            invoices = list(read(Document(row["file"], path.read_bytes())))
            ends["read"] += 1
            reason = ""
        except UnreadableError as error:
            ends[f"unreadable: {error.reason}"] += 1
            reason = f"{error.reason}: {error}"
        seconds[path.suffix] += time.perf_counter() - start
        if row["file"].startswith("en16931_unit/") or path.suffix == ".json":
            continue
        if reason:
            notes.append(f"  {row['file']}: {reason}")
            if "unreadable" in row["what_to_expect"]:
                continue
        found += outcomes(row, invoices)
        notes += [f"  {row['file']}: {remark.kind}: {remark.en}" for invoice in invoices for remark in invoice.remarks]
    _report(found, notes, ends, seconds, rows)


def _report(
    found: list[Outcome], notes: list[str], ends: Counter[str], seconds: Counter[str], rows: list[dict[str, str]]
) -> None:
    print(f"{len(rows)} files: {dict(ends)}")
    for family in ("structured", "text layer"):
        mine = [one for one in found if one.family == family]
        right = sum(one.right for one in mine)
        files = len({one.file for one in mine})
        print(f"{family}: {right} of {len(mine)} fields right ({right / max(len(mine), 1):.1%}), {files} files")
        sure = [one for one in mine if one.got and one.confidence >= BOOKS]
        print(f"  of {len(sure)} values read with confidence >= {BOOKS}: {sum(not one.right for one in sure)} wrong")
    units = [row for row in rows if row["file"].startswith("en16931_unit/")]
    counts = [fragments(corpus() / row["file"]) for row in units]
    whole, partial = (sum(count[side] for count in counts) for side in (0, 1))
    print(f"en16931_unit: {len(units)} files, {whole + partial} fragments, each a test case of one rule:")
    print(f"  {whole} read as an invoice, {partial} as one without any field (as the fragment is)")
    print("wrong or missing:")
    for one in found:
        if not one.right:
            print(f"  {one.file} {one.field}: wanted {one.wanted!r}, got {one.got!r} ({one.confidence})")
    print("remarks and reasons:", *notes, sep="\n")
    print("seconds by suffix:", {suffix: round(value, 2) for suffix, value in seconds.items()})


if __name__ == "__main__":
    main()
