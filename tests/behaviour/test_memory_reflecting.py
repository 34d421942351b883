"""Seeds 12 and 13: what is written without being asked for - ends of sessions, what comes up again, patterns."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from langchain_openai import ChatOpenAI

from memory.model import Message
from memory.model_patterns import ModelReflector
from memory.service import Memory
from memory.sessions import says_goodbye
from prompts import load
from tests.scripted_model import Reply, scripted_model
from tests.talking import SHANGHAI, Clock, Conversation, conversation
from tests.telling import LIN, WordVectors, at, open_memory

SUNDAY = datetime(2026, 1, 4, 4, 0, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with conversation(tmp_path, WordVectors()) as it:
        yield it


def hear(memory: Memory, text: str, thread: str, when: datetime) -> list[str]:
    said = Message(f"m-{thread}-{when:%m%d%H%M}", thread, "user", text, when)
    return [each.status for each in memory.observe(LIN, [said], now=when)]


PYTHON = [
    ("帮我用 Python 写个脚本", "这段 Python 报错了怎么办？", "用 Python 画个折线图", "我常用 Python"),
    ("Write me a Python script", "Why is this Python loop slow?", "Plot this with Python", "I often use Python"),
]


@pytest.mark.parametrize(("one", "two", "three", "kept"), PYTHON)
def test_seed_12_what_three_conversations_name_is_kept_without_being_told(
    memory: Memory, one: str, two: str, three: str, kept: str
) -> None:
    assert hear(memory, one, "t1", at()) == ["nothing"]
    assert hear(memory, one, "t1", at(1)) == ["nothing"]
    assert hear(memory, two, "t2", at(days=1)) == ["nothing"]
    assert hear(memory, three, "t3", at(days=2)) == ["stored"]
    (found,) = memory.current(LIN)
    assert found.content == kept
    assert [source.thread_id for source in found.sources] == ["t1", "t2", "t3"]
    assert [source.quote for source in found.sources] == [one, two, three]
    assert hear(memory, one, "t4", at(days=3)) == ["nothing"]


@pytest.mark.parametrize("text", ["别用 Python", "我不喜欢 Python", "他说：“用 Python 写就好”", "I never use Python"])
def test_what_is_named_against_or_by_others_is_no_signal(memory: Memory, text: str) -> None:
    for day in range(4):
        hear(memory, text, f"t{day}", at(days=day))
    assert "常用" not in str(memory.current(LIN))
    assert "often" not in str(memory.current(LIN))


def test_a_forgotten_signal_does_not_come_back(memory: Memory) -> None:
    for day, text in enumerate(PYTHON[0][:3]):
        hear(memory, text, f"t{day}", at(days=day))
    (found,) = memory.current(LIN)
    memory.forget(LIN, found.memory_id)
    hear(memory, "用 Python 算一下", "t9", at(days=9))
    assert memory.current(LIN) == []


SUNDAYS = ("这个月的花销是不是太多了？", "怎么存钱比较好？", "基金还要不要继续买？", "帮我看看信用卡账单")


def ask_on_sundays(memory: Memory, asked: tuple[str, ...] = SUNDAYS) -> None:
    for week, text in enumerate(asked):
        hear(memory, text, f"w{week}", SUNDAY + timedelta(weeks=week))
        hear(memory, "今天天气真好", f"w{week}-x", SUNDAY + timedelta(weeks=week, days=2))


def test_seed_12_a_sunday_habit_is_proposed_with_its_four_sources(memory: Memory) -> None:
    ask_on_sundays(memory)
    later = SUNDAY + timedelta(weeks=4)
    (proposed,) = memory.reflect(LIN, zone=SHANGHAI, now=later)
    assert proposed.status == "proposed"
    assert "4 个周日" in str(proposed.question)
    habit = memory.show(LIN, str(proposed.memory_id))
    assert (habit.status, habit.kind) == ("proposed", "procedural")
    assert [source.quote for source in habit.sources] == list(SUNDAYS)
    assert habit not in memory.current(LIN)
    assert memory.reflect(LIN, zone=SHANGHAI, now=later) == []
    memory.settle(LIN, habit.memory_id, accept=True)
    assert "周日" in memory.current(LIN)[0].content


def test_a_declined_pattern_is_not_proposed_again(memory: Memory) -> None:
    ask_on_sundays(memory)
    (proposed,) = memory.reflect(LIN, zone=SHANGHAI, now=SUNDAY + timedelta(weeks=4))
    memory.settle(LIN, str(proposed.memory_id), accept=False)
    assert memory.reflect(LIN, zone=SHANGHAI, now=SUNDAY + timedelta(weeks=5)) == []


def test_three_sundays_or_any_day_are_no_sunday_habit(memory: Memory) -> None:
    ask_on_sundays(memory, SUNDAYS[:3])
    assert memory.reflect(LIN, zone=SHANGHAI, now=SUNDAY + timedelta(weeks=4)) == []
    for day in range(30):
        hear(memory, "今天花了多少钱？", f"d{day}", SUNDAY + timedelta(weeks=5, days=day))
    assert memory.reflect(LIN, zone=SHANGHAI, now=SUNDAY + timedelta(weeks=11)) == []


def test_a_mood_that_comes_back_is_proposed(memory: Memory) -> None:
    for week in range(3):
        hear(memory, "最近特别焦虑，感觉什么都做不好", f"w{week}", SUNDAY + timedelta(weeks=week))
    proposed = memory.reflect(LIN, zone=SHANGHAI, now=SUNDAY + timedelta(weeks=3))
    assert ["焦虑" in str(each.content) for each in proposed if "感到" in str(each.content)] == [True]


def test_a_model_proposes_only_what_its_turns_carry(memory: Memory) -> None:
    for week, text in enumerate(("周报怎么写更短？", "帮我把周报改短", "周报再短一点")):
        hear(memory, text, f"w{week}", SUNDAY + timedelta(days=3 * week))
    seen = [
        {"content": "我总想把周报写短", "turns": ["t0", "t1", "t2"]},
        {"content": "我打算辞职", "turns": ["t0", "t1", "t2"]},
        {"content": "我写周报", "turns": ["t0", "t7", "t8"]},
    ]
    with scripted_model([Reply(tools=tuple(("Seen", each) for each in seen))]) as server:
        model = ChatOpenAI(model="scripted", base_url=server.url, api_key="none", max_retries=0, timeout=10)
        reflector = ModelReflector(model=model, instructions=load("reflect", "zh").fill("instructions"))
        proposed = memory.reflect(LIN, zone=SHANGHAI, by=reflector, now=SUNDAY + timedelta(weeks=2))
    assert [each.content for each in proposed] == ["我总想把周报写短"]
    assert len(memory.show(LIN, str(proposed[0].memory_id)).sources) == 3


def archived(talk: Conversation) -> list[str]:
    return [each.content for each in talk.memory.current(talk.scope()) if each.rule == "session.end"]


@pytest.mark.parametrize(
    ("one", "two", "bye"),
    [
        ("怎么给订单模块加缓存？", "缓存多久过期比较好？", "再见"),
        ("How do I cache orders?", "How long should a cache live?", "bye!"),
    ],
)
def test_seed_13_a_goodbye_archives_the_session(talk: Conversation, one: str, two: str, bye: str) -> None:
    talk.say(one)
    talk.say(two)
    assert archived(talk) == []
    talk.say(bye)
    (summary,) = archived(talk)
    assert one in summary
    assert two in summary
    (episode,) = [each for each in talk.memory.current(talk.scope()) if each.rule == "session.end"]
    assert episode.kind == "episodic"
    assert [source.quote for source in episode.sources] == [one, two]
    talk.say(bye)
    assert len(archived(talk)) == 1


def test_seed_13_thirty_idle_minutes_archive_the_session(talk: Conversation) -> None:
    talk.say("怎么给订单模块加缓存？")
    talk.say("缓存多久过期比较好？")
    talk.clock.move(minutes=29)
    assert talk.memory.close_sessions(talk.scope()) == []
    talk.clock.move(minutes=2)
    assert [each.kind for each in talk.memory.close_sessions(talk.scope())] == ["episodic"]
    assert talk.memory.close_sessions(talk.scope()) == []


def test_the_next_turn_after_a_pause_archives_what_came_before(talk: Conversation) -> None:
    talk.say("怎么给订单模块加缓存？")
    talk.say("缓存多久过期比较好？")
    talk.clock.move(hours=2)
    talk.say("另一个问题：日志放哪里？")
    (summary,) = archived(talk)
    assert "日志" not in summary


@pytest.mark.parametrize(
    "said", [("好的", "收到"), ("别记这个：我在找工作",), ("开玩笑，我是秦始皇",), ("我对芒果过敏",)]
)
def test_what_tells_nothing_new_or_must_not_stay_is_not_archived(talk: Conversation, said: tuple[str, ...]) -> None:
    for text in said:
        talk.say(text)
    talk.say("再见")
    assert archived(talk) == []


def test_forgetting_takes_its_words_out_of_the_archive_and_leaves_the_rest(talk: Conversation) -> None:
    talk.say("我的地址是阳光花园3栋")
    talk.say("附近有什么好吃的？")
    talk.say("再见")
    assert len(archived(talk)) == 1
    talk.clock.move(hours=1)
    assert talk.say("忘掉我的地址").statuses == ["forgotten"]
    assert archived(talk) == ["附近有什么好吃的？"]
    assert "阳光花园" not in str(talk.memory.current(talk.scope()))


def test_a_full_window_gives_way_at_80_percent_and_is_read_first(tmp_path: Path) -> None:
    read: list[str] = []

    def reader(message: Message, situation: object) -> list:
        read.append(message.content)
        return []

    with conversation(tmp_path, clock=Clock(), reader=reader) as talk:
        for number in range(4):
            turn = talk.say(f"我觉得第{number}件事比较难说清楚，" + "这里写一些不要紧的话" * 90)
        assert len(turn.state["messages"]) < 8
        assert turn.state["overflow"] is True
        assert len(read) == 4


@pytest.mark.parametrize(
    ("text", "leaves"),
    [("再见", True), ("好的，拜拜！", True), ("谢谢，明天见", True), ("bye", True), ("Thanks, good night!", True),
     ("再见这部电影好看吗", False), ("谢谢", False), ("ok", False), ("Say goodbye to her for me", False)],
)  # fmt: skip
def test_a_goodbye_is_one_only_alone(text: str, leaves: bool) -> None:
    assert says_goodbye(text) is leaves
