"""Inserts that meet an existing row, the same on SQLite and PostgreSQL.

Each statement is built once and run with its rows as parameters: building one costs more than running it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

Insert = sqlite.Insert | postgresql.Insert
Row = Mapping[str, object]


def keep_first(connection: Connection, table: Table, row: Row) -> bool:
    """Insert the row unless a unique key forbids it; says whether it was inserted."""
    return bool(connection.execute(_keeping(table, connection.dialect.name), dict(row)).rowcount > 0)


def keep_first_of_many(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert the rows that no unique key forbids."""
    if rows:
        connection.execute(_keeping(table, connection.dialect.name), [dict(row) for row in rows])


def replace_rows(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> None:
    """Insert the rows, each over the one with the same key; all rows name the same columns."""
    if rows:
        statement = _replacing(table, connection.dialect.name, tuple(rows[0]), tuple(key))
        connection.execute(statement, [dict(row) for row in rows])


def replace_row(connection: Connection, table: Table, row: Row, *, key: Sequence[str]) -> None:
    """Insert the row, or overwrite the one with the same key."""
    replace_rows(connection, table, [row], key=key)


def count_up(connection: Connection, table: Table, row: Row, *, key: Sequence[str], column: str) -> None:
    """Insert the row with `column` at one, or add one to that of the row with the same key, which stays locked."""
    count_up_many(connection, table, [row], key=key, column=column)


def count_up_many(
    connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str], column: str
) -> None:
    """The same for many rows, which are locked in their order."""
    counting = _counting(table, connection.dialect.name, tuple(key), column)
    connection.execute(counting, [{**row, column: 1} for row in rows])


@lru_cache
def _keeping(table: Table, dialect: str) -> Insert:
    return _insert(table, dialect).on_conflict_do_nothing()


@lru_cache
def _replacing(table: Table, dialect: str, columns: tuple[str, ...], key: tuple[str, ...]) -> Insert:
    statement = _insert(table, dialect)
    changed = {name: statement.excluded[name] for name in columns if name not in key}
    return statement.on_conflict_do_update(index_elements=list(key), set_=changed)


@lru_cache
def _counting(table: Table, dialect: str, key: tuple[str, ...], column: str) -> Insert:
    changed = {column: table.c[column] + 1}
    return _insert(table, dialect).on_conflict_do_update(index_elements=list(key), set_=changed)


def _insert(table: Table, dialect: str) -> Insert:
    # The two classes share these methods without sharing a base that has them.
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
