"""The database: SQLAlchemy Core on SQLite (default) or PostgreSQL, opened the same way everywhere.

SQLite is opened with WAL (readers never wait for the writer), `synchronous=FULL` (an acknowledged commit survives a
power cut; NORMAL does not promise that), foreign keys, a busy timeout, and `secure_delete` (deleted text leaves the
file). A write transaction begins with BEGIN IMMEDIATE: one that reads first and writes later would otherwise fail
with "database is locked" instead of waiting.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, DateTime, Dialect, Engine, MetaData, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.types import TypeDecorator

from foundation.clock import as_utc
from foundation.errors import SettingsError, StorageError

BUSY_TIMEOUT_MS = 30_000
SYNCHRONOUS_FULL = 2
DRIVERS = ("sqlite", "postgresql")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC, returned aware in UTC; a naive one is refused at the border."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn an aware time into what the driver stores."""
        if value is None:
            return None
        moment = as_utc(value)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Turn what the driver stored into an aware time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def open_engine(url: str) -> Engine:
    """Open the database at `url` (`sqlite:///file.db` or `postgresql://...`) without creating tables.

    Raises:
        SettingsError: the URL is malformed or names a database that isn't supported.
        StorageError: the folder or file can't be written, or the server doesn't answer.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise SettingsError(f"{url!r} is no database URL: use sqlite:///FILE or postgresql://HOST/NAME") from None
    backend = parsed.get_backend_name()
    if backend not in DRIVERS:
        raise SettingsError(f"{backend} is not supported: use sqlite:///FILE or postgresql://HOST/NAME")
    if backend == "postgresql":
        if find_spec("psycopg") is None:
            raise SettingsError("PostgreSQL needs its driver: pip install 'remembrancer[postgres]'")
        engine = create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        _prepare_postgresql(engine)
        return engine
    if parsed.database and parsed.database != ":memory:":
        _make_folder(Path(parsed.database).parent)
    engine = create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000})
    _prepare_sqlite(engine)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} can't be made ({error.strerror}): choose another REMEMBRANCER_HOME") from None


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, record: object) -> None:  # noqa: ARG001
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_TIMEOUT_MS}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("remembrancer_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare_postgresql(engine: Engine) -> None:
    """Store the sign for what is no text in place of a zero byte: PostgreSQL refuses it, SQLite keeps it."""
    from psycopg.types.string import StrBinaryDumper, StrDumper, StrDumperUnknown

    def without_zeros(dumper: type[Any]) -> type[Any]:
        class WithoutZeros(dumper):  # type: ignore[misc]
            def dump(self, obj: str) -> Any:
                return super().dump(obj.replace("\0", "\ufffd"))

        return WithoutZeros

    dumpers = [without_zeros(dumper) for dumper in (StrBinaryDumper, StrDumper, StrDumperUnknown)]

    @event.listens_for(engine, "connect")
    def replace_zeros(connection: Any, record: object) -> None:  # noqa: ARG001
        for dumper in dumpers:
            connection.adapters.register_dumper(str, dumper)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One write transaction: committed at the end, rolled back on an error.

    Raises:
        StorageError: the database can't be written (read-only, full, or locked for longer than the busy timeout).
    """
    try:
        with engine.connect().execution_options(remembrancer_writes=True) as connection, connection.begin():
            yield connection
    except OperationalError as error:
        raise StorageError(f"the database can't be written ({error.orig}): check the disk and who holds it") from error


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One read transaction: a consistent view, no lock that a writer would wait for."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            # By default each statement there sees what was committed meanwhile.
            connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


def assert_durable(engine: Engine) -> None:
    """Make sure that an acknowledged commit survives a power cut.

    Raises:
        StorageError: SQLite runs with less than `synchronous=FULL`.
    """
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        level = connection.execute(text("PRAGMA synchronous")).scalar_one()
    if level < SYNCHRONOUS_FULL:
        raise StorageError(
            f"the ledger runs with synchronous={level}: it must be FULL (2), or a power cut loses decisions"
        )
