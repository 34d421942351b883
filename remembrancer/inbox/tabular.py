"""Lists as they were handed in: the heading, the invoice's own row with its cells marked, and some rows around it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from invoices.document import Document
from invoices.ledger import Examined
from invoices.readers.csv_list import field_of
from invoices.record import PUBLIC_FIELDS
from remembrancer.inbox.evidence import Cells, Drawing

_AROUND = 10
_COLUMNS = 40
_LONGEST = 120
_ROW = re.compile(r"(?:^row |!)(\d+) ")
_SHEET = re.compile(r"^(?P<title>.+)!\d+ ")
_ENCODINGS = ("utf-8-sig", "gb18030", "utf-16")


def table_of(document: Document, examined: Examined) -> Drawing | None:
    """The list around this invoice's row; None where the document is no list."""
    paths = [reading.where.path or "" for reading in examined.record.fields.values()] if examined.record else []
    numbers = [int(found[1]) for path in paths if (found := _ROW.search(path))]
    if not numbers:
        return None
    own = numbers[0]
    rows = _sheet_rows(document, paths) if document.archive is not None else _text_rows(document)
    near = [(number, row) for number, row in islice(enumerate(rows, start=1), own + _AROUND) if _is_near(number, own)]
    heads = next((row for number, row in near if number == 1), [])
    shown = tuple(Cells(number, row, _marks(heads) if number == own else {}) for number, row in near if number > 1)
    return Drawing(kind="cells", heads=heads, rows=shown)


def _is_near(number: int, own: int) -> bool:
    return number == 1 or abs(number - own) <= _AROUND


def _marks(heads: Sequence[str]) -> Mapping[int, str]:
    named = ((column, field_of(head)) for column, head in enumerate(heads))
    return {column: name for column, name in named if name in PUBLIC_FIELDS}


def _text_rows(document: Document) -> Iterator[list[str]]:
    for encoding in _ENCODINGS:
        try:
            text = document.content.decode(encoding)
        except UnicodeDecodeError:
            continue
        head = text.partition("\n")[0]
        return (_short(row) for row in csv.reader(io.StringIO(text), delimiter=max(",;\t", key=head.count)))
    return iter(())


def _sheet_rows(document: Document, paths: Sequence[str]) -> Iterator[list[str]]:
    import openpyxl

    title = next((found["title"] for path in paths if (found := _SHEET.match(path))), "")
    book = openpyxl.load_workbook(io.BytesIO(document.content), read_only=True, data_only=True, keep_links=False)
    try:
        sheet = book[title]
        yield from (_short(row) for row in sheet.iter_rows(values_only=True, max_col=_COLUMNS))
    finally:
        book.close()


def _short(row: Iterable[object]) -> list[str]:
    return ["" if cell is None else str(cell)[:_LONGEST] for cell in islice(row, _COLUMNS)]
