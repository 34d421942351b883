"""Forgetting in every part of an installation, and the proof: checkpoints, reviews, exports, logs, slack, holds."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from foundation.database import writing
from memory import erasures
from memory.scope import Scope
from oversight.checkpoints import open_saver
from remembrancer.chat import Chat, open_chat
from remembrancer.eraser import Eraser, open_eraser
from remembrancer.paperwork import note_file
from remembrancer.settings import Settings

HOME = "我住在阳光花园3栋"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, home=tmp_path / "home", embedder="none", lang="zh", tenant="acme")


@pytest.fixture
def chat(settings: Settings) -> Iterator[Chat]:
    with open_chat(settings, user="lin", thread="t1") as talk:
        yield talk


def say(talk: Chat, text: str) -> str:
    return "".join(talk.say(text))


def files_with(settings: Settings, text: str) -> list[str]:
    """Files of the home folder that hold the text in some form, looked at without the program's own scan."""
    forms = (text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le"))
    return [
        str(file.relative_to(settings.home))
        for file in settings.home.rglob("*")
        if file.is_file() and any(form in file.read_bytes() for form in forms)
    ]


def checkpoints(settings: Settings, thread: str) -> int:
    with closing(sqlite3.connect(settings.checkpoints)) as connection:
        query = "SELECT count(*) FROM checkpoints WHERE thread_id = ?"
        return int(connection.execute(query, (thread,)).fetchone()[0])


def test_forgetting_one_memory_in_a_talk_leaves_it_in_no_file(chat: Chat, settings: Settings) -> None:
    for text in ("我叫小林", HOME, "我对芒果过敏", "我住在哪里？"):
        say(chat, text)
    with open_chat(settings, user="lin", thread="t2") as other:
        assert "阳光花园" in say(other, "我住在哪里？")
    assert files_with(settings, "阳光花园3栋") != []
    told = say(chat, "忘掉我的地址")
    assert "找不到一个字" in told
    assert files_with(settings, "阳光花园3栋") == []
    assert checkpoints(settings, "t1") == checkpoints(settings, "t2") == 1
    assert [each.content for each in chat.memory.current(chat.scope)] == ["我叫小林", "我对芒果过敏"]
    assert "芒果" in say(chat, "我对什么过敏？")


def test_a_summary_is_written_anew_without_the_forgotten_words(chat: Chat, settings: Settings) -> None:
    say(chat, HOME)
    for number in range(16):
        say(chat, f"第{number}天我去了{number}号公园散步，很高兴")
    assert "阳光花园" in chat.state["summary"]
    (home,) = [each for each in chat.memory.current(chat.scope) if "阳光花园" in each.content]
    chat.forget(home.memory_id)
    assert "阳光花园" not in chat.state["summary"]
    assert "公园散步" in chat.state["summary"]
    assert files_with(settings, "阳光花园") == []


def test_what_another_memory_says_stays(chat: Chat, settings: Settings) -> None:
    say(chat, "我住在阳光花园")
    say(chat, "我喜欢阳光花园的游泳池")
    (home,) = [each for each in chat.memory.current(chat.scope) if "住" in each.content]
    chat.forget(home.memory_id)
    assert files_with(settings, "我住在阳光花园") == []
    assert [each.content for each in chat.memory.current(chat.scope)] == ["我喜欢阳光花园的游泳池"]
    assert "我喜欢阳光花园的游泳池" in [message.text for message in chat.state["messages"]]


def test_a_crash_between_the_rows_and_the_rest_is_made_good_by_the_next_start(chat: Chat, settings: Settings) -> None:
    say(chat, HOME)
    (home,) = chat.memory.current(chat.scope)
    chat.memory.forget(chat.scope, home.memory_id)  # and nobody goes on: the process is gone
    assert files_with(settings, "阳光花园3栋") != []
    with open_eraser(settings) as eraser:
        assert not eraser.owes()
    assert files_with(settings, "阳光花园3栋") == []


def test_a_message_goes_with_its_traces_and_nothing_else(settings: Settings, chat: Chat) -> None:
    say(chat, "我叫小林")
    say(chat, HOME)
    (home,) = [each for each in chat.memory.current(chat.scope) if "阳光" in each.content]
    source = home.sources[0]
    with open_eraser(settings) as eraser:
        receipt = eraser.forget_message(chat.scope, source.thread_id, source.message_id)
    assert receipt.remaining == {}
    assert files_with(settings, "阳光花园3栋") == []
    assert [each.content for each in chat.memory.current(chat.scope)] == ["我叫小林"]


def test_exports_logs_and_slack_are_cleared_and_other_people_keep_theirs(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    say(chat, "我叫小林")
    with open_chat(settings, user="wang", thread="w1") as other:
        say(other, "我住在月亮湾8号")
    export = settings.home.parent / "lin.jsonl"
    export.write_text("".join(f"{line}\n" for line in chat.memory.export(chat.scope)), "utf-8")
    log = settings.home / "service.log"
    log.write_text(f"kept: {HOME}\nanother line\n", "utf-8")
    with writing(chat.services.engine) as connection:
        note_file(connection, export, "export", pool=chat.scope.pool, at=chat.services.clock())
    with closing(sqlite3.connect(settings.home / "remembrancer.db")) as weak:
        # What an older version without secure_delete may have left in freed pages.
        weak.execute("PRAGMA secure_delete=OFF")
        weak.execute("CREATE TABLE slack(a)")
        weak.execute("INSERT INTO slack VALUES (?)", (HOME * 500,))
        weak.commit()
        weak.execute("DROP TABLE slack")
        weak.commit()
    (home,) = [each for each in chat.memory.current(chat.scope) if "阳光" in each.content]
    with open_eraser(settings) as eraser:
        receipt = eraser.forget(chat.scope, home.memory_id)
    assert (receipt.remaining, receipt.requested) == ({}, ())
    assert {"remembrancer.db", "checkpoints.db", "service.log", str(export)} <= set(receipt.proved)
    assert files_with(settings, "阳光花园3栋") == []
    assert "阳光花园" not in export.read_text("utf-8")
    assert "小林" in export.read_text("utf-8")
    assert log.read_text("utf-8").splitlines()[1] == "another line"
    assert files_with(settings, "月亮湾8号") != []


def test_words_that_stay_in_a_file_are_said_to_stay(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    (settings.home / "notes.txt").write_text(HOME, "utf-8")
    (home,) = chat.memory.current(chat.scope)
    with open_eraser(settings) as eraser:
        receipt = eraser.forget(chat.scope, home.memory_id)
    assert list(receipt.remaining) == ["notes.txt"]
    assert "notes.txt" not in receipt.proved


def test_what_another_person_said_word_for_word_is_his(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    with open_chat(settings, user="wang", thread="w1") as other:
        say(other, HOME)
        before = [each.content for each in other.memory.current(other.scope)]
    (home,) = chat.memory.current(chat.scope)
    with open_eraser(settings) as eraser:
        receipt = eraser.forget(chat.scope, home.memory_id)
    assert receipt.remaining == {}
    assert receipt.shared >= 1
    assert [each.content for each in chat.memory.current(Scope.user("acme", "wang"))] == before


def test_a_thread_that_waits_for_a_person_is_rewritten_and_goes_on(tmp_path: Path) -> None:
    settings = Settings(
        _env_file=None, home=tmp_path / "home", embedder="none", lang="zh", tenant="acme", ask_by="interrupt"
    )
    with open_chat(settings, user="lin", thread="t1") as talk:
        say(talk, HOME)
        say(talk, "我喜欢绿茶")
        asked = say(talk, "最近绿茶喝得少了，改喝红茶")
        (home,) = [each for each in talk.memory.current(talk.scope) if "阳光" in each.content]
        with open_eraser(settings) as eraser:
            receipt = eraser.forget(talk.scope, home.memory_id)
        assert receipt.remaining == {}
        assert files_with(settings, "阳光花园3栋") == []
        assert say(talk, "是的") != asked


def test_a_legal_hold_keeps_what_is_forgotten_apart_until_it_is_lifted(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    (home,) = chat.memory.current(chat.scope)
    with open_eraser(settings) as eraser:
        hold = eraser.hold(chat.scope, reason="lawsuit 12/26", by="counsel")
        receipt = eraser.forget(chat.scope, home.memory_id)
        assert "lawsuit 12/26" in receipt.retained["memories"]
        assert "lawsuit 12/26" in receipt.retained["remembrancer.db"]
        assert receipt.remaining == {}
        assert chat.memory.current(chat.scope) == []
        assert chat.memory.search(chat.scope, "地址").recollections == ()
        assert list(chat.memory.export(chat.scope)) == []
        assert files_with(settings, "阳光花园3栋") == ["remembrancer.db"]
        assert eraser.lift_hold(chat.scope, hold, by="counsel").proof.remaining == {}
    assert files_with(settings, "阳光花园3栋") == []
    assert chat.services.journal.verify("acme").fault == ""


def test_forget_me_under_a_hold_withholds_everything_and_finds_nothing(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    say(chat, "我叫小林")
    with open_eraser(settings) as eraser:
        eraser.hold(chat.scope, reason="audit of the year", by="counsel")
        receipt = eraser.forget_me(chat.scope, confirm=eraser.memory.forget_me_token(chat.scope))
        assert receipt.counts["memories"] == (2, 0)
        assert {"memories", "transcript", "events"} <= set(receipt.retained)
        assert receipt.remaining == {}
    assert chat.memory.current(chat.scope) == []
    assert files_with(settings, "阳光花园3栋") == ["remembrancer.db"]


def test_an_unfinished_note_loses_its_words_before_it_goes(settings: Settings, chat: Chat) -> None:
    say(chat, HOME)
    (home,) = chat.memory.current(chat.scope)
    chat.memory.forget(chat.scope, home.memory_id)
    engine = chat.services.engine
    with engine.connect() as connection:
        (owed,) = erasures.pending(connection)
    assert HOME in str(owed.texts)
    with writing(engine) as connection:
        erasures.words_are_out(connection, [owed.erasure_id])
    with open_saver(settings.checkpoints) as saver:
        Eraser(settings, chat.services, saver).finish()
    with engine.connect() as connection:
        assert erasures.pending(connection) == []


def test_an_archived_session_is_written_anew_without_the_forgotten_words(chat: Chat, settings: Settings) -> None:
    say(chat, HOME)
    say(chat, "我今天去植物园看了很久的荷花")
    say(chat, "再见")
    later = chat.services.clock() + timedelta(hours=1)
    chat.memory.close_sessions(chat.scope, now=later)
    archived = [each for each in chat.memory.current(chat.scope) if each.rule == "session.end"]
    assert any("阳光花园" in each.content for each in archived)
    (home,) = [
        each for each in chat.memory.current(chat.scope) if each.rule != "session.end" and "阳光" in each.content
    ]
    with open_eraser(settings) as eraser:
        assert eraser.forget(chat.scope, home.memory_id).remaining == {}
    assert files_with(settings, "阳光花园3栋") == []
    assert [each.memory_id for each in chat.memory.current(chat.scope) if each.rule == "session.end"] == [
        each.memory_id for each in archived
    ]
    assert "荷花" in "".join(each.content for each in chat.memory.current(chat.scope))
