"""Looking for texts in bytes: every form, every place, every kind of file, and nothing that isn't there."""

import random
import sqlite3
import string
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from foundation import residue
from foundation.needles import FORMS, Needles
from foundation.residue import found_in

SECRETS = (
    "我住在阳光花园3栋",
    "lives at 14 Harbour Lane",
    "李雷",
    "13800138000",
    'he said "no"\nand left',
    "O'Brien & <sons>",
    "Zoë 🦊",
    "密码是春天来了花儿开了鸟儿叫了",
)


def planted(folder: Path, *parts: bytes) -> Path:
    file = folder / "file"
    file.write_bytes(b"".join(parts))
    return file


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_text_is_found_in_every_form_wherever_it_lies(tmp_path: Path, secret: str, form: str) -> None:
    written = FORMS[form](secret)
    each_alignment = b"".join(noise(40 + shift, shift) + written for shift in range(9))
    file = planted(tmp_path, each_alignment, noise(500))
    assert found_in(file, Needles([*SECRETS, "somebody else's words"])) == {secret: 9}


def test_a_text_that_lies_across_what_is_read_at_once_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residue, "_CHUNK", 4096)
    needles = Needles(SECRETS)
    for place in range(4096 - 60, 4096 + 10):
        file = planted(tmp_path, noise(place), SECRETS[0].encode(), noise(9000), SECRETS[1].encode())
        assert found_in(file, needles) == {SECRETS[0]: 1, SECRETS[1]: 1}, place


def test_many_texts_that_share_most_of_their_words_are_told_apart(tmp_path: Path) -> None:
    family = [f"prefers the harbour lantern beside granite {number}" for number in range(10_000, 10_400)]
    file = planted(tmp_path, *(f"\x01\x02{each}\x03".encode() for each in family))
    assert found_in(file, Needles(family[:200])) == dict.fromkeys(family[:200], 1)
    others = [f"prefers the harbour lantern beside granite {number}" for number in range(20_000, 20_100)]
    assert found_in(file, Needles(others)) == {}


def test_any_piece_of_noise_is_found_where_it_was_cut_out(tmp_path: Path) -> None:
    chance = random.Random(7)
    text = "".join(chance.choices(string.ascii_letters + "的一是不了人我在有他", k=30_000))
    file = planted(tmp_path, text.encode())
    pieces = [
        text[at : at + size] for size in (4, 8, 9, 11, 15, 22, 40, 159) for at in chance.sample(range(29_000), 20)
    ]
    found = found_in(file, Needles(pieces))
    assert {each: found[each] for each in pieces} == {each: text.count(each) for each in pieces}
    absent = ["".join(chance.choices(string.ascii_letters, k=12)) for _ in range(300)]
    assert found_in(file, Needles(absent)) == {}


def test_a_long_text_is_found_by_its_parts(tmp_path: Path) -> None:
    long = "。".join(f"第{number}天我去了{number}号公园" for number in range(60))
    file = planted(tmp_path, noise(100), long[80:240].encode(), noise(100))
    assert found_in(file, Needles([long])) == {long: 2}


def test_what_a_checkpoint_holds_is_found(tmp_path: Path) -> None:
    state = {"messages": [{"content": each} for each in SECRETS], "number": 7}
    kind, data = JsonPlusSerializer().dumps_typed(state)
    assert kind == "msgpack"
    assert found_in(planted(tmp_path, data), Needles(SECRETS)) == dict.fromkeys(SECRETS, 1)


def test_members_of_archives_are_read_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "file", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("talk.json", SECRETS[1] * 40)
    assert found_in(tmp_path / "file", Needles(SECRETS))[SECRETS[1]] == 40


def test_a_file_that_is_gone_or_empty_holds_nothing(tmp_path: Path) -> None:
    assert found_in(tmp_path / "gone", Needles(SECRETS)) == {}
    assert found_in(planted(tmp_path), Needles(SECRETS)) == {}
    assert found_in(planted(tmp_path, "李雷".encode()), Needles(["", "x", " "])) == {}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "file.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("CREATE TABLE told (number INTEGER PRIMARY KEY, words TEXT, state BLOB)")
        yield connection


def holding(path: Path, needles: Needles) -> set[str]:
    return {text for end in ("", "-wal") for text in found_in(path.with_name(path.name + end), needles)}


def test_what_a_database_freed_is_found_in_its_log_and_in_its_slack(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    path, needles = tmp_path / "file.db", Needles(SECRETS)
    database.executemany("INSERT INTO told (words) VALUES (?)", [(each,) for each in SECRETS])
    assert set(found_in(path.with_name("file.db-wal"), needles)) == set(SECRETS)
    assert found_in(path, needles) == {}
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("DELETE FROM told")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert found_in(path, needles)[SECRETS[1]] == 1, "a freed row lies where it lay until it is written over"
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert holding(path, needles) == set()


def test_a_row_that_goes_on_in_other_pages_hides_nothing(database: sqlite3.Connection, tmp_path: Path) -> None:
    path, secret = tmp_path / "file.db", "她住在月亮湾八号楼三单元，门铃坏了 and the key is under the pot"
    for before in [*range(3900, 4200, 11), *range(8000, 8300, 13)]:
        database.execute("DELETE FROM told")
        row = noise(before, before).replace(b"\0", b"x") + secret.encode() + noise(9000, 3).replace(b"\0", b"x")
        database.execute("INSERT INTO told (state) VALUES (?)", (row,))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert secret.encode() in database.execute("SELECT state FROM told").fetchone()[0]
        assert found_in(path, Needles([secret, "other words that are nowhere"])) == {secret: 1}, before
