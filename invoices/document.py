"""A file as it arrived: its bytes and, parsed once and safely, its XML."""

import codecs
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from foundation.errors import UnreadableError

LARGEST_FILE = 50 * 2**20
_BLANKS = b" \t\r\n"


@dataclass(frozen=True)
class Document:
    """One file of a batch. `name` is for people (relative to what they named), never opened again."""

    name: str
    content: bytes

    def __post_init__(self) -> None:
        if len(self.content) > LARGEST_FILE:
            raise UnreadableError(f"{self.name} has over {LARGEST_FILE // 2**20} MB: split it or leave it out")
        if not self.content.strip(_BLANKS):
            raise UnreadableError(f"{self.name} is empty")

    @property
    def looks_like_xml(self) -> bool:
        """Whether the first character is `<`, whatever the encoding's mark says."""
        head = self.content[:64]
        for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            head = head.removeprefix(mark)
        return head.replace(b"\0", b"").lstrip(_BLANKS).startswith(b"<")

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


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Parse XML without entities, network or document types (an entity bomb, a file inclusion and the like).

    Raises:
        UnreadableError: broken XML (also: nested over 256 levels) or a DOCTYPE.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableError(f"{name} is broken XML ({str(error).splitlines()[0]})") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableError(f"{name} carries a DOCTYPE, which an invoice never needs: refused")
    return root
