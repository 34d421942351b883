"""A PDF opened safely: its pages' text with positions, and the files attached to it. Knows no invoice.

PDFium reads text and attachments; pypdf looks for attachments where PDFium's list (the name tree) has none.
"""

import ctypes
import io
import logging
import math
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from foundation.errors import UnreadableError
from invoices.readers.page_text import MOST_LETTERS, Letter, Page, runs_of

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject
    from pypdfium2 import PdfDocument, PdfPage, PdfTextPage

FIRST_PAGES, LAST_PAGES = 12, 3
"""Pages read of a long document: the head stands on the first ones, the totals on the last."""
LARGEST_STREAM = 64 * 2**20
LARGEST_STREAMS = 160 * 2**20
LARGEST_ATTACHMENT = 20 * 2**20
MOST_ATTACHMENTS = 50
MOST_GARBLED = 0.05
_STREAM = re.compile(rb"stream\r?\n")
_PIECE = 2**20
_FARTHEST = 1e5
_TALLEST = 400.0
"""Points; no letter of an invoice is taller, no page wider."""
_PASSWORD_ERROR = 4
_CID = re.compile(r"\(cid:\d+\)")
PDFIUM = threading.RLock()
"""PDFium is not safe for threads: whoever calls it holds this."""


class PdfFile:
    """One open PDF; use through `opened`."""

    def __init__(self, document: "PdfDocument", content: bytes, name: str) -> None:
        self._document = document
        self._content = content
        self.name = name
        self.page_count = len(document)
        self.garbled = 0.0
        """The share of letters that map to no character, after `pages` was called."""

    def pages(self) -> tuple[Page, ...]:
        """The text of the first and the last pages, by position."""
        indices = range(self.page_count)
        if self.page_count > FIRST_PAGES + LAST_PAGES:
            indices = [*indices[:FIRST_PAGES], *indices[-LAST_PAGES:]]  # type: ignore[assignment]
        left, bad, seen, found = MOST_LETTERS, 0, 0, []
        for index in indices:
            page = self._document[index]
            letters, unmapped = _letters(page, left)
            width, height = page.get_size()
            found.append(Page(index + 1, width, height, runs_of(letters)))
            left -= len(letters)
            seen += len(letters)
            bad += unmapped
            page.close()
        cids = sum(sum(len(match) for match in _CID.findall(page.squeezed)) for page in found)
        self.garbled = (bad + cids) / seen if seen else 0.0
        return tuple(found)

    def page(self, number: int) -> "PdfPage":
        """The page of this number, from 1, to be drawn while the file is open."""
        return self._document[number - 1]

    def attachments(self) -> Iterator[tuple[str, bytes]]:
        """(name, bytes) of each attached file under the size limit, however it hangs on the document."""
        count = min(self._document.count_attachments(), MOST_ATTACHMENTS)
        if count == 0:
            yield from _associated_files(self._content)
        for index in range(count):
            try:
                attachment = self._document.get_attachment(index)
                name, data = attachment.get_name(), bytes(attachment.get_data())
            except RuntimeError:
                continue  # listed, but not there
            if len(data) <= LARGEST_ATTACHMENT:
                yield name, data


@contextmanager
def opened(content: bytes, name: str) -> Iterator[PdfFile]:
    """The PDF, closed again afterwards.

    Raises:
        UnreadableError: damaged, without pages, protected by a password, or with streams that unpack to too much.
    """
    from pypdfium2 import PdfiumError

    refuse_bombs(content, name)
    with PDFIUM:
        document = _document(content, name)
        try:
            yield PdfFile(document, content, name)
        except PdfiumError as error:
            raise UnreadableError(f"{name} has a damaged page ({error}): send it again", reason="broken_pdf") from None
        finally:
            document.close()


def _document(content: bytes, name: str) -> "PdfDocument":
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR or "password" in str(error).lower():
            raise UnreadableError(f"{name} needs a password: send it unlocked", reason="password") from None
        raise UnreadableError(f"{name} is a damaged PDF ({error}): send it again", reason="broken_pdf") from None
    if len(document) == 0:
        document.close()
        raise UnreadableError(f"{name} is a PDF without pages: send it again", reason="broken_pdf")
    return document


def refuse_bombs(content: bytes, name: str) -> None:
    """Unpack every deflated stream in pieces, keeping none, and stop where there is too much of it.

    Raises:
        UnreadableError: one stream, or all together, unpack to more than an invoice ever needs.
    """
    total = 0
    for start in _STREAM.finditer(content):
        total += _unpacked_size(content, start.end(), LARGEST_STREAM)
        if total > LARGEST_STREAMS:
            break
    else:
        return
    raise UnreadableError(f"{name} unpacks to too much: refused", reason="zip_bomb")


def _unpacked_size(content: bytes, start: int, limit: int) -> int:
    """The unpacked size of one stream; a stream over the limit, or deflated twice to a bomb, counts as all."""
    unpacker = zlib.decompressobj()
    size, position = 0, start
    try:
        data = content[position : position + _PIECE]
        while data and not unpacker.eof:
            piece = unpacker.decompress(data, _PIECE)
            if size == 0 and piece[:1] == b"\x78" and len(piece) > 1000:
                size += _unpacked_size(piece, 0, limit)
            size += len(piece)
            if size > limit:
                return LARGEST_STREAMS + 1
            data = unpacker.unconsumed_tail
            if not data:
                position += _PIECE
                data = content[position : position + _PIECE]
    except zlib.error:
        pass
    return size


