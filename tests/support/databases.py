"""The databases of the tests: SQLite files, or databases of the PostgreSQL server whose URL `TEST_SERVER` holds."""

import os
import sqlite3
from contextlib import closing
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import URL, create_engine, make_url, text

from foundation.database import open_engine
from foundation.schema import upgrade

SERVER = os.environ.get("TEST_SERVER", "")
"""URL of a PostgreSQL server on loopback that is there for the tests alone; "" for SQLite files."""
_TEMPLATE = "remembrancer_empty"


def database_at(file: Path) -> str:
    """URL of the database that belongs to this path: made at the present schema when it is first asked for."""
    if SERVER:
        return _create(file, _template())
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_empty_file())
    return f"sqlite:///{file}"


def copy_database(source: Path, target: Path) -> None:
    """Copy one database for another path, where its folder was copied already: a server's is no file in it.

    Nobody may have the first one open.
    """
    if SERVER:
        _create(target, _name(source))


def rows(file: Path, query: str, values: tuple[object, ...] = (), *, change: bool = False) -> list[tuple[Any, ...]]:
    """Rows of the database of this path, read past the program; `?` stands for a value. With `change` it is written."""
    if not SERVER:
        with closing(sqlite3.connect(file, timeout=30)) as connection:
            found = connection.execute(query, values).fetchall()
            connection.commit()
            return found
    import psycopg

    url = _url(_name(file)).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url) as connection:
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


def _template() -> str:
    file = Path(_TEMPLATE)
    if _create(file, "template1", new_only=True):
        _bring_up(_create(file, "template1"))
    return _name(file)


def _bring_up(url: str) -> None:
    engine = open_engine(url)
    upgrade(engine)
    engine.dispose()


def _create(file: Path, template: str, *, new_only: bool = False) -> str:
    """Make the database of this path, unless there is one, and say its URL; with `new_only` "" where there was one."""
    name = _name(file)
    engine = create_engine(_url("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        known = connection.execute(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}).first()
        if not known:
            connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    engine.dispose()
    return "" if known and new_only else _url(name).set(drivername="postgresql").render_as_string(hide_password=False)


def _name(file: Path) -> str:
    return f"t_{sha256(str(file.absolute()).encode()).hexdigest()[:24]}"


def _url(database: str) -> URL:
    return make_url(SERVER).set(drivername="postgresql+psycopg", database=database)
