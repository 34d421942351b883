"""Chinese invoices by the position of their text: digital, older electronic, rail, air, toll and taxi.

Buyer and seller stand side by side on digital invoices and one below the other on older ones. Which block is whose
is said by the words beside it (购买方, 销售方), never by where the page's middle is: columns move.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from invoices.readers import cn_labels as cn
from invoices.readers.cn_lines import lines_of
from invoices.readers.cn_xbrl import with_air_net
from invoices.readers.labels import Spot, Value, below, beside, find, first_match, joined_text
from invoices.readers.page_text import Page, Run
from invoices.readers.trust import Trust, weighed
from invoices.readers.xml_fields import normal
from invoices.record import Invoice, Place, Reading

FORM = "cn_page"

_BLOCK_HEIGHT = 70.0
_SAME_COLUMN = 4.0
_STACKED = 45.0
_WRAP = 1.7


@dataclass(frozen=True)
class _Sheet:
    """The pages without the letters that are written from top to bottom, and where 购 and 销 of those stand."""

    pages: tuple[Page, ...]
    buyer_marks: tuple[Run, ...]
    seller_marks: tuple[Run, ...]


def claims(pages: Sequence[Page]) -> bool:
    """Whether any kind of Chinese invoice is named on the first pages."""
    return any(kind.title.search(page.squeezed) for page in pages[:2] for kind in cn.KINDS)


def read(pages: Sequence[Page], file: str, reader: str, trust: Trust) -> Invoice:
    """What the pages say; fields that aren't found are missing."""
    sheet = _sheet(pages)
    text = "".join(page.squeezed for page in pages[:2])
    kind = next(kind for kind in cn.KINDS if kind.title.search(text))
    found = _labelled(sheet.pages, (*kind.labels, *cn.COMMON))
    found |= {name: value for name, value in _amounts(sheet.pages).items() if name not in found}
    found |= {name: value for name, value in _parties(sheet).items() if name not in found}
    fields = {name: _reading(name, value, file, reader, trust.labelled) for name, value in found.items()}
    fields |= _by_shape(sheet.pages, fields, file, reader, trust)
    fields["currency"] = Reading("CNY", "", Place(file), reader, trust.labelled)
    fields |= _kind_fields(kind.name, sheet.pages, Place(file, page=1), reader, trust.labelled)
    invoice = Invoice(FORM, fields, lines_of(sheet.pages))
    return weighed(with_air_net(invoice) if kind.name == "air" else invoice, trust)


def _kind_fields(kind: str, pages: Sequence[Page], where: Place, reader: str, confidence: float) -> dict[str, Reading]:
    fields = {"kind": Reading(kind, "", where, reader, confidence)} if kind else {}
    runs = ("".join(run.text.split()) for page in pages[:1] for row in page.rows for run in row.runs)
    title = next((match.group() for run in runs if (match := cn.TITLE.search(run))), None)
    if title:
        fields["document_kind"] = Reading(title, title, where, reader, confidence)
    return fields


def _reading(name: str, value: Value, file: str, reader: str, confidence: float) -> Reading:
    place = Place(file, page=value.page, box=value.box)
    raw = value.text.strip()
    plain = raw
    if name in {"number", "code", "check_code", "buyer_tax_id", "seller_tax_id"}:
        plain = "".join(raw.split())
    elif name in {"fare", "fuel_surcharge", "air_fund", "other_taxes", "net", "tax", "total"}:
        plain = re.sub(r"[\s¥￥,]|CNY", "", raw)
    return replace(normal(name, Reading(plain, plain, place, reader, confidence)), raw=raw)


def _sheet(pages: Sequence[Page]) -> _Sheet:
    plain, buyers, sellers = [], [], []
    for page in pages:
        stacked = _stacked(page)
        buyers += [run for run in stacked if run.text.strip() == "购"]
        sellers += [run for run in stacked if run.text.strip() == "销"]
        plain.append(replace(page, runs=tuple(run for run in page.runs if run not in stacked)))
    return _Sheet(tuple(plain), tuple(buyers), tuple(sellers))


def _stacked(page: Page) -> frozenset[Run]:
    """Single letters of block labels with another such letter above or below them."""
    single = [run for run in page.runs if run.text.strip() in cn.VERTICAL]
    return frozenset(
        run
        for run in single
        if any(
            abs(run.left - other.left) < _SAME_COLUMN and 2 < abs(run.middle - other.middle) < _STACKED
            for other in single
        )
    )


def _labelled(pages: Sequence[Page], rows: Sequence[cn.Labelled]) -> dict[str, Value]:
    """Field -> value, by the first label of each field that has a value of the right shape."""
    found: dict[str, Value] = {}
    for row in rows:
        for spot in find(pages, row.label):
            look = beside if row.way == "beside" else below
            value = first_match(look(spot, cn.STOPS), row.value, spot.page.number)
            if value:
                found.setdefault(row.field, value)
                break
    return found


