"""The databases of the tests: SQLite files, or databases of the PostgreSQL server whose URL `TEST_SERVER` holds."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import URL, Connection, create_engine, make_url, text

from foundation.database import open_engine
from foundation.schema import upgrade

SERVER = os.environ.get("TEST_SERVER", "")
"""URL of a PostgreSQL server on loopback that is there for the tests alone; "" for SQLite files."""
_TEMPLATE = "remembrancer_empty"


def database_at(file: Path) -> str:
    """URL of the database that belongs to this path: made at the present schema when it is first asked for."""
    if SERVER:
        return _make(_name(file), _template())
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_empty_file())
    return f"sqlite:///{file}"


def copy_database(source: Path, target: Path) -> None:
    """Copy one database for another path, where its folder was copied already: a server's is no file in it.

    Nobody may have the first one open.
    """
    if SERVER:
        _make(_name(target), _name(source))


def rows(file: Path, query: str, values: tuple[object, ...] = (), *, change: bool = False) -> list[tuple[Any, ...]]:
    """Rows of the database of this path, read past the program; `?` stands for a value. With `change` it is written."""
    if not SERVER:
        with closing(sqlite3.connect(file, timeout=30)) as connection:
            found = connection.execute(query, values).fetchall()
            connection.commit()
            return found
    import psycopg

    with psycopg.connect(_text(_name(file))) as connection:
        # A literal % is doubled, since %s stands for a value here.
        cursor = connection.execute(query.replace("%", "%%").replace("?", "%s").encode(), values)
        return [] if change else cursor.fetchall()


@lru_cache(maxsize=1)
def _empty_file() -> bytes:
    """A file at the present schema, made once: migrations are tested elsewhere."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        _bring_up(f"sqlite:///{file}")
        return file.read_bytes()


@lru_cache(maxsize=1)
def _template() -> str:
    """A database at the present schema to copy from, made by whichever process of the tests comes first."""
    engine = create_engine(_url("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection, _alone(connection):
        if not _exists(connection, _TEMPLATE):
            unfinished = f"{_TEMPLATE}_unfinished"
            connection.execute(text(f'DROP DATABASE IF EXISTS "{unfinished}"'))
            connection.execute(text(f'CREATE DATABASE "{unfinished}"'))
            _bring_up(_text(unfinished))
            connection.execute(text(f'ALTER DATABASE "{unfinished}" RENAME TO "{_TEMPLATE}"'))
    engine.dispose()
    return _TEMPLATE


def _make(name: str, template: str) -> str:
    """Make the database from a template, unless there is one; its URL."""
    engine = create_engine(_url("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection, _alone(connection):
        if not _exists(connection, name):
            connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    engine.dispose()
    return _text(name)


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """One process at a time makes databases."""
    connection.execute(text("SELECT pg_advisory_lock(1)"))
    yield
    connection.execute(text("SELECT pg_advisory_unlock(1)"))


def _exists(connection: Connection, name: str) -> bool:
    query = text("SELECT 1 FROM pg_database WHERE datname = :name")
    return connection.execute(query, {"name": name}).first() is not None


def _bring_up(url: str) -> None:
    engine = open_engine(url)
    upgrade(engine)
    engine.dispose()


def _name(file: Path) -> str:
    return f"t_{sha256(str(file.absolute()).encode()).hexdigest()[:24]}"


def _url(database: str) -> URL:
    return make_url(SERVER).set(drivername="postgresql+psycopg", database=database)


def _text(database: str) -> str:
    return _url(database).set(drivername="postgresql").render_as_string(hide_password=False)
