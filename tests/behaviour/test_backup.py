"""Backup while the program runs, restore with checks, and what was forgotten since stays forgotten."""

import json
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from foundation.errors import RefusedError, StorageError, UsageError
from memory.scope import Scope
from remembrancer import deletions
from remembrancer.backup import MANIFEST, back_up, read_manifest, restore
from remembrancer.chat import open_chat
from remembrancer.eraser import open_eraser
from remembrancer.settings import Settings
from remembrancer.wiring import open_services

HOME = "我住在阳光花园3栋"
LIN, WANG = Scope.user("acme", "lin"), Scope.user("acme", "wang")


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    settings = house(tmp_path / "home")
    for user, lines in (("lin", ("我叫小林", HOME)), ("wang", ("我叫小王", "我住在月亮湾8号"))):
        with open_chat(settings, user=user, thread=f"t-{user}") as talk:
            for line in lines:
                "".join(talk.say(line))
    with open_services(settings).journal.transaction() as transaction:
        transaction.log("acme", "lin", "tested", "subject", note="content")
    yield settings
    open_services(settings).engine.dispose()


def house(home: Path) -> Settings:
    return Settings(_env_file=None, home=home, embedder="none", lang="en", tenant="acme")


def known(settings: Settings, scope: Scope) -> set[str]:
    return {each.content for each in open_services(settings).memory().current(scope)}


