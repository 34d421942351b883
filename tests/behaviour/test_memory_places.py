"""No place is forgotten when somebody is forgotten: all tables, all columns and all folders, new ones included."""

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, Connection, DateTime, LargeBinary, Table, Text, insert
from sqlalchemy.types import TypeDecorator

from foundation.database import metadata, writing
from memory import tables
from memory.model import Receipt
from memory.scope import Scope
from memory.transcript import FORGOTTEN
from oversight.tables import reviews, threads
from remembrancer import places
from remembrancer.backup import back_up
from remembrancer.eraser import Eraser, open_eraser
from remembrancer.paperwork import note_file
from remembrancer.receipts import lines
from remembrancer.settings import Settings

LIN = Scope.user("acme", "lin")
NOW = datetime(2026, 9, 1, tzinfo=UTC)
TALK, REVIEW = "lin-talk", "rev-of-lin"
NO_WORDS_OF_POOL = {"memory_pools", "legal_holds", "erasures"}
NAMES_OF_THINGS = {
    "reviews": "review_id tenant thread_id action subject currency submitter batch party audience rule policy"
    " forked_from assignee claimed_by digest status decision_id",
    "actions": "tenant action_key thread_id turn owner name signature status decision_id decided_by",
    "feed_events": "tenant batch thread kind subject",
    "decisions": "decision_id tenant review_id kind decided_by via behalf_of digest",
    "notices": "notice_id tenant review_id kind recipient",
    "scheduled_decisions": "scheduled_id tenant review_id kind decided_by via bulk status",
}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return Settings(_env_file=None, home=tmp_path / "home", embedder="none", lang="en", tenant="acme")


@pytest.fixture
def eraser(settings: Settings) -> Iterator[Eraser]:
    with open_eraser(settings) as eraser:
        with writing(eraser.services.engine) as connection:
            bind = {"tenant": "acme", "kind": "assistant", "owner": "lin", "created_at": NOW}
            connection.execute(insert(threads).values(thread_id=TALK, **bind))
        yield eraser


def sentence(place: str) -> str:
    return f"{place} has what Lin said by the harbour"


def say(connection: Connection, *places_of_it: str) -> None:
    """His talk says all of it: what stands elsewhere, too, is to be found there."""
    for place in places_of_it:
        said = {"message_id": place, "role": "user", "content": sentence(place), "created_at": NOW, "recorded_at": NOW}
        connection.execute(insert(tables.transcript).values(pool=LIN.pool, thread_id=TALK, **said))


def words_of(table: Table) -> list[Column[Any]]:
    return [column for column in table.c if isinstance(column.type, Text | JSON)]


def row_with(table: Table, words: list[str], fixed: dict[str, str]) -> dict[str, Any]:
    """A row of whatever table, with a sentence in each of these columns, as JSON where a column holds that."""
    row: dict[str, Any] = {}
    for column in table.c:
        said = {"said": sentence(f"{table.name}.{column.name}")}
        if column.name in words:
            row[column.name] = said if isinstance(column.type, JSON) else json.dumps(said)
        elif column.name in fixed:
            row[column.name] = fixed[column.name]
        elif column.autoincrement is not True:
            row[column.name] = _something(column)
    return row


def _something(column: Column[Any]) -> Any:
    kind = column.type.impl if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(kind, DateTime):
        return NOW
    if isinstance(kind, Boolean | LargeBinary):
        return b"" if isinstance(kind, LargeBinary) else True
    return "x" if isinstance(kind, Text) else None if column.nullable else 7


def forgotten(eraser: Eraser) -> Receipt:
    return eraser.forget_me(LIN, confirm=eraser.memory.forget_me_token(LIN))


def found_in_tables(settings: Settings) -> set[str]:
    """table.column of every sentence that some row still says, looked for without the program."""
    with closing(sqlite3.connect(settings.home / "remembrancer.db")) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [str(row) for name in names for row in connection.execute(f'SELECT * FROM "{name}"')]
    every = [f"{table.name}.{column.name}" for table in metadata.sorted_tables for column in words_of(table)]
    return {place for place in every if any(sentence(place) in row for row in rows)}


