"""Ten people talk for long, invoices are audited, a process is killed; then one of them wants to be forgotten.

Afterwards no file holds a word that he said, in any form, and every row of the other nine is byte for byte the same.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from remembrancer.chat import open_chat
from remembrancer.settings import Settings
from tests.support.house import House, assert_log_whole, build_house
from tests.support.processes import KILLED, run_cli, start

PEOPLE = ("阿梅", "李雷", "王芳", "Rosalind", "张伟", "Ottokar", "陈静", "刘洋", "Philippa", "赵磊")
CITIES = (
    "昆明翠湖",
    "杭州西溪",
    "青岛栈桥",
    "Gloucester",
    "苏州平江",
    "Regensburg",
    "成都玉林",
    "大连星海",
    "Uppsala",
    "厦门曾厝垵",
)
EVERYBODY_ASKS = "我住在哪里？"
GONE = 4


def name_of(number: int) -> str:
    return f"user{number:02}"


def lines_of(number: int, turns: int) -> list[str]:
    """What one person says: facts about himself, questions, and long turns that go to the summary."""
    person, city = PEOPLE[number], CITIES[number]
    said = [
        f"我叫{person}",
        f"我住在{city}路{number + 11}号",
        f"我对{city}的花粉过敏",
        f"记住：我的车位是{person}-{number}区",
    ]
    walks = [f"第{each}天{person}在{city}走了{each + 3}公里，遇到了{person}的第{each}位老同学" for each in range(turns)]
    return [*said, *walks, EVERYBODY_ASKS, f"我喜欢{city}的早晨"]


def talk(number: int, turns: int) -> None:
    """One person's chat, in a process of its own that says when a turn is done."""
    settings = Settings(_env_file=None, embedder="none")
    with open_chat(settings, user=name_of(number), thread=f"talk-{number}") as chat:
        for line in lines_of(number, turns):
            print(len("".join(chat.say(line))), flush=True)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = build_house(tmp_path / "house", clean=2)
    yield house
    house.close()


def people_talk(house: House, turns: int) -> None:
    settings = house.settings.model_copy(update={"embedder": "none"})
    for number in range(len(PEOPLE)):
        with open_chat(settings, user=name_of(number), thread=f"talk-{number}") as chat:
            for line in lines_of(number, turns):
                "".join(chat.say(line))
        with open_chat(settings, user=name_of(number), thread=f"second-{number}") as chat:
            "".join(chat.say(EVERYBODY_ASKS))


def crash_while_talking(house: House) -> None:
    running = start(house, talk, GONE, 40)
    running.wait_for_lines(7)
    running.kill()
    assert running.wait().code == KILLED


def rows_of_others(house: House) -> dict[str, list[Any]]:
    """Every row of both databases that isn't his."""
    found: dict[str, list[Any]] = {}
    for path in (house.settings.home / "remembrancer.db", house.settings.checkpoints):
        with closing(sqlite3.connect(path)) as connection:
            tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
                found[f"{path.name}:{table}"] = sorted((row for row in rows if not is_his(row)), key=repr)
    return found


def is_his(row: tuple[Any, ...]) -> bool:
    pool, threads = f"user:7:default:{name_of(GONE)}", (f"talk-{GONE}", f"second-{GONE}")
    return any(value == pool or value in threads for value in row)


def words_left(house: House, turns: int) -> dict[str, list[str]]:
    """File -> his words in it, looked for without the program."""
    left: dict[str, list[str]] = {}
    words = [line for line in lines_of(GONE, turns) if line != EVERYBODY_ASKS] + [PEOPLE[GONE], CITIES[GONE]]
    for file in house.settings.home.rglob("*"):
        data = file.read_bytes() if file.is_file() else b""
        found = [word for word in words if any(form in data for form in forms_of(word))]
        if found:
            left[file.name] = found
    return left


def forms_of(word: str) -> tuple[bytes, ...]:
    return (word.encode(), json.dumps(word)[1:-1].encode(), word.encode("utf-16-le"), word.encode("utf-16-be"))


def test_one_of_ten_is_forgotten_after_a_long_chat_an_audit_and_a_crash(house: House) -> None:
    turns = 14
    people_talk(house, turns)
    with house.office() as office:
        office.audit(house.start(), name="september")
    crash_while_talking(house)
    assert words_left(house, 40) != {}
    before = rows_of_others(house)

    asked = run_cli(house, "memory", "forget-me", "--user", name_of(GONE), "--json")
    assert asked.code == 3
    refused = run_cli(house, "memory", "forget-me", "--user", name_of(GONE), "--confirm", "yes")
    assert refused.code == 1
    assert words_left(house, 40) != {}
    token = json.loads(asked.out)["confirm"]
    done = run_cli(house, "memory", "forget-me", "--user", name_of(GONE), "--confirm", token, "--json")
    assert done.code == 0, done.err

    receipt = json.loads(done.out)
    assert (receipt["remaining"], receipt["requested"], receipt["retained"]) == ({}, [], {})
    assert {"remembrancer.db", "checkpoints.db"} <= set(receipt["proved"])
    assert receipt["shared"] >= 1, "what all the others asked, too, word for word, stays theirs"
    assert all(count["after"] == 0 for count in receipt["counts"].values())
    assert words_left(house, 40) == {}
    after = rows_of_others(house)
    assert after.keys() == before.keys()
    for table, rows in before.items():
        assert after[table] == rows, table
    assert house.ask_checkpoints("SELECT count(*) FROM checkpoints WHERE thread_id LIKE ?", f"%-{GONE}") == [(0,)]
    assert_log_whole(house)
