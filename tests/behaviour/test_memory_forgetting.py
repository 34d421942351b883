"""Cases 13, 14, 17, 62 of the field: what is forgotten is gone everywhere, and nothing else is."""

from pathlib import Path

import pytest
from qdrant_client import QdrantClient
from sqlalchemy import select

from foundation.errors import NotFoundError
from memory import outbox
from memory.model import Slot
from memory.qdrant import Qdrant
from memory.service import Memory
from memory.tables import vector_outbox
from memory.vector_index import VectorIndexError
from tests.telling import LIN, WordVectors, at, current, found, open_memory, tell

HOME = "住在阳光花园3栋"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


def test_case_13_a_deleted_address_is_found_by_no_path_and_not_in_the_files(memory: Memory, tmp_path: Path) -> None:
    kept = tell(memory, HOME, slot=Slot("user", "address"), value="阳光花园3栋", importance="critical")
    tell(memory, "喜欢花园", when=at(1))
    new = memory.correct(LIN, str(kept.memory_id), "住在阳光花园5栋", value="阳光花园5栋", now=at(2))
    found(memory, "地址")
    receipt = memory.forget(LIN, new.memory_id, now=at(3))
    assert receipt.counts["memories"] == (3, 1)
    assert receipt.counts["vectors"] == (3, 1)
    for query in ("地址", "阳光花园", HOME, "住在哪"):
        assert HOME not in found(memory, query)
        assert memory.search(LIN, query, now=at(4), as_of=at(1)).recollections == () or query == "阳光花园"
    assert current(memory) == ["喜欢花园"]
    assert not any("阳光" in line for line in memory.export(LIN))
    told = memory.history(LIN, new.memory_id)
    assert [(event.before, event.after) for event in told] == [(None, None)] * len(told)
    assert told[-1].what == "forgotten"
    memory.close()
    with memory.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not any("阳光".encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_case_14_deleting_one_message_leaves_the_others(memory: Memory) -> None:
    for number, text in enumerate(("我喜欢红色", "我喜欢绿茶", "我喜欢蓝天"), start=1):
        tell(memory, text, message_id=f"m{number}", when=at(number))
    memory.forget_message(LIN, "t1", "m2")
    assert current(memory) == ["我喜欢红色", "我喜欢蓝天"]
    assert found(memory, "绿茶") == []


def test_case_62_a_memory_with_another_source_outlives_one_of_its_messages(memory: Memory) -> None:
    tell(memory, "我喜欢绿茶", message_id="m1")
    tell(memory, "我喜欢绿茶", message_id="m2", when=at(1))
    memory.forget_message(LIN, "t1", "m1")
    assert [source.message_id for source in memory.current(LIN)[0].sources] == ["m2"]
    memory.forget_message(LIN, "t1", "m2")
    assert current(memory) == []


def test_a_request_to_forget_takes_exactly_what_it_means(memory: Memory) -> None:
    tell(memory, HOME, slot=Slot("user", "address"), value="阳光花园3栋")
    tell(memory, "公司地址在软件园", when=at(1))
    told = tell(memory, "忘掉那个地址", verb="forget", slot=Slot("user", "address"), when=at(2))
    assert told.status == "forgotten"
    assert current(memory) == ["公司地址在软件园"]


def test_an_ambiguous_request_to_forget_asks_which(memory: Memory) -> None:
    tell(memory, "绿茶要热的")
    tell(memory, "绿茶要冰的", when=at(1))
    told = tell(memory, "绿茶", verb="forget", when=at(2))
    assert told.status == "proposed"
    assert "绿茶要热的" in str(told.question)
    assert len(current(memory)) == 2
    assert tell(memory, "火星基地", verb="forget", when=at(3)).status == "nothing"


class Moody(Qdrant):
    """Qdrant with a switch: off, it answers nothing."""

    works = True

    def _make_ready(self) -> QdrantClient:
        if not self.works:
            raise ConnectionError("switched off")
        return super()._make_ready()


def test_case_17_a_failing_vector_store_is_told_and_the_deletion_carried_out_later(tmp_path: Path) -> None:
    embedder = WordVectors()
    index = Moody.open(":memory:", fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    memory = open_memory(tmp_path, embedder, vector_index=index)
    kept = str(tell(memory, HOME).memory_id)
    assert index.count(LIN.pool) == 1
    index.works = False
    receipt = memory.forget(LIN, kept)
    assert receipt.requested == ("vector index",)
    recall = memory.search(LIN, "阳光花园")
    assert (recall.recollections, current(memory)) == ((), [])
    with pytest.raises(NotFoundError):
        memory.show(LIN, kept)
    with pytest.raises(VectorIndexError):
        index.count(LIN.pool)
    index.works = True
    assert index.count(LIN.pool) == 1
    later = Memory(memory.engine, embedder=embedder, vector_index=index, clock=lambda: at(60))
    assert later.doctor(LIN).healthy
    assert index.count(LIN.pool) == 0
    again = str(tell(memory, HOME).memory_id)
    confirmed = memory.forget(LIN, again)
    assert (confirmed.requested, "vector index" in confirmed.proved, index.count(LIN.pool)) == ((), True, 0)


def test_the_answers_come_from_sql_while_qdrant_is_down(tmp_path: Path) -> None:
    embedder = WordVectors()
    index = Moody.open(":memory:", fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    memory = open_memory(tmp_path, embedder, vector_index=index)
    index.works = False
    tell(memory, "whale sighting near the coast")
    recall = memory.search(LIN, "whale sighting")
    assert [each.memory.content for each in recall.recollections] == ["whale sighting near the coast"]
    assert recall.degraded == ("vector index",)


def test_an_index_that_came_back_is_used_only_when_it_has_caught_up(tmp_path: Path) -> None:
    embedder = WordVectors()
    index = Moody.open(":memory:", fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    memory = open_memory(tmp_path, embedder, vector_index=index)
    tell(memory, "lighthouse keeper")
    index.works = False
    tell(memory, "whale sighting near the coast", thread="t2", when=at(1))
    index.works = True
    behind = memory.search(LIN, "whale sighting")
    assert [each.memory.content for each in behind.recollections] == ["whale sighting near the coast"]
    assert (behind.degraded, index.count(LIN.pool), outbox.waiting(memory.engine)) == (("vector index",), 1, 1)
    later = Memory(memory.engine, embedder=embedder, vector_index=index, clock=lambda: at(60))
    tell(later, "a third thing", thread="t3", when=at(60))
    assert (index.count(LIN.pool), outbox.waiting(memory.engine)) == (3, 0)
    caught_up = later.search(LIN, "whale sighting")
    assert [each.memory.content for each in caught_up.recollections] == ["whale sighting near the coast"]
    assert caught_up.degraded == ()


def test_the_outbox_waits_longer_after_each_failure_and_loses_nothing(tmp_path: Path) -> None:
    embedder = WordVectors()
    index = Moody.open(":memory:", fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    memory = open_memory(tmp_path, embedder, vector_index=index)
    index.works = False
    tell(memory, "whale sighting near the coast")

    def deliver(minutes: float) -> bool:
        return outbox.deliver(memory.engine, index, fingerprint=embedder.fingerprint, now=at(minutes))

    def attempts() -> list[int]:
        with memory.engine.connect() as connection:
            return list(connection.execute(select(vector_outbox.c.attempts)).scalars())

    assert attempts() == [1]
    assert deliver(0)  # nothing is due yet
    assert [(deliver(minutes), attempts()) for minutes in (1, 2, 3)] == [(False, [2]), (False, [3]), (False, [4])]
    assert deliver(3.1)
    index.works = True
    assert deliver(60)
    assert (attempts(), index.count(LIN.pool)) == ([], 1)
