"""Who sells and who buys on an invoice in a European language: labels, company forms, address blocks, VAT ids."""

import re
from collections.abc import Iterator, Sequence

from invoices.readers import latin_labels as words
from invoices.readers.labels import Value, below, beside, find
from invoices.readers.page_text import Page, Run

_EDGE = 4.0
_CUTS = re.compile(r"\s*[●•|·]\s*|\s+[-–—]\s+|\s{3,}")
_NOT_A_NAME = re.compile(r"@|www\.|https?:|^\W*$|^\d[\d\s./-]*$|:$", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:name|firma|company)\s*:\s*", re.IGNORECASE)
Found = tuple[str, Value, bool]


def parties(pages: Sequence[Page]) -> dict[str, Found]:
    """Field -> (value in normal form, where it stood, whether a label says so) for seller, buyer and their VAT ids."""
    found: dict[str, Found] = {}
    for name, label in (("seller", words.SELLER), ("buyer", words.BUYER)):
        labelled = _labelled(pages, label)
        if labelled:
            found[name] = (labelled.text, labelled, True)
    taken = {value.text for _, value, _ in found.values()}
    if "seller" not in found:
        company = next((value for value in _companies(pages) if value.text not in taken), None)
        value = company or _headline(pages, taken)
        if value:
            found["seller"] = (value.text, value, False)
            taken.add(value.text)
    if "buyer" not in found:
        block = next((value for value in _address_blocks(pages) if value.text not in taken), None)
        if block:
            found["buyer"] = (block.text, block, False)
    found |= _vat_ids(pages)
    return found


def _labelled(pages: Sequence[Page], label: re.Pattern[str]) -> Value | None:
    for spot in find(pages[:1], label, words=True):
        alone = spot.start == 0 or spot.row.letters[spot.start].left - spot.row.letters[spot.start - 1].right > 15
        colon = spot.row.squeezed[spot.end : spot.end + 1] == ":"
        if not alone and not colon:
            continue
        right = beside(spot, _ANY_LABEL) if colon else ()
        under = below(spot, _ANY_LABEL, rows=4.0)
        for run in (*right[:1], *under[:2]):
            name = _name(run.text)
            if name and run.left < spot.right + 250:
                return Value(name, spot.page.number, run.box)
    return None


_SIDE_LABELS = re.compile(
    f"{words.SELLER.pattern}|{words.BUYER.pattern}|shipto|afleveradres|lieferadresse|adressedelivraison|deliver(?:yaddress|to)",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(f"{_SIDE_LABELS.pattern}|{words.STOPS.pattern}", re.IGNORECASE)


def _name(text: str) -> str | None:
    """A party's name from a line: without what follows bullets and dashes; None where the line is no name."""
    name = _PREFIX.sub("", _CUTS.split(text.strip(" :*"))[0].strip())
    if len(name) < 2 or _NOT_A_NAME.search(name) or not re.search(r"[A-Za-zÀ-ž]{2}", name):
        return None
    return name


def _companies(pages: Sequence[Page]) -> Iterator[Value]:
    """Names that end in a company form (GmbH, B.V., Ltd...), from the top; those that stand in a buyer's block last."""
    for page in pages[:1]:
        for row in page.rows:
            for run in row.runs:
                match = words.COMPANY.match(_CUTS.split(run.text.strip())[0])
                if match and not words.HEADLINE.match(run.text):
                    yield Value(match["name"].strip(), page.number, run.box)


def _headline(pages: Sequence[Page], taken: set[str]) -> Value | None:
    """The first line that may be a name, on the upper third of page one."""
    for page in pages[:1]:
        for row in page.rows:
            if words.STOPS.search(row.squeezed):
                continue
            for run in row.runs:
                name = _name(run.text)
                free = name and name not in taken and not words.HEADLINE.match(name)
                if row.top < page.height / 3 and name and free and not _under_label(page, run):
                    return Value(name, page.number, run.box)
    return None


def _under_label(page: Page, run: Run) -> bool:
    """Whether the run is, or stands in a column under, the heading of an address (bill to, ship to)."""
    above = [other for other in page.runs if abs(other.left - run.left) < _EDGE and 0 <= run.top - other.top < 90]
    return any(_SIDE_LABELS.fullmatch("".join(other.text.split()).strip(":")) for other in above)


def _address_blocks(pages: Sequence[Page]) -> Iterator[Value]:
    """First lines of blocks that share a left edge and have a postcode line as their third, fourth or fifth."""
    for page in pages[:1]:
        columns: dict[int, list[Run]] = {}
        for run in sorted(page.runs, key=lambda run: run.top):
            columns.setdefault(round(run.left / _EDGE), []).append(run)
        for runs in columns.values():
            for index, run in enumerate(runs):
                if words.POSTCODE_LINE.match(run.text.strip()) and index >= 2:
                    first = _block_start(runs, index)
                    name = _name(first.text)
                    if name:
                        yield Value(name, page.number, first.box)


def _block_start(runs: Sequence[Run], index: int) -> Run:
    """Up from the postcode line while lines follow closely, at most four."""
    start = index
    while start > max(index - 4, 0) and runs[start].top - runs[start - 1].top < 1.9 * runs[start].height:
        start -= 1
    return runs[start]


def _vat_ids(pages: Sequence[Page]) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for spot in find(pages, words.VAT_LABEL, words=False):
        if spot.start not in spot.row.word_starts:
            continue
        for run in beside(spot, words.STOPS)[:2]:
            match = words.VAT_VALUE.search(run.text)
            if match and any(character.isdigit() for character in match.group()[2:]):
                before = spot.row.squeezed[max(spot.start - 12, 0) : spot.start]
                own = words.BUYERS_OWN.search(before) or words.BUYERS_OWN.search(spot.text())
                plain = re.sub(r"[ .\-]", "", match.group())
                side = "buyer_tax_id" if own else "seller_tax_id"
                found.setdefault(side, (plain, Value(match.group(), spot.page.number, run.box), True))
                break
    return found
