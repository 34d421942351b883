"""Texts made ready to be looked for in bytes, all at once, in whatever form they may be written.

A needle is known by runs of eight bytes. Eight consecutive runs of a needle are kept, so whichever way it lies, one of
them is a whole word of the data: one look at every eighth byte finds it. Shorter needles need more looks. Each half of
a long needle is kept, so that one which is cut is found by what is left of it.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_KEY = 8
_STRIDES = (8, 4, 2, 1)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_FEWEST_BITS, _MOST_BITS = 20, 24
_ROOM = 5
"""Bits by which the table is larger than the number of keys: what is looked up in vain is one word in thirty-two."""
_PIECE = 80
_LONG = 160
_HALVED = 2 * (_KEY + _STRIDES[0] - 1)
"""Bytes from which each half of a needle has eight runs."""
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Places = tuple[Numbers, Numbers, Numbers]

FORMS: Mapping[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode("utf-8", "replace"),  # also how msgpack and most of JSON hold it
    "escaped": lambda text: json.dumps(text)[1:-1].encode(),
    "escaped twice": lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1].encode(),
    "quoted": lambda text: json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace"),
    "markup": lambda text: html.escape(text).encode("utf-8", "replace"),
    "wide": lambda text: text.encode("utf-16-le", "replace"),
    "wide, big end first": lambda text: text.encode("utf-16-be", "replace"),
    "gb18030": lambda text: text.encode("gb18030", "replace"),
}
"""How a text may be written. Adding one is one entry."""


def pieces(text: str) -> list[str]:
    """A text as it is looked for: whole, or in parts where it is so long that copies of it are cut."""
    if len(text) <= _LONG:
        return [text]
    parts = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
    return [part for part in parts if len(part) == _PIECE]


@dataclass(frozen=True, slots=True)
class Needle:
    """One way in which a text may stand in a file."""

    text: str
    form: str
    written: bytes


@dataclass(frozen=True, slots=True)
class Sights:
    """Where needles, or what is left of them, stand in some data: one entry of each array a place."""

    at: Numbers
    """Where the needle begins, or would begin if nothing were cut away before it."""
    number: Numbers
    """Which needle it is: its place in `Needles.listed`."""
    agreed: Numbers
    """How many of its bytes stand there, counted from its beginning."""
    key: Numbers
    """Where some bytes of it stand for certain."""

    def those(self, which: npt.NDArray[np.bool_]) -> "Sights":
        """Some of them."""
        return Sights(self.at[which], self.number[which], self.agreed[which], self.key[which])


class Needles:
    """Texts made ready to be looked for, all at once."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Texts of at least two characters; shorter ones stand everywhere."""
        self.texts = tuple(dict.fromkeys(text for text in texts if len(text.strip()) > 1))
        self.listed = _needles(self.texts)
        self.lengths = np.array([len(each.written) for each in self.listed], dtype=np.int64)
        self.longest = int(self.lengths.max(initial=0))
        self._starts = np.cumsum(self.lengths) - self.lengths
        self._written = _unaligned(b"".join(each.written for each in self.listed) + bytes(_KEY))
        runs = list(_runs([each.written for each in self.listed]))
        self._tables = [_Table([run for run in runs if shift % run.stride == 0], shift) for shift in range(_KEY)]

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.texts)

    def sights(self, data: bytes) -> Sights:
        """The needles in the data, each place once; those of less than eight bytes only where they stand whole."""
        places = [table.places(data) for table in self._tables if table] + [self._short_places(data)]
        keys, numbers, offsets = map(np.concatenate, zip(*places, strict=True))
        _, once = np.unique((keys - offsets) * len(self.listed) + numbers, return_index=True)
        begins, numbers, keys = keys[once] - offsets[once], numbers[once], keys[once]
        agreed = self._agreed(_unaligned(data + bytes(self.longest + _KEY)), begins, numbers)
        return Sights(begins, numbers, agreed, keys)

    def _short_places(self, data: bytes) -> Places:
        found = [
            (match.start(), number, 0)
            for number, each in enumerate(self.listed)
            if len(each.written) < _KEY
            for match in re.finditer(re.escape(each.written), data)
        ]
        columns = np.array(found, dtype=np.int64).reshape(-1, 3).T
        return columns[0], columns[1], columns[2]

    def _agreed(self, words: Words, begins: Numbers, numbers: Numbers) -> Numbers:
        """How many bytes of each needle stand at its place, from its beginning on; none where that is cut away."""
        agreed = np.zeros(len(begins), dtype=np.int64)
        going = np.flatnonzero(begins >= 0)
        while len(going):
            done = agreed[going]
            differ = words[begins[going] + done] ^ self._written[self._starts[numbers[going]] + done]
            same = _equal_bytes(differ)
            agreed[going] += same
            going = going[(same == _KEY) & (agreed[going] < self.lengths[numbers[going]])]
        return np.minimum(agreed, self.lengths[numbers])


