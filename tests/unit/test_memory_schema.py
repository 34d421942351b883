from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from foundation.database import metadata, open_engine
from foundation.schema import upgrade
from memory import tables


def test_the_migrations_make_exactly_the_tables_of_memory(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/m.db")
    upgrade(engine)
    own = {table.name for table in vars(tables).values() if hasattr(table, "name") and hasattr(table, "columns")}
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_object": lambda thing, name, kind, reflected, other: kind != "table" or name in own},
        )
        assert compare_metadata(context, metadata) == []
    engine.dispose()
