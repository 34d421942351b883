"""Inserts that meet an existing row."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, UniqueConstraint, create_engine, select
from sqlalchemy.exc import IntegrityError

from foundation.upserts import add_up, add_up_many, keep_first, keep_first_of_many, replace_row, replace_rows

_METADATA = MetaData()
counted = Table(
    "counted",
    _METADATA,
    # A number that the database gives: of such a table the count of inserted rows isn't told everywhere.
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("name", Text, unique=True),
    Column("nick", Text),
    Column("times", Integer),
    UniqueConstraint("nick"),
)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    _METADATA.create_all(engine)
    with engine.connect() as opened:
        yield opened
    engine.dispose()


def rows(connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(select(counted.c.name, counted.c.nick, counted.c.times))]


def test_the_first_row_stays_and_each_insert_says_whether_it_was_one(connection: Connection) -> None:
    said = [keep_first(connection, counted, {"name": "a", "nick": nick, "times": 1}) for nick in ("x", "y", "x")]
    assert said == [True, False, False]
    assert rows(connection) == [("a", "x", 1)]


def test_with_a_key_named_only_that_key_is_met_silently(connection: Connection) -> None:
    keep_first(connection, counted, {"name": "a", "nick": "x"}, key=["name"])
    assert not keep_first(connection, counted, {"name": "a", "nick": "y"}, key=["name"])
    with pytest.raises(IntegrityError):
        keep_first(connection, counted, {"name": "b", "nick": "x"}, key=["name"])


def test_of_many_rows_those_that_no_key_forbids_are_kept(connection: Connection) -> None:
    keep_first_of_many(connection, counted, [{"name": name, "nick": name} for name in "aab"])
    keep_first_of_many(connection, counted, [])
    assert [name for name, *_ in rows(connection)] == ["a", "b"]


def test_a_row_is_written_over_the_one_with_its_key(connection: Connection) -> None:
    replace_row(connection, counted, {"name": "a", "nick": "x", "times": 1}, key=["name"])
    replace_rows(connection, counted, [{"name": name, "nick": name, "times": 2} for name in "ab"], key=["name"])
    replace_rows(connection, counted, [], key=["name"])
    assert rows(connection) == [("a", "a", 2), ("b", "b", 2)]


def test_numbers_add_up_and_the_sum_is_said(connection: Connection) -> None:
    sums = [add_up(connection, counted, {"name": "a", "times": n}, key=["name"], column="times") for n in (1, 5, -2)]
    assert sums == [1, 6, 4]
    more = [{"name": name, "times": 10} for name in "ab"]
    add_up_many(connection, counted, more, key=["name"], column="times")
    add_up_many(connection, counted, [], key=["name"], column="times")
    assert rows(connection) == [("a", None, 14), ("b", None, 10)]
