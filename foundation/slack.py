"""Clearing an SQLite file of texts that stand in bytes no row uses, while others go on reading and writing.

The file is read once, as it is at one moment: a reader holds it so that nothing is brought in from the write-ahead log
meanwhile. Where a text stands outside of all rows, that part of its page is overwritten with zeros under the write
lock, which lasts milliseconds however large the file is. A page that was changed during the reading is looked at again
before the lock is let go, because rows may have moved there with what lay between them.

Only for a process that doesn't work with the file otherwise: see `foundation.residue`.
"""

import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from foundation.btree import Pages
from foundation.needles import Needles
from foundation.residue import Found, places_in
from foundation.sqlite_files import PATIENCE, emptied, opened

_ROUNDS = 3
_SHORTLY = 0.02
_LOG_HEAD, _FRAME_HEAD = 32, 24

Dirty = dict[int, set[str]]
"""Pages that hold texts outside of rows."""


@dataclass(slots=True)
class Seen:
    """Which texts stand in a database, by what its pages tell."""

    rows: set[str] = field(default_factory=set)
    """In rows."""
    beyond: set[str] = field(default_factory=set)
    """In pages with the rest of long rows: only the rows can tell whether they still use it."""
    freed: set[str] = field(default_factory=set)
    """Outside of all rows, and not overwritten."""
    log_in_use: bool = False
    """Whether the write-ahead log could not be emptied: it may hold more."""


def cleared(path: Path, needles: Needles) -> Seen:
    """Overwrite what of the texts stands outside of rows; returns what stands in rows, or could not be overwritten.

    Raises:
        OSError: the file can't be read or written.
        sqlite3.Error: it is damaged, or locked for half a minute.
    """
    # The handle is opened first and so closed last: closing it lets go of every lock on the file.
    with ExitStack() as stack:
        file = stack.enter_context(path.open("r+b", buffering=0))
        reader, writer = (stack.enter_context(opened(path)) for _ in range(2))
        for _ in range(_ROUNDS):
            still = _hold_still(path, reader)
            seen, dirty = _looked(file, needles)
            done = still and (not dirty or _overwritten(file, path, needles, dirty, reader, writer))
            if reader.in_transaction:
                reader.execute("ROLLBACK")
            if done or not still:
                break
        seen.freed = {text for texts in dirty.values() for text in texts}
        seen.log_in_use = not (done and emptied(reader))
    return seen


def _hold_still(path: Path, reader: sqlite3.Connection) -> bool:
    """Empty the write-ahead log and begin to read: as long as that lasts, the file doesn't change.

    False when others are always in between; then the reading lasts all the same.
    """
    until = time.monotonic() + PATIENCE
    while True:
        emptied(reader)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        still = not _size_of_log(path)
        if still or time.monotonic() > until:
            return still
        reader.execute("ROLLBACK")
        time.sleep(_SHORTLY)


def _looked(file: BinaryIO, needles: Needles, only: Iterable[int] | None = None) -> tuple[Seen, Dirty]:
    """What stands in the file, or in some of its pages, and which pages hold some of it outside of rows."""
    pages, seen, dirty = Pages(file), Seen(), defaultdict[int, set[str]](set)
    last, unused = 0, None
    for found in _places(file, pages, needles, only):
        number, begin = found.at // pages.size + 1, found.at % pages.size
        if number != last:  # A page that says the same to many needs to be taken apart once.
            last, unused = number, pages.unused(number)
        if unused is None:
            seen.beyond.add(found.text)
        elif any(start < begin + found.size and begin < end for start, end in unused):
            dirty[number].add(found.text)
        else:
            (seen.beyond if found.cut else seen.rows).add(found.text)
    return seen, dirty


def _places(file: BinaryIO, pages: Pages, needles: Needles, only: Iterable[int] | None) -> Iterator[Found]:
    if only is None:
        file.seek(0)
        yield from places_in(file, needles, pages.size)
    else:
        for number in only:
            for found in places_in(pages.stream(number), needles):
                yield found._replace(at=found.at + (number - 1) * pages.size)


def _overwritten(
    file: BinaryIO,
    path: Path,
    needles: Needles,
    dirty: Dirty,
    reader: sqlite3.Connection,
    writer: sqlite3.Connection,
) -> bool:
    """Overwrite what lies outside of rows in these pages, and take them out of `dirty`; False when more turned up.

    A page that is in the log counts as it stands there, and is only looked at: what was overwritten in the file would
    come back from the log.
    """
    writer.execute("BEGIN IMMEDIATE")
    changed = _pages_in_log(path, Pages(file).size)
    _overwrite(file, dirty.keys() - changed)
    for number in dirty.keys() - changed:
        del dirty[number]
    reader.execute("ROLLBACK")
    if changed:
        dirty.clear()
        brought_in = _brought_in(reader)
        dirty.update(_looked(file, needles, sorted(changed))[1])
    # Any commit makes others drop the pages that they remember, with what stood between their rows.
    version = writer.execute("PRAGMA user_version").fetchone()[0]
    writer.execute(f"PRAGMA user_version = {int(version)}")
    writer.execute("COMMIT")
    return not changed or (brought_in and not dirty)


def _overwrite(file: BinaryIO, numbers: Collection[int]) -> None:
    pages = Pages(file)
    for number in numbers:
        for start, end in pages.unused(number) or ():
            os.pwrite(file.fileno(), bytes(end - start), (number - 1) * pages.size + start)
    os.fsync(file.fileno())


def _brought_in(reader: sqlite3.Connection) -> bool:
    _, frames, done = reader.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return bool(frames == done)


def _size_of_log(path: Path) -> int:
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def _pages_in_log(path: Path, size: int) -> set[int]:
    """The numbers of the pages that the write-ahead log holds, an unfinished transaction's included."""
    log = path.with_name(path.name + "-wal")
    found: set[int] = set()
    if log.exists():
        with log.open("rb") as file:
            file.seek(_LOG_HEAD)
            while len(head := file.read(_FRAME_HEAD)) == _FRAME_HEAD:
                found.add(int.from_bytes(head[:4], "big"))
                file.seek(size, os.SEEK_CUR)
    return found
