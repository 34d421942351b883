"""PDF: the XML attached to it where there is any (Factur-X, ZUGFeRD, XBRL, UBL...), else its text by position.

The XML is the invoice; the printed text is what people saw. Where number, date or total differ, that is a remark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import cn_page, latin_page, ocr
from invoices.readers.page_text import Page
from invoices.readers.pdf_file import MOST_GARBLED, opened
from invoices.readers.printed import printed_differences
from invoices.readers.sources import combined
from invoices.readers.structured import embedded_invoices
from invoices.readers.trust import TEXT
from invoices.record import Invoice, Remark

NAME = "pdf"
TEXT_READER = "pdf_text"
LEAST_LETTERS = 25
"""A page with fewer letters is a picture with a stamp or a page number, no text."""


def claims(document: Document) -> bool:
    """Whether the file starts as a PDF."""
    return document.looks_like_pdf


def read(document: Document) -> Iterator[Invoice]:
    """The invoice that the PDF holds; several where several different ones are attached.

    Raises:
        UnreadableError: damaged, locked, a bomb, or without anything readable; the reason tells which.
    """
    with opened(document.content, document.name) as file:
        files = list(file.attachments())
        pages = file.pages()
        garbled = file.garbled
    attached, errors = embedded_invoices(files, document.name)
    fatal = next((error for error in errors if error.reason in {"doctype", "zip_bomb"}), None)
    if fatal:
        raise fatal
    readable = garbled <= MOST_GARBLED and sum(len(page.squeezed) for page in pages) >= LEAST_LETTERS
    if attached:
        yield from _attached(attached, pages if readable else (), document.name)
    elif readable:
        yield _printed(pages, document, errors)
    else:
        yield from _pictured(document, errors, garbled)


def _attached(attached: Sequence[Invoice], pages: Sequence[Page], name: str) -> Iterator[Invoice]:
    """One invoice per number; several XML files of one invoice are compared, and each with the page."""
    by_number: dict[str, list[Invoice]] = {}
    for invoice in attached:
        by_number.setdefault(invoice.text("number"), []).append(invoice)
    several = len(by_number) > 1
    for group in by_number.values():
        invoice = combined(group)
        remarks = list(invoice.remarks)
        if several:
            remarks.append(_several(name, by_number))
        elif pages:
            remarks += printed_differences(invoice, pages, name)
        yield replace(invoice, remarks=tuple(dict.fromkeys(remarks)))


def _several(name: str, by_number: dict[str, list[Invoice]]) -> Remark:
    numbers = ", ".join(by_number)
    return Remark(
        "sources_differ",
        f"{name} 附有多份号码不同的电子发票：{numbers}",
        f"{name} carries invoices of different numbers: {numbers}",
    )


def _printed(pages: Sequence[Page], document: Document, errors: Sequence[UnreadableError]) -> Invoice:
    """What the page says; an attached XML that is broken caps how far that is trusted."""
    layout = cn_page if cn_page.claims(pages) else latin_page
    invoice = layout.read(pages, document.name, TEXT_READER, TEXT)
    if "number" not in invoice.fields and "total" not in invoice.fields:
        if errors:
            raise errors[0]
        raise UnreadableError(
            f"{document.name} has text, but no number and no total that a reader knows: enter it by hand",
            reason="unknown_form",
        )
    return _distrusted(invoice, errors[0]) if errors else invoice


def _distrusted(invoice: Invoice, error: UnreadableError) -> Invoice:
    fields = {
        name: replace(reading, confidence=min(reading.confidence, TEXT.unlabelled))
        for name, reading in invoice.fields.items()
    }
    remark = Remark(
        error.reason, f"附带的电子发票文件无法读取：{error}", f"the attached invoice can't be read: {error}"
    )
    return replace(invoice, fields=fields, remarks=(*invoice.remarks, remark))


def _pictured(document: Document, errors: Sequence[UnreadableError], garbled: float) -> Iterator[Invoice]:
    """Pages without usable text are looked at as pictures where the extra `ocr` is installed."""
    if errors:
        raise errors[0]
    why = f"{garbled:.0%} of its letters map to no character" if garbled > MOST_GARBLED else "it holds pictures only"
    if not ocr.is_installed():
        raise UnreadableError(f"{document.name} has no readable text ({why}); {ocr.HOW_TO_INSTALL}", reason="no_text")
    try:
        invoice = ocr.read_pages(ocr.pdf_pictures(document.content), document.name)
    except UnreadableError as error:
        raise UnreadableError(
            f"{document.name} has no readable text ({why}); as a picture: {error}", "no_text"
        ) from None
    yield invoice
