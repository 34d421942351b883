"""Labels on a page and the values that stand beside or below them, whatever order the file stores them in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from invoices.readers.page_text import Page, Row, Run

_NEAR_ROWS = 0.95
"""A value may stand this many row heights above or below its label (other font, other baseline)."""
_BELOW_ROWS = 3.2
_JOIN_GAP = 2.5
_LONGEST_LABEL = 40
_MARKS = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a label stands: letters `start` to before `end` of a row."""

    page: Page
    row: Row
    start: int
    end: int

    @property
    def left(self) -> float:
        """The label's left edge."""
        return self.row.letters[self.start].left

    @property
    def right(self) -> float:
        """The label's right edge."""
        return self.row.letters[self.end - 1].right

    @property
    def middle(self) -> float:
        """The label's middle height."""
        letter = self.row.letters[self.start]
        return (letter.top + letter.bottom) / 2

    @property
    def height(self) -> float:
        """The label's letter height."""
        letter = self.row.letters[self.start]
        return max(letter.bottom - letter.top, 1.0)

    def text(self) -> str:
        """The label as matched."""
        return self.row.squeezed[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Value:
    """A value found on a page."""

    text: str
    page: int
    box: tuple[float, float, float, float]


def find(pages: Sequence[Page], label: re.Pattern[str], *, words: bool = False) -> Iterator[Spot]:
    """Where the label stands (matched against rows without blanks); with `words` only where words begin and end."""
    for page in pages:
        for row in page.rows:
            for start, end in _words(row, label) if words else (match.span() for match in label.finditer(row.squeezed)):
                if end > start:
                    yield Spot(page, row, start, end)


def _words(row: Row, label: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the label matches whole words: the longest such match from each word's start, none inside another."""
    text = row.squeezed
    after = 0
    for start in sorted(row.word_starts | {match.end() for match in _MARKS.finditer(text)}):
        if start < after or not label.match(text, start):
            continue
        ends = [end for end in range(start + 1, min(start + _LONGEST_LABEL, len(text)) + 1) if _ends_word(row, end)]
        end = next((end for end in reversed(ends) if label.fullmatch(text, start, end)), None)
        if end:
            after = end
            yield start, end


def _ends_word(row: Row, end: int) -> bool:
    text = row.squeezed
    return end in row.word_starts or not (text[end].isalpha() and text[end - 1].isalpha())


def beside(spot: Spot, stops: re.Pattern[str]) -> tuple[Run, ...]:
    """The runs to the right of a label, up to the next label; where there are none, those of the rows just by it."""
    stop = _next_label(spot, stops)
    runs = tuple(run for run in spot.row.cut(spot.end, stop) if run.text.strip(" :：.*") or "**" in run.text)
    if runs:
        return runs
    edge = spot.row.letters[stop].left if stop < len(spot.row.letters) else spot.page.width + 1
    near = [row for row in spot.page.rows if row is not spot.row and _is_near(row, spot)]
    found = (run for row in near for run in row.runs if spot.right - 3 <= run.left < edge - 1)
    return tuple(run for run in found if not stops.search("".join(run.text.split())))


def _next_label(spot: Spot, stops: re.Pattern[str]) -> int:
    match = stops.search(spot.row.squeezed, spot.end)
    return match.start() if match else len(spot.row.squeezed)


def _is_near(row: Row, spot: Spot) -> bool:
    return abs(row.middle - spot.middle) < _NEAR_ROWS * max(spot.height, row.height)


def below(spot: Spot, stops: re.Pattern[str], *, rows: float = _BELOW_ROWS, reach: float = 10.0) -> tuple[Run, ...]:
    """The runs under a label: from its left edge to the next label's, in the next few rows."""
    stop = _next_label(spot, stops)
    letters = spot.row.letters
    edge = letters[stop].left if stop < len(letters) else spot.page.width + 1
    bottom = letters[spot.start].bottom
    under = [row for row in spot.page.rows if 0 < row.middle - bottom < rows * spot.height]
    return tuple(
        run
        for row in under
        for run in row.runs
        if spot.left - reach <= run.left < edge - 2 or (run.left < spot.right and run.right > spot.left)
    )


def wrapped(spot: Spot) -> tuple[Run, ...]:
    """The next row's runs where the label ends its row: running text goes on at the left of the next one."""
    if "".join(spot.row.squeezed[spot.end :]).strip(":*."):
        return ()
    later = [row for row in spot.page.rows if 0 < row.middle - spot.middle < 2 * spot.height]
    return later[0].runs if later and later[0].runs[0].left < spot.left - spot.height else ()


def first_match(runs: Sequence[Run], pattern: re.Pattern[str], page: int) -> Value | None:
    """The first match of the pattern in any of the runs (blanks left out where only the squeezed text matches)."""
    for run in runs:
        match = pattern.search(run.text) or pattern.search("".join(run.text.split()))
        if match:
            return Value(match.group(), page, run.box)
    joined = "".join("".join(run.text.split()) for run in runs)
    match = pattern.search(joined)
    return Value(match.group(), page, runs[0].box) if match else None


def joined_text(runs: Sequence[Run], page: int) -> Value | None:
    """The first run's text with those that follow it closely (a name in two fonts is two runs)."""
    parts: list[Run] = []
    for run in runs:
        if parts and run.left - parts[-1].right > _JOIN_GAP * run.height:
            break
        parts.append(run)
    text = "".join(part.text for part in parts).strip(" :：*")
    return Value(text, page, parts[0].box) if text else None
