"""What the rules of EN 16931 share: the profile a file claims, its amounts, and its parts by VAT category."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import cast

from invoices.checks.code_lists import DECIMALS, VAT_CATEGORIES
from invoices.findings import Severity
from invoices.money import parse_money
from invoices.record import Adjustment, Invoice, Line, TaxPart

NOTHING = Decimal(0)
MINIMUM, BASIC_WL, FULL = 0, 1, 2
"""How much a profile must state: MINIMUM totals only, BASIC WL no lines, the others everything."""


def level(invoice: Invoice) -> int:
    """The level of the profile that the file itself claims; a file without one is judged in full."""
    return _level_of(invoice.text("profile"))


@lru_cache(maxsize=256)
def _level_of(text: str) -> int:
    profile = text.lower().replace("_", "").replace(" ", "")
    if profile.endswith(("minimum", ":minimum")):
        return MINIMUM
    return BASIC_WL if "basicwl" in profile else FULL


def claims_standard(invoice: Invoice) -> bool:
    """Whether the file says that it follows EN 16931 (or Factur-X and the like); others owe it no formalities."""
    profile = invoice.text("profile").lower()
    return any(mark in profile for mark in ("en16931", "factur-x", "zugferd", "xrechnung", "peppol"))


def formal(invoice: Invoice) -> Severity | None:
    """The severity of a missing formality: the rule's own where the file claims the standard, else a hint."""
    return None if claims_standard(invoice) else "hint"


def amount(text: str | None) -> Decimal | None:
    """The amount that the text states, None where it states none."""
    return parse_money(text) if text else None


def total_of(texts: Iterable[str | None]) -> Decimal:
    """The sum of what is stated."""
    return sum((value for text in texts if (value := amount(text)) is not None), NOTHING)


def places(invoice: Invoice) -> int:
    """How many decimals the invoice's currency has."""
    return DECIMALS.get(invoice.text("currency"), 2)


@dataclass(frozen=True, slots=True)
class Item:
    """A line or a document level adjustment, as far as VAT looks at it."""

    field: str
    """"lines", "allowances" or "charges"."""
    category: str | None
    rate: str | None
    amount: Decimal | None
    """Signed: an allowance counts against the base."""


def items(invoice: Invoice) -> Iterator[Item]:
    """All lines and document level adjustments."""
    for found in by_category(invoice).values():
        yield from found


def by_category(invoice: Invoice) -> Mapping[str | None, list[Item]]:
    """All items by their VAT category, worked out once for an invoice."""
    known = cast("Mapping[str | None, list[Item]] | None", invoice.derived.get("items"))
    if known is None:
        known = defaultdict(list)
        for item in _items(invoice):
            known[item.category].append(item)
        invoice.derived["items"] = dict(known)
    return known


def categories_used(invoice: Invoice) -> frozenset[str]:
    """The VAT categories of all items and of the breakdown, those of the standard only."""
    used = {part.category for part in invoice.taxes} | by_category(invoice).keys()
    return frozenset(category for category in used if category in VAT_CATEGORIES)


def _items(invoice: Invoice) -> Iterator[Item]:
    for line in invoice.lines:
        yield Item("lines", line.category, line.rate, amount(line.net))
    for part in invoice.adjustments:
        value = amount(part.amount)
        signed = value if part.charge or value is None else -value
        yield Item("charges" if part.charge else "allowances", part.category, part.rate, signed)


def in_category(invoice: Invoice, category: str) -> list[Item]:
    """The items of this VAT category."""
    return by_category(invoice).get(category, [])


def parts_of(invoice: Invoice, category: str) -> list[TaxPart]:
    """The rows of the VAT breakdown of this category."""
    return [part for part in invoice.taxes if part.category == category] if invoice.taxes else []


def all_adjustments(invoice: Invoice) -> Iterator[tuple[Line | None, Adjustment]]:
    """The document's adjustments (with None) and the lines'."""
    for part in invoice.adjustments:
        yield None, part
    for line in invoice.lines:
        for part in line.adjustments:
            yield line, part
