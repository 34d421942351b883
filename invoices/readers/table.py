"""The readers in order of trust. Adding one: a module with `NAME`, `claims` and `read`, and its entry here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import cii, cn_einvoice, csv_list, ubl
from invoices.record import Invoice


@dataclass(frozen=True, slots=True)
class Reader:
    """One form: how to know it by content, and how to read it."""

    name: str
    claims: Callable[[Document], bool]
    read: Callable[[Document], Iterator[Invoice]]


READERS = (
    Reader(cn_einvoice.NAME, cn_einvoice.claims, cn_einvoice.read),
    Reader(ubl.NAME, ubl.claims, ubl.read),
    Reader(cii.NAME, cii.claims, cii.read),
    Reader(csv_list.NAME, csv_list.claims, csv_list.read),
)


def read(document: Document) -> Iterator[Invoice]:
    """All invoices that the document holds, by the first reader that knows it.

    Raises:
        UnreadableError: broken, hostile, of an unknown form, or without any invoice; the message says which.
    """
    reader = next((reader for reader in READERS if reader.claims(document)), None)
    if reader is None:
        raise UnreadableError(f"{document.name} is of a form that no reader knows")
    empty = True
    for invoice in reader.read(document):
        empty = False
        yield invoice
    if empty:
        raise UnreadableError(f"{document.name} is a {reader.name} file without any invoice in it")
