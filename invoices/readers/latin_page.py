"""Invoices in European languages by the position of their text: labels in several languages, addresses, amounts.

Amounts are those that add up (net + tax = total) where any do. Names without a label are proposals, never sure.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import product

from invoices.money import money_text
from invoices.readers import latin_labels as words
from invoices.readers.labels import Spot, Value, below, beside, find, wrapped
from invoices.readers.latin_parties import parties
from invoices.readers.page_text import Page, Run
from invoices.readers.printed import PrintedDate, amounts_in, dates_in
from invoices.readers.trust import Trust, weighed
from invoices.record import Invoice, Place, Reading, Remark

FORM = "latin_page"

_MOST_CANDIDATES = 8
_NO_MATCH = re.compile(r"(?!)")
_GLUED_DATE = re.compile(r"^(?P<number>.*?)[/ ](?P<date>\d{1,2}\.\d{1,2}\.\d{4})$")
Amount = tuple[Decimal, Value]


def read(pages: Sequence[Page], file: str, reader: str, trust: Trust) -> Invoice:
    """What the pages say; fields that aren't found are missing."""
    fields: dict[str, Reading] = {}
    remarks: list[Remark] = []

    def put(name: str, text: str, value: Value, confidence: float) -> None:
        fields[name] = Reading(
            text, value.text.strip(), Place(file, page=value.page, box=value.box), reader, confidence
        )

    number = _number(pages)
    if number:
        put("number", _without_date(number[0].text), number[0], trust.labelled if number[1] else trust.unlabelled)
    dated = _date(pages, number[0] if number else None)
    if dated:
        printed, value, labelled = dated
        sure = labelled and not printed.ambiguous
        put("date", printed.day.isoformat(), value, trust.labelled if sure else trust.unlabelled)
        remarks += [_ambiguous(printed)] if printed.ambiguous else []
    for name, (amount, value) in _amounts(pages).items():
        put(name, money_text(amount), value, trust.labelled)
    for name, (text, value, sure) in parties(pages).items():
        put(name, text, value, trust.labelled if sure else trust.unlabelled)
    currency = _currency(pages)
    if currency:
        put("currency", *currency, trust.labelled)
    return weighed(Invoice(FORM, fields, remarks=tuple(remarks)), trust)


def _ambiguous(printed: PrintedDate) -> Remark:
    return Remark(
        "ambiguous_date",
        f"日期 {printed.raw} 的日和月可能颠倒，按日/月/年读作 {printed.day}",
        f"in the date {printed.raw} day and month may be swapped; read as day/month/year: {printed.day}",
    )


def _number(pages: Sequence[Page]) -> tuple[Value, bool] | None:
    """The number, and whether a label names it so (rather than the bare word invoice or a number sign)."""
    for level, label in enumerate(words.NUMBER):
        for spot in find(pages, label, words=level < 2):
            runs = (*beside(spot, words.STOPS), *below(spot, words.COLUMN_STOPS, rows=2.2), *wrapped(spot))
            value = _token(runs, spot.page.number, longest=level > 0)
            if value:
                return value, level < 2
    return None


def _token(runs: Sequence[Run], page: int, *, longest: bool) -> Value | None:
    """The first word with a digit that is no date, no amount and no percentage."""
    for run in runs[:3]:
        text = run.text.strip(" :#*№")
        for match in words.NUMBER_VALUE.finditer(text):
            token = match.group()
            dated = [printed.raw for printed in dates_in(token)]
            if (dated and not _GLUED_DATE.match(token)) or (longest and len(token) < 2):
                continue
            if re.fullmatch(r"\d+[.,]\d{2}", token) or text[match.end() :].lstrip().startswith("%"):
                continue
            return Value(token, page, run.box)
        if re.search(r"[A-Za-z]{3}", text) and longest:
            return None
    return None


def _without_date(token: str) -> str:
    glued = _GLUED_DATE.match(token)
    return glued["number"] if glued else token


def _date(pages: Sequence[Page], number: Value | None) -> tuple[PrintedDate, Value, bool] | None:
    """The date by its label, else one glued to the number, else beside the number, else the only one on the page."""
    for label in words.DATE:
        for spot in find(pages, label, words=True):
            if words.NOT_THE_DATE.search(spot.row.squeezed[: spot.start]):
                continue
            for runs in (beside(spot, words.STOPS), below(spot, words.STOPS, rows=2.2, reach=30), wrapped(spot)):
                found = _first_date(runs, spot.page.number)
                if found:
                    return (*found, True)
    glued = _GLUED_DATE.match(number.text) if number else None
    if number and glued:
        return next(dates_in(glued["date"])), number, True
    beside_number = _date_by(pages, number) if number else None
    return beside_number or _only_date(pages)


