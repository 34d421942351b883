"""Inserts that meet an existing row, the same on SQLite and PostgreSQL.

Each statement is built once and run with its rows as parameters: building one costs more than running it. Whether a
row was inserted is read from what the statement returns: the count of rows is not told for every table.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

Insert = sqlite.Insert | postgresql.Insert
Row = Mapping[str, Any]


def keep_first(connection: Connection, table: Table, row: Row, *, key: Sequence[str] = ()) -> bool:
    """Insert the row unless a unique key forbids it (only `key`, where it is named); says whether it was inserted."""
    statement = _keeping(table, connection.dialect.name, tuple(key)).returning(*list(table.primary_key)[:1])
    return connection.execute(statement, dict(row)).first() is not None


def keep_first_of_many(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert the rows that no unique key forbids."""
    if rows:
        connection.execute(_keeping(table, connection.dialect.name, ()), [dict(row) for row in rows])


def replace_rows(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> None:
    """Insert the rows, each over the one with the same key; all rows name the same columns."""
    if rows:
        statement = _replacing(table, connection.dialect.name, tuple(rows[0]), tuple(key))
        connection.execute(statement, [dict(row) for row in rows])


def replace_row(connection: Connection, table: Table, row: Row, *, key: Sequence[str]) -> None:
    """Insert the row, or overwrite the one with the same key."""
    replace_rows(connection, table, [row], key=key)


def add_up(connection: Connection, table: Table, row: Row, *, key: Sequence[str], column: str) -> int:
    """Insert the row, or add its `column` to that of the row with the same key, which stays locked; the sum."""
    statement = _adding(table, connection.dialect.name, tuple(key), column).returning(table.c[column])
    return int(connection.execute(statement, dict(row)).scalar_one())


def add_up_many(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str], column: str) -> None:
    """Each of the rows as in `add_up`."""
    if rows:
        statement = _adding(table, connection.dialect.name, tuple(key), column)
        connection.execute(statement, [dict(row) for row in rows])


@lru_cache
def _keeping(table: Table, dialect: str, key: tuple[str, ...]) -> Insert:
    return _insert(table, dialect).on_conflict_do_nothing(index_elements=list(key) or None)


@lru_cache
def _replacing(table: Table, dialect: str, columns: tuple[str, ...], key: tuple[str, ...]) -> Insert:
    statement = _insert(table, dialect)
    changed = {name: statement.excluded[name] for name in columns if name not in key}
    return statement.on_conflict_do_update(index_elements=list(key), set_=changed)


@lru_cache
def _adding(table: Table, dialect: str, key: tuple[str, ...], column: str) -> Insert:
    statement = _insert(table, dialect)
    changed = {column: table.c[column] + statement.excluded[column]}
    return statement.on_conflict_do_update(index_elements=list(key), set_=changed)


def _insert(table: Table, dialect: str) -> Insert:
    # The two classes share these methods without sharing a base that has them.
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
