"""SQLite files from outside: which rows hold a text, and clearing a file of what was freed in it."""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foundation.errors import StorageError
from foundation.needles import Needles

OWNERS = ("pool", "namespace", "thread_id", "thread", "review_id", "tenant")
"""Columns that say whose a row is, the most telling first."""
PATIENCE = 30.0
"""Seconds that others are waited for."""
_SHORTLY = 0.02
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


def holders(path: Path, needles: Needles, owners: Mapping[str, Collection[str] | None]) -> dict[str, set[Holder]]:
    """Whose rows hold each of the texts, in whatever form, in some column; texts that no row holds are left out.

    The rows are read once, however many texts there are.

    Args:
        path: the file.
        needles: the texts.
        owners: which rows are read, by the column that says whose they are ("" for tables without one): those of
            these owners, or all (None). What an index leads to costs nothing of the others.
    """
    found: dict[str, set[Holder]] = defaultdict(set)
    with opened(path) as connection:
        for table, columns in _tables(connection).items():
            column = next((each for each in OWNERS if each in columns), "")
            for rows in _gathered(_rows(connection, table, columns, column, owners)):
                for text, number in _texts_in([data for _, data in rows], needles):
                    found[text].add(Holder(table, column, str(rows[number][0])))
    return dict(found)


EVERYBODY: Mapping[str, None] = dict.fromkeys((*OWNERS, ""))
"""For `holders`: all rows of all tables."""


def _rows(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    column: str,
    owners: Mapping[str, Collection[str] | None],
) -> Iterator[tuple[object, bytes]]:
    """The rows of a table that belong to these owners: whose each is, and all its columns as bytes."""
    if column not in owners:
        return
    owner = f'"{column}"' if column else "''"
    joined = " || x'00' || ".join(f"""ifnull("{each}", '')""" for each in columns)
    query = f'SELECT {owner}, CAST({joined} AS BLOB) FROM "{table}"'  # noqa: S608 - names of the file
    wanted = owners[column]
    if wanted is None:
        yield from connection.execute(query)
    else:
        for each in wanted:
            yield from connection.execute(f"{query} WHERE {owner} = ?", (each,))


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


def truncate_log(path: Path, *, patience: float = PATIENCE) -> bool:
    """Bring the write-ahead log into the database and empty it; False when somebody reads from it all that time."""
    until = time.monotonic() + patience
    with opened(path) as connection:
        while not emptied(connection):
            if time.monotonic() > until:
                return False
            time.sleep(_SHORTLY)
    return True


def emptied(connection: sqlite3.Connection) -> bool:
    """Bring the write-ahead log into the database and empty it, without waiting long for those who read from it.

    Most is brought in without a lock, so that the one under which the log is emptied lasts a moment only: no other
    connection can write meanwhile.
    """
    connection.execute(f"PRAGMA busy_timeout={1000 * _SHORTLY:.0f}").close()
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").close()
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    connection.execute(f"PRAGMA busy_timeout={1000 * PATIENCE:.0f}").close()
    return not busy


def compact(path: Path) -> bool:
    """Write the database anew without whatever was freed in it; False when it is in use all the time."""
    with opened(path) as connection:
        try:
            connection.execute("VACUUM")
        except sqlite3.OperationalError:
            return False
    return truncate_log(path)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that clears what it frees.

    Raises:
        StorageError: the file is damaged, or somebody holds it.
    """
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete=ON").close()
            yield connection
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path} can't be worked on ({error}): check the disk and who holds it") from error
