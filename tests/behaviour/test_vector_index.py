"""One suite that every vector index must pass; cases 52, 53, 60: vectors are never mixed, wiped or silently lost."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.embedders import Vectors
from memory.qdrant import Qdrant
from memory.vector_index import SqlScan, VectorIndex, VectorIndexError
from memory.vector_table import Point
from tests.telling import LIN, WordVectors, found, open_memory, tell

FINGERPRINT = "test/1/4"


@pytest.fixture(params=["sql", "qdrant in memory", "qdrant in a folder"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    if request.param == "sql":
        yield SqlScan(open_memory(tmp_path).engine, fingerprint=FINGERPRINT)
        return
    place = ":memory:" if request.param == "qdrant in memory" else str(tmp_path / "qdrant")
    qdrant = Qdrant.open(place, fingerprint=FINGERPRINT, dimension=4)
    yield qdrant
    qdrant.close()


def vector(*numbers: float) -> Vectors:
    found = np.array(numbers, dtype=np.float32)
    return np.asarray(found / np.linalg.norm(found))


POINTS = (Point("a", vector(1, 0, 0, 0)), Point("b", vector(1, 1, 0, 0)), Point("c", vector(0, 0, 1, 0)))


def test_the_nearest_comes_first_with_its_cosine(index: VectorIndex) -> None:
    index.upsert("p", POINTS)
    answer = index.search("p", vector(1, 0.1, 0, 0), 2)
    assert [document for document, _ in answer] == ["a", "b"]
    assert answer[0][1] == pytest.approx(0.995, abs=0.001)


def test_the_same_vector_has_similarity_one(index: VectorIndex) -> None:
    index.upsert("p", POINTS)
    assert index.search("p", vector(0, 0, 1, 0), 1) == [("c", pytest.approx(1, abs=1e-6))]


def test_pools_never_meet_even_with_equal_documents(index: VectorIndex) -> None:
    index.upsert("p", POINTS)
    index.upsert("q", [Point("a", vector(0, 0, 0, 1))])
    assert index.search("q", vector(1, 0, 0, 0), 9) == [("a", pytest.approx(0, abs=1e-6))]
    index.delete("q", ["a", "b"])
    assert (index.count("p"), index.count("q")) == (3, 0)


def test_an_upsert_replaces(index: VectorIndex) -> None:
    index.upsert("p", POINTS)
    index.upsert("p", [Point("a", vector(0, 0, 0, 1))])
    assert index.count("p") == 3
    assert index.search("p", vector(0, 0, 0, 1), 1)[0][0] == "a"


def test_deleting_what_is_not_there_changes_nothing(index: VectorIndex) -> None:
    index.upsert("p", POINTS)
    index.delete("p", ["z"])
    assert index.count("p") == 3
    assert index.search("nobody", vector(1, 0, 0, 0), 3) == []


# The client that is refused leaves its lock file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_case_53_a_second_process_on_a_qdrant_folder_is_told_so_and_gets_it_when_it_is_free(tmp_path: Path) -> None:
    first, second = (Qdrant.open(str(tmp_path), fingerprint=FINGERPRINT, dimension=4) for _ in range(2))
    assert first.count("p") == 0
    with pytest.raises(VectorIndexError, match="in use by another process"):
        second.count("p")
    first.close()
    assert second.count("p") == 0
    second.close()


@pytest.mark.parametrize("outside", [False, True])
def test_case_52_another_embedder_loses_nothing_and_never_meets_old_vectors(tmp_path: Path, outside: bool) -> None:
    def index(embedder: WordVectors) -> Qdrant | None:
        place = str(tmp_path / "qdrant")
        return Qdrant.open(place, fingerprint=embedder.fingerprint, dimension=embedder.dimension) if outside else None

    small, large = WordVectors(64), WordVectors(128, version="2")
    old_index = index(small)
    old = open_memory(tmp_path, small, vector_index=old_index)
    for number in range(5):
        tell(old, f"whale sighting number {number}")
    assert old.examine(LIN).healthy
    if old_index:
        old_index.close()
    new_index = index(large)
    new = open_memory(tmp_path, large, vector_index=new_index)
    assert len(found(new, "whale sighting")) == 5
    assert new.examine(LIN).embedded == 0
    assert new.doctor(LIN).healthy
    assert (new.examine(LIN).embedded, len(new.current(LIN))) == (5, 5)
    if new_index:
        assert new_index.count(LIN.pool) == 5
        new_index.close()


def test_case_60_doctor_finds_and_repairs_indexes_that_lost_rows(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    for number in range(6):
        tell(memory, f"whale sighting number {number}", kind=("semantic", "episodic", "procedural")[number % 3])
    assert memory.examine(LIN).healthy
    with memory.engine.begin() as connection:
        connection.exec_driver_sql(
            "DELETE FROM memory_postings WHERE document IN (SELECT memory_id FROM memories LIMIT 2)"
        )
        connection.exec_driver_sql(
            "DELETE FROM memory_vectors WHERE document IN (SELECT memory_id FROM memories LIMIT 3)"
        )
    health = memory.examine(LIN)
    assert (health.current, health.indexed, health.embedded, health.healthy) == (6, 4, 3, False)
    assert memory.doctor(LIN).healthy
    assert memory.rebuild(LIN).healthy
