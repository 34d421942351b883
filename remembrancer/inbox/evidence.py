"""The original beside the fields: its pages drawn, or its content as rows, with the places of the fields marked.

Drawing is for the eyes only: whatever goes wrong with it is said in words and holds nothing up. What is shown is the
file whose hash was examined; another one is not shown in its place.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from lxml import etree
from sqlalchemy import select

from foundation.database import reading
from foundation.errors import UnreadableError
from foundation.ids import content_hash
from invoices.document import Document
from invoices.folder import members
from invoices.ledger import Examined
from invoices.readers.ofd_package import OfdPackage
from invoices.readers.page_text import Page, Run
from invoices.readers.pdf_file import PDFIUM, opened
from invoices.record import PUBLIC_FIELDS, Place, Reading
from invoices.tables import batch_files
from nodes.services import Services

_log = structlog.get_logger(__name__)
_SCALE = 2.0
_MOST_PIXELS = 8_000_000
_MOST_PAGES = 12
_MOST_ROWS = 400
_MOST_COLUMNS = 40
_LONGEST = 300
_LEAST_FOUND = 3
"""Characters that a value must have to be looked for on a page by its text."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where one or more fields stand on a page, in points from the top left."""

    fields: str
    """Names, parted by blanks."""
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """One page: a picture where `picture` says so, else its text at its places."""

    number: int
    width: float
    height: float
    picture: bool
    runs: Sequence[Run] = ()
    marks: Sequence[Mark] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One line of a structured file: how deep, its name, its value, and the fields that were read from it."""

    depth: int
    name: str
    value: str
    fields: str = ""


@dataclass(frozen=True, slots=True)
class Cells:
    """One row of a table, and the fields of this invoice that stand in its cells (column -> field)."""

    number: int
    values: Sequence[str]
    marked: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What can be shown of an original; `why_not` says what can't."""

    kind: str
    """pages, nodes, cells or nothing."""
    pages: Sequence[DrawnPage] = ()
    nodes: Sequence[Node] = ()
    heads: Sequence[str] = ()
    rows: Sequence[Cells] = ()
    more: int = 0
    """Pages or rows that are not shown."""
    why_not: str = ""
    """Key of the reason in the page's texts, "" when the original is shown."""


def original_of(services: Services, examined: Examined) -> Document:
    """The document that was examined, taken out of its zip where it came in one.

    Raises:
        UnreadableError: it isn't where it was, or isn't the same any more.
    """
    query = select(batch_files.c.path, batch_files.c.name).where(
        batch_files.c.batch_id == examined.batch_id, batch_files.c.seq == examined.file_seq
    )
    with reading(services.engine) as connection:
        file = connection.execute(query).one()
    try:
        document = Document(file.name, Path(file.path).read_bytes())
    except OSError:
        raise UnreadableError(f"{file.name} is no longer where it was", reason="gone") from None
    for _, member in members(document):
        if isinstance(member, Document) and content_hash(member.content) == examined.sha256:
            return member
    raise UnreadableError(f"{file.name} is not the file that was examined", reason="changed")


def draw(services: Services, examined: Examined) -> Drawing:
    """The original of an invoice as far as it can be shown; never raises over the file."""
    try:
        document = original_of(services, examined)
        return _drawing(document, examined)
    except UnreadableError as error:
        return Drawing(kind="nothing", why_not=error.reason if error.reason in {"gone", "changed"} else "broken")
    except Exception as error:  # a file from a stranger must not stop a reviewer
        _log.warning("an original could not be drawn", file=examined.file, error=type(error).__name__)
        return Drawing(kind="nothing", why_not="broken")


def picture(services: Services, examined: Examined, number: int) -> bytes:
    """One page of a PDF as PNG.

    Raises:
        UnreadableError: there is no such page, or it can't be drawn.
    """
    document = original_of(services, examined)
    with opened(document.content, document.name) as file:
        if not 1 <= number <= min(file.page_count, _MOST_PAGES):
            raise UnreadableError(f"{document.name} has no page {number} to show", reason="no_page")
        with PDFIUM:
            return _page_png(file.page(number))