def _amounts(pages: Sequence[Page]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for label in cn.TOTAL_LABELS:
        for spot in find(pages, label):
            value = first_match(beside(spot, cn.STOPS), cn.MONEY, spot.page.number)
            if value:
                found.setdefault("total", value)
    for spot in find(pages, cn.CAPITAL_LABEL):
        capital = first_match(beside(spot, cn.STOPS), cn.CAPITALS, spot.page.number)
        if capital:
            found.setdefault("capital_total", capital)
    for spot in find(pages, cn.SUM_LABEL):
        sums = [value for run in beside(spot, cn.STOPS) for value in _all(run, spot.page.number)]
        for name, value in zip(("net", "tax"), sums, strict=False):
            found.setdefault(name, value)
    return found


def _all(run: Run, page: int) -> list[Value]:
    """All amounts in a run (two columns may come as one run)."""
    return [Value(match.group(), page, run.box) for match in cn.MONEY_OR_FREE.finditer(run.text)]


def _parties(sheet: _Sheet) -> dict[str, Value]:
    names = list(find(sheet.pages, cn.NAME_LABEL))[:4]
    sides = _sides(names, sheet)
    found: dict[str, Value] = {}
    for spot, side in zip(names, sides, strict=True):
        value = _name(spot)
        if value:
            found.setdefault(side, value)
    for spot in find(sheet.pages, cn.ID_LABEL):
        owner = min(range(len(names)), key=partial(_distance_of, names, spot), default=None)
        value = first_match(beside(spot, cn.STOPS), cn.TAX_ID, spot.page.number)
        if owner is not None and value:
            found.setdefault(f"{sides[owner]}_tax_id", value)
    return found


def _distance_of(names: Sequence[Spot], other: Spot, index: int) -> float:
    return _distance(names[index], other)


def _distance(name: Spot, other: Spot) -> float:
    """How far a label stands from a name label; labels of one block share their left edge or their row."""
    pages = 1e6 * abs(name.page.number - other.page.number)
    across = abs(name.left - other.left)
    return (
        pages
        + (across / 8 if other.row is name.row and other.left > name.left else across)
        + abs(name.middle - other.middle)
    )


def _sides(names: Sequence[Spot], sheet: _Sheet) -> list[str]:
    """Buyer or seller for each name label: by its own words, by the block's words, else in the usual order."""
    sides = [_said(spot) or _marked(spot, sheet) for spot in names]
    if None in sides or len(set(sides)) < len(sides):
        said = [_said(spot) for spot in names]
        usual = ["buyer", "seller", "buyer", "seller"]
        return [own or usual[index] for index, own in enumerate(said)]
    return [side for side in sides if side]


def _said(spot: Spot) -> str | None:
    words = spot.row.squeezed[max(spot.start - 6, 0) : spot.end]
    found = {side for side, marks in _SIDE_WORDS if any(mark in words for mark in marks)}
    return found.pop() if len(found) == 1 else None


_SIDE_WORDS = (("buyer", cn.BUYER_WORDS), ("seller", cn.SELLER_WORDS))


def _marked(spot: Spot, sheet: _Sheet) -> str | None:
    options = [
        (spot.left - mark.left, abs(mark.middle - spot.middle), side)
        for side, marks in (("buyer", sheet.buyer_marks), ("seller", sheet.seller_marks))
        for mark in marks
        if mark.left <= spot.left and abs(mark.middle - spot.middle) < _BLOCK_HEIGHT
    ]
    return min(options)[2] if options else None


def _name(spot: Spot) -> Value | None:
    """The party's name, with the second line of a long one."""
    runs = beside(spot, cn.STOPS)
    value = joined_text(runs, spot.page.number)
    if value is None:
        return None
    more = [run for run in _next_line(spot, runs[0]) if not cn.STOPS.search("".join(run.text.split()))]
    return replace(value, text=value.text + "".join(run.text.strip() for run in more[:1]))


def _next_line(spot: Spot, first: Run) -> list[Run]:
    rows = [row for row in spot.page.rows if 0.5 * first.height < row.middle - first.middle < _WRAP * first.height]
    return [
        run
        for row in rows
        if not cn.STOPS.search(row.squeezed)
        for run in row.runs
        if abs(run.left - first.left) < first.height and re.search(r"[\u4e00-\u9fff]", run.text)
    ]


_SHAPES = (
    ("number", re.compile(r"(?<!\d)\d{20}(?!\d)")),
    ("date", re.compile(r"(?<!\d)20\d{2}年\d{1,2}月\d{1,2}日")),
)


def _by_shape(
    pages: Sequence[Page], fields: dict[str, Reading], file: str, reader: str, trust: Trust
) -> dict[str, Reading]:
    """Values whose label wasn't found but whose shape stands just once on the pages: proposals for a person."""
    found = {}
    for name, shape in _SHAPES:
        matches = {
            match.group(): Value(match.group(), page.number, run.box)
            for page in pages
            for run in page.runs
            for match in shape.finditer("".join(run.text.split()))
        }
        if name not in fields and len(matches) == 1:
            found[name] = _reading(name, next(iter(matches.values())), file, reader, trust.unlabelled)
    return found
