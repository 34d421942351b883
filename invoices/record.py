"""The canonical record: one invoice as it was read, whatever form it came in.

Ids, codes and numbers are text for ever (20 digits overflow an integer and lose digits in a spreadsheet); amounts are
text in the record and `Decimal` in use. Every field knows where it stood, who read it and how sure that is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from invoices.money import parse_money

PUBLIC_FIELDS = (
    "seller",
    "seller_tax_id",
    "buyer",
    "buyer_tax_id",
    "code",
    "number",
    "date",
    "currency",
    "net",
    "tax",
    "total",
)
"""The fields that every form is brought to, in the order in which they are shown."""

NEEDED_FIELDS = ("seller", "number", "date", "total")
"""Fields without which nothing is booked unseen, whatever the form."""

MONEY_FIELDS = (
    "net",
    "tax",
    "total",
    "payable",
    "prepaid",
    "rounding",
    "line_total",
    "allowance_total",
    "charge_total",
)

CREDIT_KINDS = frozenset({"381", "CreditNote", "TD04", "TD08"})
"""Document kinds whose positive amounts mean a credit (389, a self-billed "Gutschrift", is none)."""


_YEARS = range(1900, 2200)
"""Years in which an invoice may be dated; a date outside is a misread one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stood: the file, and the XML path, the cell, or the page and box (left, top, right, bottom)."""

    file: str
    path: str | None = None
    page: int | None = None
    box: tuple[float, float, float, float] | None = None

    def __str__(self) -> str:
        page = f"p.{self.page}" if self.page is not None else ""
        return " ".join(filter(None, (self.file, page, self.path)))


@dataclass(frozen=True, slots=True)
class Reading:
    """One value as read: in normal form, as it stood, where, by which reader, and how sure (0 to 1)."""

    value: str
    raw: str
    where: Place
    reader: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An allowance (taken off) or a charge (added), of the document or of one line (EN 16931 BG-20, 21, 27, 28)."""

    charge: bool
    amount: str | None = None
    base: str | None = None
    percent: str | None = None
    category: str | None = None
    rate: str | None = None
    reason: str | None = None
    reason_code: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of goods or services; a value that isn't stated is None."""

    name: str | None = None
    quantity: str | None = None
    unit_price: str | None = None
    net: str | None = None
    rate: str | None = None
    """As a percentage: "13"; or words such as 免税."""
    tax: str | None = None
    category: str | None = None
    """VAT category code (EN 16931) or tax goods class (China)."""
    id: str | None = None
    unit: str | None = None
    gross_price: str | None = None
    base_quantity: str | None = None
    """The unit price is for so many units (EN 16931 BT-149); 1 where it isn't stated."""
    start: str | None = None
    end: str | None = None
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class TaxPart:
    """One row of a VAT breakdown."""

    category: str | None
    rate: str | None
    base: str | None
    tax: str | None
    reason: str | None = None
    reason_code: str | None = None
    """Why no tax is due, in words (BT-120) or by code (BT-121)."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader noticed that a person should know: two sources that disagree, an odd attachment."""

    kind: str
    zh: str
    en: str


@dataclass(frozen=True)
class Invoice:
    """One invoice as read. `fields` holds the public fields and, where the form has them, more (`payable`...)."""

    form: str
    """Which form it came in: cn_einvoice, ubl, cii, csv, ..."""
    fields: Mapping[str, Reading]
    lines: tuple[Line, ...] = ()
    taxes: tuple[TaxPart, ...] = ()
    remarks: tuple[Remark, ...] = field(default=())
    adjustments: tuple[Adjustment, ...] = ()
    """Allowances and charges of the whole document."""

    def text(self, name: str) -> str:
        """The field's value, or "" where the invoice states none."""
        reading = self.fields.get(name)
        return reading.value if reading else ""

    def money(self, name: str) -> Decimal | None:
        """The field as an amount as printed, or None where it isn't stated or is no amount."""
        reading = self.fields.get(name)
        return parse_money(reading.value) if reading is not None and reading.value else None

    def day(self) -> date | None:
        """The invoice date, or None where it is missing or no calendar date."""
        return _calendar_day(self.text("date"))

    def confidence(self, name: str) -> float:
        """How surely the field was read; 0 where it is missing."""
        reading = self.fields.get(name)
        return reading.confidence if reading else 0.0

    @cached_property
    def signed_total(self) -> Decimal | None:
        """The total as it is booked: a credit is negative, whether its form prints minus signs or not."""
        total = self.money("total")
        if total is None:
            return None
        return -total if self.text("kind") in CREDIT_KINDS and total > 0 else total

    @cached_property
    def derived(self) -> dict[str, object]:
        """Room for what many rules need and one works out; no part of the record, and gone with it."""
        return {}

    def with_values(self, edits: Mapping[str, str], *, person: str) -> "Invoice":
        """The record with some fields set by a person; the earlier readings stay in `raw`."""
        changed = {
            name: Reading(value, self.text(name), Place("", path="edit"), f"person:{person}")
            for name, value in edits.items()
        }
        return replace(self, fields={**self.fields, **changed})

    def with_field(self, name: str, reading: Reading, *remarks: Remark) -> "Invoice":
        """The record with one field read (again), and what a reader has to say about it."""
        return replace(self, fields={**self.fields, name: reading}, remarks=(*self.remarks, *remarks))

    def to_json(self) -> dict[str, Any]:
        """The record as plain data."""
        return {
            "form": self.form,
            "fields": {name: _plain(reading) for name, reading in self.fields.items()},
            "lines": [_plain_line(line) for line in self.lines],
            "taxes": [_without_slots(part, TaxPart) for part in self.taxes],
            "remarks": [_without_slots(remark, Remark) for remark in self.remarks],
            "adjustments": [_without_slots(part, Adjustment) for part in self.adjustments],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Invoice":
        """The record back from plain data."""
        return cls(
            form=data["form"],
            fields={name: _reading(reading) for name, reading in data["fields"].items()},
            lines=tuple(_line(line) for line in data["lines"]),
            taxes=tuple(TaxPart(**part) for part in data["taxes"]),
            remarks=tuple(Remark(**remark) for remark in data["remarks"]),
            adjustments=tuple(Adjustment(**part) for part in data.get("adjustments", ())),
        )


@lru_cache(maxsize=4096)
def _calendar_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def _plain(reading: Reading) -> dict[str, Any]:
    where = reading.where
    return {
        "value": reading.value,
        "raw": reading.raw,
        "where": {"file": where.file, "path": where.path, "page": where.page, "box": where.box and list(where.box)},
        "reader": reading.reader,
        "confidence": reading.confidence,
    }


def _plain_line(line: Line) -> dict[str, Any]:
    plain = _without_slots(line, Line)
    return {**plain, "adjustments": [_without_slots(part, Adjustment) for part in line.adjustments]}


def _line(data: Mapping[str, Any]) -> Line:
    return Line(**{**data, "adjustments": tuple(Adjustment(**part) for part in data.get("adjustments", ()))})


def _without_slots(part: Line | TaxPart | Remark | Adjustment, kind: type[Any]) -> dict[str, Any]:
    return {name: getattr(part, name) for name in kind.__slots__}


def _reading(data: Mapping[str, Any]) -> Reading:
    where = data["where"]
    box = tuple(where["box"]) if where["box"] else None
    return Reading(**{**data, "where": Place(where["file"], where["path"], where["page"], box)})


def public_fields(invoice: Invoice) -> dict[str, str]:
    """The fields that `--json` and the report show, "" where the invoice states none."""
    return {name: invoice.text(name) for name in PUBLIC_FIELDS}