def _first_date(runs: Sequence[Run], page: int) -> tuple[PrintedDate, Value] | None:
    for run in (*runs, *_joined(runs)):
        for printed in dates_in(run.text):
            return printed, Value(printed.raw, page, run.box)
    return None


def _joined(runs: Sequence[Run]) -> tuple[Run, ...]:
    return (replace(runs[0], text=" ".join(run.text.strip() for run in runs)),) if runs else ()


def _date_by(pages: Sequence[Page], number: Value) -> tuple[PrintedDate, Value, bool] | None:
    """A date on the number's row or the one after (`Rechnung Nr. 471102 vom 05.03.2018`)."""
    for page in pages:
        for index, row in enumerate(page.rows):
            if page.number == number.page and any(run.box[1] <= number.box[3] <= run.box[3] + 1 for run in row.runs):
                near = [run for other in page.rows[index : index + 2] for run in other.runs]
                found = _first_date(near, page.number)
                return (*found, True) if found else None
    return None


def _only_date(pages: Sequence[Page]) -> tuple[PrintedDate, Value, bool] | None:
    found = [(printed, run, page.number) for page in pages for run in page.runs for printed in dates_in(run.text)]
    if not found:
        return None
    earliest = min(found, key=lambda item: item[0].day)
    printed, run, page_number = earliest
    return printed, Value(printed.raw, page_number, run.box), False


def _amounts(pages: Sequence[Page]) -> dict[str, Amount]:
    """net, tax and total that add up; without such a triple the best-labelled of each."""
    totals = _candidates(pages, words.TOTAL)
    nets = _candidates(pages, words.NET)
    taxes = _candidates(pages, words.TAX)
    fitting = [
        triple
        for triple in product(nets, taxes, totals)
        if triple[0][0] + triple[1][0] == triple[2][0] and triple[2][0] != 0
    ]
    if fitting:
        net, tax, total = max(fitting, key=lambda triple: abs(triple[2][0]))
        return {"net": net, "tax": tax, "total": total}
    first = (("net", nets), ("tax", taxes), ("total", totals))
    return {name: options[0] for name, options in first if options}


def _candidates(pages: Sequence[Page], labels: Sequence[re.Pattern[str]]) -> list[Amount]:
    """Amounts at the labels: the better label first, of one label the last one on the pages (sums come last)."""
    found: dict[Decimal, Amount] = {}
    for label in labels:
        for spot in reversed(list(find(pages, label, words=True))):
            for amount, value in _at(spot):
                found.setdefault(amount, (amount, value))
        if len(found) >= _MOST_CANDIDATES:
            break
    return list(found.values())[:_MOST_CANDIDATES]


def _at(spot: Spot) -> Iterator[Amount]:
    """The amounts right of a label, the outermost first; under it where nothing stands beside it."""
    right = [run for run in beside(spot, _NO_MATCH) if run.left >= spot.right - 1]
    amounts = [(amount, Value(raw, spot.page.number, run.box)) for run in right for amount, raw in amounts_in(run.text)]
    if amounts:
        yield from reversed(amounts)
        return
    edge_runs = below(spot, words.COLUMN_STOPS, rows=4, reach=14)
    amounts = [
        (amount, Value(raw, spot.page.number, run.box)) for run in edge_runs for amount, raw in amounts_in(run.text)
    ]
    yield from reversed(amounts)


def _currency(pages: Sequence[Page]) -> tuple[str, Value] | None:
    """The currency whose sign or code stands most often; the more telling sign first where two are even."""
    runs = [(page.number, run) for page in pages for run in page.runs]
    counts = [
        (sum(len(pattern.findall(run.text)) for _, run in runs), -rank, code, pattern)
        for rank, (code, pattern) in enumerate(words.CURRENCIES)
    ]
    count, _, code, pattern = max(counts, key=lambda item: item[:2])
    if not count:
        return None
    number, run = next((number, run) for number, run in runs if pattern.search(run.text))
    return code, Value(pattern.search(run.text).group(), number, run.box)  # type: ignore[union-attr]
