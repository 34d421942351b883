"""What the rules of EN 16931 share: the profile a file claims, its amounts, and its parts by VAT category."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from invoices.checks.code_lists import DECIMALS
from invoices.findings import Severity
from invoices.money import parse_money
from invoices.record import Adjustment, Invoice, Line, TaxPart

NOTHING = Decimal(0)
MINIMUM, BASIC_WL, FULL = 0, 1, 2
"""How much a profile must state: MINIMUM totals only, BASIC WL no lines, the others everything."""


def level(invoice: Invoice) -> int:
    """The level of the profile that the file itself claims; a file without one is judged in full."""
    profile = invoice.text("profile").lower().replace("_", "").replace(" ", "")
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
    for line in invoice.lines:
        yield Item("lines", line.category, line.rate, amount(line.net))
    for part in invoice.adjustments:
        value = amount(part.amount)
        signed = value if part.charge or value is None else -value
        yield Item("charges" if part.charge else "allowances", part.category, part.rate, signed)


def in_category(invoice: Invoice, category: str) -> list[Item]:
    """The items of this VAT category."""
    return [item for item in items(invoice) if item.category == category]


def parts_of(invoice: Invoice, category: str) -> list[TaxPart]:
    """The rows of the VAT breakdown of this category."""
    return [part for part in invoice.taxes if part.category == category]


def all_adjustments(invoice: Invoice) -> Iterator[tuple[Line | None, Adjustment]]:
    """The document's adjustments (with None) and the lines'."""
    for part in invoice.adjustments:
        yield None, part
    for line in invoice.lines:
        for part in line.adjustments:
            yield line, part
