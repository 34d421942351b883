"""Whether texts still stand in files, byte for byte: as written, escaped, or wide, whatever kind of file it is.

A database keeps more than it shows: freed pages, its write-ahead log, slack inside pages. So files are read as bytes.
A row that is longer than a page lies in pieces; a text that is cut by the end of a page is found by its two parts.
Members of archives are read unpacked. Memory is bounded by the texts, not by the files.
"""

import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from foundation.needles import Needles, Numbers, Sights

_CHUNK = 4 * 2**20
_SQLITE = b"SQLite format 3\0"
_LINK = 4
"""Bytes of a page's number. It stands behind the first part of a row, and begins each page that has more of it."""
_MOST_PAGES = 1 << 24
"""Sixty-four gigabytes at the usual size of a page; a larger number would be taken from any text."""


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
    cuts: set[_Cut] = set()
    for start, data in _chunks(file, needles.longest):
        sights = needles.sights(data)
        whole = (sights.agreed == needles.lengths[sights.number]) & (sights.at < _CHUNK)
        found.update(needles.listed[number].text for number in sights.number[whole].tolist())
        if page:
            left = sights.those(~whole)
            cuts.update(_first_parts(data, start, left, page), _second_parts(data, start, left, needles, page))
    if cuts:
        joined = {each.place for each in _joined(file, cuts, needles, page)}
        found.update(needles.listed[number].text for number, _, _ in joined)
    return found


class _Cut(NamedTuple):
    """A needle of which one part was seen where a row is cut, so that the other is to be looked for."""

    number: int
    held: int
    """Bytes before the cut."""
    page: int
    """Number of the page, from one on, that begins with the rest."""
    first: bool
    """Whether the part before the cut was seen."""

    @property
    def place(self) -> tuple[int, int, int]:
        """What both parts of a cut have in common."""
        return self.number, self.held, self.page


def _first_parts(data: bytes, start: int, sights: Sights, page: int) -> Iterator[_Cut]:
    """What stands before the end of a page whose row goes on, or before the number of the page where it does."""
    ends = sights.at + sights.agreed
    at_end = (start + ends) % page == 0
    links = _numbers_at(data, np.where(at_end, ends - page, ends))
    likely = (sights.agreed > 0) & (links > 0) & (links < _MOST_PAGES)
    columns = (sights.number[likely], sights.agreed[likely], links[likely])
    for number, held, following in zip(*(column.tolist() for column in columns), strict=True):
        yield _Cut(number, held, following, first=True)


def _second_parts(data: bytes, start: int, sights: Sights, needles: Needles, page: int) -> Iterator[_Cut]:
    """What begins a page that goes on with the row of another one."""
    number = (start + sights.key) // page
    begin = number * page + _LINK - start
    held = begin - sights.at
    likely = (held > 0) & (held < needles.lengths[sights.number]) & (begin >= 0)
    columns = (sights.number[likely], held[likely], number[likely] + 1, begin[likely])
    for needle, cut, following, at in zip(*(column.tolist() for column in columns), strict=True):
        if data.startswith(needles.listed[needle].written[cut:], at):
            yield _Cut(needle, cut, following, first=False)


def _numbers_at(data: bytes, places: Numbers) -> Numbers:
    """The numbers of four bytes, big end first, at these places; 0 outside of the data."""
    four = np.ndarray((len(data) + 1,), dtype=">u4", buffer=data + bytes(_LINK), strides=(1,))
    return np.where(places >= 0, four[np.clip(places, 0, len(data))], 0).astype(np.int64)


def _joined(file: BinaryIO, cuts: set[_Cut], needles: Needles, page: int) -> Iterator[_Cut]:
    """The cuts of which the other part stands where it must."""
    second: list[tuple[_Cut, bytes]] = []
    for cut in cuts:
        written = needles.listed[cut.number].written
        if cut.first:
            file.seek((cut.page - 1) * page + _LINK)
            if file.read(len(written) - cut.held) == written[cut.held :]:
                yield cut
        else:
            second.append((cut, written[: cut.held]))
    file.seek(0)
    for _, data in _chunks(file, needles.longest) if second else ():
        links = _numbers_at(data, np.arange(0, min(len(data), _CHUNK), page))
        for cut, first in second:
            ends = (np.flatnonzero(links == cut.page) + 1) * page
            linked = first + cut.page.to_bytes(_LINK, "big")
            if linked in data or any(data.endswith(first, 0, end) for end in ends.tolist()):
                yield cut


def _chunks(file: BinaryIO, more: int) -> Iterator[tuple[int, bytes]]:
    """The file in parts, each with what stands right behind it: where it starts, the data."""
    start, data = 0, file.read(_CHUNK + more)
    while data:
        yield start, data
        start += _CHUNK
        data = data[_CHUNK:]
        data += file.read(_CHUNK + more - len(data))
