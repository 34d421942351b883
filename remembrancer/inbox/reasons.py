"""Reasons as a page says them: without the place, which stands apart, and that place and the source in words."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from remembrancer.inbox.words import Words
from remembrancer.rule_sources import RULE_SOURCES

LENGTHS = frozenset({"seller_tax_id", "check_code_shape"})
"""Rules that expect a number of characters."""
_LONGEST_LENGTH = 4
LIMITS = frozenset(
    {"amount_limit", "near_limit", "round_amount", "repeated_amount", "split", "budget"}
    | {"cap_invoice", "cap_day", "cap_month", "cap_trip"}
)
"""Rules whose expected value is a limit that was reached, not what should have stood there."""
_AMOUNT_INSIDE = re.compile(r"(?<![\w.,])\d{4,}\.\d\d(?![\w.])")
_PLAIN_AMOUNT = re.compile(r"-?\d{4,}\.\d\d\Z")
_CELL = re.compile(r"row (?P<row>\d+) (?P<field>\w+)\Z")
_ACCEPTED = re.compile(r"; rule_\w+, accepted by (?P<by>[^;]+)\Z")
_PAGE = re.compile(r"p\.(?P<page>\d+)\Z")


def places_in(question: Mapping[str, Any]) -> list[str]:
    """The places that the findings of a question name."""
    return [finding["where"] for finding in question["evidence"].get("findings", ()) if finding.get("where")]


def plainly(message: str, places: Iterable[str]) -> str:
    """The message without these places in brackets, which a page shows elsewhere, and with its amounts grouped."""
    for place in places:
        message = message.replace(f"（{place}）", "").replace(f" ({place})", "")
    return _AMOUNT_INSIDE.sub(lambda found: f"{Decimal(found[0]):,.2f}", message)


def place_in_words(words: Words, where: str, file: str = "") -> str:
    """Where in the file a value stood: row and field, or page; the path of an element stays as it is."""
    inside = where.removeprefix(file).strip()
    if cell := _CELL.search(inside):
        return words("place.cell", row=cell["row"], field=words.maybe(f"field.{cell['field']}", cell["field"]))
    if page := _PAGE.search(inside):
        return words("place.page", page=page["page"])
    return inside


def value_in_words(words: Words, value: str, rule: str) -> str:
    """A value read or expected: an amount with its thousands grouped, a mere length with its unit."""
    if rule in LENGTHS and value.isdigit() and len(value) < _LONGEST_LENGTH:
        return words("review.characters", count=int(value))
    return f"{Decimal(value):,.2f}" if _PLAIN_AMOUNT.match(value) else value


def source_in_words(words: Words, source: str) -> str:
    """The law, standard or policy behind a rule, and who accepted what softens it."""
    if accepted := _ACCEPTED.search(source):
        return f"{source_in_words(words, source[: accepted.start()])}; {words('source.accepted', by=accepted['by'])}"
    return RULE_SOURCES.get(source, source) if words.lang == "zh" else source
