"""The people of a tenant: names, roles, limits, and who stands in for whom."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Connection

from foundation.database import open_engine, writing
from foundation.errors import NotAllowedError, NotFoundError, UsageError
from foundation.schema import upgrade
from oversight.people import (
    Person,
    Role,
    add_person,
    find_person,
    has_people,
    identify,
    list_people,
    parse_roles,
    remove_person,
    represented_by,
    set_delegate,
)

NOW = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    engine = open_engine(f"sqlite:///{tmp_path / 'people.db'}")
    upgrade(engine)
    with writing(engine) as opened:
        yield opened
    engine.dispose()


def person(name: str, *roles: Role, limit: str | None = None, tenant: str = "acme") -> Person:
    amount = Decimal(limit) if limit else None
    return Person(
        tenant=tenant, name=name, roles=frozenset(roles or {Role.REVIEWER}), amount_limit=amount, added_at=NOW
    )


def test_with_nobody_created_the_name_itself_is_the_identity(connection: Connection):
    assert identify(connection, "acme", "lin") is None
    assert not has_people(connection, "acme")


def test_with_people_created_an_unknown_name_is_nobody_and_another_tenant_is_as_before(connection: Connection):
    add_person(connection, person("Lin"))
    assert identify(connection, "acme", "ＬＩＮ ").name == "Lin"
    with pytest.raises(NotAllowedError, match="nobody here"):
        identify(connection, "acme", "wu")
    assert identify(connection, "other", "wu") is None


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_nobody(connection: Connection, name: str):
    with pytest.raises(NotAllowedError, match="nobody is named"):
        identify(connection, "acme", name)


def test_a_name_is_unique_in_its_tenant_whatever_its_case(connection: Connection):
    add_person(connection, person("Lin"))
    with pytest.raises(UsageError, match="already"):
        add_person(connection, person("LIN"))
    add_person(connection, person("lin", tenant="other"))
    assert [one.name for one in list_people(connection, "acme")] == ["Lin"]


def test_a_removed_person_is_nobody_and_can_come_back_with_other_roles(connection: Connection):
    add_person(connection, person("lin", Role.MANAGER))
    remove_person(connection, "acme", "lin")
    with pytest.raises(NotAllowedError):
        identify(connection, "acme", "lin")
    with pytest.raises(NotFoundError):
        remove_person(connection, "acme", "lin")
    assert list_people(connection, "acme") == []
    assert [one.active for one in list_people(connection, "acme", active=False)] == [False]
    add_person(connection, person("lin", Role.SUBMITTER))
    assert find_person(connection, "acme", "lin").roles == {Role.SUBMITTER}


def test_limits_and_roles_are_kept_exactly(connection: Connection):
    kept = add_person(connection, person("lin", Role.SUBMITTER, Role.MANAGER, limit="5000.05"))
    assert find_person(connection, "acme", "lin") == kept
    assert kept.has(Role.REVIEWER)
    assert not kept.has(Role.ADMIN)


@pytest.mark.parametrize(("name", "limit"), [("", None), ("lin", "0"), ("lin", "-5")])
def test_a_person_without_name_or_with_a_limit_of_nothing_is_refused(connection: Connection, name: str, limit: str):
    with pytest.raises(UsageError):
        add_person(connection, person(name, limit=limit))


def test_an_unknown_role_is_refused_with_those_there_are():
    with pytest.raises(UsageError, match="submitter, reviewer, manager, admin"):
        parse_roles(["boss"])


def test_a_delegation_holds_on_its_days_and_ends_by_itself(connection: Connection):
    for name in ("lin", "wu"):
        add_person(connection, person(name))
    set_delegate(connection, "acme", "lin", "WU", date(2026, 12, 1), date(2026, 12, 5))
    stands_in = {day: represented_by(connection, "acme", "wu", date(2026, 12, day)) for day in (1, 5, 6)}
    assert [[one.name for one in stands_in[day]] for day in (1, 5, 6)] == [["lin"], ["lin"], []]
    assert represented_by(connection, "acme", "wu", date(2026, 11, 30)) == []


def test_a_delegation_to_oneself_to_nobody_or_without_an_end_is_refused(connection: Connection):
    add_person(connection, person("lin"))
    day = date(2026, 12, 1)
    with pytest.raises(UsageError, match="himself"):
        set_delegate(connection, "acme", "lin", "Lin", day, day)
    with pytest.raises(NotFoundError):
        set_delegate(connection, "acme", "lin", "wu", day, day)
    add_person(connection, person("wu"))
    with pytest.raises(UsageError, match="last day"):
        set_delegate(connection, "acme", "lin", "wu", day, None)
    with pytest.raises(UsageError, match="last day"):
        set_delegate(connection, "acme", "lin", "wu", day, date(2026, 11, 1))
