"""What a person may do besides deciding: the table, asked through the database."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, create_engine

from foundation.database import metadata
from foundation.errors import NotAllowedError
from oversight.people import Person, Role, add_person
from oversight.rights import RIGHTS, Deed, may, require_right

NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.fixture
def connection() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_every_deed_says_what_it_needs() -> None:
    assert set(RIGHTS) == set(Deed)


@pytest.mark.parametrize("deed", Deed)
@pytest.mark.parametrize("role", Role)
def test_a_deed_is_for_its_role_and_those_above_it(connection: Connection, deed: Deed, role: Role) -> None:
    add_person(connection, Person(tenant="acme", name="lin", roles=frozenset({role}), added_at=NOW))
    if role.rank >= RIGHTS[deed].role.rank:
        assert require_right(connection, "acme", " LIN", deed)
        return
    with pytest.raises(NotAllowedError, match=f"lin is {role}: .* needs a {RIGHTS[deed].role}"):
        require_right(connection, "acme", "lin", deed)


@pytest.mark.parametrize("deed", Deed)
def test_somebody_alone_may_all_and_once_there_are_people_a_stranger_nothing(
    connection: Connection, deed: Deed
) -> None:
    assert require_right(connection, "acme", "anybody", deed) is None
    assert may(None, deed)
    add_person(connection, Person(tenant="acme", name="lin", roles=frozenset({Role.ADMIN}), added_at=NOW))
    with pytest.raises(NotAllowedError, match="nobody here"):
        require_right(connection, "acme", "anybody", deed)
    with pytest.raises(NotAllowedError, match="nobody is named"):
        require_right(connection, "acme", "  ", deed)
