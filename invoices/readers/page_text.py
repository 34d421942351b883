"""Text with its position on a page, whatever it came from (PDF, OFD page, OCR): letters, runs and rows.

Units are points, the origin is the top left corner. Readers of layouts see only this.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

MOST_LETTERS = 60_000
"""Letters kept of one document; an invoice has some thousands."""
_RUN_GAP = 0.9
_SPACE_GAP = 0.22
_STEP_BACK = -0.6
_SAME_ROW = 0.45
_WIDE_FROM = 0x2E80
_LINE_FEEDS = {ord("\r"): None, ord("\n"): None, 0: None, 0xFFFE: None, 0xFFFF: None, 2: ord("-")}


@dataclass(frozen=True, slots=True)
class Letter:
    """One character and its box."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Run:
    """Letters that stand side by side without a column's gap."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """In points."""
        return max(self.bottom - self.top, 1.0)

    @property
    def middle(self) -> float:
        """The height at which the run's middle stands."""
        return (self.top + self.bottom) / 2

    @property
    def box(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom), rounded to tenths for the record."""
        return (round(self.left, 1), round(self.top, 1), round(self.right, 1), round(self.bottom, 1))

    def letters(self) -> Iterator[Letter]:
        """The run's characters, spaced by their usual widths (CJK twice as wide as Latin)."""
        weights = [2 if ord(character) >= _WIDE_FROM else 1 for character in self.text]
        step = (self.right - self.left) / max(sum(weights), 1)
        left = self.left
        for character, weight in zip(self.text, weights, strict=True):
            yield Letter(character, left, self.top, left + weight * step, self.bottom)
            left += weight * step


@dataclass(frozen=True)
class Row:
    """Runs on one line of the page, from left to right."""

    runs: tuple[Run, ...]

    @cached_property
    def text(self) -> str:
        """The row's text, runs parted by two blanks."""
        return "  ".join(run.text.strip() for run in self.runs)

    @cached_property
    def _spelled(self) -> tuple[tuple[Letter, int, int], ...]:
        """(letter, its run, its place in the run's text) of all letters but blanks."""
        return tuple(
            (letter, index, place)
            for index, run in enumerate(self.runs)
            for place, letter in enumerate(run.letters())
            if not letter.text.isspace()
        )

    @cached_property
    def letters(self) -> tuple[Letter, ...]:
        """All letters but blanks, from left to right."""
        return tuple(letter for letter, _, _ in self._spelled)

    @cached_property
    def squeezed(self) -> str:
        """The letters' text: one character a letter, so an index into it is an index into `letters`."""
        return "".join(letter.text for letter in self.letters)

    @cached_property
    def word_starts(self) -> frozenset[int]:
        """Indices of letters that begin a word; the end counts, too."""
        starts = {len(self._spelled)}
        for index, (_, run, place) in enumerate(self._spelled):
            if place == 0 or self.runs[run].text[place - 1].isspace():
                starts.add(index)
        return frozenset(starts)

    def cut(self, start: int, end: int) -> tuple[Run, ...]:
        """The runs, or parts of runs, that the letters from `start` to before `end` stand in."""
        pieces: dict[int, tuple[int, int]] = {}
        for _, run, place in self._spelled[start:end]:
            first, _ = pieces.get(run, (place, place))
            pieces[run] = (first, place + 1)
        return tuple(self._part(run, first, last) for run, (first, last) in pieces.items())

    def _part(self, run: int, first: int, last: int) -> Run:
        whole = self.runs[run]
        if (first, last) == (0, len(whole.text)):
            return whole
        letters = list(whole.letters())[first:last]
        return Run(whole.text[first:last], letters[0].left, whole.top, letters[-1].right, whole.bottom)

    @property
    def top(self) -> float:
        """The upper edge."""
        return min(run.top for run in self.runs)

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return max(run.bottom for run in self.runs)

    @property
    def height(self) -> float:
        """The height of the row's tallest run."""
        return max(run.height for run in self.runs)

    @property
    def middle(self) -> float:
        """The middle of the row's first run."""
        return self.runs[0].middle


@dataclass(frozen=True)
class Page:
    """One page: its number from 1, its size, its runs."""

    number: int
    width: float
    height: float
    runs: tuple[Run, ...]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The runs as rows, from top to bottom."""
        return tuple(_rows(self.runs))

    @cached_property
    def text(self) -> str:
        """All rows, one a line."""
        return "\n".join(row.text for row in self.rows)

    @cached_property
    def squeezed(self) -> str:
        """All text without any blank."""
        return "".join("".join(run.text.split()) for run in self.runs)


def runs_of(letters: Iterable[Letter]) -> tuple[Run, ...]:
    """Letters in reading order as runs: cut at a column's gap, a step back or another line."""
    found: list[Run] = []
    current: list[Letter] = []
    blank = False
    for letter in letters:
        if letter.text.isspace():
            blank = True
            continue
        if current and _breaks(current[-1], letter):
            found.append(_run(current))
            current = []
        elif current and (blank or letter.left - current[-1].right > _SPACE_GAP * _size(letter)):
            current.append(Letter(" ", current[-1].right, letter.top, letter.left, letter.bottom))
        current.append(letter)
        blank = False
    if current:
        found.append(_run(current))
    return tuple(dict.fromkeys(found))


def _size(letter: Letter) -> float:
    return max(letter.bottom - letter.top, 1.0)


def _breaks(before: Letter, letter: Letter) -> bool:
    size = max(_size(before), _size(letter))
    gap = letter.left - before.right
    overlap = min(before.bottom, letter.bottom) - max(before.top, letter.top)
    return gap > _RUN_GAP * size or gap < _STEP_BACK * size or overlap < _SAME_ROW * min(_size(before), _size(letter))


def _run(letters: Sequence[Letter]) -> Run:
    text = "".join(letter.text for letter in letters).translate(_LINE_FEEDS)
    tops, bottoms = [letter.top for letter in letters], [letter.bottom for letter in letters]
    return Run(text, letters[0].left, min(tops), letters[-1].right, max(bottoms))


def _rows(runs: Sequence[Run]) -> Iterator[Row]:
    rows: list[list[Run]] = []
    for run in sorted((run for run in runs if run.text.strip()), key=lambda run: (run.middle, run.left)):
        home = next((row for row in reversed(rows[-4:]) if _level(row[0], run)), None)
        if home is None:
            rows.append([run])
        else:
            home.append(run)
    for row in rows:
        yield Row(tuple(sorted(row, key=lambda run: run.left)))


def _level(first: Run, run: Run) -> bool:
    overlap = min(first.bottom, run.bottom) - max(first.top, run.top)
    return overlap > _SAME_ROW * min(first.height, run.height)
