"""Clearing a database of what lies outside of its rows: every trace goes, every row stays, and others go on writing."""

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from foundation import residue
from foundation.looking import look
from foundation.needles import Needles
from foundation.residue import found_in
from foundation.slack import cleared

HIS = [f"他第{number}天去了湖心公园喂鱼，心情很好" for number in range(120)]
TABLES = (
    "CREATE TABLE told (number INTEGER PRIMARY KEY, whose TEXT, words TEXT)",
    "CREATE TABLE posted (words TEXT, number INTEGER, PRIMARY KEY (words, number)) WITHOUT ROWID",
    "CREATE INDEX by_words ON told (words)",
)

ANOTHER_PROGRAM = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("INSERT INTO told (words) VALUES ('two')")
connection.close()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.db"


@pytest.fixture
def database(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(opened(path)) as connection:
        for statement in TABLES:
            connection.execute(statement)
        yield connection


def opened(path: Path, *, forgetful: bool = True) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=20)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA secure_delete={forgetful:d}")
    return connection


def tell(connection: sqlite3.Connection, chance: random.Random, his: list[str]) -> None:
    """Rows of all lengths in any order, some changed, some deleted, so that pages are split, joined and freed."""
    others = ["".join(chance.choices("湖海山川 lantern", k=chance.randint(1, 2000))) for _ in range(300)]
    rows = [("his", each) for each in his] + [("theirs", each) for each in others]
    chance.shuffle(rows)
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO told (whose, words) VALUES (?, ?)", rows)
    connection.execute("INSERT OR IGNORE INTO posted SELECT words, number FROM told")
    connection.execute("DELETE FROM told WHERE whose = 'theirs' AND number % 3 = 0")
    connection.execute("UPDATE told SET words = words || 'more' WHERE whose = 'theirs' AND number % 5 = 0")
    connection.execute("COMMIT")


def forget(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM posted WHERE words IN (SELECT words FROM told WHERE whose = 'his')")
    connection.execute("DELETE FROM told WHERE whose = 'his'")
    connection.execute("COMMIT")


def content(connection: sqlite3.Connection) -> list[str]:
    return list(connection.iterdump())


def left(path: Path, texts: list[str]) -> set[str]:
    looked = look((), [path.with_name(path.name + end) for end in ("", "-wal")], texts)
    return {text for found in looked.files.values() for text in found}


@pytest.mark.parametrize("seed", range(6))
def test_what_no_row_says_leaves_the_file_and_every_row_stays(
    path: Path, database: sqlite3.Connection, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residue, "_CHUNK", 64 * 1024)
    chance = random.Random(seed)
    tell(database, chance, HIS)
    if seed % 2:
        database.execute("PRAGMA secure_delete=OFF")
    forget(database)
    rows = content(database)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    if seed % 2:
        assert len(found_in(path, Needles(HIS))) > 30, "without secure_delete much of it is still there"
    seen = cleared(path, Needles(HIS))
    assert (seen.rows, seen.beyond, seen.freed, seen.log_in_use) == (set(), set(), set(), False)
    assert found_in(path, Needles(HIS)) == {}
    with closing(opened(path)) as again:
        assert again.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert content(again) == rows


def test_what_rows_say_is_told_and_stays(path: Path, database: sqlite3.Connection) -> None:
    long = f"{'山' * 5000}{HIS[1]}{'海' * 5000}"
    database.execute("INSERT INTO told (words) VALUES (?), (?)", (HIS[0], long))
    rows = content(database)
    database.close()
    seen = cleared(path, Needles(HIS))
    assert (seen.rows, seen.beyond, seen.freed) == ({HIS[0]}, {HIS[1]}, set())
    with closing(opened(path)) as again:
        assert content(again) == rows


def test_others_go_on_writing_and_bring_nothing_back(path: Path, database: sqlite3.Connection) -> None:
    """A connection that remembers pages as they were would write back what lay between their rows."""
    tell(database, random.Random(3), HIS)
    database.execute("PRAGMA secure_delete=OFF")
    forget(database)
    over, written = threading.Event(), [0]

    def write() -> None:
        with closing(opened(path)) as mine:
            while not over.is_set():
                mine.execute("UPDATE told SET words = words || '.' WHERE number % 97 = ?", (written[0] % 97,))
                written[0] += 1

    busy = threading.Thread(target=write)
    busy.start()
    try:
        for _ in range(3):
            seen = look([path], (), HIS).databases[path]
            assert (seen.rows, seen.beyond, seen.freed) == (set(), set(), set())
    finally:
        over.set()
        busy.join()
    assert written[0] > 3
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert left(path, HIS) == set()
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_looking_through_a_database_in_use_loses_no_commit_of_who_uses_it(
    path: Path, database: sqlite3.Connection
) -> None:
    database.execute("INSERT INTO told (words) VALUES ('one')")
    look([path], [path.with_name("file.db-shm"), path], ["somebody's words"])
    subprocess.run([sys.executable, "-c", ANOTHER_PROGRAM, str(path)], check=True)
    database.execute("INSERT INTO told (words) VALUES ('three')")
    with closing(opened(path)) as fresh:
        assert fresh.execute("SELECT count(*) FROM told").fetchone() == (3,)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file.db").write_bytes(b"SQLite format 3\0" + b"no page of it" * 100)
    looked = look([tmp_path / "file.db"], [tmp_path], ["some words"])
    assert set(looked.unreadable) == {tmp_path / "file.db", tmp_path}
