"""What XML readers share: the first non-empty text under some paths, with the place where it stood."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from lxml import etree

from invoices.money import money_text, parse_money
from invoices.record import MONEY_FIELDS, Place, Reading

Namespaces = Mapping[str, str]
_ANYWHERE = ".//"
_ANY_NAMESPACE = "{*}"


@dataclass(frozen=True)
class XmlFields:
    """Reads fields of one XML document for one reader."""

    root: etree._Element
    file: str
    reader: str
    namespaces: Namespaces

    def collect(self, paths: Mapping[str, Iterable[str]]) -> dict[str, Reading]:
        """Field name -> the first non-empty text at any of its paths, in order, for all that the document states.

        A path names children by their tags, from the root or (after `.//`) from anywhere below it; `{*}` stands for
        any namespace.
        """
        options = {name: tuple(some) for name, some in paths.items()}
        wanted = tuple(path for some in options.values() for path in some)
        texts = _texts(self.root, _compiled(wanted, tuple(self.namespaces.items())))
        found = {name: next((path for path in some if path in texts), None) for name, some in options.items()}
        return {name: self._reading(name, path, texts[path]) for name, path in found.items() if path}

    def _reading(self, name: str, path: str, raw: str) -> Reading:
        return Reading(normal_value(name, raw), raw, Place(self.file, path=path.removeprefix(_ANYWHERE)), self.reader)


@dataclass(frozen=True, slots=True)
class _Path:
    """One path, its tags from the last but one back to the first."""

    path: str
    above: tuple[str, ...]
    anywhere: bool

    def leads_to(self, element: etree._Element, root: etree._Element) -> bool:
        """Whether the element stands at this path below the root."""
        at = element.getparent()
        for tag in self.above:
            if at is None or at is root or not _fits(at.tag, tag):
                return False
            at = at.getparent()
        return self.anywhere or at is root


_Compiled = Mapping[str, Sequence[_Path]]
"""The last tag -> the paths that end in it."""


@lru_cache(maxsize=64)
def _compiled(paths: tuple[str, ...], namespaces: tuple[tuple[str, str], ...]) -> _Compiled:
    known = dict(namespaces)
    found: dict[str, list[_Path]] = {}
    for path in dict.fromkeys(paths):
        *above, last = (_tag(step, known) for step in path.removeprefix(_ANYWHERE).split("/"))
        found.setdefault(last, []).append(_Path(path, tuple(reversed(above)), path.startswith(_ANYWHERE)))
    return found


def _tag(step: str, namespaces: Namespaces) -> str:
    prefix, _, name = step.rpartition(":")
    return f"{{{namespaces[prefix]}}}{name}" if prefix else name


def _fits(tag: str, wanted: str) -> bool:
    return tag == wanted or (
        wanted.startswith(_ANY_NAMESPACE) and tag.rpartition("}")[2] == wanted.removeprefix(_ANY_NAMESPACE)
    )


def _texts(root: etree._Element, paths: _Compiled) -> dict[str, str]:
    """Path -> the first non-empty text there. One walk over the wanted tags answers all paths."""
    found: dict[str, str] = {}
    loose = {tag.removeprefix(_ANY_NAMESPACE): some for tag, some in paths.items() if tag.startswith(_ANY_NAMESPACE)}
    for element in root.iter(*paths):
        text = (element.text or "").strip()
        if text and element is not root:
            tag = element.tag
            for path in (*paths.get(tag, ()), *loose.get(tag.rpartition("}")[2], ())):
                if path.path not in found and path.leads_to(element, root):
                    found[path.path] = text
    return found


def normal(name: str, reading: Reading) -> Reading:
    """The reading with its value in normal form."""
    return replace(reading, value=normal_value(name, reading.raw))


def normal_value(name: str, raw: str) -> str:
    """The field's value in normal form: dates as YYYY-MM-DD, amounts without grouping."""
    if name == "date":
        return normal_date(raw)
    return _normal_money(raw) if name in MONEY_FIELDS else raw


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
