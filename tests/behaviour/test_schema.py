"""The migrations bring any file to what the tables say, and newer files are refused."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

import invoices.tables
import memory.tables
import oversight.tables
import remembrancer.inbox.tables
from foundation.database import assert_durable, metadata, open_engine, writing
from foundation.errors import SettingsError, StorageError
from foundation.schema import upgrade

DESCRIBED = (invoices.tables, memory.tables, oversight.tables, remembrancer.inbox.tables)


def test_the_migrated_schema_is_the_one_that_the_tables_describe(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'new.db'}")
    upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_file_of_the_first_revision_is_brought_up_with_its_rows(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'old.db'}")
    upgrade(engine, to="0001")
    row = "INSERT INTO threads VALUES ('t', 'acme', 'invoice_audit', 'lin', '2026-11-29 12:00:00.000000')"
    with writing(engine) as connection:
        connection.execute(text(row))
    upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT tenant FROM threads")).scalar_one() == "acme"


def test_a_newer_file_is_refused_and_stays_as_it_is(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'newer.db'}")
    upgrade(engine)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="newer version"):
        upgrade(engine)


def test_a_ledger_that_a_power_cut_could_undo_is_refused(tmp_path: Path):
    engine = create_engine(f"sqlite:///{tmp_path / 'weak.db'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
    with pytest.raises(StorageError, match="must be FULL"):
        assert_durable(engine)
    engine.dispose()


def test_every_connection_of_ours_is_durable_and_erases_what_is_deleted(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'a.db'}")
    assert_durable(engine)
    with engine.connect() as connection:
        pragmas = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS}
    assert pragmas == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "foreign_keys": 1, "secure_delete": 1, "busy_timeout": 30_000}


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://host/db"])
def test_a_url_that_is_no_database_of_ours_is_refused(url: str):
    with pytest.raises(SettingsError, match="sqlite:///FILE"):
        open_engine(url)
