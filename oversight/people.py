"""The people of a tenant: what each may decide, up to which amount, and who stands in while somebody is away.

A tenant that has created nobody is somebody alone at his machine: then the name given is the identity. As soon as one
person is created, a name that isn't among them is nobody.
"""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, select, update

from foundation.errors import NotAllowedError, NotFoundError, UsageError
from foundation.upserts import replace_row
from oversight.tables import people


class Role(StrEnum):
    """What a person is to the company. A manager may all that a reviewer may, an admin all that a manager may."""

    SUBMITTER = "submitter"
    """Brings claims in and decides none."""
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """The higher, the more he may."""
        return _RANKS.index(self)


_RANKS = (Role.SUBMITTER, Role.REVIEWER, Role.MANAGER, Role.ADMIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person of a tenant; his name is unique there, whatever its case."""

    tenant: str
    name: str
    roles: frozenset[Role] = frozenset({Role.REVIEWER})
    amount_limit: Decimal | None = None
    """The largest amount that he may approve, in the policy's currency; None: any."""
    active: bool = True
    delegate_to: str | None = None
    """Name of the person who stands in for him, from the first day to the last, both included."""
    delegate_from: date | None = None
    delegate_until: date | None = None
    added_at: datetime

    @property
    def key(self) -> str:
        """The name as it is compared."""
        return name_key(self.name)

    def has(self, role: Role) -> bool:
        """Whether one of his roles is that one or above it."""
        return any(mine.rank >= role.rank for mine in self.roles)

    def stand_in(self, day: date) -> str | None:
        """Who stands in for him on that day."""
        first, last = self.delegate_from or date.min, self.delegate_until or date.max
        return self.delegate_to if first <= day <= last else None


def name_key(name: str) -> str:
    """A name as names are compared: without outer blanks, compatibility forms or case."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def same_person(one: str, other: str) -> bool:
    """Whether two names are one person's; an empty name is nobody's."""
    return bool(name_key(one)) and name_key(one) == name_key(other)


def add_person(connection: Connection, person: Person) -> Person:
    """Add the person, or bring him back with what is said now.

    Raises:
        UsageError: an empty name, no role, a limit that isn't positive, or a name that an active person has.
    """
    if not person.key or not person.roles:
        raise UsageError("a person needs a name and a role: users add NAME --role reviewer")
    if person.amount_limit is not None and person.amount_limit <= 0:
        raise UsageError(f"--limit {person.amount_limit}: an amount limit is more than nothing")
    known = known_person(connection, person.tenant, person.name)
    if known and known.active:
        raise UsageError(f"there is a person {known.name} already: remove that one first, or choose another name")
    replace_row(connection, people, _row(person), key=["tenant", "key"])
    return person


def remove_person(connection: Connection, tenant: str, name: str) -> Person:
    """Deactivate the person: he may do nothing any more, and what he did stays his.

    Raises:
        NotFoundError: this tenant has no such active person.
    """
    person = find_person(connection, tenant, name)
    chosen = (people.c.tenant == tenant) & (people.c.key == person.key)
    connection.execute(update(people).where(chosen).values(active=False, delegate_to=None))
    return replace(person, active=False, delegate_to=None)


def change_person(
    connection: Connection, tenant: str, name: str, roles: Collection[Role], amount_limit: Decimal | None
) -> Person:
    """Give a person other roles and another limit; who he is and what he did stays.

    Raises:
        NotFoundError: this tenant has no such active person.
        UsageError: no role, or a limit that isn't positive.
    """
    person = find_person(connection, tenant, name)
    if not roles or (amount_limit is not None and amount_limit <= 0):
        raise UsageError("a person has at least one role, and a limit of more than nothing")
    changed = {"roles": role_text(roles), "amount_limit": amount_limit}
    connection.execute(update(people).where(people.c.tenant == tenant, people.c.key == person.key).values(changed))
    return replace(person, roles=frozenset(roles), amount_limit=amount_limit)


def find_person(connection: Connection, tenant: str, name: str) -> Person:
    """The active person of that name.

    Raises:
        NotFoundError: this tenant has none.
    """
    person = known_person(connection, tenant, name)
    if person is None or not person.active:
        raise NotFoundError(f"there is no person {name}: `remembrancer users list` shows who there is")
    return person


def known_person(connection: Connection, tenant: str, name: str) -> Person | None:
    """The person of that name, deactivated ones included; None where there never was one."""
    query = select(people).where(people.c.tenant == tenant, people.c.key == name_key(name))
    row = connection.execute(query).one_or_none()
    return _person(row) if row else None


def list_people(connection: Connection, tenant: str, *, active: bool = True) -> list[Person]:
    """The tenant's people by name; with `active=False` the deactivated ones, too."""
    query = select(people).where(people.c.tenant == tenant)
    if active:
        query = query.where(people.c.active)
    return [_person(row) for row in connection.execute(query.order_by(people.c.key))]


def has_people(connection: Connection, tenant: str) -> bool:
    """Whether this tenant ever created a person: then only people it knows are anybody."""
    query = select(people.c.key).where(people.c.tenant == tenant).limit(1)
    return connection.execute(query).first() is not None


def identify(connection: Connection, tenant: str, name: str) -> Person | None:
    """The person behind a name; None where nobody was created and the name itself is the identity.

    Raises:
        NotAllowedError: the name is empty, or this tenant has people and he isn't an active one of them.
    """
    if not name_key(name):
        raise NotAllowedError("nobody is named: sign in, or say --by NAME")
    person = known_person(connection, tenant, name)
    if person is None and not has_people(connection, tenant):
        return None
    if person is None or not person.active:
        raise NotAllowedError(f"{name} is nobody here: `remembrancer users list` shows who there is")
    return person


def set_delegate(
    connection: Connection, tenant: str, name: str, to: str | None, first: date | None, last: date | None
) -> Person:
    """Have somebody stand in for a person from the first day to the last; `to=None` ends it.

    Raises:
        NotFoundError: one of the two is no active person.
        UsageError: he would stand in for himself, the days are the wrong way round, or no last day is named.
    """
    person = find_person(connection, tenant, name)
    if to is not None:
        to = find_person(connection, tenant, to).name
        if same_person(to, name):
            raise UsageError(f"{name} can't stand in for himself: name another person")
        if last is None or (first is not None and first > last):
            raise UsageError("a delegation needs its last day, not before its first: --from DAY --until DAY")
    changed = {"delegate_to": to, "delegate_from": first, "delegate_until": last}
    stored = changed | {"delegate_to": name_key(to) if to else None}
    connection.execute(update(people).where(people.c.tenant == tenant, people.c.key == person.key).values(stored))
    return replace(person, delegate_to=to, delegate_from=first, delegate_until=last)


def represented_by(connection: Connection, tenant: str, name: str, day: date) -> list[Person]:
    """The active people for whom this one stands in on that day."""
    query = select(people).where(people.c.tenant == tenant, people.c.active, people.c.delegate_to == name_key(name))
    found = [_person(row) for row in connection.execute(query.order_by(people.c.key))]
    return [person for person in found if person.stand_in(day)]


def parse_roles(names: Iterable[str]) -> frozenset[Role]:
    """Roles by name.

    Raises:
        UsageError: there is no such role.
    """
    wanted = [name.strip().lower() for name in names]
    if unknown := [name for name in wanted if name not in set(Role)]:
        raise UsageError(f"there is no role {unknown[0]}: choose {', '.join(Role)}")
    return frozenset(Role(name) for name in wanted)


def role_text(roles: Collection[Role]) -> str:
    """Roles as one text, the lowest first."""
    return ",".join(role for role in _RANKS if role in roles)


def _row(person: Person) -> dict[str, Any]:
    row = {name: getattr(person, name) for name in Person.__slots__}
    delegate = name_key(person.delegate_to) if person.delegate_to else None
    return {**row, "name": person.name.strip(), "key": person.key, "roles": role_text(person.roles)} | {
        "delegate_to": delegate
    }


def _person(row: Row[Any]) -> Person:
    values = {name: value for name, value in row._mapping.items() if name != "key"}
    return Person(**{**values, "roles": parse_roles(values["roles"].split(","))})
