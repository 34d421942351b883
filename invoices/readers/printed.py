"""Dates and amounts as people print them, in the languages and habits of many countries; nothing is guessed twice."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from invoices.money import money_text
from invoices.readers.page_text import Page
from invoices.readers.sources import FIELD_NAMES, differs
from invoices.record import Invoice, Place, Reading, Remark

_MONTH_WORDS = (
    "jan janv januar january januari janvier enero ene gennaio gen janeiro styczen styczeń",
    "feb fév fev févr februar february februari février febrero febbraio fevereiro luty",
    "mar mär mrt mars märz march maart marzo março marec marzec",
    "apr avr april avril abril abr aprile kwiecień",
    "may mai mei mayo maggio mag maio maj",
    "jun juin juni june junio giugno giu junho czerwiec",
    "jul juil juli july juillet julio luglio lug julho lipiec",
    "aug août aou august augustus agosto ago sierpień",
    "sep sept september septembre septiembre settembre set setembro wrzesień",
    "oct okt october oktober octobre octubre ottobre ott outubro out październik",
    "nov november novembre noviembre novembro listopad",
    "dec dez déc december dezember décembre diciembre dic dicembre dezembro grudzień",
)
MONTHS = {word: number for number, words in enumerate(_MONTH_WORDS, start=1) for word in words.split()}
_WORD = r"[A-Za-zÀ-ž]{3,10}"
_LETTER_DATE = re.compile(
    rf"(?<!\d)(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?[\s\-]*(?:de\s+)?"
    rf"(?P<m1>{_WORD})\.?,?[\s\-]*(?:de\s+)?(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_WORD})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
)
_NUMBER_DATE = re.compile(
    r"(?<![\d.])(?:(?P<y1>(?:19|20)\d{2})\s?[-/.年]\s?(?P<m1>\d{1,2})\s?[-/.月]\s?(?P<d1>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<sep>[-/.])\s?(?P<b>\d{1,2})(?P=sep)\s?(?P<y2>\d{4}|\d{2}))(?!\d)"
)
_MONEY = re.compile(
    r"(?P<before>-|−|\()?\s?(?:[$€£¥₹]|[A-Z]{3}\b|Rs\.?|kr\.?|zł)?\s?(?P<sign>-|−)?"
    r"(?P<digits>\d{1,3}(?:[.,' \u00a0\u202f’]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)"
    r"(?P<rest>[.,]\d+)?(?P<percent>\s?%)?"
)
_CLOCK = re.compile(r"\d{1,2}:\d{2}")


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A date as printed; `ambiguous` where day and month may be swapped (03/04/2023)."""

    day: date
    raw: str
    ambiguous: bool = False


def dates_in(text: str) -> Iterator[PrintedDate]:
    """All calendar dates in a text, in order of their writing styles.

    A year first is year-month-day, as in ISO 8601. Dashes and dots are day-month-year. Slashes are day/month/year
    unless only month/day/year is a calendar date; where both are, the date is marked as ambiguous.
    """
    for match in _LETTER_DATE.finditer(text):
        found = match.groupdict()
        month = MONTHS.get((found["m1"] or found["m2"]).lower())
        if month:
            yield from _real(int(found["y1"] or found["y2"]), month, int(found["d1"] or found["d2"]), match.group())
    for match in _NUMBER_DATE.finditer(text):
        if match["y1"]:
            yield from _real(int(match["y1"]), int(match["m1"]), int(match["d1"]), match.group())
        else:
            yield from _by_order(match)


def _by_order(match: re.Match[str]) -> Iterator[PrintedDate]:
    year = int(match["y2"]) + (2000 if len(match["y2"]) == 2 else 0)
    first, second = int(match["a"]), int(match["b"])
    unclear = match["sep"] == "/" and first <= 12 and second <= 12 and first != second
    if second > 12 and match["sep"] == "/":
        first, second = second, first
    yield from _real(year, second, first, match.group(), ambiguous=unclear)


def _real(year: int, month: int, day: int, raw: str, *, ambiguous: bool = False) -> Iterator[PrintedDate]:
    try:
        found = date(year, month, day)
    except ValueError:
        return
    if 1990 <= year <= 2100:
        yield PrintedDate(found, raw.strip(), ambiguous)


def amounts_in(text: str) -> Iterator[tuple[Decimal, str]]:
    """(amount, as printed) of each amount of money in a text; percentages, clock times and long ids are none.

    The last comma or dot with one or two digits after it is the decimal mark; others group thousands.
    """
    for match in _MONEY.finditer(_CLOCK.sub(" ", text)):
        digits = match["digits"]
        whole = len(re.sub(r"[.,]\d{1,2}$", "", digits))
        glued = (
            text[match.end() : match.end() + 1].isalpha() or text[max(match.start() - 1, 0) : match.start()].isalpha()
        )
        if match["percent"] or match["rest"] or whole > 15 or (glued and not _has_cents(digits)):
            continue
        amount = Decimal(_plain(digits))
        negative = match["sign"] or match["before"] in {"-", "−"}
        yield (-amount if negative else amount), match.group().strip()


def _has_cents(digits: str) -> bool:
    return bool(re.search(r"[.,]\d{2}$", digits))


def _plain(digits: str) -> str:
    head, mark, tail = re.match(r"(.*?)(?:([.,])(\d{1,2}))?$", digits).groups()  # type: ignore[union-attr]
    return re.sub(r"\D", "", head) + (f".{tail}" if mark else "")


def printed_differences(invoice: Invoice, pages: Sequence[Page], file: str) -> list[Remark]:
    """Remarks where the number, date or total of the attached invoice stands nowhere on the pages.

    The page isn't read by labels for this (a wrong label would accuse a right invoice): a value that is printed
    anywhere, in any of its usual writings, is the same. A page that prints other amounts only is different.
    """
    text = "\n".join(page.text for page in pages)
    squeezed = "".join(text.split())
    found = []
    number = invoice.text("number")
    if number and "".join(number.split()).upper() not in squeezed.upper():
        found.append(_absent("number", invoice, "", file))
    days = {printed.day for printed in dates_in(text)} | set(_swapped(text))
    if invoice.day() and days and invoice.day() not in days:
        found.append(_absent("date", invoice, ", ".join(sorted(day.isoformat() for day in days)[:4]), file))
    amounts = {abs(amount) for amount, _ in amounts_in(text)} | _joined_amounts(text)
    total = invoice.money("total")
    if total is not None and amounts and abs(total) not in amounts:
        found.append(_absent("total", invoice, f"max {money_text(max(amounts))}", file))
    return found


def _swapped(text: str) -> Iterator[date]:
    for printed in dates_in(text):
        if printed.ambiguous:
            yield printed.day.replace(month=printed.day.day, day=printed.day.month)


def _joined_amounts(text: str) -> set[Decimal]:
    """Amounts whose digits the layout sets apart (`6 71,15`), found with the blanks left out."""
    return {abs(amount) for line in text.splitlines() for amount, _ in amounts_in("".join(line.split()))}


def _absent(name: str, invoice: Invoice, instead: str, file: str) -> Remark:
    reading = invoice.fields[name]
    if instead:
        return differs(name, reading, Reading(instead, instead, Place(file, page=1), "pdf_text"))
    zh, en = FIELD_NAMES[name]
    return Remark(
        "sources_differ",
        f"{zh}在两处不一致：{reading.reader} 为 {reading.value}（{reading.where}），页面文字中没有这个值",
        f"{en} differs: {reading.reader} says {reading.value} ({reading.where}), the printed page doesn't have it",
    )