class _Run(NamedTuple):
    """Eight bytes of a needle by which it is found, at every `stride`-th byte of the data."""

    written: bytes
    number: int
    offset: int
    stride: int


class _Table:
    """Runs by their bytes: a coarse table says at once where none can be."""

    def __init__(self, runs: list[_Run], shift: int) -> None:
        self._shift = shift
        ordered = sorted(runs, key=lambda run: int.from_bytes(run.written, "little"))
        self._keys = np.frombuffer(b"".join(run.written for run in ordered), dtype="<u8")
        self._numbers = np.array([run.number for run in ordered], dtype=np.int64)
        self._offsets = np.array([run.offset for run in ordered], dtype=np.int64)
        bits = min(max(len(runs).bit_length() + _ROOM, _FEWEST_BITS), _MOST_BITS)
        self._down = np.uint64(64 - bits)
        self._coarse = np.zeros(1 << bits if runs else 0, dtype=np.bool_)
        self._coarse[self._slots(self._keys)] = True

    def __bool__(self) -> bool:
        return bool(len(self._keys))

    def _slots(self, words: Words) -> Words:
        return np.asarray((words * _SPREAD) >> self._down)

    def places(self, data: bytes) -> Places:
        """Where runs stand, looked for at every eighth byte: the place, the needle's number, the run's offset in it."""
        shift = self._shift
        count = max(len(data) - shift, 0) // _KEY
        words = np.frombuffer(data, dtype="<u8", count=count, offset=min(shift, len(data)))
        likely = np.flatnonzero(self._coarse[self._slots(words)])
        first = np.searchsorted(self._keys, words[likely], side="left")
        many = np.searchsorted(self._keys, words[likely], side="right") - first
        entries = np.repeat(first - (np.cumsum(many) - many), many) + np.arange(many.sum())
        return np.repeat(likely, many) * _KEY + shift, self._numbers[entries], self._offsets[entries]


def _runs(needles: list[bytes]) -> Iterator[_Run]:
    shared = Counter(window for written in needles for window in {*_windows(written)})
    for number, written in enumerate(needles):
        if len(written) < _KEY:
            continue
        half = len(written) // 2 if len(written) >= _HALVED else 0
        for start, end in ((0, half), (half, len(written))) if half else ((0, len(written)),):
            windows = _windows(written[start:end])
            stride = next(each for each in _STRIDES if each <= len(windows))
            chosen = _rarest([shared[window] for window in windows], stride)
            for offset in range(chosen, chosen + stride):
                yield _Run(windows[offset], number, start + offset, stride)


def _rarest(counts: list[int], stride: int) -> int:
    """Where to begin so that the runs are shared with the fewest other needles, as near to the middle as may be."""
    last = len(counts) - stride
    return min(range(last + 1), key=lambda at: (max(counts[at : at + stride]), abs(2 * at - last)))


def _windows(written: bytes) -> list[bytes]:
    return [written[at : at + _KEY] for at in range(len(written) - _KEY + 1)]


def _unaligned(data: bytes) -> Words:
    """The eight bytes from each byte on, as numbers."""
    return np.ndarray((len(data) - _KEY + 1,), dtype="<u8", buffer=data, strides=(1,))


def _equal_bytes(differ: Words) -> Numbers:
    """How many of eight bytes agree, from the first on, where words were compared by exclusive or."""
    lowest = differ & (~differ + np.uint64(1))
    bit = np.log2(np.maximum(lowest, np.uint64(1)).astype(np.float64)).astype(np.int64)
    return np.where(differ == 0, _KEY, bit // 8)


def _needles(texts: Iterable[str]) -> list[Needle]:
    listed: list[Needle] = []
    for text in texts:
        written: dict[bytes, str] = {}
        for part in pieces(text):
            for form, write in FORMS.items():
                written.setdefault(write(part), form)
        listed += [Needle(text, form, each) for each, form in written.items()]
    return listed
