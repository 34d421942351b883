"""An OFD opened safely (GB/T 33190: a zip of XML): attachments, custom data, tags, and page text by position.

Paths inside an OFD are relative to the file that names them, absolute from the package's top, or written in another
case than stored; all are found. A part that is damaged is left out: the parts are read independently of one another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from foundation.errors import UnreadableError
from invoices.archive import Archive
from invoices.document import parse_xml
from invoices.readers.page_text import MOST_LETTERS, Letter, Page, runs_of

POINTS_PER_MM = 72 / 25.4
MOST_PAGES = 15
MOST_OBJECTS = 20_000
_A4_MM = (210.0, 297.0)
_MOST_DELTAS = 4_000


@dataclass(frozen=True, slots=True)
class TextObject:
    """One text object of a page: its id, its letters in order."""

    id: str
    letters: tuple[Letter, ...]

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(letter.text for letter in self.letters).strip()


class OfdPackage:
    """The readable parts of one OFD."""

    def __init__(self, archive: Archive, name: str) -> None:
        self.name = name
        self._archive = archive

    @cached_property
    def _start(self) -> etree._Element:
        path = self._archive.find("OFD.xml")
        if path is None:
            raise UnreadableError(f"{self.name} has no OFD.xml: it is no OFD", reason="broken_ofd")
        return parse_xml(self._archive.read(path), f"{self.name}/{path}")

    @cached_property
    def _roots(self) -> tuple[tuple[str, etree._Element], ...]:
        """(path, root element) of each document in the package."""
        named = [(element.text or "").strip() for element in self._start.iterfind(".//{*}DocRoot")]
        return tuple((path, root) for path in named if (root := self._part(path)) is not None)

    def _part(self, path: str, beside: str = "") -> etree._Element | None:
        """The XML part at a path that the part `beside` names; None where it is missing or damaged.

        Raises:
            UnreadableError: the part carries a DOCTYPE or is a bomb; such a package isn't read further.
        """
        found = self._find(path, beside)
        if found is None:
            return None
        try:
            return parse_xml(self._archive.read(found), f"{self.name}/{found}")
        except UnreadableError as error:
            if error.reason in {"doctype", "zip_bomb", "password"}:
                raise
            return None

    def _find(self, path: str, beside: str) -> str | None:
        folder = beside.rpartition("/")[0]
        options = (path,) if path.startswith("/") else (f"{folder}/{path}", path)
        return next((found for option in options if (found := self._archive.find(_resolved(option)))), None)

    @property
    def custom_data(self) -> Mapping[str, str]:
        """Name -> value of `CustomDatas` in OFD.xml."""
        data = self._start.iterfind(".//{*}CustomDatas/{*}CustomData")
        return {element.get("Name", ""): (element.text or "").strip() for element in data if element.text}

    def attachments(self) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of attached files: those that the list names, then XML that lies in an attachment folder."""
        listed = list(dict.fromkeys(self._listed()))
        loose = [name for name in self._archive.named(".xml", ".xbrl") if "/attach" in f"/{name}".lower()]
        for name in dict.fromkeys([*listed, *loose]):
            if not name.lower().endswith("attachments.xml"):
                yield name, self._archive.read(name)

    def _listed(self) -> Iterator[str]:
        for path, root in self._roots:
            for reference in root.iterfind("{*}Attachments"):
                place = self._find((reference.text or "").strip(), path)
                listing = self._part(place) if place else None
                for file in listing.iterfind(".//{*}FileLoc") if listing is not None and place else ():
                    found = self._find((file.text or "").strip(), place or "")
                    if found:
                        yield found

    def tags(self) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of the tag files; they are often not well-formed, so they come as bytes."""
        for name in self._archive.named(".xml"):
            if "/tags/" in f"/{name}".lower() and not name.lower().endswith("customtags.xml"):
                yield name, self._archive.read(name)

    @cached_property
    def objects(self) -> Mapping[str, TextObject]:
        """Text objects of all pages (templates left out) by id."""
        return {text.id: text for _, _, texts in self._page_texts for text in texts}

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The pages' text by position, with that of their templates."""
        found, left = [], MOST_LETTERS
        for number, (root, texts) in enumerate(((root, texts) for _, root, texts in self._page_texts), start=1):
            letters = [letter for text in (*self._template_texts(root), *texts) for letter in text.letters][:left]
            left -= len(letters)
            width, height = self._size(root)
            found.append(Page(number, width, height, runs_of(letters)))
        return tuple(found)

    @cached_property
    def _page_texts(self) -> tuple[tuple[str, etree._Element, tuple[TextObject, ...]], ...]:
        """(page id, root, text objects) of each page."""
        found = []
        for path, document in self._roots:
            for page in list(document.iterfind("{*}Pages/{*}Page"))[:MOST_PAGES]:
                root = self._part(page.get("BaseLoc", ""), path)
                if root is not None:
                    found.append((page.get("ID", ""), root, tuple(_text_objects(root))))
        return tuple(found)

    def _template_texts(self, page: etree._Element) -> Iterator[TextObject]:
        wanted = {reference.get("TemplateID") for reference in page.iterfind("{*}Template")}
        for path, document in self._roots:
            for template in document.iterfind("{*}CommonData/{*}TemplatePage"):
                root = self._part(template.get("BaseLoc", ""), path) if template.get("ID") in wanted else None
                if root is not None:
                    yield from _text_objects(root)

    def _size(self, page: etree._Element) -> tuple[float, float]:
        areas = [page.find("{*}Area/{*}PhysicalBox")]
        areas += [root.find("{*}CommonData/{*}PageArea/{*}PhysicalBox") for _, root in self._roots]
        box = next((numbers(area.text) for area in areas if area is not None), [])
        width, height = box[2:4] if len(box) >= 4 else _A4_MM
        return width * POINTS_PER_MM, height * POINTS_PER_MM


