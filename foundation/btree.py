"""Pages of an SQLite file: which of their bytes no row uses, as the file format says (https://sqlite.org/fileformat2.html).

What was deleted may stay in such bytes - when rows move to another page, SQLite leaves a copy behind, whatever
`secure_delete` says. They mean nothing to SQLite, so they may be overwritten in place.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import BinaryIO

_MAGIC = b"SQLite format 3\0"
_HEAD = 100
_LEAVES, _INNER = (10, 13), (2, 5)
_POINTER = 2
_FREEBLOCK = 4
"""Bytes by which an unused block inside a page names the next one, and its own size."""
_TRUNK = 8
_MOST_PAGES = 1 << 24
"""With more, the number of a page that goes on elsewhere could be taken for the kind of a page."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the head of a file says about all of it."""

    page: int
    """Bytes of a page."""
    usable: int
    """Those of them that SQLite uses."""
    pages: int
    first_trunk: int
    """The page where the list of free pages begins; 0 for none."""
    plain: bool
    """Whether its pages can be told by their first byte: not so in huge files and those with maps of pointers."""

    @classmethod
    def of(cls, head: bytes, size: int) -> "Layout | None":
        """The layout by the first hundred bytes; None for a file that isn't one of SQLite's."""
        if not head.startswith(_MAGIC) or len(head) < _HEAD:
            return None
        page = _number(head, 16, 2)
        page = 65536 if page == 1 else page
        pages = size // page
        plain = pages < _MOST_PAGES and not _number(head, 52)
        return cls(page, page - head[20], pages, _number(head, 32), plain)


class Pages:
    """The pages of one file, which nobody changes meanwhile."""

    def __init__(self, file: BinaryIO) -> None:
        """Read from a file that is open for reading; where the caller reads in it stays as it is."""
        self._handle = file.fileno()
        self.layout = Layout.of(os.pread(self._handle, _HEAD, 0), os.fstat(self._handle).st_size)

    @property
    def size(self) -> int:
        """Bytes of a page; 0 for a file that isn't one of SQLite's."""
        return self.layout.page if self.layout else 0

    def read(self, number: int) -> bytes:
        """A page by its number, from one on."""
        return os.pread(self._handle, self.size, (number - 1) * self.size)

    def stream(self, number: int) -> BinaryIO:
        """A page to be read like a file."""
        return BytesIO(self.read(number))

    @cached_property
    def free(self) -> dict[int, int]:
        """The free pages: from which byte on each holds nothing that SQLite reads."""
        found: dict[int, int] = {}
        trunk = self.layout.first_trunk if self.layout else 0
        while trunk and trunk not in found:
            data = self.read(trunk)
            count = min(_number(data, 4), len(data) // 4 - 2)
            found[trunk] = _TRUNK + 4 * count
            found.update({_number(data, _TRUNK + 4 * each): 0 for each in range(count)})
            trunk = _number(data, 0)
        return found

    def unused(self, number: int) -> list[Span] | None:
        """The parts of a page that no row uses; None where the page alone doesn't tell."""
        if not self.layout or not self.layout.plain:
            return None
        if number in self.free:
            return [(self.free[number], self.size)]
        page = self.read(number)
        spans = list(_spans(page, _HEAD if number == 1 else 0, self.layout.usable))
        return spans if spans and _sound(spans, self.layout.usable) else None


def _spans(page: bytes, head: int, usable: int) -> Iterator[Span]:
    """The gap behind the pointers to the rows, and the blocks between rows; nothing for a page of another kind."""
    kind = page[head]
    if kind not in (*_LEAVES, *_INNER):
        return
    pointers = head + (8 if kind in _LEAVES else 12)
    content = _number(page, head + 5, 2) or 65536
    yield pointers + _POINTER * _number(page, head + 3, 2), content
    block, last = _number(page, head + 1, 2), content - 1
    while last < block <= usable - _FREEBLOCK:
        size = _number(page, block + 2, 2)
        yield block + _FREEBLOCK, block + size
        block, last = _number(page, block, 2), block + size - 1
    if block:
        yield block, -1  # The blocks don't follow one another: this page isn't what it seems.


def _sound(spans: list[Span], usable: int) -> bool:
    """Whether the parts lie inside the page, one behind the other."""
    ends = [0, *(end for _, end in spans)]
    return all(before <= begin <= end <= usable for before, (begin, end) in zip(ends, spans, strict=False))


def _number(data: bytes, at: int, size: int = 4) -> int:
    return int.from_bytes(data[at : at + size], "big")
