"""A file as it arrived: its bytes and, opened once and safely, its XML or its zip members."""

import codecs
import re
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from foundation.errors import UnreadableError
from invoices.archive import Archive

LARGEST_FILE = 50 * 2**20
_BLANKS = b" \t\r\n"
_PDF_HEADER_WITHIN = 1024
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True)
class Document:
    """One file of a batch. `name` is for people (relative to what they named), never opened again."""

    name: str
    content: bytes

    def __post_init__(self) -> None:
        if len(self.content) > LARGEST_FILE:
            raise UnreadableError(
                f"{self.name} has over {LARGEST_FILE // 2**20} MB: split it or leave it out", reason="too_large"
            )
        if not self.content.strip(_BLANKS):
            raise UnreadableError(f"{self.name} is empty", reason="empty")

    @property
    def looks_like_xml(self) -> bool:
        """Whether the first character is `<`, whatever the encoding's mark says."""
        head = self.content[:64]
        for mark in _MARKS:
            head = head.removeprefix(mark)
        return head.replace(b"\0", b"").lstrip(_BLANKS).startswith(b"<")

    @property
    def looks_like_pdf(self) -> bool:
        """Whether a PDF header stands in the first kilobyte (ISO 32000 readers allow bytes before it)."""
        return b"%PDF-" in self.content[:_PDF_HEADER_WITHIN]

    @cached_property
    def xml(self) -> etree._Element | None:
        """The root element, or None where this isn't XML.

        Raises:
            UnreadableError: it starts as XML but is broken or carries a document type.
        """
        return parse_xml(self.content, self.name) if self.looks_like_xml else None

    @property
    def root_name(self) -> str:
        """The root element's local name, "" where this isn't XML."""
        return etree.QName(self.xml).localname if self.xml is not None else ""

    @cached_property
    def archive(self) -> Archive | None:
        """The members where this is a zip (OFD and XLSX are zips, too), else None.

        Raises:
            UnreadableError: a zip that is broken or over a limit.
        """
        return Archive(self.content, self.name) if self.content.startswith(b"PK\x03\x04") else None


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Parse XML without entities, network or document types (an entity bomb, a file inclusion and the like).

    A file whose bytes aren't what it declares (Latin-1 without a declaration, GB 18030 declared as UTF-8) is read by
    the first encoding that fits its bytes.

    Raises:
        UnreadableError: broken XML (also: nested over 256 levels) or a DOCTYPE.
    """
    try:
        root = etree.fromstring(content, _parser())
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        root = _parse_by_bytes(content, name, error)
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableError(f"{name} carries a DOCTYPE, which an invoice never needs: refused", reason="doctype")
    return root


def _parser(encoding: str | None = None) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        encoding=encoding,
    )


def _parse_by_bytes(content: bytes, name: str, first: Exception) -> etree._Element:
    broken = UnreadableError(f"{name} is broken XML ({(str(first).splitlines() or [''])[0]})", reason="broken_xml")
    if content.startswith(_MARKS[1:]) or _decodes_as(content, _declared_encoding(content)):
        raise broken from None
    for encoding in ("utf-8", "gb18030", "iso-8859-1") if _looks_chinese(content) else ("utf-8", "iso-8859-1"):
        if _decodes_as(content, encoding):
            try:
                return etree.fromstring(content.lstrip(_BLANKS), _parser(encoding))
            except (etree.XMLSyntaxError, ValueError):
                continue
    raise broken from None


def _looks_chinese(content: bytes) -> bool:
    """Whether most bytes above ASCII come in pairs, as in GB 18030; in Latin-1 an accent stands alone."""
    pairs = sum(len(run) for run in _HIGH_RUNS.findall(content) if len(run) > 1)
    singles = sum(len(run) for run in _HIGH_RUNS.findall(content) if len(run) == 1)
    return pairs > singles


def _declared_encoding(content: bytes) -> str:
    found = _DECLARED.match(content[:200].removeprefix(codecs.BOM_UTF8))
    return found.group(1).decode("ascii") if found else "utf-8"


def _decodes_as(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
