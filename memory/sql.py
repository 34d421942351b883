"""Inserts that meet an existing row, the same on SQLite and PostgreSQL."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def keep_first(connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
    """Insert the row unless a unique key forbids it; says whether it was inserted."""
    statement = _insert(connection, table).values(dict(row)).on_conflict_do_nothing()
    return bool(connection.execute(statement).rowcount > 0)


def replace_row(connection: Connection, table: Table, row: Mapping[str, object], *, key: Sequence[str]) -> None:
    """Insert the row, or overwrite the one with the same key."""
    statement = _insert(connection, table).values(dict(row))
    changed = {name: statement.excluded[name] for name in row if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=changed))


def _insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    # The two classes share these methods without sharing a base that has them.
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
