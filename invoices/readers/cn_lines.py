"""The lines of goods on a Chinese invoice, by the columns of the table's heading.

A column is known by where its heading stands, so a numeric specification never slips into the quantity.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from invoices.money import parse_money
from invoices.readers import cn_labels as cn
from invoices.readers.cn_einvoice import goods_class, rate_percent
from invoices.readers.page_text import Page, Row, Run
from invoices.record import Line

_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_RATE = re.compile(r"\d+(?:\.\d+)?%|免税|不征税|\*{2,}|普通零税率")
_AMOUNT = re.compile(r"-?\d[\d,]*\.\d{2}(?!\d)|\*{2,}")


def lines_of(pages: Sequence[Page]) -> tuple[Line, ...]:
    """The lines of the first table whose amounts add up to its own sum; none where they don't (never half a table)."""
    for page in pages:
        for index, row in enumerate(page.rows):
            centres = _columns(row)
            if {"name", "net"} <= centres.keys():
                return _table(page.rows[index + 1 :], centres)
    return ()


def _columns(row: Row) -> dict[str, float]:
    """Column -> the middle of its heading."""
    found = {}
    if not cn.ITEM_HEADING.search(row.squeezed):
        return {}
    for name, pattern in cn.COLUMNS.items():
        match = pattern.search(row.squeezed)
        if match:
            found[name] = (row.letters[match.start()].left + row.letters[match.end() - 1].right) / 2
    return found


def _table(rows: Sequence[Row], centres: dict[str, float]) -> tuple[Line, ...]:
    parts: list[dict[str, str]] = []
    stated = None
    for row in rows:
        summed = cn.SUM_LABEL.search(row.squeezed)
        if summed or "价税合计" in row.squeezed:
            amounts = [m.group() for run in row.runs for m in cn.MONEY_OR_FREE.finditer(run.text)]
            stated = parse_money(amounts[0]) if amounts else None
            break
        cells = _cells(row, centres)
        if _AMOUNT.fullmatch(cells.get("net", "")):
            parts.append(cells)
        elif parts and cells.keys() == {"name"}:
            parts[-1]["name"] = parts[-1].get("name", "") + cells["name"]
    lines = tuple(_line(cells) for cells in parts)
    amounts_read = [parse_money(line.net) for line in lines if line.net]
    total = sum(amount for amount in amounts_read if amount is not None)
    return lines if lines and stated is not None and total == stated else ()


def _cells(row: Row, centres: dict[str, float]) -> dict[str, str]:
    ordered = sorted(centres.items(), key=lambda item: item[1])
    edges = [(left + right) / 2 for (_, left), (_, right) in pairwise(ordered)]
    cells: dict[str, str] = {}
    for run in row.runs:
        name = ordered[sum(_anchor(run, ordered[0][0]) > edge for edge in edges)][0]
        cells[name] = cells.get(name, "") + run.text.strip()
    return cells


def _anchor(run: Run, first: str) -> float:
    """Where a cell counts as standing: text by its left edge, numbers (set flush right) by their middle."""
    numeric = _NUMBER.fullmatch(run.text.strip()) or _RATE.fullmatch(run.text.strip())
    return (run.left + run.right) / 2 if numeric or first != "name" else run.left


def _line(cells: dict[str, str]) -> Line:
    def number(name: str) -> str | None:
        match = _NUMBER.fullmatch(cells.get(name, ""))
        return match.group().replace(",", "") if match else None

    rate = _RATE.search(cells.get("rate", ""))
    name = cells.get("name")
    return Line(
        name=name,
        quantity=number("quantity"),
        unit_price=number("unit_price"),
        net=number("net"),
        rate=rate_percent(rate.group()) if rate else None,
        tax=cells.get("tax") if _AMOUNT.fullmatch(cells.get("tax", "")) else None,
        category=goods_class(name),
    )
