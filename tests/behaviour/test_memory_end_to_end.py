"""Cases 7, 22, 28-30, 33 and seeds 1, 4, 6, 7 through the rules that read messages: said, kept, replaced, found."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from memory.extract import Context, propose
from memory.model import Message, Outcome, Proposal
from memory.service import Memory, Situation
from tests.telling import LIN, at, current, found, open_memory


def by_rules(message: Message, situation: Situation) -> Sequence[Proposal]:
    return propose(message, context=Context(previous=situation.earlier))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, extractor=by_rules)


def say(memory: Memory, *texts: str, begin: int = 0) -> list[list[Outcome]]:
    """Say one text a day; what became of each."""
    told: list[list[Outcome]] = []
    for number, text in enumerate(texts, start=begin):
        when: datetime = at(days=number)
        told.append(memory.observe(LIN, [Message(f"m{number}", "t1", "user", text, when)], now=when))
    return told


def statuses(memory: Memory, *texts: str) -> list[list[str]]:
    return [[outcome.status for outcome in each] for each in say(memory, *texts)]


LATER = at(days=30)


def now(memory: Memory) -> list[str]:
    return current(memory, when=LATER)


def ask(memory: Memory, question: str) -> list[str]:
    return found(memory, question, when=LATER)


@pytest.mark.parametrize(
    ("first", "second", "brothers", "question"),
    [
        ("我对核桃过敏", "说错了, 过敏的是我哥, 不是我", "过敏的是我哥（核桃）", "我哥对什么过敏"),
        (
            "I'm allergic to walnuts",
            "Correction: it's my brother who is allergic, not me",
            "it's my brother who is allergic (walnuts)",
            "what is my brother allergic to?",
        ),
    ],
)
def test_case_7_a_retracted_fact_is_not_current_and_its_confidence_does_not_rise(
    memory: Memory, first: str, second: str, brothers: str, question: str
) -> None:
    ((kept,), (taken_back, added)) = say(memory, first, second)
    before = kept.memory_id or ""
    assert (taken_back.status, added.status) == ("superseded", "stored")
    assert first not in now(memory)
    assert not any(each.slot and each.slot.subject == "user" and each.polarity for each in memory.current(LIN))
    assert ask(memory, question)[0] == brothers
    old = memory.show(LIN, before)
    assert (old.status, old.replaced_by) == ("superseded", taken_back.memory_id)
    assert old.confidence <= 0.97


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我的目标是周游世界", "周末常吃夜宵"),
        ("My goal is to travel the world", "I often have late-night snacks on weekends"),
        ("我对芒果过敏", "我对花生过敏"),
        ("我有两个孩子", "我已婚"),
        ("我叫林一", "我英文名叫Tom"),
        ("My name is Lin Yi", "Call me Tom"),
    ],
)
def test_case_22_what_is_not_about_the_same_replaces_nothing(memory: Memory, first: str, second: str) -> None:
    assert {status for each in statuses(memory, first, second) for status in each} <= {"stored", "coexists"}
    assert len(now(memory)) == 2


@pytest.mark.parametrize(
    ("first", "second", "question", "left"),
    [
        ("我叫林一", "更正, 我叫林毅", "我叫什么名字", "我叫林毅"),
        (
            "My name is Tom Reed",
            "Correction, my name is Tom Read",
            "what is my name?",
            "my name is Tom Read",
        ),
        ("我喜欢喝咖啡", "现在不喝咖啡了", "我喝咖啡吗", "我现在不喝咖啡了"),
        ("I'm a vegetarian", "I'm not a vegetarian anymore", "am I a vegetarian?", "I'm not a vegetarian anymore"),
        ("我住在北京", "我搬到上海了", "我住哪", "我搬到上海了"),
        ("I live in Boston", "I moved to Denver", "where do I live?", "I moved to Denver"),
        ("测试环境的端口是6001", "更正，测试环境的端口是7001", "端口", "测试环境的端口是7001"),
    ],
)
def test_case_28_the_newer_word_is_current_and_the_older_one_is_its_history(
    memory: Memory, first: str, second: str, question: str, left: str
) -> None:
    assert statuses(memory, first, second) == [["stored"], ["superseded"]]
    assert now(memory) == [left]
    assert ask(memory, question) == [left]
    (kept,) = memory.current(LIN, now=LATER)
    assert [event.what for event in memory.history(LIN, kept.memory_id)] == ["created", "superseded", "created"]
    assert memory.show(LIN, str(kept.replaces)).replaced_by == kept.memory_id


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        ("爱吃川菜", "现在讨厌川菜", "我现在讨厌川菜"),
        ("I love Sichuan food", "I hate Sichuan food now", "I hate Sichuan food now"),
        ("可以给我发短信", "不可以给我发短信", "不可以给我发短信"),
        ("I eat pork", "I don't eat pork", "I don't eat pork"),
        ("You can text me", "Don't text me", "Don't text me"),
        ("我不吃香菜", "我喜欢吃香菜", "我喜欢吃香菜"),
    ],
)
def test_cases_29_and_30_a_denial_replaces_what_it_denies(memory: Memory, first: str, second: str, left: str) -> None:
    assert statuses(memory, first, second) == [["stored"], ["superseded"]]
    assert now(memory) == [left]
    archived = memory.show(LIN, str(memory.current(LIN)[0].replaces))
    assert archived.status == "superseded"


def test_case_33_one_persons_move_leaves_everybody_elses_facts(memory: Memory) -> None:
    homes = {"小陈": "北京", "小王": "上海", "小李": "广州", "小赵": "深圳", "小孙": "杭州"}
    people = [f"{who}搬到{city}了" for who, city in homes.items()]
    own = [
        f"我喜欢{thing}"
        for thing in ("爬山", "游泳", "科幻片", "川菜", "绿茶", "摄影", "钓鱼", "围棋", "爵士乐", "露营")
    ]
    allergies = [f"我对{thing}过敏" for thing in ("芒果", "花粉", "青霉素", "海鲜", "尘螨")]
    say(memory, *people, *own, *allergies)
    assert len(now(memory)) == 20
    ((moved,),) = say(memory, "小陈搬到成都了", begin=25)
    assert moved.status == "superseded"
    assert set(now(memory)) == ({*people, *own, *allergies} - {"小陈搬到北京了"}) | {"小陈搬到成都了"}


def test_seed_1_each_question_recalls_what_it_needs_and_nothing_else(memory: Memory) -> None:
    say(memory, "我坐飞机喜欢靠窗，还有我对芒果过敏。")
    assert ask(memory, "帮我订张机票") == ["我坐飞机喜欢靠窗"]
    assert ask(memory, "推荐个甜品") == ["我对芒果过敏"]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (
            ("后端统一用 Go，别再给我 Java 示例", "新项目改用 Rust 了", "以后都用 Rust，不用 Go 了"),
            "后端用什么语言",
        ),
        (
            (
                "Always use Go for the backend, no more Java examples",
                "The new project is in Rust",
                "From now on use Rust, not Go",
            ),
            "which language for the backend?",
        ),
    ],
)
def test_seed_4_a_project_differs_from_the_rest_until_the_rest_changes(
    memory: Memory, texts: tuple[str, str, str], question: str
) -> None:
    ((general,), (narrow,)) = say(memory, *texts[:2])
    assert (general.status, narrow.status) == ("stored", "coexists")
    kept = memory.show(LIN, str(general.memory_id))
    assert (kept.importance, kept.value, kept.topic) == ("critical", "Go", None)
    assert memory.show(LIN, str(narrow.memory_id)).topic is not None
    ((changed,),) = say(memory, texts[2], begin=10)
    assert changed.status == "superseded"
    values = {each.value for each in memory.current(LIN, now=LATER) if each.topic is None}
    assert values == {"Rust"}
    then = memory.search(LIN, question, now=LATER, as_of=at(days=5))
    assert "Go" in {each.memory.value for each in then.recollections}
    today = memory.search(LIN, question, now=LATER)
    assert {each.memory.value for each in today.recollections} == {"Rust"}
    assert [event.what for event in memory.history(LIN, str(changed.memory_id))][:2] == ["created", "superseded"]


@pytest.mark.parametrize(
    ("general", "exception"),
    [("我喜欢科幻片", "《流浪地球》我不喜欢"), ("I love science fiction movies", "I didn't like Interstellar")],
)
def test_seed_6_a_preference_and_its_exception_are_both_current(memory: Memory, general: str, exception: str) -> None:
    assert statuses(memory, general, exception) == [["stored"], ["stored"]]
    assert now(memory) == [general, exception]


def test_two_parts_of_one_message_never_replace_each_other(memory: Memory) -> None:
    told = statuses(memory, "我在杭州做财务，我喜欢绿茶，我不吃香菜")
    assert set(told[0]) == {"stored"}
    assert len(now(memory)) == len(told[0])
