"""The benchmark of a million fills its file with the very rows that an import writes."""

from pathlib import Path

from sqlalchemy import inspect, text

from benchmarks.filling import NOW, Synthetic, fill, scope_of, told_by
from memory.service import Memory
from memory.transfer import to_line


def rows(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    with memory.engine.connect() as connection:
        names = inspect(memory.engine).get_table_names()
        return {
            name: sorted(map(tuple, connection.execute(text(f'SELECT * FROM "{name}"'))), key=repr) for name in names
        }


def test_what_is_filled_in_equals_what_is_imported(tmp_path: Path) -> None:
    filled, imported = (
        Memory.open(f"sqlite:///{tmp_path}/{name}.db", embedder=Synthetic(), clock=lambda: NOW) for name in ("a", "b")
    )
    fill(filled, 4)
    for number in range(4):
        assert imported.import_lines(scope_of(number), map(to_line, told_by(number)), now=NOW) == 100
    one, other = rows(filled), rows(imported)
    assert one == other
    written = ("memories", "memory_sources", "memory_events", "memory_postings", "memory_vectors", "memory_relations")
    assert all(len(one[table]) >= 80 for table in written)
    assert filled.doctor(scope_of(3)).healthy
    filled.close()
    imported.close()
