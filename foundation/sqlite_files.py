"""SQLite files from outside: which rows hold a text, and clearing a file of what was freed in it."""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foundation.errors import StorageError
from foundation.needles import Needles

OWNERS = ("pool", "namespace", "tenant", "thread_id")
"""Columns that say whose a row is, the most telling first."""
_PATIENCE = 30.0
_GROUP = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose rows hold a text: the table, and the column with its value that says whose they are ("" for none)."""

    table: str
    column: str
    owner: str


def companions(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps for one database: itself, the write-ahead log, its index, a rollback journal."""
    return tuple(path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))


def holders(path: Path, needles: Needles) -> dict[str, set[Holder]]:
    """Whose rows hold each of the texts, in whatever form, in some column; texts that no row holds are left out.

    The rows are read once, however many texts there are.
    """
    found: dict[str, set[Holder]] = defaultdict(set)
    with _opened(path) as connection:
        for table, columns in _tables(connection).items():
            column = next((each for each in OWNERS if each in columns), "")
            owner = f'"{column}"' if column else "''"
            joined = " || x'00' || ".join(f"""ifnull("{each}", '')""" for each in columns)
            query = f'SELECT {owner}, CAST({joined} AS BLOB) FROM "{table}"'  # noqa: S608 - names of the file
            for rows in _gathered(connection.execute(query)):
                for text, number in _texts_in([data for _, data in rows], needles):
                    found[text].add(Holder(table, column, str(rows[number][0])))
    return dict(found)


def _gathered(rows: Iterable[tuple[object, bytes]]) -> Iterator[list[tuple[object, bytes]]]:
    """Rows in groups of some megabytes."""
    group: list[tuple[object, bytes]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += len(row[1])
        if size > _GROUP:
            yield group
            group, size = [], 0
    yield group


def _texts_in(rows: Sequence[bytes], needles: Needles) -> Iterator[tuple[str, int]]:
    """The texts that stand in some rows, each with the row's place among them."""
    sights = needles.sights(b"\0".join(rows))
    whole = sights.agreed == needles.lengths[sights.number]
    ends = np.cumsum([len(row) + 1 for row in rows])
    places = np.searchsorted(ends, sights.at[whole], side="right")
    texts = [needles.listed[number].text for number in sights.number[whole].tolist()]
    yield from set(zip(texts, places.tolist(), strict=True))


def _tables(connection: sqlite3.Connection) -> dict[str, list[str]]:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {name: [row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')] for (name,) in names}


def truncate_log(path: Path, *, patience: float = _PATIENCE) -> bool:
    """Bring the write-ahead log into the database and empty it; False when somebody reads from it all that time."""
    until = time.monotonic() + patience
    with _opened(path) as connection:
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
    return True


def compact(path: Path) -> bool:
    """Write the database anew without whatever was freed in it; False when it is in use all the time."""
    with _opened(path) as connection:
        try:
            connection.execute("VACUUM")
        except sqlite3.OperationalError:
            return False
    return truncate_log(path)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete=ON").close()
            yield connection
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path} can't be worked on ({error}): check the disk and who holds it") from error
