"""What changes with time and place: states that come back, stretches of time, exceptions, additions, two sources."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.model import Slot
from tests.talking import Clock, Conversation, conversation
from tests.telling import LIN, at, current, open_memory, tell


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with conversation(tmp_path) as it:
        yield it


def on(year: int, month: int = 6) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def asked(talk: Conversation, question: str, when: datetime) -> list[str]:
    return [each.memory.content for each in talk.memory.search(talk.scope(), question, as_of=when).recollections]


RETURNS = [
    ("我住在成都", "我搬到杭州了", "我又搬回成都了", "我住哪？"),
    ("我在字节上班", "我跳槽去了美团", "我又回字节了", "我在哪上班？"),
    ("我吃素", "我不吃素了", "我又开始吃素了", "我的饮食习惯是什么"),
    ("我单身", "我有女朋友了", "我们分手了，我又单身了", "我有对象吗"),
    ("我是会计", "我转行做设计师了", "我又做回会计了", "我的工作是什么"),
    ("I live in Lisbon", "I moved to Porto last week", "I've moved back to Lisbon", "Where do I live?"),
    ("I work at Shopify", "I left Shopify and joined Stripe", "I'm back at Shopify now", "Where do I work?"),
    ("I'm vegetarian", "I eat meat again", "I've gone back to being vegetarian", "What is my diet?"),
    ("My gym is FitOne", "I go to IronWorks now instead of FitOne", "back to FitOne again", "Which gym is mine?"),
    ("I'm married", "I got divorced", "I'm married again", "Am I married?"),
]


@pytest.mark.parametrize(("first", "then", "again", "question"), RETURNS)
def test_a_state_that_comes_back_is_told_right_at_each_time(
    talk: Conversation, first: str, then: str, again: str, question: str
) -> None:
    start = talk.clock.now
    for text in (first, then, again):
        assert talk.say(text).statuses[0] in ("stored", "superseded")
        talk.clock.move(days=100)
    told = {day: asked(talk, question, start + timedelta(days=day))[0] for day in (50, 150, 250)}
    assert told[50] in first
    assert told[150] in then
    assert told[250] in again
    since = talk.say(question).reply
    assert f"{start + timedelta(days=200):%Y-%m-%d}" in since
    (now,) = [each for each in talk.memory.current(talk.scope()) if each.rule != "session.end"]
    events = talk.memory.history(talk.scope(), now.memory_id)
    assert next(event.after for event in events if event.what == "created") == first
    assert talk.memory.undo(talk.scope(), now.memory_id).content in then


@pytest.mark.parametrize(
    ("one", "two", "stands"),
    [
        ("我住在上海", "我上周回北京看爸妈了", "我住在上海"),
        ("I live in Ghent", "I'm back from lunch", "I live in Ghent"),
    ],
)
def test_a_visit_is_no_return(talk: Conversation, one: str, two: str, stands: str) -> None:
    talk.say(one)
    talk.say(two)
    assert stands in talk.current()


def test_what_may_be_a_visit_only_is_asked(talk: Conversation) -> None:
    for text in ("I live in Oslo", "I moved to Bergen"):
        talk.say(text)
    turn = talk.say("I came back to Oslo")
    assert turn.statuses == ["proposed"]
    assert talk.say("yes").statuses == ["superseded"]
    assert talk.current() == ["I came back to Oslo"]


@pytest.mark.parametrize(
    ("told", "question", "then", "never"),
    [
        ("2016年9月到2020年6月我在武汉大学读书", "我在哪读书", on(2018), on(2023)),
        ("从去年五月起我在拼多多上班", "我在哪家公司上班", on(2025, 8), on(2025, 2)),
        ("Between 2012 and 2016 I worked at Siemens", "Where do I work?", on(2014), on(2020)),
        ("I've been living in Turin since March 2024", "Where do I live?", on(2024), on(2023)),
        ("I worked at Nokia until 2019", "Where do I work?", on(2018), on(2021)),
    ],
)
def test_a_stretch_of_time_holds_in_it_and_only_there(
    talk: Conversation, told: str, question: str, then: datetime, never: datetime
) -> None:
    talk.say(told)
    assert asked(talk, question, then) == [told]
    assert asked(talk, question, never) == []


@pytest.mark.parametrize(
    ("now", "past"), [("我住在苏州", "2015年到2018年住在无锡"), ("I work at Bosch", "I worked at Nokia until 2019")]
)
def test_what_is_told_of_the_past_replaces_nothing(talk: Conversation, now: str, past: str) -> None:
    talk.say(now)
    assert talk.say(past).statuses == ["coexists"]
    assert talk.current() == [now]


@pytest.mark.parametrize(
    ("now", "older"), [("我住在成都", "我2022年搬到了杭州"), ("I live in Berlin", "In 2018 I moved to Bergen")]
)
def test_an_older_date_than_what_is_said_to_hold_is_asked_about(talk: Conversation, now: str, older: str) -> None:
    talk.say(now)
    assert talk.say(older).statuses == ["proposed"]
    assert talk.current() == [now]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("我爱喝咖啡", "睡前我不喝咖啡"),
        ("晚上我不喝茶", "我喜欢喝茶"),
        ("我喜欢吃火锅", "夏天我不吃火锅"),
        ("I like loud music", "I don't like loud music in the morning"),
        ("I don't eat sweets at work", "I love sweets"),
    ],
)
def test_what_holds_under_a_condition_stands_beside_what_holds_always(talk: Conversation, one: str, two: str) -> None:
    talk.say(one)
    talk.say(two)
    assert set(talk.current()) == {one, two}


@pytest.mark.parametrize(
    ("rule", "case", "kept"),
    [
        ("我不吃海鲜", "三文鱼除外", "我不吃海鲜，三文鱼除外"),
        ("我不喝咖啡", "周末例外，可以喝一杯拿铁", "我不喝咖啡，周末例外，可以喝一杯拿铁"),
        ("以后邮件都用英文写", "给国内供应商的邮件用中文写", "给国内供应商的邮件用中文写"),
        ("I don't drink alcohol", "except for champagne", "I don't drink alcohol, except for champagne"),
        ("Always use metric units", "for cooking use cups instead", "for cooking use cups instead"),
    ],
)  # fmt: skip
def test_an_exception_is_kept_beside_its_rule_in_the_words_of_both(
    talk: Conversation, rule: str, case: str, kept: str
) -> None:
    talk.say(rule)
    assert talk.say(case).statuses[0] in ("stored", "coexists")
    assert kept in talk.current()
    assert len(talk.current()) == 2


def test_an_exception_of_a_topic_stays_in_its_topic(talk: Conversation) -> None:
    talk.say("以后邮件都用英文写")
    talk.say("给国内供应商的邮件用中文写", topic="采购")
    (case,) = [each for each in talk.memory.current(talk.scope()) if "供应商" in each.content]
    assert case.topic == "采购"


@pytest.mark.parametrize(
    ("one", "more", "kept"),
    [
        ("我会弹钢琴", "还有吉他", ["我会弹钢琴", "我会弹吉他"]),
        ("我女儿对牛奶过敏", "鸡蛋也是", ["我女儿对牛奶过敏", "我女儿对鸡蛋过敏"]),
        ("我养了一只猫", "还有一只狗", ["我养了一只猫", "我养了一只狗"]),
        ("我在中学教数学", "另外我还兼职做翻译", ["我在中学教数学", "我还兼职做翻译"]),
        ("I'm allergic to peanuts", "Also to shrimp", ["I'm allergic to peanuts", "I'm allergic to shrimp"]),
        ("I speak French", "and Portuguese as well", ["I speak French", "I speak Portuguese"]),
        ("I work at Bosch", "I also work at a bakery", ["I work at Bosch", "I also work at a bakery"]),
        ("I'm a nurse", "On the side I'm also a photographer", ["I'm a nurse", "I'm also a photographer"]),
    ],
)  # fmt: skip
def test_an_addition_is_appended_and_replaces_nothing(talk: Conversation, one: str, more: str, kept: list[str]) -> None:
    talk.say(one)
    talk.say(more)
    assert sorted(talk.current()) == sorted(kept)
    (added,) = [each for each in talk.memory.current(talk.scope()) if each.content == kept[1]]
    assert added.sources[0].quote in more


@pytest.mark.parametrize(
    ("one", "other"), [("我养了一只猫", "还有个问题想问你"), ("I have a dog", "also, can you help me?")]
)
def test_another_question_is_no_addition(talk: Conversation, one: str, other: str) -> None:
    talk.say(one)
    talk.say(other)
    assert talk.current() == [one]


SIDES = [
    ("我最喜欢的颜色是蓝色", "我最喜欢的颜色是绿色", " 你说："),
    ("My favorite color is blue", "My favorite color is green", ", you said: "),
]


@pytest.mark.parametrize(("first", "second", "who"), SIDES)
@pytest.mark.parametrize("ask_by", ["reply", "interrupt"])
def test_an_implied_change_shows_both_sources_side_by_side(
    tmp_path: Path, first: str, second: str, who: str, ask_by: str
) -> None:
    with conversation(tmp_path, clock=Clock(), ask_by=ask_by) as talk:
        talk.say(first)
        talk.clock.move(days=30)
        if ask_by == "reply":
            shown = talk.say(second).reply
            settled = talk.say("不用改" if "颜色" in first else "leave it as it is")
        else:
            talk.graph.invoke({"messages": [("user", second)]}, talk.config("t1", "lin"))
            (waiting,) = talk.graph.get_state(talk.config("t1", "lin")).interrupts
            shown = waiting.value["action_requests"][0]["description"]
            settled = talk.answer({"type": "reject", "message": "no"})
        old, new = f"2026-01-05{who}“{first}”", f"2026-02-04{who}“{second}”"
        assert shown.index(old) < shown.index(new)
        assert settled.state["open"] is None
        assert talk.current() == [first]


CITY = Slot("user", "city")


@pytest.mark.parametrize("speaker", ["tool", "assistant"])
def test_what_a_tool_or_the_assistant_says_of_a_person_is_held_back(tmp_path: Path, speaker: str) -> None:
    memory = open_memory(tmp_path)
    tell(memory, "我住在杭州", slot=CITY, value="杭州", category="user_profile")
    told = tell(memory, "用户住在上海", slot=CITY, value="上海", category="user_profile", speaker=speaker)  # type: ignore[arg-type]
    assert told.status == "quarantined"
    assert current(memory) == ["我住在杭州"]


def test_of_two_that_claim_the_more_credible_is_asked_for_and_the_person_overrules_both(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    about = {"slot": CITY, "category": "user_profile"}
    tell(memory, "Lives in Ghent", value="Ghent", speaker="document", **about)  # type: ignore[arg-type]
    tell(memory, "I live in Bruges", value="Bruges", when=at(1), **about)  # type: ignore[arg-type]
    assert current(memory) == ["I live in Bruges"]
    again = tell(memory, "Lives in Ghent now", value="Ghent", when=at(2), speaker="document", **about)  # type: ignore[arg-type]
    assert again.status == "proposed"
    assert current(memory) == ["I live in Bruges"]
    (mine,) = memory.current(LIN)
    assert memory.undo(LIN, mine.memory_id).content == "Lives in Ghent"