def _resolved(path: str) -> str:
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def numbers(text: str | None) -> list[float]:
    """The numbers in an attribute such as `Boundary`; what is no finite number ends the list."""
    found: list[float] = []
    for piece in (text or "").split():
        try:
            number = float(piece)
        except ValueError:
            break
        if not abs(number) < 1e6:  # also where it is no number at all
            break
        found.append(number)
    return found


def _text_objects(root: etree._Element) -> Iterator[TextObject]:
    for count, element in enumerate(root.iter("{*}TextObject")):
        if count >= MOST_OBJECTS:
            return
        letters = tuple(letter for code in element.iterfind("{*}TextCode") for letter in _letters(element, code))
        yield TextObject(element.get("ID", ""), letters)


def _letters(element: etree._Element, code: etree._Element) -> Iterator[Letter]:
    """The letters of one TextCode: it starts at (X, Y) in the object's boundary, each next one a delta further."""
    boundary = numbers(element.get("Boundary"))
    size = (numbers(element.get("Size")) or [3.5])[0]
    if len(boundary) < 2 or size <= 0:
        return
    matrix = numbers(element.get("CTM"))
    a, b, c, d, e, f = matrix if len(matrix) == 6 else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    x, y = ((numbers(code.get(name)) or [0.0])[0] for name in ("X", "Y"))
    across, down = deltas(code.get("DeltaX")), deltas(code.get("DeltaY"))
    tall = size * max(abs(d), abs(b), 0.01) * POINTS_PER_MM
    for index, character in enumerate(code.text or ""):
        wide = tall if ord(character) >= 0x2E80 else tall / 2
        left = (boundary[0] + a * x + c * y + e) * POINTS_PER_MM
        bottom = (boundary[1] + b * x + d * y + f) * POINTS_PER_MM
        yield Letter(character, left, bottom - tall * 0.86, left + wide, bottom + tall * 0.14)
        x += across[index] if index < len(across) else (0.0 if down else size / (1 if wide == tall else 2))
        y += down[index] if index < len(down) else 0.0


def deltas(text: str | None) -> list[float]:
    """`g 3 1.5 2` written out: 1.5 1.5 1.5 2 (at most some thousands, whatever the count claims)."""
    pieces = (text or "").split()
    found: list[float] = []
    position = 0
    while position < len(pieces) and len(found) < _MOST_DELTAS:
        if pieces[position] == "g" and position + 2 < len(pieces) and pieces[position + 1].isdigit():
            count = min(int(pieces[position + 1][:6]), _MOST_DELTAS - len(found))
            found += (numbers(pieces[position + 2]) or [0.0]) * count
            position += 3
        else:
            found += numbers(pieces[position])
            position += 1
    return found
