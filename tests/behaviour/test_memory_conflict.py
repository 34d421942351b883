"""Cases 2, 19, 22-25, 28-30, 33, 35-37 of the field: conflict, negation, history and time in memory."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from foundation.errors import NotFoundError, RefusedError, UsageError
from memory.model import Episode, Slot
from memory.recall import Filters
from memory.service import Memory
from tests.telling import LIN, START, WordVectors, at, current, found, open_memory, tell

NAME = Slot("user", "name")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path, WordVectors())


@pytest.mark.parametrize(
    ("first", "second"),
    [("我叫林一", "更正，我叫林毅"), ("My name is Lin Yi", "Correction: my name is Lin Yee")],
)
def test_case_28_a_corrected_name_replaces_the_old_one_and_history_keeps_both(
    memory: Memory, first: str, second: str
) -> None:
    old = tell(memory, first, slot=NAME, value=first[-2:], category="user_profile")
    new = tell(memory, second, slot=NAME, value=second[-2:], category="user_profile", verb="supersede", when=at(1))
    assert (new.status, current(memory)) == ("superseded", [second])
    archived = memory.show(LIN, str(old.memory_id))
    assert (archived.status, archived.replaced_by) == ("superseded", new.memory_id)
    assert memory.show(LIN, str(new.memory_id)).replaces == old.memory_id


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("爱吃川菜", "现在讨厌川菜"),
        ("可以给我发短信", "不可以给我发短信"),
        ("I eat pork", "I don't eat pork"),
        ("I love loud places", "I hate loud places"),
    ],
)
def test_cases_29_and_30_a_denial_supersedes_and_is_never_a_duplicate(memory: Memory, first: str, second: str) -> None:
    tell(memory, first)
    assert tell(memory, second, when=at(1)).status == "superseded"
    assert current(memory) == [second]
    assert found(memory, second) == [second]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我的目标是周游世界", "周末常吃夜宵"),
        ("我们不断改进流程", "我们持续改进流程"),
        ("我儿子对花生过敏", "我女儿对花生过敏"),
        ("I have a meeting at 9", "I have a meeting at 10"),
        ("I was a teacher", "I am a teacher"),
    ],
)
def test_case_22_unrelated_facts_stand_beside_each_other(memory: Memory, first: str, second: str) -> None:
    tell(memory, first)
    assert tell(memory, second, when=at(1)).status == "stored"
    assert current(memory) == [first, second]


def test_case_33_one_move_retires_exactly_one_of_many_addresses(memory: Memory) -> None:
    people = ("小陈", "小王", "小李", "小赵", "小孙")
    for number, person in enumerate(people):
        for attribute, text in (
            ("residence", "住在上海"),
            ("job", "是工程师"),
            ("pet", "养了一只猫"),
            ("diet", "吃素"),
        ):
            tell(
                memory,
                f"{person}{text}",
                when=at(number),
                slot=Slot(person, attribute),
                value=text,
                category="user_profile",
            )
    moved = tell(
        memory, "小陈搬到成都了", when=at(60), slot=Slot("小陈", "residence"), value="成都", category="user_profile"
    )
    assert moved.status == "superseded"
    left = current(memory)
    assert len(left) == 20
    assert "小陈住在上海" not in left
    assert "小王住在上海" in left


def test_case_2_ones_own_words_coming_back_do_not_raise_confidence(memory: Memory) -> None:
    kept = tell(memory, "用户对芒果过敏", category="user_profile")
    before = memory.show(LIN, str(kept.memory_id)).confidence
    for turn in range(5):
        assert tell(memory, "用户对芒果过敏", speaker="assistant", when=at(turn + 1)).status == "reinforced"
    after = memory.show(LIN, str(kept.memory_id))
    assert (after.confidence, len(after.sources), len(current(memory))) == (before, 1, 1)


def test_telling_it_again_reinforces_and_adds_a_source(memory: Memory) -> None:
    kept = tell(memory, "我喜欢爬山", message_id="m1")
    assert tell(memory, "我真的很喜欢爬山", message_id="m2", when=at(9)).status == "reinforced"
    after = memory.show(LIN, str(kept.memory_id))
    assert after.confidence > 0.9
    assert [source.message_id for source in after.sources] == ["m1", "m2"]


def test_an_implied_change_of_a_preference_asks_and_the_answer_settles_it(memory: Memory) -> None:
    drink = Slot("user", "drink")
    tell(memory, "I drink coffee", slot=drink, value="coffee")
    asked = tell(memory, "I drink tea", slot=drink, value="tea", when=at(1))
    assert asked.status == "proposed"
    assert asked.question == 'I have noted "I drink coffee". Shall I change that to "I drink tea"?'
    assert current(memory) == ["I drink coffee"]
    assert found(memory, "tea") == []
    assert memory.settle(LIN, str(asked.memory_id), accept=True, now=at(2)).status == "superseded"
    assert current(memory) == ["I drink tea"]
    with pytest.raises(RefusedError, match="nothing to settle"):
        memory.settle(LIN, str(asked.memory_id), accept=True)


def test_a_no_leaves_everything_as_it_was(memory: Memory) -> None:
    drink = Slot("user", "drink")
    tell(memory, "我喝咖啡", slot=drink, value="咖啡")
    asked = tell(memory, "我喝茶", slot=drink, value="茶", when=at(1))
    assert asked.question == "我之前记的是“我喝咖啡”，现在要改成“我喝茶”吗？"
    memory.settle(LIN, str(asked.memory_id), accept=False)
    assert (current(memory), memory.waiting(LIN)) == (["我喝咖啡"], [])


def test_the_specific_stands_beside_the_general(memory: Memory) -> None:
    tell(memory, "我喜欢科幻片")
    assert tell(memory, "《流浪地球》我不喜欢", exception=True, when=at(1)).status in ("stored", "coexists")
    language = Slot("user", "backend language")
    tell(memory, "后端统一用 Go", slot=language, value="Go", explicit=True)
    beside = tell(memory, "新项目改用 Rust", slot=language, value="Rust", topic="新项目", verb="supersede", when=at(2))
    assert beside.status == "coexists"
    assert len(current(memory)) == 4
    assert (
        tell(memory, "以后都用 Rust", slot=language, value="Rust", verb="supersede", when=at(3)).status == "superseded"
    )
    assert {"新项目改用 Rust", "以后都用 Rust"} <= set(current(memory))
    assert "后端统一用 Go" not in current(memory)


def test_a_less_credible_source_asks_before_it_changes_what_a_person_said(memory: Memory) -> None:
    tell(memory, "我住杭州", slot=Slot("user", "city"), value="杭州", category="user_profile")
    told = tell(
        memory, "用户住上海", slot=Slot("user", "city"), value="上海", category="user_profile", speaker="document"
    )
    assert told.status == "proposed"
    assert current(memory) == ["我住杭州"]


def test_dated_work_stands_side_by_side(memory: Memory) -> None:
    tell(
        memory, "订单模块的权限问题今天修好了", category="task_progress", slot=Slot("order module", "state"), value="ok"
    )
    told = tell(
        memory,
        "订单模块又坏了",
        category="task_progress",
        slot=Slot("order module", "state"),
        value="broken",
        when=at(9),
    )
    assert (told.status, len(current(memory))) == ("coexists", 2)


def test_case_19_what_was_superseded_comes_back_through_no_arm(memory: Memory) -> None:
    port = Slot("server", "port")
    old = tell(memory, "端口是 6001", slot=port, value="6001", category="domain_knowledge")
    tell(memory, "端口改成 7001", slot=port, value="7001", category="domain_knowledge", verb="supersede", when=at(1))
    for query in ("6001", "端口", "port", "server port"):
        assert "端口是 6001" not in found(memory, query)
    assert current(memory) == ["端口改成 7001"]
    assert [each.content for each in memory.profile(LIN) + memory.recent(LIN)] == ["端口改成 7001"]
    new_id = memory.current(LIN)[0].memory_id
    assert {event.after for event in memory.history(LIN, new_id)} == {"端口是 6001", "端口改成 7001"}
    assert memory.show(LIN, str(old.memory_id)).status == "superseded"


def test_as_of_answers_what_was_true_then(memory: Memory) -> None:
    language = Slot("user", "backend language")
    tell(memory, "后端统一用 Go", slot=language, value="Go", explicit=True)
    tell(memory, "后端以后都用 Rust", slot=language, value="Rust", explicit=True, when=at(days=14))
    then = memory.search(LIN, "后端用什么", now=at(days=15), as_of=at(days=7))
    today = memory.search(LIN, "后端用什么", now=at(days=15))
    assert [each.memory.content for each in then.recollections] == ["后端统一用 Go"]
    assert [each.memory.content for each in today.recollections] == ["后端以后都用 Rust"]
    assert memory.search(LIN, "后端用什么", now=at(days=15), as_of=at(days=-1)).recollections == ()


def test_what_was_known_then_leaves_out_what_was_told_later(memory: Memory) -> None:
    city = Slot("user", "city")
    tell(memory, "我住在北京", slot=city, value="北京", category="user_profile")
    tell(
        memory,
        "我上个月搬到上海了",
        slot=city,
        value="上海",
        category="user_profile",
        verb="supersede",
        valid_from=at(days=10),
        when=at(days=40),
    )

    def answers(**when: datetime) -> list[str]:
        recall = memory.search(LIN, "我住在哪里", now=at(days=50), **when)  # type: ignore[arg-type]
        return [each.memory.content for each in recall.recollections]

    assert answers() == ["我上个月搬到上海了"]
    assert answers(as_of=at(days=20)) == ["我上个月搬到上海了"]
    assert answers(known_at=at(days=20)) == ["我住在北京"]
    assert answers(as_of=at(days=5)) == answers(known_at=at(days=5)) == ["我住在北京"]
    assert answers(known_at=at(days=41)) == ["我上个月搬到上海了"]
    with pytest.raises(UsageError, match="choose one"):
        answers(as_of=at(), known_at=at())


def test_undo_brings_the_old_one_back_in_one_step(memory: Memory) -> None:
    tell(memory, "I eat pork")
    new = tell(memory, "I don't eat pork", when=at(1))
    memory.undo(LIN, str(new.memory_id), now=at(2))
    assert current(memory) == ["I eat pork"]
    assert found(memory, "pork") == ["I eat pork"]
    with pytest.raises(RefusedError, match="replaced nothing"):
        memory.undo(LIN, memory.current(LIN)[0].memory_id)


def test_case_23_an_edit_changes_the_words_and_nothing_else(memory: Memory) -> None:
    kept = tell(
        memory,
        "周五交报告",
        category="task_progress",
        importance="critical",
        topic="审计",
        when=START,
        expires_at=at(days=30),
        episode=Episode(where="会议室", who=("小王",)),
    )
    old = memory.show(LIN, str(kept.memory_id))
    new = memory.correct(LIN, old.memory_id, "周四交报告", reason="提前了", now=at(5))
    for name in ("category", "importance", "topic", "expires_at", "episode", "sources", "confidence", "kind"):
        assert getattr(new, name) == getattr(old, name)
    assert (new.content, new.version, new.replaces) == ("周四交报告", 2, old.memory_id)
    with pytest.raises(UsageError):
        memory.correct(LIN, new.memory_id, "  ")


def test_case_24_history_tells_each_step_with_time_actor_before_and_after(memory: Memory) -> None:
    kept = tell(memory, "我养了一只猫")
    new = memory.correct(LIN, str(kept.memory_id), "我养了两只猫", now=at(5))
    memory.invalidate(LIN, new.memory_id, reason="送人了", now=at(9))
    told = [(event.what, event.before, event.after) for event in memory.history(LIN, new.memory_id)]
    assert told == [
        ("created", None, "我养了一只猫"),
        ("edited", "我养了一只猫", "我养了两只猫"),
        ("created", None, "我养了两只猫"),
        ("invalidated", "我养了两只猫", None),
    ]
    assert all(event.at.utcoffset() == timedelta(0) and event.actor for event in memory.history(LIN, new.memory_id))


def test_case_25_one_memory_is_set_aside_restored_or_deleted_each_with_a_reason(memory: Memory) -> None:
    kept = str(tell(memory, "我会弹钢琴").memory_id)
    with pytest.raises(UsageError, match="reason"):
        memory.invalidate(LIN, kept, reason=" ")
    memory.invalidate(LIN, kept, reason="错了")
    assert (current(memory), found(memory, "钢琴")) == ([], [])
    memory.restore(LIN, kept, reason="没错")
    assert found(memory, "钢琴") == ["我会弹钢琴"]
    memory.forget(LIN, kept, reason="不想留")
    with pytest.raises(NotFoundError):
        memory.show(LIN, kept)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_case_36_a_last_day_lasts_until_local_midnight(memory: Memory, zone: str) -> None:
    midnight = datetime(2026, 8, 14, tzinfo=ZoneInfo(zone))
    tell(memory, "优惠券 8月13日 到期", expires_at=midnight)
    assert found(memory, "优惠券", when=midnight - timedelta(seconds=1)) == ["优惠券 8月13日 到期"]
    assert found(memory, "优惠券", when=midnight) == []
    assert memory.waiting(LIN, "current")[0].expires_at.utcoffset() == timedelta(0)  # type: ignore[union-attr]


def test_case_37_what_expired_a_second_ago_is_nowhere_before_any_sweep(memory: Memory) -> None:
    tell(memory, "临时密码本在抽屉里", importance="critical", expires_at=at(1))
    late = at(1) + timedelta(seconds=1)
    assert found(memory, "抽屉", when=late) == []
    assert current(memory, when=late) == []
    assert memory.profile(LIN, now=late) + memory.recent(LIN, now=late) == []
    assert tell(memory, "临时密码本在抽屉里", when=late + timedelta(seconds=1)).status == "stored"


def test_a_task_lives_ninety_days_after_its_date_and_a_profile_for_ever(memory: Memory) -> None:
    tell(memory, "周三发布新版本", category="task_progress", episode=Episode(when=at(days=2)))
    tell(memory, "我是左撇子", category="user_profile", when=at(1))
    assert current(memory, when=at(days=91)) == ["周三发布新版本", "我是左撇子"]
    assert current(memory, when=at(days=93)) == ["我是左撇子"]


def test_case_35_an_old_chat_keeps_its_own_time(memory: Memory) -> None:
    then = datetime(2024, 3, 2, tzinfo=ZoneInfo("UTC"))
    tell(memory, "上周入职了", valid_from=datetime(2024, 2, 26, tzinfo=ZoneInfo("UTC")), message_id="old", when=START)
    kept = memory.current(LIN)[0]
    assert kept.recorded_at == START
    in_march = Filters(until=then)
    assert memory.search(LIN, "入职", now=START, filters=in_march).recollections
    assert not memory.search(LIN, "入职", now=START, filters=Filters(since=then)).recollections


def test_nothing_of_low_importance_is_stored(memory: Memory) -> None:
    assert tell(memory, "今天的咖啡还行", importance="low").status == "nothing"
    assert current(memory) == []