def holds(home: Path, text: str) -> list[str]:
    return [file.name for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_a_backup_comes_back_whole_in_an_empty_home(settings: Settings, tmp_path: Path) -> None:
    manifest = back_up(settings, tmp_path / "a.backup")
    assert {"remembrancer.db", "checkpoints.db"} <= set(manifest.files)
    other = house(tmp_path / "other")
    restored = restore(other, tmp_path / "a.backup")
    assert restored.deletions == 0
    assert known(other, LIN) == known(settings, LIN) == {"我叫小林", HOME}
    assert open_services(other).journal.verify("acme").fault == ""
    with open_chat(other, user="lin", thread="t-lin") as talk:
        assert "阳光花园" in "".join(talk.say("我住在哪里？"))
    open_services(other).engine.dispose()


def test_what_was_forgotten_since_the_backup_stays_forgotten(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    back_up(settings, file)
    memory = open_services(settings).memory()
    (address,) = [each for each in memory.current(LIN) if "阳光" in each.content]
    with open_eraser(settings) as eraser:
        receipt = eraser.forget(LIN, address.memory_id)
        assert "deletion list" in receipt.retained[str(file)]
        eraser.forget_me(WANG, confirm=memory.forget_me_token(WANG))
    listed = deletions.beside(file).read_text("ascii")
    assert not any(word in listed for word in ("阳光", "wang", "lin", "acme"))
    other = house(tmp_path / "other")
    assert restore(other, file).deletions == 2
    assert (known(other, LIN), known(other, WANG)) == ({"我叫小林"}, set())
    assert holds(other.home, "阳光花园3栋") == holds(other.home, "月亮湾") == holds(other.home, "小王") == []
    assert holds(other.home, "小林") != []
    open_services(other).engine.dispose()


def test_a_message_forgotten_since_is_forgotten_again(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    back_up(settings, file)
    memory = open_services(settings).memory()
    (address,) = [each for each in memory.current(LIN) if "阳光" in each.content]
    with open_eraser(settings) as eraser:
        eraser.forget_message(LIN, "t-lin", address.sources[0].message_id)
    other = house(tmp_path / "other")
    restore(other, file)
    assert known(other, LIN) == {"我叫小林"}
    assert holds(other.home, "阳光花园3栋") == []
    open_services(other).engine.dispose()


def test_what_a_legal_hold_keeps_is_kept_by_a_restore_too(settings: Settings, tmp_path: Path) -> None:
    """A hold that is younger than the backup would be gone, and the restore would destroy what it keeps."""
    file = tmp_path / "a.backup"
    back_up(settings, file)
    with open_eraser(settings) as eraser:
        hold = eraser.hold(WANG, reason="lawsuit 12/26", by="counsel")
        eraser.forget_me(WANG, confirm=eraser.memory.forget_me_token(WANG))
    open_services(settings).engine.dispose()
    assert restore(settings, file, replace=True).deletions == 1
    memory = open_services(settings).memory()
    assert memory.current(WANG) == []
    assert [each.hold_id for each in memory.holds(WANG)] == [hold]
    assert holds(settings.home, "月亮湾") == ["remembrancer.db"], "kept apart, found by nobody"
    with open_eraser(settings) as eraser:
        eraser.lift_hold(WANG, hold, by="counsel")
    assert holds(settings.home, "月亮湾") == []


def test_what_was_forgotten_before_the_backup_is_not_taken_from_who_came_back(
    settings: Settings, tmp_path: Path
) -> None:
    memory = open_services(settings).memory()
    with open_eraser(settings) as eraser:
        eraser.forget_me(WANG, confirm=memory.forget_me_token(WANG))
    with open_chat(settings, user="wang", thread="t-wang") as talk:
        "".join(talk.say("我叫王老五"))
    back_up(settings, tmp_path / "a.backup")
    other = house(tmp_path / "other")
    assert restore(other, tmp_path / "a.backup").deletions == 0
    assert known(other, WANG) == {"我叫王老五"}
    open_services(other).engine.dispose()


def test_nothing_is_overwritten_silently(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    back_up(settings, file)
    with pytest.raises(UsageError, match="--replace"):
        back_up(settings, file)
    with pytest.raises(UsageError, match="--replace"):
        restore(settings, file)
    assert known(settings, LIN) == {"我叫小林", HOME}
    with pytest.raises(UsageError, match="no backup"):
        restore(house(tmp_path / "other"), settings.home / "remembrancer.db")


def test_a_restore_in_place_needs_the_place_for_itself(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "a.backup"
    back_up(settings, file)
    with open_chat(settings, user="lin", thread="t-lin") as talk:
        "".join(talk.say("我喜欢绿茶"))
        with pytest.raises(RefusedError, match="another process works"):
            restore(settings, file, replace=True)
    open_services(settings).engine.dispose()
    restore(settings, file, replace=True)
    assert known(settings, LIN) == {"我叫小林", HOME}


@pytest.mark.parametrize("member", ["remembrancer.db", "checkpoints.db"])
def test_a_changed_archive_is_refused_and_nothing_is_touched(settings: Settings, tmp_path: Path, member: str) -> None:
    file, bad = tmp_path / "a.backup", tmp_path / "bad.backup"
    back_up(settings, file)
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(bad, "w") as changed:
        for name in good.namelist():
            data = bytearray(good.read(name))
            if name == member:
                data[len(data) // 2] ^= 1
            changed.writestr(name, bytes(data))
    other = house(tmp_path / "other")
    with pytest.raises(StorageError, match="hash"):
        restore(other, bad)
    assert list(other.home.iterdir()) == []


def test_a_backup_of_a_newer_version_is_refused(settings: Settings, tmp_path: Path) -> None:
    file, newer = tmp_path / "a.backup", tmp_path / "newer.backup"
    back_up(settings, file)
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(newer, "w") as changed:
        for name in good.namelist():
            data = good.read(name)
            changed.writestr(name, json.dumps({**json.loads(data), "schema": "9999"}) if name == MANIFEST else data)
    with pytest.raises(StorageError, match="newer version"):
        restore(house(tmp_path / "other"), newer)


def test_a_member_that_would_leave_the_folder_is_refused(settings: Settings, tmp_path: Path) -> None:
    file, evil = tmp_path / "a.backup", tmp_path / "evil.backup"
    back_up(settings, file)
    with zipfile.ZipFile(file) as good, zipfile.ZipFile(evil, "w") as changed:
        told = json.loads(good.read(MANIFEST))
        changed.writestr(MANIFEST, json.dumps({**told, "files": {"../outside": "0"}}))
        changed.writestr("../outside", "x")
    with pytest.raises(StorageError, match="outside"):
        restore(house(tmp_path / "other"), evil)
    assert not (tmp_path / "outside").exists()


def test_a_log_that_was_tampered_with_is_not_backed_up_as_if_it_were_whole(settings: Settings, tmp_path: Path) -> None:
    with closing(sqlite3.connect(settings.home / "remembrancer.db")) as connection:
        connection.execute("UPDATE audit_log SET actor = 'nobody'")
        connection.commit()
    with pytest.raises(StorageError, match="doesn't verify"):
        back_up(settings, tmp_path / "a.backup")
    assert not (tmp_path / "a.backup").exists()


def test_backups_taken_while_somebody_talks_are_each_whole(settings: Settings, tmp_path: Path) -> None:
    stop = threading.Event()
    said: list[str] = []

    def go_on() -> None:
        with open_chat(settings, user="lin", thread="t-busy") as talk:
            while not stop.is_set():
                "".join(talk.say(f"我喜欢第{len(said)}号公园"))
                said.append("")

    talker = threading.Thread(target=go_on)
    talker.start()
    try:
        files = [tmp_path / f"{number}.backup" for number in range(3)]
        for file in files:
            back_up(settings, file)
    finally:
        stop.set()
        talker.join(60)
    for number, file in enumerate(files):
        other = house(tmp_path / f"other{number}")
        restore(other, file)
        assert {"我叫小林", HOME} <= known(other, LIN)
        assert open_services(other).journal.verify("acme").fault == ""
        open_services(other).engine.dispose()
    assert read_manifest(files[0]).made_at < read_manifest(files[2]).made_at
