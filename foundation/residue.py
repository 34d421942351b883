"""Whether texts still stand in files, byte for byte: as written, escaped, or wide, whatever kind of file it is.

A database keeps more than it shows: freed pages, its write-ahead log, slack inside pages. So files are read as bytes.
A row that is longer than a page lies in pieces; a text that is cut by the end of a page is found by its two parts.
Members of archives are read unpacked. Memory is bounded by the texts, not by the files.
"""

import html
import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

_CHUNK = 4 * 2**20
_KEY = 8
_TABLE_BITS = 20
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_PIECE = 80
_LONG = 160
_SQLITE = b"SQLite format 3\0"
_LINK = 4
"""Bytes that begin a page which goes on with a row of the page before."""

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


class Needles:
    """Texts made ready to be looked for, all at once: each by the eight bytes that it shares with the fewest others."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Texts of at least two characters; shorter ones stand everywhere."""
        self.texts = tuple(dict.fromkeys(text for text in texts if len(text.strip()) > 1))
        listed = _needles(self.texts)
        self.longest = max((len(each.written) for each in listed), default=0)
        self._short = [each for each in listed if len(each.written) < _KEY]
        self._by_key = _keyed([each for each in listed if len(each.written) >= _KEY])
        self._keys = np.sort(np.frombuffer(b"".join(self._by_key), dtype="<u8"))
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        self._table[_slot(self._keys)] = True

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.texts)

    def near(self, data: bytes, first: int, end: int) -> Iterator[tuple[int, Needle]]:
        """Where needles begin whose key lies between `first` and `end`; only the key is compared here."""
        for needle in self._short:
            at = data.find(needle.written, first, end + _KEY)
            while first <= at < end:
                yield at, needle
                at = data.find(needle.written, at + 1, end + _KEY)
        for at in self._places(data):
            if first <= at < end:
                for needle, offset in self._by_key.get(data[at : at + _KEY], ()):
                    yield at - offset, needle

    def _places(self, data: bytes) -> list[int]:
        found = [np.zeros(0, dtype=np.int64)]
        for shift in range(_KEY if len(self._keys) else 0):
            words = np.frombuffer(
                data, dtype="<u8", count=max(len(data) - shift, 0) // _KEY, offset=min(shift, len(data))
            )
            likely = np.flatnonzero(self._table[_slot(words)])
            place = np.minimum(np.searchsorted(self._keys, words[likely]), len(self._keys) - 1)
            found.append(likely[self._keys[place] == words[likely]] * _KEY + shift)
        return [int(at) for at in np.concatenate(found)]


def _keyed(needles: list[Needle]) -> dict[bytes, list[tuple[Needle, int]]]:
    shared = Counter(window for each in needles for window in {*_windows(each.written)})
    keyed: dict[bytes, list[tuple[Needle, int]]] = defaultdict(list)
    for each in needles:
        windows = _windows(each.written)
        offset = min(range(len(windows)), key=lambda at: (shared[windows[at]], abs(2 * at - len(windows))))
        keyed[windows[offset]].append((each, offset))
    return keyed


def _windows(written: bytes) -> list[bytes]:
    return [written[at : at + _KEY] for at in range(len(written) - _KEY + 1)]


def _slot(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    return np.asarray((words * _SPREAD) >> np.uint64(64 - _TABLE_BITS))


def _needles(texts: Iterable[str]) -> list[Needle]:
    listed: list[Needle] = []
    for text in texts:
        written: dict[bytes, str] = {}
        for part in pieces(text):
            for form, write in FORMS.items():
                written.setdefault(write(part), form)
        listed += [Needle(text, form, each) for each, form in written.items()]
    return listed


def found_in(path: Path, needles: Needles) -> Counter[str]:
    """How often each text stands in a file, in whatever form; empty for a file that is gone.

    Raises:
        OSError: the file is there and can't be read.
    """
    if not needles:
        return Counter()
    try:
        with path.open("rb") as file:
            found = _in_stream(file, needles, _page_size(file))
        if zipfile.is_zipfile(path):
            found += _in_archive(path, needles)
    except FileNotFoundError:
        return Counter()
    return found


def _in_archive(path: Path, needles: Needles) -> Counter[str]:
    found: Counter[str] = Counter()
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            with archive.open(member) as file:
                found += _in_stream(file, needles, 0)  # type: ignore[arg-type] # reads like a file
    return found


def _page_size(file: BinaryIO) -> int:
    """Bytes of a page of an SQLite file; 0 for any other file."""
    head = file.read(18)
    file.seek(0)
    if not head.startswith(_SQLITE):
        return 0
    size = int.from_bytes(head[16:18], "big")
    return 65536 if size == 1 else size


def _in_stream(file: BinaryIO, needles: Needles, page: int) -> Counter[str]:
    found: Counter[str] = Counter()
    cut: set[tuple[Needle, int]] = set()
    for start, first, data in _chunks(file, needles.longest):
        for at, needle in needles.near(data, first, first + _CHUNK):
            if at >= 0 and data.startswith(needle.written, at):
                found[needle.text] += 1
            elif page:
                cut.update((needle, held) for held in _cuts(data, at, start + at, needle.written, page))
    if cut:
        file.seek(0)
        found += _joined(file, cut, page)
    return found


def _cuts(data: bytes, at: int, place: int, written: bytes, page: int) -> Iterator[int]:
    """After how many bytes the text is cut by the end of a page, where one side of the cut stands here."""
    held = page - place % page
    if held < len(written) and at >= 0 and data.startswith(written[:held], at):
        yield held
    # The next page begins with the number of the one after it, so a text that goes on there stands a little later.
    held = page - (place - _LINK) % page
    if held < len(written) and data.startswith(written[held:], at + held):
        yield held


def _joined(file: BinaryIO, cut: set[tuple[Needle, int]], page: int) -> Counter[str]:
    """The cut texts of which both parts are there: one at the end of a page, one at the beginning of a page."""
    ends: set[tuple[Needle, int]] = set()
    begins: set[tuple[Needle, int]] = set()
    while data := file.read(page):
        ends.update(each for each in cut if data.endswith(each[0].written[: each[1]]))
        begins.update(each for each in cut if data.startswith(each[0].written[each[1] :], _LINK))
    return Counter(needle.text for needle, _ in ends & begins)


def _chunks(file: BinaryIO, around: int) -> Iterator[tuple[int, int, bytes]]:
    """The file in parts, each with what stands right before and after it: where it starts, its first byte, the data."""
    start, before, data = 0, b"", file.read(_CHUNK + around)
    while data:
        yield start - len(before), len(before), before + data
        start += _CHUNK
        before, data = data[max(_CHUNK - around, 0) : _CHUNK], data[_CHUNK:]
        data += file.read(_CHUNK + around - len(data))
