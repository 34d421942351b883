"""Cases 10, 20, 43, 46, 52, 53, 60 of memory from the field that no other file of memory shows."""

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foundation.errors import NotFoundError, UsageError
from memory.embedders import EmbedderError
from memory.model import Message, Slot
from memory.model_extract import Remembered, supported
from memory.qdrant import Qdrant
from memory.scope import Scope
from memory.service import Memory
from tests.telling import LIN, START, WordVectors, at, found, open_memory, tell

WANG = Scope.user("acme", "wang")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


@pytest.mark.parametrize(
    ("content", "quote", "kept"),
    [
        ("只记用户自己的事实", "只记用户自己的事实", False),
        ("我住在杭州", "我住在杭州", True),
        ("我住在上海", "我住在上海", False),
        ("Only keep facts about the user", "Only keep facts", False),
    ],
)
def test_case_10_a_sentence_of_the_prompt_or_without_support_is_no_memory(content: str, quote: str, kept: bool) -> None:
    prompt = "你是记忆助手。只记用户自己的事实。Only keep facts about the user."
    assert supported(Remembered(content=content, quote=quote), "我住在杭州，帮我找家餐厅", prompt) is kept


def test_case_20_no_call_moves_a_memory_to_another_pool(memory: Memory) -> None:
    told = tell(memory, "住在阳光花园", slot=Slot("user", "address"), value="阳光花园")
    memory_id = str(told.memory_id)
    stranger = Scope.user("other", "lin")
    for foreign in (WANG, stranger, Scope.tenant("acme")):
        for call in (
            lambda scope: memory.correct(scope, memory_id, "住在别处"),
            lambda scope: memory.undo(scope, memory_id),
            lambda scope: memory.invalidate(scope, memory_id, reason="test"),
            lambda scope: memory.restore(scope, memory_id, reason="test"),
            lambda scope: memory.settle(scope, memory_id, accept=True),
            lambda scope: memory.forget(scope, memory_id),
            lambda scope: memory.show(scope, memory_id),
            lambda scope: memory.history(scope, memory_id),
        ):
            with pytest.raises(NotFoundError):
                call(foreign)
    new = memory.correct(LIN, memory_id, "住在月光花园", now=at(1))
    assert memory.show(LIN, new.memory_id).sources == memory.show(LIN, memory_id).sources
    exported = list(memory.export(LIN))
    assert memory.import_lines(WANG, exported) == len(exported)
    assert [each.memory_id for each in memory.current(LIN)] == [new.memory_id]
    assert new.memory_id not in [each.memory_id for each in memory.current(WANG)]


def test_case_20_a_message_of_the_same_id_in_another_pool_changes_nothing(memory: Memory) -> None:
    said = Message("m1", "t1", "user", "我住在杭州", START)
    memory.observe(LIN, [said], now=START)
    before = memory.current(LIN)
    memory.observe(WANG, [replace(said, content="我住在北京")], now=at(1))
    assert memory.current(LIN) == before


ARMS = ("keyword", "vector", "slot", "neighbour", "relation")
NAMES = st.text(alphabet="u1U_*%a'林", min_size=1, max_size=4).filter(lambda name: bool(name.strip()))


def fill(memory: Memory, scope: Scope, mark: str) -> None:
    texts = (f"小林在做{mark}项目", f"{mark}项目用 React", f"我对{mark}过敏", f"我住在{mark}", f"我喜欢{mark}")
    for number, text in enumerate(texts):
        when = at(number)
        memory.observe(scope, [Message(f"m{number}", "t", "user", text, when)], now=when)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=NAMES, other=NAMES)
def test_case_43_no_arm_crosses_from_one_person_to_another(
    tmp_path_factory: pytest.TempPathFactory, one: str, other: str
) -> None:
    if one == other:
        return
    memory = open_memory(tmp_path_factory.mktemp("pools"), WordVectors())
    mine, foreign = Scope.user("acme", one), Scope.user("acme", other)
    fill(memory, foreign, "蓝鲸")
    for question in ("蓝鲸", "过敏", "地址", "小林", "小林用什么框架"):
        assert memory.search(mine, question, now=at(9)).recollections == ()
        assert memory.explain(mine, question, now=at(9)) == []
    assert (memory.profile(mine), memory.recent(mine), memory.current(mine)) == ([], [], [])
    fill(memory, mine, "红杉")
    seen = {
        arm.name for each in memory.explain(mine, "小林住在红杉吗，过敏吗", now=at(9)) for arm in each.candidate.arms
    }
    assert seen == set(ARMS)
    for question in ("蓝鲸", "小林", "小林用什么框架", "过敏"):
        assert not any("蓝鲸" in each.memory.content for each in memory.explain(mine, question, now=at(9)))
    memory.close()


@pytest.mark.parametrize("bad", ["", " ", None])
def test_case_46_deleting_wants_a_scope_as_writing_does(memory: Memory, bad: str | None) -> None:
    told = tell(memory, "喜欢喝茶")
    with pytest.raises(UsageError):
        memory.forget(Scope.user("acme", bad), str(told.memory_id))  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        memory.forget_me(Scope.user(bad, "lin"), confirm="x")  # type: ignore[arg-type]
    assert len(memory.current(LIN)) == 1


def test_case_52_an_embedder_of_another_size_loses_no_memory(tmp_path: Path) -> None:
    old = open_memory(tmp_path, WordVectors(512))
    tell(old, "我对核桃过敏")
    old.close()
    new = open_memory(tmp_path, WordVectors(1024, version="2"))
    assert len(found(new, "核桃")) == 1
    assert new.doctor(LIN).healthy
    assert len(found(new, "核桃")) == 1


def test_case_53_two_graphs_and_twenty_writers_share_one_local_index(tmp_path: Path) -> None:
    embedder = WordVectors()
    index = Qdrant.open(":memory:", fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    memories = [open_memory(tmp_path, embedder, vector_index=index) for _ in range(2)]
    failed: list[Exception] = []

    def write(number: int) -> None:
        try:
            tell(memories[number % 2], f"第{number}条：鲸鱼{number}号在港口")
        except Exception as error:  # a thread must not swallow it
            failed.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    assert len(memories[0].current(LIN, now=START + timedelta(days=1))) == 20
    # What the local index refused while another thread was in it is brought to it later.
    url = f"sqlite:///{tmp_path}/memory.db"
    later = Memory.open(url, embedder=embedder, vector_index=index, clock=lambda: at(10))
    assert later.doctor(LIN).healthy
    assert index.count(LIN.pool) == 20
    index.close()


@pytest.mark.parametrize("kind", ["semantic", "episodic", "procedural"])
def test_case_60_every_kind_of_memory_is_in_every_index(memory: Memory, kind: str) -> None:
    for number in range(3):
        tell(memory, f"whale sighting number {number}", kind=kind)  # type: ignore[arg-type]
    health = memory.examine(LIN)
    assert (health.current, health.indexed, health.embedded, health.documents) == (3, 3, 3, 3)


def test_case_60_vectors_that_wait_are_counted_and_made_up(tmp_path: Path) -> None:
    embedder = WordVectors()
    memory = open_memory(tmp_path, embedder)
    embedder.works = False
    tell(memory, "whale sighting")
    assert not memory.examine(LIN).healthy
    with pytest.raises(EmbedderError):
        embedder.question("whale")
    embedder.works = True
    assert memory.doctor(LIN).healthy