def test_every_table_is_known_to_the_eraser(eraser: Eraser) -> None:
    """A new table fails here until somebody says what forgetting does with the words in it."""
    with closing(sqlite3.connect(eraser.settings.home / "remembrancer.db")) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        there = {name for (name,) in connection.execute(query)}
    quoting = {each.table.name for each in places.QUOTING}
    by_pool = {table.name for table in metadata.sorted_tables if {"pool", "namespace"} & {*table.c.keys()}}
    told = [by_pool, quoting | set(places.KEPT), set(places.ACCOUNT), places.WORDLESS]
    assert there == set().union(*told)
    assert sum(map(len, told)) == len(there), "no table stands in two lists"


@pytest.mark.parametrize("place", places.QUOTING, ids=lambda place: place.table.name)
def test_every_column_of_a_quoting_table_holds_words_or_a_name(place: places.Quoting) -> None:
    named = {column.name for column in words_of(place.table)} - set(place.words)
    assert named == set(NAMES_OF_THINGS[place.table.name].split())


def test_whatever_table_quotes_him_forgets_his_words(settings: Settings, eraser: Eraser) -> None:
    fixed = {"tenant": "acme", "thread_id": TALK, "thread": TALK, "review_id": REVIEW, "status": "applied"}
    planted: set[str] = set()
    with writing(eraser.services.engine) as connection:
        for place in places.QUOTING:
            connection.execute(insert(place.table).values(row_with(place.table, list(place.words), fixed)))
            planted |= {f"{place.table.name}.{name}" for name in place.words}
        say(connection, *planted)
    assert found_in_tables(settings) == planted
    receipt = forgotten(eraser)
    assert found_in_tables(settings) == set()
    assert (receipt.remaining, receipt.requested) == ({}, ())
    assert "remembrancer.db" in receipt.proved


def test_a_word_that_names_something_too_leaves_the_question_whole_and_its_arguments_empty_of_it(
    settings: Settings, eraser: Eraser
) -> None:
    """Somebody must still be able to answer a question about what was forgotten in it."""
    said = "approve"
    question = {"review_configs": [{"allowed_decisions": [said]}], "action_requests": [{"args": {"name": said}}]}
    row = row_with(reviews, [], {"tenant": "acme", "thread_id": TALK, "review_id": REVIEW, "status": "open"})
    with writing(eraser.services.engine) as connection:
        connection.execute(insert(reviews).values({**row, "question": json.dumps(question)}))
        told = {"thread_id": TALK, "message_id": "m", "role": "user", "created_at": NOW, "recorded_at": NOW}
        connection.execute(insert(tables.transcript).values(pool=LIN.pool, content=said, **told))
    forgotten(eraser)
    with closing(sqlite3.connect(settings.home / "remembrancer.db")) as connection:
        kept = json.loads(connection.execute("SELECT question FROM reviews").fetchone()[0])
    assert kept["review_configs"] == question["review_configs"]
    assert kept["action_requests"] == [{"args": {"name": FORGOTTEN}}]


def test_everything_with_a_pool_goes_with_the_pool(settings: Settings, eraser: Eraser) -> None:
    names = {"pool", "memory_id", "status", "thread_id", "message_id", "rule", "namespace", "key"}
    planted: set[str] = set()
    fixed = {"pool": LIN.pool, "namespace": "notes\x1facme\x1flin\x1f", "memory_id": "mem_1", "status": "current"}
    pooled = [table for table in metadata.sorted_tables if {"pool", "namespace"} & {*table.c.keys()}]
    with writing(eraser.services.engine) as connection:
        for table in (each for each in pooled if each.name not in NO_WORDS_OF_POOL):
            words = [column.name for column in words_of(table) if column.name not in names]
            connection.execute(insert(table).values(row_with(table, words, fixed)))
            planted |= {f"{table.name}.{name}" for name in words}
        say(connection, *planted)
    assert found_in_tables(settings) == planted
    receipt = forgotten(eraser)
    assert found_in_tables(settings) == set()
    assert receipt.remaining == {}


