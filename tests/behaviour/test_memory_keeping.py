"""Cases 11, 54, 57, 61 of the field, and the transcript: nothing that was said is lost, doubled or renamed."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from foundation.errors import UsageError
from memory import transcript
from memory.model import Message, Proposal
from memory.rows import columns
from memory.scope import Scope
from memory.service import Memory, Situation
from memory.tables import memories
from tests.telling import LIN, WordVectors, at, current, found, open_memory, proposal, tell


def whole(message: Message, situation: Situation) -> list[Proposal]:
    """Keeps every message that begins with "remember"."""
    return [proposal(message.content)] if message.content.startswith("remember") else []


def message(number: int, text: str) -> Message:
    return Message(f"m{number}", "t1", "user", text, at(number))


def kept_turns(memory: Memory, scope: Scope = LIN) -> list[str]:
    with memory.engine.connect() as connection:
        return [turn.content for turn in transcript.thread(connection, scope.pool, "t1")]


def test_every_message_gets_an_outcome_and_is_read_once(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, extractor=whole)
    first = memory.observe(LIN, [message(1, "remember the whale"), message(2, "hm")])
    assert [outcome.status for outcome in first] == ["stored", "nothing"]
    again = memory.observe(LIN, [message(1, "remember the whale")])
    assert [(outcome.status, outcome.reason) for outcome in again] == [("nothing", "read already")]
    assert kept_turns(memory) == ["remember the whale", "hm"]


def test_a_message_whose_reading_fails_is_kept_and_read_later(tmp_path: Path) -> None:
    working = [False]

    def moody(told: Message, situation: Situation) -> list[Proposal]:
        if not working[0]:
            raise UsageError("the model is away")
        assert [turn.content for turn in situation.earlier] == ["before"] * (told.message_id == "m2")
        return whole(told, situation)

    memory = open_memory(tmp_path, extractor=moody)
    failed = memory.observe(LIN, [message(1, "before"), message(2, "remember the whale")])
    assert [outcome.status for outcome in failed] == ["failed", "failed"]
    assert kept_turns(memory) == ["before", "remember the whale"]
    working[0] = True
    assert [outcome.status for outcome in memory.catch_up(LIN)] == ["nothing", "stored"]
    assert memory.catch_up(LIN) == []


@pytest.fixture(scope="module")
def eager(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return open_memory(tmp_path_factory.mktemp("eager"), extractor=lambda told, situation: [proposal(told.content)])


numbers = itertools.count()


@settings(max_examples=40, deadline=None)
@given(
    text=st.one_of(
        st.text(alphabet=st.characters(), max_size=200), st.sampled_from(["", "\0", "\ud800", "x" * 100_000])
    )
)
def test_no_text_breaks_memory_or_is_lost(eager: Memory, text: str) -> None:
    scope = Scope.user("acme", f"u{next(numbers)}")
    assert eager.observe(scope, [message(1, text)])[0].status == "stored"
    assert len(kept_turns(eager, scope)[0]) == len(text)
    eager.search(scope, text)


def test_case_54_fifty_at_once_are_one_row(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(lambda n: tell(memory, "我对芒果过敏", message_id=f"m{n}", when=at(n)), range(50)))
    statuses = [outcome.status for outcome in told]
    assert (statuses.count("stored"), statuses.count("reinforced")) == (1, 49)
    assert current(memory) == ["我对芒果过敏"]
    assert len(memory.current(LIN)[0].sources) == 50
    assert memory.examine(LIN).healthy


def test_case_57_an_id_stays_for_life(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    kept = str(tell(memory, "我喜欢绿茶").memory_id)
    tell(memory, "我喜欢绿茶", when=at(1), message_id="again")
    memory.doctor(LIN)
    memory.rebuild(LIN)
    assert [each.memory_id for each in memory.current(LIN)] == [kept]
    memory.correct(LIN, kept, "我喜欢红茶", now=at(2))
    assert memory.show(LIN, kept).content == "我喜欢绿茶"


def many(memory: Memory, number: int) -> None:
    """`number` rows more like the one that is there."""
    like = memory.current(LIN)[0]
    rows = [
        columns(replace(like, memory_id=f"mem_{n:05}", content=f"row {n}"), pool=LIN.pool, content_key=f"row {n}")
        for n in range(1, number + 1)
    ]
    with memory.engine.begin() as connection:
        connection.execute(insert(memories), rows)


def test_case_61_all_rows_are_listed_and_exported_to_the_last(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    tell(memory, "row 0")
    many(memory, 10_000)
    assert len(memory.current(LIN)) == 10_001
    assert sum(1 for _ in memory.export(LIN)) == 10_001


def test_an_export_comes_back_whole_in_another_database(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    tell(memory, "I eat pork")
    tell(memory, "I don't eat pork", when=at(1))
    tell(memory, "我对芒果过敏", category="user_profile", importance="critical", when=at(2))
    lines = list(memory.export(LIN))
    (tmp_path / "other").mkdir()
    other = open_memory(tmp_path / "other", WordVectors())
    assert (other.import_lines(LIN, lines), other.import_lines(LIN, lines)) == (3, 0)
    assert list(other.export(LIN)) == lines
    assert found(other, "pork") == ["I don't eat pork"]
    assert other.doctor(LIN).healthy
    assert other.import_lines(Scope.user("acme", "mei"), lines) == 3
    with pytest.raises(UsageError, match="line 1"):
        other.import_lines(LIN, ["{}"])


def test_case_55_a_sweep_retires_the_expired_in_batches(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    tell(memory, "row 0", expires_at=at(1))
    many(memory, 210)
    assert memory.sweep("acme", now=at(2))["expired"] == 211
    assert memory.sweep("acme", now=at(2))["expired"] == 0
    assert memory.examine(LIN).healthy
