"""Photos and scans by the extra `ocr` (RapidOCR with its models in the wheel, ONNX Runtime; nothing is downloaded).

What is read from a picture never reaches the confidence from which an invoice is booked unseen.
"""

import importlib.util
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import cn_page, latin_page
from invoices.readers.page_text import Page, Run
from invoices.readers.pdf_file import PDFIUM
from invoices.readers.trust import OCR
from invoices.record import Invoice

if TYPE_CHECKING:
    from PIL.Image import Image
    from rapidocr import RapidOCR

NAME = "ocr"
HOW_TO_INSTALL = "to read pictures: pip install 'remembrancer[ocr]'"
MOST_PAGES = 3
LONGEST_SIDE = 1800
"""Pixels; larger pictures are made smaller, which an invoice's letters bear."""
MOST_PIXELS = 80_000_000
DOTS_PER_INCH = 150
_MARKS = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM")
_LEAST_SCORE = 0.5


def claims(document: Document) -> bool:
    """Whether the file is a picture (PNG, JPEG, TIFF, BMP, WebP)."""
    head = document.content[:16]
    return head.startswith(_MARKS) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")


def read(document: Document) -> Iterator[Invoice]:
    """The invoice on the picture.

    Raises:
        UnreadableError: the extra isn't installed, the picture is damaged or too large, or no invoice is on it.
    """
    if not is_installed():
        raise UnreadableError(f"{document.name} is a picture; {HOW_TO_INSTALL}", reason="not_installed")
    yield read_pages([_opened(document)], document.name)


def is_installed() -> bool:
    """Whether the extra `ocr` is there."""
    return all(importlib.util.find_spec(module) for module in ("rapidocr", "onnxruntime", "PIL"))


def read_pages(pictures: "Sequence[Image]", name: str) -> Invoice:
    """The invoice on some pages that are pictures.

    Raises:
        UnreadableError: nothing on them reads as an invoice.
    """
    pages = [_page(number, picture) for number, picture in enumerate(pictures, start=1)]
    if not any(page.runs for page in pages):
        raise UnreadableError(f"{name} has no text that can be read from its picture", reason="no_text")
    layout = cn_page if cn_page.claims(pages) else latin_page
    invoice: Invoice = layout.read(pages, name, NAME, OCR)
    if "number" not in invoice.fields and "total" not in invoice.fields:
        raise UnreadableError(f"{name}: no number and no total was found on the picture", reason="unknown_form")
    limited = {
        field: replace(reading, confidence=min(reading.confidence, OCR.confirmed))
        for field, reading in invoice.fields.items()
    }
    return replace(invoice, fields=limited)


def pdf_pictures(content: bytes) -> "list[Image]":
    """The first pages of a PDF as pictures."""
    import pypdfium2

    pictures = []
    with PDFIUM, pypdfium2.PdfDocument(content) as document:
        for index in range(min(len(document), MOST_PAGES)):
            page = document[index]
            scale = min(DOTS_PER_INCH / 72, LONGEST_SIDE / max(*page.get_size(), 1))
            pictures.append(page.render(scale=scale).to_pil().convert("RGB"))
    return pictures


def _opened(document: Document) -> "Image":
    from PIL import Image, ImageOps

    try:
        picture = Image.open(io.BytesIO(document.content))
        if picture.width * picture.height <= MOST_PIXELS:
            picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(picture).convert("RGB")
            upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            return upright
    except Exception as error:
        raise UnreadableError(f"{document.name} is a damaged picture ({error})", reason="broken_picture") from None
    raise UnreadableError(f"{document.name} has too many pixels: make it smaller", reason="too_large")


@lru_cache(maxsize=1)
def _engine() -> "RapidOCR":
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "error"})


def _page(number: int, picture: "Image") -> Page:
    """The picture's text by position; pixels stand for points."""
    import numpy

    answer = _engine()(numpy.asarray(picture))
    texts, boxes, scores = (getattr(answer, name) for name in ("txts", "boxes", "scores"))
    runs = []
    for text, box, score in zip(texts or (), boxes if boxes is not None else (), scores or (), strict=False):
        across, down = [float(point[0]) for point in box], [float(point[1]) for point in box]
        if score >= _LEAST_SCORE:
            runs.append(Run(text, min(across), min(down), max(across), max(down)))
    return Page(number, float(picture.width), float(picture.height), tuple(runs))