def _letters(page: "PdfPage", most: int) -> tuple[list[Letter], int]:
    """The page's letters in reading order, and how many of them map to no character."""
    import pypdfium2.raw as pdfium

    text_page = page.get_textpage()
    place = _placement(page)
    unmapped = 0
    letters = []
    box = pdfium.FS_RECTF()
    for index in range(min(text_page.count_chars(), most)):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        unmapped += pdfium.FPDFText_HasUnicodeMapError(text_page, index) == 1 or _is_private(code)
        if 0xD800 <= code <= 0xDFFF:
            continue
        pdfium.FPDFText_GetLooseCharBox(text_page, index, box)
        edges = (box.left, box.top, box.right, box.bottom)
        letters.append(Letter(chr(code), *place(*(edges if _is_box(edges) else _by_origin(text_page, index, code)))))
    text_page.close()
    return letters, unmapped


Box = tuple[float, float, float, float]


def _is_box(edges: Box) -> bool:
    """Whether these are the edges of a letter; a font that isn't embedded may leave them unset."""
    left, top, right, bottom = edges
    return all(abs(edge) < _FARTHEST for edge in edges) and left <= right and 0.5 < top - bottom < _TALLEST


def _by_origin(text_page: "PdfTextPage", index: int, code: int) -> Box:
    """The letter's box from where it is set and its font's size."""
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text_page, index, x, y)
    size = min(max(pdfium.FPDFText_GetFontSize(text_page, index), 1.0), _TALLEST)
    left, base = (value if abs(value) < _FARTHEST else 0.0 for value in (x.value, y.value))
    angle = pdfium.FPDFText_GetCharAngle(text_page, index)
    along, up = math.cos(angle), -math.sin(angle)
    wide, above, below = (size if code >= 0x2E80 else size / 2), 0.86 * size, -0.14 * size
    across = [left + ahead * along - high * up for ahead in (0, wide) for high in (above, below)]
    upright = [base + ahead * up + high * along for ahead in (0, wide) for high in (above, below)]
    return min(across), max(upright), max(across), min(upright)


def _placement(page: "PdfPage") -> Callable[[float, float, float, float], Box]:
    """How a box of PDF user space (left, top, right, bottom; y upwards) stands on the page as it is shown."""
    x0, y0, x1, y1 = page.get_cropbox()
    ways: dict[int, Callable[[float, float, float, float], Box]] = {
        0: lambda left, top, right, bottom: (left - x0, y1 - top, right - x0, y1 - bottom),
        90: lambda left, top, right, bottom: (bottom - y0, left - x0, top - y0, right - x0),
        180: lambda left, top, right, bottom: (x1 - right, bottom - y0, x1 - left, top - y0),
        270: lambda left, top, right, bottom: (y1 - top, x1 - right, y1 - bottom, x1 - left),
    }
    return ways[page.get_rotation() % 360]


def _is_private(code: int) -> bool:
    """Whether this is no character that anybody prints: private use, unassigned marks, control codes."""
    return 0xE000 <= code <= 0xF8FF or code in {0xFFFD, 0xFFFE, 0xFFFF} or (code < 0x20 and code not in {2, 9, 10, 13})


def _associated_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Files that hang on the catalog, a page or an annotation but stand in no name tree (PDF/A-3 allows that)."""
    if not any(mark in content for mark in (b"/EF", b"/Filespec", b"/ObjStm")):
        return
    from pypdf import PdfReader

    # One line for each damaged object would fill a log with what the reason code already says.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        end = content.rfind(b"%%EOF") + 6  # what follows would be searched line by line
        reader = PdfReader(io.BytesIO(content[:end]), strict=False)
        holders = [reader.root_object, *reader.pages[:FIRST_PAGES]]
        specifications = [spec for holder in holders for spec in _file_specifications(holder)]
        found = [_embedded(spec) for spec in specifications[:MOST_ATTACHMENTS]]
    except Exception:
        # A damaged structure that PDFium reads over; the page text is still read.
        return
    yield from (one for one in found if one and len(one[1]) <= LARGEST_ATTACHMENT)


def _file_specifications(holder: Any) -> Iterator["DictionaryObject"]:
    for spec in holder.get("/AF", []):
        yield spec.get_object()
    for annotation in holder.get("/Annots", []):
        note = annotation.get_object()
        if note.get("/Subtype") == "/FileAttachment" and "/FS" in note:
            yield note["/FS"].get_object()


def _embedded(spec: "DictionaryObject") -> tuple[str, bytes] | None:
    if "/EF" not in spec:
        return None
    files: Any = spec["/EF"].get_object()
    stream = files.get("/UF") or files.get("/F")
    return (str(spec.get("/UF") or spec.get("/F") or ""), stream.get_object().get_data()) if stream else None
