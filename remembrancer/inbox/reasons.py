"""Reasons as a page says them: without the place, which stands apart, and that place and the source in words."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from remembrancer.inbox.rule_sources import RULE_SOURCES
from remembrancer.inbox.words import Words

LENGTHS = frozenset({"seller_tax_id", "check_code_shape"})
"""Rules that expect a number of characters."""
_CELL = re.compile(r"row (?P<row>\d+) (?P<field>\w+)\Z")
_PAGE = re.compile(r"p\.(?P<page>\d+)\Z")


def places_in(question: Mapping[str, Any]) -> list[str]:
    """The places that the findings of a question name."""
    return [finding["where"] for finding in question["evidence"].get("findings", ()) if finding.get("where")]


def without_places(message: str, places: Iterable[str]) -> str:
    """The message without these places in brackets: a page shows them elsewhere."""
    for place in places:
        message = message.replace(f"（{place}）", "").replace(f" ({place})", "")
    return message


def place_in_words(words: Words, where: str, file: str = "") -> str:
    """Where in the file a value stood: row and field, or page; the path of an element stays as it is."""
    inside = where.removeprefix(file).strip()
    if cell := _CELL.search(inside):
        return words("place.cell", row=cell["row"], field=words.maybe(f"field.{cell['field']}", cell["field"]))
    if page := _PAGE.search(inside):
        return words("place.page", page=page["page"])
    return inside


def source_in_words(words: Words, source: str) -> str:
    """The law, standard or policy behind a rule."""
    return RULE_SOURCES.get(source, source) if words.lang == "zh" else source
