"""An XLSX list, one invoice a row, read without formulas, macros or links; numbers and codes stay text.

A spreadsheet keeps 15 digits of a number: an invoice number that was typed as a number has lost the others. That is
said, and such a value is never trusted.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers.csv_list import LOST_CONFIDENCE, TEXT_FIELDS, field_of, is_list, lost_digits, row_invoice
from invoices.record import Invoice, Place, Reading

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

NAME = "xlsx"
MOST_ROWS = 100_000
MOST_COLUMNS = 100
HEADING_WITHIN = 10
"""Rows above the heading that may hold a title."""
DIGITS_KEPT = 15
Cells = Sequence[object]


def claims(document: Document) -> bool:
    """Whether this is a zip with a workbook in it."""
    return document.archive is not None and document.archive.find("xl/workbook.xml") is not None


def read(document: Document) -> Iterator[Invoice]:
    """One invoice for each row of each sheet that has a heading row.

    Raises:
        UnreadableError: no sheet has a heading with a number and a total, or the workbook is damaged.
    """
    import openpyxl

    _refuse_hostile(document)
    try:
        book = openpyxl.load_workbook(io.BytesIO(document.content), read_only=True, data_only=True, keep_links=False)
    except Exception as error:
        raise UnreadableError(f"{document.name} is a damaged workbook ({error})", reason="broken_xlsx") from None
    try:
        found = False
        for sheet in book.worksheets:
            for invoice in _sheet(sheet, document.name):
                found = True
                yield invoice
    except UnreadableError:
        raise
    except Exception as error:
        raise UnreadableError(f"{document.name} is a damaged workbook ({error})", reason="broken_xlsx") from None
    finally:
        book.close()
    if not found:
        raise UnreadableError(
            f"{document.name} has no sheet with a heading row of at least a number and a total", reason="unknown_form"
        )


def _refuse_hostile(document: Document) -> None:
    """Unpack every part once within the limits, and refuse document types, before another library sees them."""
    archive = document.archive
    for name in archive.names if archive else ():
        content = archive.read(name) if archive else b""
        if name.lower().endswith((".xml", ".rels")) and b"<!DOCTYPE" in content[:4096].upper():
            raise UnreadableError(f"{document.name}: {name} carries a DOCTYPE: refused", reason="doctype")


def _sheet(sheet: "ReadOnlyWorksheet", file: str) -> Iterator[Invoice]:
    columns: dict[int, str] = {}
    for number, cells in enumerate(sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True), start=1):
        if not columns:
            if number > HEADING_WITHIN:
                return
            columns = _heading(cells)
        elif any(_text(cell) for cell in cells):
            yield _invoice(cells, columns, Place(file, path=f"{sheet.title}!{number}"))


def _heading(cells: Cells) -> dict[int, str]:
    named = ((column, field_of(_text(cell))) for column, cell in enumerate(cells))
    columns = {column: name for column, name in named if name}
    return columns if is_list(columns.values()) else {}


def _invoice(cells: Cells, columns: dict[int, str], where: Place) -> Invoice:
    fields = {}
    remarks = []
    for column, name in columns.items():
        cell = cells[column] if column < len(cells) else None
        if _text(cell):
            reading = Reading(_text(cell), _text(cell), replace(where, path=f"{where.path} {name}"), NAME)
            if name in TEXT_FIELDS and _lost_digits(cell):
                reading = replace(reading, confidence=LOST_CONFIDENCE)
                remarks.append(lost_digits(reading))
            fields[name] = reading
    return row_invoice(NAME, fields, tuple(remarks))


def _text(cell: object) -> str:
    """A cell as text: whole numbers without a point, dates as YYYY-MM-DD, amounts as the cell shows them."""
    if cell is None:
        return ""
    if isinstance(cell, datetime | date):
        return cell.strftime("%Y-%m-%d")
    if isinstance(cell, float):
        return f"{cell:.0f}" if cell.is_integer() else f"{Decimal(repr(cell)):f}"
    return str(cell).strip().lstrip("'")


def _lost_digits(cell: object) -> bool:
    """Whether a number cell has more digits than a spreadsheet keeps."""
    return isinstance(cell, int | float) and abs(cell) >= 10**DIGITS_KEPT
