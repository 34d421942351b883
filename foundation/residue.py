"""Whether texts still stand in files, byte for byte: as written, escaped, or wide, whatever kind of file it is.

A database keeps more than it shows: freed pages, its write-ahead log, slack inside pages. So files are read as bytes.
A row that is longer than a page lies in pieces; a text that is cut by the end of a page is found by its two parts.
Members of archives are read unpacked, archives in archives, too. Memory is bounded by the texts, not by the files.

Closing any handle of a file lets go of all locks that this process has on it, SQLite's included. So a process that
works with a database must not call these functions for its file: `foundation.looking` has another process read it.
"""

import gzip
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

import numpy as np

from foundation.needles import Needles, Numbers, Sights

_CHUNK = 4 * 2**20
_DEEPEST = 3
"""Archives inside archives that are opened: a letter in an office document in an archive."""
_GZIP = b"\x1f\x8b\x08"
_ENCRYPTED = 0x1
_LARGE, _HIGHEST_RATIO = 2**28, 500
"""A member that is larger and unpacks to more is made to waste time: ordinary text is at a tenth of that ratio."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, RuntimeError)
_SQLITE = b"SQLite format 3\0"
_LINK = 4
"""Bytes of a page's number. It stands behind the first part of a row, and begins each page that has more of it."""
_MOST_PAGES = 1 << 24
"""Sixty-four gigabytes at the usual size of a page; a larger number would be taken from any text."""


class Found(NamedTuple):
    """A text that stands in a file."""

    text: str
    at: int
    """Where it begins; for one that lies in two pages, where the part that was seen first does."""
    size: int
    """Bytes of it there."""
    cut: bool
    """Whether it lies in two pages."""


def found_in(path: Path, needles: Needles) -> Counter[str]:
    """How often each text stands in a file, in whatever form; empty for a file that is gone.

    Raises:
        OSError: the file is there and can't be read.
    """
    if not needles:
        return Counter()
    try:
        with path.open("rb") as file:
            found = Counter(each.text for each in places_in(file, needles, page_size(file)))
            return found + _unpacked(file, needles, _DEEPEST)
    except FileNotFoundError:
        return Counter()


def _unpacked(file: IO[bytes], needles: Needles, depth: int) -> Counter[str]:
    """How often the texts stand in the members of an archive; none for a file that is no archive.

    What can't be unpacked says nothing to anybody: its bytes were looked at as they are.
    """
    found: Counter[str] = Counter()
    for members in _ARCHIVES if depth else ():
        file.seek(0)
        with suppress(*_BROKEN):
            for member in members(file):
                found.update(each.text for each in places_in(member, needles))
                found += _unpacked(member, needles, depth - 1)
    return found


def _zip_members(file: IO[bytes]) -> Iterator[IO[bytes]]:
    if not zipfile.is_zipfile(file):
        return
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            bomb = member.file_size > _LARGE and member.file_size > _HIGHEST_RATIO * member.compress_size
            if not bomb and not member.flag_bits & _ENCRYPTED:
                with archive.open(member) as opened:
                    yield opened


def _gzip_member(file: IO[bytes]) -> Iterator[IO[bytes]]:
    if file.read(len(_GZIP)) == _GZIP:
        file.seek(0)
        with gzip.open(file) as opened:
            yield cast(IO[bytes], opened)


_ARCHIVES: tuple[Callable[[IO[bytes]], Iterator[IO[bytes]]], ...] = (_zip_members, _gzip_member)
"""How members of a packed file are read. Adding a kind is one entry; office documents are zip archives, logs gzip."""


def page_size(file: BinaryIO) -> int:
    """Bytes of a page of an SQLite file; 0 for any other file."""
    head = file.read(18)
    file.seek(0)
    if not head.startswith(_SQLITE):
        return 0
    size = int.from_bytes(head[16:18], "big")
    return 65536 if size == 1 else size


def places_in(file: IO[bytes], needles: Needles, page: int = 0) -> Iterator[Found]:
    """Where the texts stand in a file that is read once; a second time where one may lie in two pages.

    Args:
        file: read from where it stands.
        needles: the texts.
        page: bytes of a page of an SQLite file, 0 for any other file.
    """
    cuts: set[_Cut] = set()
    for start, data in _chunks(file, needles.longest):
        sights = needles.sights(data)
        whole = (sights.agreed == needles.lengths[sights.number]) & (sights.at < _CHUNK)
        for number, at in zip(sights.number[whole].tolist(), (start + sights.at[whole]).tolist(), strict=True):
            yield Found(needles.listed[number].text, at, len(needles.listed[number].written), cut=False)
        if page:
            left = sights.those(~whole)
            cuts.update(_first_parts(data, start, left, page), _second_parts(data, start, left, needles, page))
    if cuts:
        for cut in {each.place: each for each in _joined(file, cuts, needles, page)}.values():
            size = cut.held if cut.first else len(needles.listed[cut.number].written) - cut.held
            yield Found(needles.listed[cut.number].text, cut.at, size, cut=True)


class _Cut(NamedTuple):
    """A needle of which one part was seen where a row is cut, so that the other is to be looked for."""

    number: int
    held: int
    """Bytes before the cut."""
    page: int
    """Number of the page, from one on, that begins with the rest."""
    first: bool
    """Whether the part before the cut was seen."""
    at: int
    """Where the part that was seen stands."""

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
    columns = (sights.number[likely], sights.agreed[likely], links[likely], sights.at[likely])
    for number, held, following, at in zip(*(column.tolist() for column in columns), strict=True):
        yield _Cut(number, held, following, first=True, at=start + at)


def _second_parts(data: bytes, start: int, sights: Sights, needles: Needles, page: int) -> Iterator[_Cut]:
    """What begins a page that goes on with the row of another one."""
    number = (start + sights.key) // page
    begin = number * page + _LINK - start
    held = begin - sights.at
    likely = (held > 0) & (held < needles.lengths[sights.number]) & (begin >= 0)
    columns = (sights.number[likely], held[likely], number[likely] + 1, begin[likely])
    for needle, cut, following, at in zip(*(column.tolist() for column in columns), strict=True):
        if data.startswith(needles.listed[needle].written[cut:], at):
            yield _Cut(needle, cut, following, first=False, at=start + at)


def _numbers_at(data: bytes, places: Numbers) -> Numbers:
    """The numbers of four bytes, big end first, at these places; 0 outside of the data."""
    four = np.ndarray((len(data) + 1,), dtype=">u4", buffer=data + bytes(_LINK), strides=(1,))
    return np.where(places >= 0, four[np.clip(places, 0, len(data))], 0).astype(np.int64)


def _joined(file: IO[bytes], cuts: set[_Cut], needles: Needles, page: int) -> Iterator[_Cut]:
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


def _chunks(file: IO[bytes], more: int) -> Iterator[tuple[int, bytes]]:
    """The file in parts, each with what stands right behind it: where it starts, the data."""
    start, data = 0, file.read(_CHUNK + more)
    while data:
        yield start, data
        start += _CHUNK
        data = data[_CHUNK:]
        data += file.read(_CHUNK + more - len(data))
