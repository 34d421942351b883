"""Relations: what a question names is followed along what was told, inside one pool and at the time asked about."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from memory.model import Message, Slot
from memory.recall import Filters
from memory.relations import is_slip
from memory.scope import Scope
from memory.service import Memory
from memory.tables import entities, relations
from memory.triples import Triple, triple_of
from tests.talking import Conversation, conversation
from tests.telling import LIN, START, WordVectors, at, open_memory, tell


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with conversation(tmp_path, WordVectors()) as it:
        yield it


def hear(memory: Memory, text: str, scope: Scope = LIN, minutes: int = 0) -> None:
    memory.observe(scope, [Message(f"m{minutes}", "t1", "user", text, at(minutes))], now=at(minutes))


def asked(memory: Memory, question: str, scope: Scope = LIN, **options: object) -> list[str]:
    found = memory.search(scope, question, now=at(days=1), **options).recollections  # type: ignore[arg-type]
    return [each.memory.content for each in found]


def edges(memory: Memory, scope: Scope = LIN) -> tuple[int, int]:
    with memory.engine.connect() as connection:
        held = (select(func.count()).select_from(t).where(t.c.pool == scope.pool) for t in (relations, entities))
        return tuple(connection.execute(query).scalar_one() for query in held)  # type: ignore[return-value]


def test_seed_16_a_tool_is_recommended_over_two_hops(talk: Conversation) -> None:
    talk.say("小林在做 AI 助手项目，项目用 React；React 有自己的 AI 工具包")
    talk.say("小王在做报表系统，系统用 Vue；Vue 有自己的图表组件库", thread="t2")
    turn = talk.say("给小林推荐个工具包", thread="t3")
    assert "React 有自己的 AI 工具包" in turn.recalled
    assert not any("Vue" in content for content in turn.recalled)


@pytest.mark.parametrize(
    ("told", "question", "wanted"),
    [
        ("Lin works on project A, A uses React", "Which framework suits Lin?", "A uses React"),
        ("小林在做A项目，A项目用React", "小林适合哪个框架？", "A项目用React"),
        ("Maya is working on Apollo. Apollo is led by Chen.", "Who is Maya's lead?", "Apollo is led by Chen"),
        ("张伟负责订单系统。订单系统的负责人是陈静", "张伟该找谁批？", "订单系统的负责人是陈静"),
        ("陈静是支付系统的负责人。支付系统基于 Kafka", "陈静平时要懂哪个消息队列？", "支付系统基于 Kafka"),
        ("小吴在风帆项目组。风帆项目归何工管", "小吴的上级可能是谁？", "风帆项目归何工管"),
        ("阿丽的导师是周教授。周教授在材料实验室工作", "阿丽该去哪找导师？", "周教授在材料实验室工作"),
        ("海豚平台由李雷维护。李雷向韩梅汇报", "海豚平台出问题找谁升级？", "李雷向韩梅汇报"),
        ("王芳在华南公司做销售。华南公司的老板是郑总", "王芳的老板是谁？", "华南公司的老板是郑总"),
        ("雷达系统部署在阿里云。小顾负责雷达系统", "小顾的系统跑在哪？", "雷达系统部署在阿里云"),
        (
            "Maya's manager is Chen. Chen works at the Lisbon office",
            "Where does Maya's boss sit?",
            "Chen works at the Lisbon office",
        ),
        (
            "The billing service is maintained by Priya. Priya reports to Tom",
            "Whom do billing service issues go to?",
            "Priya reports to Tom",
        ),
        (
            "Ana's team owns Orion. Orion is written in Elixir",
            "Which language does Ana's team need?",
            "Orion is written in Elixir",
        ),
        (
            "Ben is the lead of Project Atlas. Atlas uses Terraform",
            "Which tool should Ben learn?",
            "Atlas uses Terraform",
        ),
        ("Leo is married to Mira. Mira works for Siemens", "Where does Leo's wife work?", "Mira works for Siemens"),
        (
            "Ivy maintains Atlas. Atlas was migrated to Postgres",
            "Which database does Ivy deal with?",
            "Atlas was migrated to Postgres",
        ),
    ],
)
def test_what_shares_no_word_with_the_question_is_reached_along_relations(
    tmp_path: Path, told: str, question: str, wanted: str
) -> None:
    memory = open_memory(tmp_path)
    hear(memory, told)
    found = memory.search(LIN, question, now=at(days=1)).recollections
    assert wanted in [each.memory.content for each in found]
    (reached,) = [each for each in found if each.memory.content == wanted]
    assert "relation" in [arm.name for arm in reached.arms]


def test_relations_end_with_the_pool(memory: Memory) -> None:
    wang = Scope.user("acme", "wang")
    hear(memory, "Lin works on Apollo")
    hear(memory, "Apollo uses React", wang, 1)
    assert asked(memory, "Which framework suits Lin?") == ["Lin works on Apollo"]
    assert edges(memory) == (2, 2)
    assert edges(memory, wang) == (2, 2)


def test_relations_hold_at_their_time(memory: Memory) -> None:
    tell(memory, "Lin works on Apollo", category="domain_knowledge", value="Apollo", slot=Slot("Lin", "project"))
    framework = Slot("Apollo", "framework")
    tell(memory, "Apollo uses React", when=at(1), category="domain_knowledge", slot=framework)
    tell(memory, "Apollo uses Svelte", when=at(days=10), category="domain_knowledge", slot=framework)
    now, then = START + timedelta(days=11), START + timedelta(days=5)
    asks = "Which framework suits Lin?"
    assert "Apollo uses Svelte" in [each.memory.content for each in memory.search(LIN, asks, now=now).recollections]
    before = memory.search(LIN, asks, now=now, as_of=then).recollections
    assert "Apollo uses React" in [each.memory.content for each in before]
    assert "Apollo uses Svelte" not in [each.memory.content for each in before]


@pytest.mark.parametrize(
    ("told", "question", "before", "after"),
    [
        (("小林在做 AI 助手项目", "AI 助手项目用 React", "AI 助手项目改用 Svelte"), "小林用什么", "React", "Svelte"),
        (("Lin works on Apollo", "Apollo uses React", "Apollo switched to Svelte"), "Lin uses?", "React", "Svelte"),
    ],
)  # fmt: skip
def test_what_a_thing_uses_changes_and_each_time_has_its_own(
    memory: Memory, told: tuple[str, str, str], question: str, before: str, after: str
) -> None:
    hear(memory, told[0])
    hear(memory, told[1], minutes=1)
    change = Message("m9", "t1", "user", told[2], at(days=20))
    assert [each.status for each in memory.observe(LIN, [change], now=at(days=20))] == ["superseded"]
    now = memory.search(LIN, question, now=at(days=30))
    then = memory.search(LIN, question, now=at(days=30), as_of=at(days=10))
    for recall, here, gone in ((now, after, before), (then, before, after)):
        found = " ".join(each.memory.content for each in recall.recollections)
        assert here in found
        assert gone not in found


def test_a_relation_of_a_topic_is_followed_in_its_topic_only(memory: Memory) -> None:
    hear(memory, "Lin works on Apollo")
    hear(memory, "Apollo uses Rust", Scope.user("acme", "lin", "core"), 1)
    asks = "Which language suits Lin?"
    assert "Apollo uses Rust" in asked(memory, asks, Scope.user("acme", "lin", "core"))
    assert "Apollo uses Rust" not in asked(memory, asks, Scope.user("acme", "lin", "web"))


@pytest.mark.parametrize("text", ["王芳在华南公司做销售", "宋雨的师傅是钱工", "Maya's manager is Chen"])
def test_what_is_told_of_somebody_else_is_nothing_about_the_speaker(memory: Memory, text: str) -> None:
    hear(memory, text)
    assert [(each.content, each.slot and each.slot.subject != "user") for each in memory.current(LIN)] == [(text, True)]


def test_forgetting_takes_the_relations_along(memory: Memory) -> None:
    hear(memory, "Lin works on Apollo")
    hear(memory, "Apollo uses React", minutes=1)
    assert edges(memory) == (4, 3)
    (uses,) = [each for each in memory.current(LIN) if "React" in each.content]
    memory.forget(LIN, uses.memory_id)
    assert edges(memory) == (2, 2)
    receipt = memory.forget_me(LIN, confirm=memory.forget_me_token(LIN))
    assert receipt.counts["relations"] == (2, 0)
    assert edges(memory) == (0, 0)


def test_rebuilding_makes_relations_anew(memory: Memory) -> None:
    hear(memory, "Lin works on Apollo")
    with memory.engine.begin() as connection:
        connection.execute(relations.delete())
        connection.execute(entities.delete())
    memory.rebuild(LIN)
    assert edges(memory) == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "小李有个女朋友",
        "老王做饭很好吃",
        "React 有个 bug",
        "我在做饭",
        "It works on my machine",
        "这个项目有问题",
        "She works at night",
    ],
)
def test_what_names_no_two_things_is_no_relation(text: str) -> None:
    assert triple_of(text) is None


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("小林最近在做报表系统", Triple("小林", "works on", "报表系统")),
        ("陈静在华谊公司上班", Triple("陈静", "works at", "华谊公司")),
        ("Apollo is built with React", Triple("Apollo", "uses", "React")),
        (
            "The Apollo project belongs to the Platform team",
            Triple("The Apollo project", "belongs to", "Platform team"),
        ),
    ],
)
def test_a_sentence_about_two_named_things_is_a_relation(text: str, triple: Triple) -> None:
    assert triple_of(text) == triple


def named(memory: Memory, question: str) -> list[str]:
    found = memory.search(LIN, question, now=at(days=1), filters=Filters(named=True)).recollections
    return [each.memory.content for each in found]


@pytest.mark.parametrize("question", ["does kube restart pods?", "k8s?", "KUBERNETES limits", "kubernets limits"])
def test_a_thing_is_found_by_each_of_its_names_and_despite_a_slip(memory: Memory, question: str) -> None:
    cluster = "Deploys to a cluster on three nodes (also called Kubernetes, k8s, kube)"
    tell(memory, cluster, category="domain_knowledge")
    tell(memory, "Pods of whales rest at night", when=at(1), category="domain_knowledge")
    assert named(memory, question) == [cluster]


def test_only_what_is_named_is_brought_where_that_is_wanted(memory: Memory) -> None:
    tell(memory, "缓存用一台机器（又名：Redis，缓存层）", category="domain_knowledge")
    tell(memory, "缓存要省着用", when=at(1), category="domain_knowledge")
    assert named(memory, "缓存层怎么扩容？") == ["缓存用一台机器（又名：Redis，缓存层）"]
    assert named(memory, "机器贵不贵？") == []


def test_what_a_named_thing_stands_upon_is_named_with_it(memory: Memory) -> None:
    tell(memory, "Auth service depends on Redis for sessions (also called login)", category="domain_knowledge")
    tell(memory, "One node, no cluster (also called Redis)", when=at(1), category="domain_knowledge")
    assert len(named(memory, "What does login need?")) == 2
    assert named(memory, "What is Redis?") == ["One node, no cluster (also called Redis)"]


@pytest.mark.parametrize(
    ("word", "name", "slip"),
    [("typscript", "typescript", True), ("typsecript", "typescript", True), ("eror", "error", True),
     ("chapter", "chapter7", False), ("express", "express", False), ("vue", "vuetify", False)],
)  # fmt: skip
def test_a_slip_is_one_letter(word: str, name: str, slip: bool) -> None:
    assert is_slip(word, name) is slip
