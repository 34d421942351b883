"""Bringing a database file to the present schema, and saying so when it is newer than this program."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from foundation.database import writing
from foundation.errors import StorageError

_POSTGRES_LOCK = 5_207_131


def upgrade(engine: Engine, *, to: str = "head") -> None:
    """Apply all revisions that the database lacks, in one transaction; safe when several processes start at once.

    Raises:
        StorageError: the database was written by a newer version of this program.
    """
    if _current(engine) == _head():
        return
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
        config = _config(connection)
        try:
            command.upgrade(config, to)
        except CommandError as error:
            raise StorageError(f"the database was written by a newer version ({error}): update remembrancer") from None


def revision_of(engine: Engine) -> str | None:
    """The revision of a database's schema; None for one without."""
    return _current(engine)


def is_known(revision: str) -> bool:
    """Whether this version of the program has this revision, so that it can read such a database."""
    try:
        return ScriptDirectory.from_config(_config()).get_revision(revision) is not None
    except CommandError:
        return False


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def _head() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _current(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()
