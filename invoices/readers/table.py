"""The readers in order of trust.

Adding one: a module with `NAME`, `claims` and `read`, and its entry in `structured.READERS` (XML, also inside other
files) or here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import csv_list, ocr, ofd, pdf, structured, xlsx_list
from invoices.record import Invoice


@dataclass(frozen=True, slots=True)
class Reader:
    """One form: how to know it by content, and how to read it."""

    name: str
    claims: Callable[[Document], bool]
    read: Callable[[Document], Iterator[Invoice]]


_MODULES = (*structured.READERS, pdf, ofd, xlsx_list, ocr, csv_list)
READERS = tuple(Reader(module.NAME, module.claims, module.read) for module in _MODULES)


def read(document: Document, readers: tuple[Reader, ...] = READERS) -> Iterator[Invoice]:
    """All invoices that the document holds, by the first of the readers that knows it.

    Raises:
        UnreadableError: broken, hostile, of an unknown form, or without any invoice; `reason` is its code.
    """
    reader = next((reader for reader in readers if reader.claims(document)), None)
    if reader is None:
        raise _unknown(document)
    empty = True
    for invoice in reader.read(document):
        empty = False
        yield invoice
    if empty:
        raise UnreadableError(f"{document.name} is a {reader.name} file without any invoice in it", reason="no_invoice")


def _unknown(document: Document) -> UnreadableError:
    if document.looks_like_xml:
        kind = f"is XML of a form that no reader knows (root element {document.root_name})"
    elif document.archive is not None:
        kind = "is a zip folder: its members are documents of their own (invoices.folder.members)"
        return UnreadableError(f"{document.name} {kind}", reason="folder")
    else:
        kind = "is of a form that no reader knows"
    return UnreadableError(f"{document.name} {kind}", reason="unknown_form")