def _drawing(document: Document, examined: Examined) -> Drawing:
    places = _places(examined)
    if document.looks_like_pdf:
        return _pdf(document, places)
    if document.looks_like_xml:
        return Drawing(kind="nodes", nodes=tuple(_nodes(document, places)))
    archive = document.archive
    if archive is not None and archive.find("OFD.xml"):
        package = OfdPackage(archive, document.name)
        pages = tuple(_marked(page, places, picture=False) for page in package.pages[:_MOST_PAGES])
        if any(page.runs for page in pages):
            return Drawing(kind="pages", pages=pages, more=max(len(package.pages) - _MOST_PAGES, 0))
    from remembrancer.inbox.tabular import table_of

    return table_of(document, examined) or Drawing(kind="nothing", why_not="no_view")


def _places(examined: Examined) -> Mapping[str, Reading]:
    """Field -> its reading, the public ones; of an edited field, as it was read."""
    record = examined.record
    return {name: record.fields[name] for name in PUBLIC_FIELDS if name in record.fields} if record else {}


def _pdf(document: Document, places: Mapping[str, Reading]) -> Drawing:
    with opened(document.content, document.name) as file:
        shown = [page for page in file.pages() if page.number <= _MOST_PAGES]
        pages = tuple(_marked(page, places, picture=True) for page in shown)
        return Drawing(kind="pages", pages=pages, more=max(file.page_count - len(pages), 0))


def _marked(page: Page, places: Mapping[str, Reading], *, picture: bool) -> DrawnPage:
    boxes: dict[tuple[float, float, float, float], list[str]] = {}
    for name, read in places.items():
        box = _box(page, read)
        if box:
            boxes.setdefault(box, []).append(name)
    marks = tuple(
        Mark(" ".join(names), left - 2, top - 2, right - left + 4, bottom - top + 4)
        for (left, top, right, bottom), names in boxes.items()
    )
    return DrawnPage(page.number, page.width, page.height, picture, () if picture else page.runs, marks)


def _box(page: Page, reading: Reading) -> tuple[float, float, float, float] | None:
    """Where the value was read, or, where the reader read it elsewhere in the file, where the page says the same."""
    where: Place = reading.where
    if where.box is not None:
        return where.box if where.page == page.number else None
    for wanted in dict.fromkeys(("".join(reading.raw.split()), reading.value)):
        if len(wanted) < _LEAST_FOUND:
            continue
        for row in page.rows:
            at = row.squeezed.find(wanted)
            if at >= 0:
                runs = row.cut(at, at + len(wanted))
                return (runs[0].left, min(r.top for r in runs), runs[-1].right, max(r.bottom for r in runs))
    return None


def _nodes(document: Document, places: Mapping[str, Reading]) -> Iterator[Node]:
    root = document.xml
    if root is None:
        return
    read_from: dict[str, list[str]] = {}
    for name, read in places.items():
        tail = (read.where.path or "").rpartition("/")[2].rpartition("}")[2].rpartition(":")[2]
        read_from.setdefault(tail, []).append(name)
    for count, (depth, element) in enumerate(_walk(root, 0)):
        if count == _MOST_ROWS:
            return
        name = etree.QName(element).localname
        value = "" if len(element) else (element.text or "").strip()[:_LONGEST]
        same = [each for each in read_from.get(name, ()) if _says(places[each], value)]
        yield Node(min(depth, 6), name, value, " ".join(same))


def _says(reading: Reading, value: str) -> bool:
    """Whether the element says what was read: several elements share a name."""
    return bool(value) and value in {reading.raw.strip(), reading.value}


def _walk(element: etree._Element, depth: int) -> Iterator[tuple[int, etree._Element]]:
    yield depth, element
    for child in element.iterchildren(etree.Element):
        yield from _walk(child, depth + 1)


def _page_png(page: object) -> bytes:
    """The page in colour, smaller where it is very large."""
    width, height = page.get_size()  # type: ignore[attr-defined]
    scale = min(_SCALE, (_MOST_PIXELS / max(width * height, 1)) ** 0.5)
    bitmap = page.render(scale=scale, rev_byteorder=True)  # type: ignore[attr-defined]
    try:
        pixels = bitmap.to_numpy()[:, :, :3]
        return _png(pixels.shape[1], pixels.shape[0], (row.tobytes() for row in pixels))
    finally:
        bitmap.close()


def _png(width: int, height: int, rows: Iterator[bytes]) -> bytes:
    """Rows of red, green and blue as PNG (RFC 2083), without a library for pictures."""
    packer = zlib.compressobj(4)
    packed = b"".join([*(packer.compress(b"\0" + row) for row in rows), packer.flush()])
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks: tuple[tuple[bytes, bytes], ...] = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
