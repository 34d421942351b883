"""How SQLite finds what it is asked for: the plan of each statement that really runs."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Engine, event


@contextmanager
def plans_of(engine: Engine, matters: Callable[[str], bool] = lambda _: True) -> Iterator[list[str]]:
    """The lines of the plans of all statements that matter, as they run while this is open."""
    told: list[str] = []

    def plan(_: object, cursor: sqlite3.Cursor, statement: str, values: Sequence[object], *__: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and matters(statement):
            told.extend(row[3] for row in cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", values))

    event.listen(engine, "after_cursor_execute", plan)
    try:
        yield told
    finally:
        event.remove(engine, "after_cursor_execute", plan)
