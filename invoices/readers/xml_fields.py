"""What XML readers share: the first non-empty text under some paths, with the place where it stood."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from lxml import etree

from invoices.money import money_text, parse_money
from invoices.record import MONEY_FIELDS, Place, Reading

Namespaces = Mapping[str, str]


@dataclass(frozen=True)
class XmlFields:
    """Reads fields of one XML document for one reader."""

    root: etree._Element
    file: str
    reader: str
    namespaces: Namespaces

    def first(self, *paths: str) -> Reading | None:
        """The first non-empty text at any of the paths, in order."""
        for path in paths:
            for element in self.root.iterfind(path, dict(self.namespaces)):
                raw = (element.text or "").strip()
                if raw:
                    return Reading(raw, raw, Place(self.file, path=path.removeprefix(".//")), self.reader)
        return None

    def collect(self, paths: Mapping[str, Iterable[str]]) -> dict[str, Reading]:
        """Field name -> reading, for all fields that the document states."""
        found = {name: self.first(*options) for name, options in paths.items()}
        return {name: normal(name, reading) for name, reading in found.items() if reading}


def normal(name: str, reading: Reading) -> Reading:
    """The reading with its value in normal form: dates as YYYY-MM-DD, amounts without grouping."""
    if name == "date":
        return replace(reading, value=normal_date(reading.raw))
    if name in MONEY_FIELDS:
        return replace(reading, value=_normal_money(reading.raw))
    return reading


def _normal_money(raw: str) -> str:
    """Without grouping; `***` and 免税 (tax-free) as 0.00; what is no amount stays as it stands."""
    if raw[-1:].isdigit():
        return raw.replace(",", "").removeprefix("¥").removeprefix("￥")
    amount = parse_money(raw)
    return raw if amount is None else money_text(amount)


def normal_date(raw: str) -> str:
    """`2024-05-06`, `20240506`, `2024-05-06 10:08:05`, `2024年05月06日` as YYYY-MM-DD; anything else as it stands."""
    digits = raw.translate({ord("年"): "-", ord("月"): "-", ord("日"): None, ord("/"): "-"}).strip()[:10]
    try:
        return (
            date.fromisoformat(digits).isoformat() if "-" in digits else date.fromisoformat(raw.strip()[:8]).isoformat()
        )
    except ValueError:
        return raw


def child_text(element: etree._Element, path: str, namespaces: Namespaces) -> str | None:
    """The stripped text at `path` under `element`, None where there is none."""
    text = (element.findtext(path, namespaces=dict(namespaces)) or "").strip()
    return text or None


def incomplete(root: etree._Element, path: str, needed: Iterable[str], namespaces: Namespaces) -> str | None:
    """How many elements at `path` lack one of the `needed` texts, None where none does."""
    elements = root.iterfind(path, dict(namespaces))
    count = sum(any(child_text(element, part, namespaces) is None for part in needed) for element in elements)
    return str(count) if count else None


def bare(root: etree._Element, path: str, attribute: str, namespaces: Namespaces) -> str | None:
    """How many elements at `path` lack the attribute, None where none does."""
    count = sum(not element.get(attribute) for element in root.iterfind(path, dict(namespaces)))
    return str(count) if count else None


def odd_totals(amounts: list[etree._Element], currency: str | None) -> str | None:
    """How many VAT totals are in the document's currency where it isn't one, None where it is (or none is stated)."""
    count = sum(amount.get("currencyID") in {currency, None} for amount in amounts)
    return str(count) if amounts and currency and count != 1 else None