def test_what_is_kept_by_law_is_named_table_by_table(settings: Settings, eraser: Eraser) -> None:
    fixed = {"tenant": "acme", "thread_id": "an invoice's", "thread": "an invoice's", "review_id": "an invoice's"}
    planted: set[str] = set()
    with writing(eraser.services.engine) as connection:
        for name in places.KEPT:
            table = metadata.tables[name]
            words = [column.name for column in words_of(table) if column.name not in fixed]
            connection.execute(insert(table).values(row_with(table, words, fixed)))
            planted |= {f"{name}.{word}" for word in words}
        say(connection, *planted)
    receipt = forgotten(eraser)
    assert found_in_tables(settings) == planted
    assert receipt.remaining == {}
    assert "remembrancer.db" not in receipt.proved
    told = receipt.retained["remembrancer.db"]
    unsaid = {name for name in places.KEPT if name not in told} - {"review_reasons", "audit_heads"}
    assert unsaid == set()
    in_chinese = "\n".join(lines(receipt, "zh"))
    assert "依法保存" in in_chinese
    assert "kept by law" not in in_chinese


def test_every_kind_of_file_is_looked_into_and_said(settings: Settings, eraser: Eraser, tmp_path: Path) -> None:
    home, said = settings.home, sentence("a file")
    with writing(eraser.services.engine) as connection:
        say(connection, "a file")
    back_up(settings, tmp_path / "backup.zip")
    (home / "uploads" / "september").mkdir(parents=True)
    (home / "uploads" / "september" / "trip.csv").write_text(said, "utf-8")
    (tmp_path / "read.jsonl").write_text(json.dumps({"content": said}), "utf-8")
    (tmp_path / "written.jsonl").write_text(json.dumps({"content": said}), "utf-8")
    (tmp_path / places.SERVER_FOLDER).mkdir()
    (tmp_path / places.SERVER_FOLDER / "runs.pckl").write_bytes(b"\x80\x04" + said.encode())
    (home / "old.log").write_text(f"{said}\n", "utf-8")
    (home / "older.gz").write_bytes(gzip.compress(said.encode() * 20))
    with zipfile.ZipFile(home / "sheet.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", f"<t>{said}</t>" * 20)
    with writing(eraser.services.engine) as connection:
        note_file(connection, tmp_path / "read.jsonl", "import", at=NOW)
        note_file(connection, tmp_path / "written.jsonl", "export", pool=LIN.pool, at=NOW)
    receipt = forgotten(eraser)
    assert {*receipt.remaining} == {"older.gz", "sheet.xlsx"}, "packed files that nobody knows are unpacked and told"
    assert {*receipt.retained} == {str(tmp_path / "backup.zip"), "uploads/september/trip.csv"}
    asked = " ".join(receipt.requested)
    assert str(tmp_path / "read.jsonl") in asked
    assert places.SERVER_FOLDER in asked
    assert "old.log" in receipt.proved
    assert not (tmp_path / "written.jsonl").exists()
    assert said not in (home / "old.log").read_text("utf-8")
    query = "SELECT path FROM known_files ORDER BY path"
    with closing(sqlite3.connect(home / "remembrancer.db")) as connection:
        noted = [Path(path).name for (path,) in connection.execute(query)]
    assert noted == ["backup.zip", "read.jsonl"], "the names of his own files may name him"


def test_a_person_who_may_still_sign_in_is_told_so(eraser: Eraser) -> None:
    account = metadata.tables["people"]
    with writing(eraser.services.engine) as connection:
        connection.execute(insert(account).values(row_with(account, [], {"tenant": "acme", "key": "lin"})))
    receipt = forgotten(eraser)
    assert receipt.retained == {"account": places.UNTIL_REMOVED}


def test_a_review_of_somebody_elses_talk_is_not_his_and_stays(settings: Settings, eraser: Eraser) -> None:
    other = {"tenant": "acme", "thread_id": "wang-talk", "review_id": "rev-of-wang"}
    bind = {"tenant": "acme", "kind": "assistant", "owner": "wang", "created_at": NOW}
    with writing(eraser.services.engine) as connection:
        connection.execute(insert(threads).values(thread_id="wang-talk", **bind))
        connection.execute(insert(reviews).values(row_with(reviews, ["headline"], other)))
        say(connection, "reviews.headline")
    receipt = forgotten(eraser)
    assert found_in_tables(settings) == {"reviews.headline"}
    assert (receipt.remaining, receipt.retained, receipt.shared) == ({}, {}, 1)
