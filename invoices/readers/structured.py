"""The readers of structured XML in order of trust; used for files that are XML and for XML inside other files."""

from types import ModuleType

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import cii, cn_einvoice, cn_original, cn_xbrl, fatturapa, ubl, zugferd1
from invoices.record import Invoice

READERS: tuple[ModuleType, ...] = (cn_einvoice, ubl, cii, fatturapa, zugferd1, cn_xbrl, cn_original)


def embedded_invoices(files: list[tuple[str, bytes]], holder: str) -> tuple[list[Invoice], list[UnreadableError]]:
    """The invoices in a document's attached files, whatever they are called, and why others can't be read.

    Files that are no XML, or XML of no invoice, are no errors: an attachment may be a delivery note.
    """
    found: list[tuple[int, Invoice]] = []
    errors = []
    for name, content in files:
        try:
            document = Document(f"{holder}/{name}", content)
            for trust, reader in enumerate(READERS):
                if document.looks_like_xml and reader.claims(document):
                    found += [(trust, invoice) for invoice in reader.read(document)]
                    break
        except UnreadableError as error:
            if error.reason != "empty":
                errors.append(error)
    return [invoice for _, invoice in sorted(found, key=lambda item: item[0])], errors
