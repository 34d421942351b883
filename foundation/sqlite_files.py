"""SQLite files from outside: which rows hold a text, and clearing a file of what was freed in it."""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from foundation.errors import StorageError

OWNERS = ("pool", "namespace", "tenant", "thread_id")
"""Columns that say whose a row is, the most telling first."""
_PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose rows hold a text: the table, and the column with its value that says whose they are ("" for none)."""

    table: str
    column: str
    owner: str


def companions(path: Path) -> tuple[Path, ...]:
    """The files that SQLite keeps for one database: itself, the write-ahead log, its index, a rollback journal."""
    return tuple(path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))


def holders(path: Path, written: Sequence[bytes]) -> Counter[Holder]:
    """Which rows hold one of these byte strings in some column, counted by table and owner."""
    found: Counter[Holder] = Counter()
    with _opened(path) as connection:
        for table, columns in _tables(connection).items():
            column = next((each for each in OWNERS if each in columns), "")
            owner = f'"{column}"' if column else "''"
            holds = " OR ".join(f'instr(CAST("{each}" AS BLOB), ?)' for each in columns for _ in written)
            query = f'SELECT {owner}, count(*) FROM "{table}" WHERE {holds} GROUP BY 1'  # noqa: S608 - names of the file
            for name, count in connection.execute(query, [*written] * len(columns)):
                found[Holder(table, column, str(name))] += count
    return found


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
