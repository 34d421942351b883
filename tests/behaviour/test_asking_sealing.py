"""Checkpoints encrypted at rest: plain rows, moved ones and other keys are refused; a plain file can be sealed."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from langgraph.types import Command
from pydantic import SecretStr

from foundation.errors import SettingsError, StorageError
from graphs.invoice_audit import build_invoice_audit
from oversight.checkpoints import open_async_saver, open_saver
from oversight.retention import seal
from remembrancer.office import open_office
from remembrancer.settings import load_settings
from tests.support.house import THREAD, House

KEY, OTHER = bytes(range(32)), bytes(32)
APPROVE = {"type": "approve", "message": "special business"}


def _pause(house: House, key: bytes | None = KEY) -> dict[str, Any]:
    with open_saver(house.settings.checkpoints, key=key) as saver:
        graph = build_invoice_audit(house.services, checkpointer=saver)
        return dict(graph.invoke(house.start(), THREAD)["__interrupt__"][0].value)


def _answer(house: House, key: bytes | None = KEY) -> dict[str, int]:
    with open_saver(house.settings.checkpoints, key=key) as saver:
        graph = build_invoice_audit(house.services, checkpointer=saver)
        return dict(graph.invoke(Command(resume=APPROVE), THREAD)["counts"])


def _change(house: House, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(house.settings.checkpoints)) as connection:
        assert connection.execute(statement, values).rowcount > 0
        connection.commit()


def _content(house: House) -> bytes:
    folder = house.settings.checkpoints.parent
    return b"".join(file.read_bytes() for file in sorted(folder.glob("checkpoints.db*")))


def test_with_a_key_nothing_of_the_question_stands_in_the_file_and_it_resumes(house: House) -> None:
    question = _pause(house)
    assert question["review_id"].encode() not in _content(house)
    assert {kind.partition("+")[2] for (kind,) in house.ask_checkpoints("SELECT type FROM checkpoints")} == {
        "aes-eax-placed"
    }
    assert _answer(house) == {"booked": 4}


def test_a_server_reads_and_writes_the_same_sealed_file(house: House) -> None:
    _pause(house)

    async def run() -> dict[str, int]:
        async with open_async_saver(house.settings.checkpoints, key=KEY) as saver:
            graph = build_invoice_audit(house.services, checkpointer=saver)
            return dict((await graph.ainvoke(Command(resume=APPROVE), THREAD))["counts"])

    assert asyncio.run(run()) == {"booked": 4}
    kinds = house.ask_checkpoints("SELECT DISTINCT type FROM checkpoints UNION SELECT DISTINCT type FROM writes")
    assert all("+" in kind for (kind,) in kinds)


def test_case_24_a_plain_row_is_refused_once_a_key_is_set(house: House) -> None:
    _pause(house, key=None)
    with pytest.raises(StorageError, match="checkpoints encrypt"):
        _answer(house)
    assert house.statuses() == {"booked": 3, "waiting": 1}


def test_case_24_a_plain_answer_slipped_into_a_sealed_thread_is_refused(house: House) -> None:
    _pause(house)
    _change(house, "UPDATE writes SET type = 'msgpack', value = x'c0' WHERE channel = '__interrupt__'")
    with pytest.raises(StorageError, match="in plain text though a key is set"):
        _answer(house)
    assert house.statuses() == {"booked": 3, "waiting": 1}


@pytest.mark.parametrize(
    ("table", "column", "taken", "put"),
    [
        ("checkpoints", "checkpoint", "checkpoint_id < (SELECT MAX(checkpoint_id) FROM checkpoints)", "1"),
        ("writes", "value", "channel <> '__interrupt__'", "channel = '__interrupt__'"),
    ],
)
def test_case_24_a_sealed_row_moved_to_another_place_is_refused(
    house: House, table: str, column: str, taken: str, put: str
) -> None:
    _pause(house)
    ((kind, moved),) = house.ask_checkpoints(f"SELECT type, {column} FROM {table} WHERE {taken} LIMIT 1")
    _change(house, f"UPDATE {table} SET type = ?, {column} = ? WHERE {put}", kind, moved)
    with pytest.raises(StorageError, match="moved there from another place"):
        _answer(house)
    assert house.statuses() == {"booked": 3, "waiting": 1}


def test_a_changed_row_is_refused(house: House) -> None:
    _pause(house)
    _change(house, "UPDATE checkpoints SET checkpoint = CAST(substr(checkpoint, 1, length(checkpoint) - 1) AS BLOB)")
    with pytest.raises(StorageError, match="or the row was changed"):
        _answer(house)


def test_another_key_and_no_key_are_told_at_the_opening(house: House) -> None:
    _pause(house)
    with pytest.raises(StorageError, match="REMEMBRANCER_CHECKPOINT_KEY is not the key"):
        _answer(house, key=OTHER)
    with pytest.raises(StorageError, match="set REMEMBRANCER_CHECKPOINT_KEY"):
        _answer(house, key=None)


def test_a_plain_file_is_sealed_whole_and_its_threads_resume(house: House) -> None:
    question = _pause(house, key=None)
    assert question["review_id"].encode() in _content(house)
    assert seal(house.settings.checkpoints, KEY) > 0
    assert question["review_id"].encode() not in _content(house)
    assert seal(house.settings.checkpoints, KEY) == 0
    assert _answer(house) == {"booked": 4}
    assert house.bookings() == house.log_lines("booked") == 4


def test_a_file_in_use_is_not_sealed(house: House) -> None:
    _pause(house, key=None)
    with closing(sqlite3.connect(house.settings.checkpoints)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="stop what uses them"):
            seal(house.settings.checkpoints, KEY)


def test_the_office_works_with_the_key_of_the_settings(house: House) -> None:
    settings = house.settings.model_copy(update={"checkpoint_key": SecretStr(KEY.hex())})
    with open_office(settings) as office:
        office.audit(house.start(), name="one")
        ((review_id,),) = house.ask("SELECT review_id FROM reviews")
        office.decide(review_id, "approve", by="lin", reason="verified")
    assert house.statuses() == {"booked": 4}
    assert review_id.encode() not in _content(house)
    with pytest.raises(StorageError, match="set REMEMBRANCER_CHECKPOINT_KEY"), house.office():
        pass


@pytest.mark.parametrize("key", ["abc", "0" * 63, "g" * 64])
def test_a_key_that_is_none_stops_the_start_and_is_not_repeated(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("REMEMBRANCER_CHECKPOINT_KEY", key)
    with pytest.raises(SettingsError, match="64 hexadecimal digits") as raised:
        load_settings(_env_file=None)
    assert key not in str(raised.value)
