"""A CSV list, one invoice a row, with a heading row in Chinese or English."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers.xml_fields import normal
from invoices.record import Invoice, Line, Place, Reading, Remark

NAME = "csv"

HEADINGS = {
    "seller": ("seller", "seller name", "销方名称", "销售方", "销售方名称"),
    "seller_tax_id": ("seller_tax_id", "seller tax id", "销方税号", "销售方税号", "销方识别号", "销售方识别号"),
    "buyer": ("buyer", "buyer name", "购方名称", "购买方", "购买方名称"),
    "buyer_tax_id": ("buyer_tax_id", "buyer tax id", "购方税号", "购买方税号", "购方识别号", "购买方识别号"),
    "code": ("code", "invoice code", "发票代码"),
    "number": ("number", "invoice number", "发票号码", "数电票号码", "数电发票号码"),
    "date": ("date", "invoice date", "issue date", "开票日期", "日期"),
    "currency": ("currency", "币种"),
    "net": ("net", "net amount", "金额", "不含税金额", "合计金额"),
    "tax": ("tax", "tax amount", "税额", "合计税额"),
    "total": ("total", "total amount", "价税合计", "含税金额"),
    "rate": ("rate", "tax rate", "税率"),
    "remark": ("remark", "备注"),
    "category": ("category", "item", "货物或应税劳务名称", "项目名称"),
}
_FIELD_OF = {heading: name for name, headings in HEADINGS.items() for heading in headings}
_LEAST_HEADINGS = 3
TEXT_FIELDS = frozenset({"number", "code", "seller_tax_id", "buyer_tax_id"})
LOST_CONFIDENCE = 0.3
_SCIENTIFIC = re.compile(r"\d(?:[.,]\d+)?E\+?\d+", re.IGNORECASE)
_ENCODINGS = ("utf-8-sig", "gb18030")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def field_of(heading: str) -> str | None:
    """The field that a column of this heading holds, None for a column of no use."""
    return _FIELD_OF.get("".join(heading.split()).lower()) or _FIELD_OF.get(heading.strip().lower())


def is_list(fields: Iterable[str]) -> bool:
    """Whether columns of these fields make a list of invoices: a number, a total and one more."""
    known = set(fields)
    return len(known) >= _LEAST_HEADINGS and {"number", "total"} <= known


def claims(document: Document) -> bool:
    """Whether the first row names at least a number, a total and one more known column."""
    if document.looks_like_xml or document.looks_like_pdf or document.content.startswith(b"PK"):
        return False
    if b"\0" in document.content[:4096] and document.content[:2] not in _UTF16_MARKS:
        return False
    try:
        return is_list(_columns(_rows(_decode(document)[:4096])).values())
    except UnreadableError:
        return False


def read(document: Document) -> Iterator[Invoice]:
    """One invoice a row that has any text."""
    rows = _rows(_decode(document))
    columns = _columns(rows)
    for row_number, row in enumerate(rows, start=2):
        if any(cell.strip() for cell in row):
            yield _invoice(row, columns, document.name, row_number)


def _invoice(row: list[str], columns: dict[int, str], file: str, row_number: int) -> Invoice:
    fields = {}
    for column, name in columns.items():
        raw = row[column].strip().lstrip("'\t") if column < len(row) else ""
        if raw:
            fields[name] = Reading(raw, raw, Place(file, path=f"row {row_number} {name}"), NAME)
    return row_invoice(NAME, fields)


def row_invoice(form: str, readings: dict[str, Reading], remarks: tuple[Remark, ...] = ()) -> Invoice:
    """The invoice of one row of a list: fields in normal form, rate and category as its only line."""
    lost = [name for name in TEXT_FIELDS & readings.keys() if _SCIENTIFIC.fullmatch(readings[name].raw)]
    readings = {**readings, **{name: replace(readings[name], confidence=LOST_CONFIDENCE) for name in lost}}
    remarks = (*remarks, *(lost_digits(readings[name]) for name in lost))
    fields = {name: normal(name, reading) for name, reading in readings.items()}
    rate = fields.pop("rate", None)
    category = fields.pop("category", None)
    line = Line(name=category.value if category else None, rate=rate.value.removesuffix("%") if rate else None)
    return Invoice(form, fields, (line,) if rate or category else (), remarks=remarks)


def lost_digits(reading: Reading) -> Remark:
    """The remark on a number that a spreadsheet kept as a number: digits after the 15th are gone."""
    return Remark(
        "lost_digits",
        f"{reading.where} 按数字存储，超过 15 位的部分已丢失：{reading.raw}",
        f"{reading.where} is stored as a number, digits after the 15th are lost: {reading.raw}",
    )


def _decode(document: Document) -> str:
    encodings = ("utf-16",) if document.content[:2] in _UTF16_MARKS else _ENCODINGS
    for encoding in encodings:
        try:
            return document.content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableError(f"{document.name} is neither UTF-8 nor GB 18030 text: save it as UTF-8", reason="encoding")


def _rows(text: str) -> Iterator[list[str]]:
    head = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(",;\t", key=head.count)
    try:
        yield from csv.reader(io.StringIO(text), delimiter=delimiter)
    except csv.Error as error:
        raise UnreadableError(f"the list can't be read as CSV ({error})", reason="broken_csv") from None


def _columns(rows: Iterator[list[str]]) -> dict[int, str]:
    heading = next(rows, [])
    known = ((column, field_of(cell)) for column, cell in enumerate(heading))
    return {column: name for column, name in known if name}
