"""The checkpoint file over the years: what closed threads no longer need goes, and a plain file becomes a sealed one.

Of a closed thread its newest checkpoint stays, so that a late resume is told that it is finished. A channel that is
kept as changes since a snapshot needs the checkpoints back to it: such a thread is left as it is.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from foundation.errors import StorageError
from foundation.sequences import chunks
from oversight.checkpoints import GuardedSqliteSaver, ThreadState
from oversight.sealing import Place, sealing, writing_at

_MANY = 500
_FULL_AND_EMPTY = ("synchronous=FULL", "secure_delete=ON")
_OLDER = (
    "DELETE FROM {0} WHERE thread_id IN ({1}) AND checkpoint_id < (SELECT MAX(n.checkpoint_id) FROM checkpoints n"
    " WHERE n.thread_id = {0}.thread_id AND n.checkpoint_ns = {0}.checkpoint_ns)"
)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning removed, and how large the file was and is."""

    threads: int
    checkpoints: int
    bytes_before: int
    bytes_after: int


def prune(saver: GuardedSqliteSaver, closed: Sequence[str], path: Path) -> Pruned:
    """Keep the newest checkpoint of each of these threads only, and give the space back.

    Threads that wait or hold an answer nobody went on with are left alone, whatever the caller believes of them.
    """
    before = _size(path)
    states = saver.thread_states(closed)
    resting = [thread_id for thread_id, state in states.items() if state is ThreadState.AT_REST]
    ready = [thread_id for thread_id in resting if not _needs_its_past(saver, thread_id)]
    removed = {thread_id: count for thread_id, count in _older(saver, ready).items() if count}
    _remove_older(saver, list(removed))
    compact(saver)
    return Pruned(len(removed), sum(removed.values()), before, _size(path))


def compact(saver: GuardedSqliteSaver) -> None:
    """Give free pages back to the disk, and empty the write-ahead log."""
    saver.conn.execute("VACUUM").close()
    saver.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


def seal(path: Path, key: bytes) -> int:
    """Encrypt the plain rows of a checkpoint file in one transaction; returns how many there were.

    Nothing of the plain text stays in the file. No other process may use the file meanwhile.

    Raises:
        StorageError: another process holds the file.
    """
    try:
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as connection:
            for pragma in _FULL_AND_EMPTY:
                connection.execute(f"PRAGMA {pragma}").close()
            connection.execute("BEGIN EXCLUSIVE")
            sealed = _seal_checkpoints(connection, key) + _seal_writes(connection, key)
            connection.execute("COMMIT")
            connection.execute("VACUUM").close()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    except sqlite3.OperationalError as error:
        raise StorageError(f"the checkpoints in {path} can't be encrypted ({error}): stop what uses them") from None
    return sealed


def _seal_checkpoints(connection: sqlite3.Connection, key: bytes) -> int:
    rows = connection.execute(
        "SELECT rowid, thread_id, checkpoint_ns, checkpoint_id, type, checkpoint FROM checkpoints"
        " WHERE type NOT LIKE '%+%'"
    ).fetchall()
    for row_id, *place, kind, value in rows:
        sealed = _sealed(tuple(place), kind, value, key)
        connection.execute("UPDATE checkpoints SET type = ?, checkpoint = ? WHERE rowid = ?", (*sealed, row_id))
    return len(rows)


def _seal_writes(connection: sqlite3.Connection, key: bytes) -> int:
    rows = connection.execute(
        "SELECT rowid, thread_id, checkpoint_ns, checkpoint_id, task_id, channel, type, value FROM writes"
        " WHERE type NOT LIKE '%+%'"
    ).fetchall()
    for row_id, *place, kind, value in rows:
        sealed = _sealed(tuple(place), kind, value, key)
        connection.execute("UPDATE writes SET type = ?, value = ? WHERE rowid = ?", (*sealed, row_id))
    return len(rows)


def _sealed(place: Place, kind: str, value: bytes, key: bytes) -> tuple[str, bytes]:
    with writing_at([place]):
        return sealing(key).seal(kind, value)


def _needs_its_past(saver: GuardedSqliteSaver, thread_id: str) -> bool:
    """Whether the newest checkpoint holds a channel as changes since a snapshot further back."""
    found = saver.get_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    return bool(found and found.metadata.get("counters_since_delta_snapshot"))


def _older(saver: GuardedSqliteSaver, thread_ids: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for some in chunks(thread_ids, _MANY):
        marks = ", ".join("?" * len(some))
        query = (
            "SELECT thread_id, count(*) - count(DISTINCT checkpoint_ns) FROM checkpoints"  # noqa: S608
            f" WHERE thread_id IN ({marks}) GROUP BY thread_id"
        )
        with saver.cursor(transaction=False) as cursor:
            counts |= dict(cursor.execute(query, some).fetchall())
    return counts


def _remove_older(saver: GuardedSqliteSaver, thread_ids: Sequence[str]) -> None:
    for some in chunks(thread_ids, _MANY):
        marks = ", ".join("?" * len(some))
        with saver.cursor() as cursor:
            for table in ("writes", "checkpoints"):
                cursor.execute(_OLDER.format(table, marks), some)


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
