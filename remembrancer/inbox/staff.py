"""Looking after people: who is added, gone, or given another role, a password or a stand-in; each is in the log.

Somebody must always be left who can do this: the first person is an administrator with a password, and the last one
stays.
"""

from collections.abc import Collection
from datetime import date
from decimal import Decimal, InvalidOperation

from sqlalchemy import Connection

from foundation.errors import RefusedError, UsageError
from foundation.journal import Transaction
from oversight.people import (
    Person,
    Role,
    add_person,
    change_person,
    find_person,
    has_people,
    list_people,
    remove_person,
    role_text,
    same_person,
    set_delegate,
)
from remembrancer.inbox.passwords import drop_password, set_password
from remembrancer.inbox.tokens import revoke_all


def hire(transaction: Transaction, person: Person, password: str, *, by: str) -> None:
    """Add a person, who can sign in by the password where one is given.

    Raises:
        UsageError: the name is taken, the password too short - or he would be the first and could not come in again.
    """
    first = not has_people(transaction.connection, person.tenant)
    if first and not (person.has(Role.ADMIN) and password):
        raise UsageError("the first person is an administrator with a password: else nobody could come in any more")
    add_person(transaction.connection, person)
    limit = "" if person.amount_limit is None else str(person.amount_limit)
    transaction.log(
        person.tenant, by, "person added", person.name, roles=role_text(person.roles), limit=limit, via="inbox"
    )
    if password:
        set_password(transaction, person.tenant, person.name, password, by=by)


def dismiss(transaction: Transaction, tenant: str, name: str, *, by: str) -> None:
    """Take all rights from a person, his password and tokens too; what he decided stays his.

    Raises:
        NotFoundError: this tenant has no such person.
        RefusedError: he is the last administrator.
    """
    _keep_an_admin(transaction.connection, tenant, without=name)
    person = remove_person(transaction.connection, tenant, name)
    drop_password(transaction, tenant, person.name)
    revoke_all(transaction, tenant, person.name, by=by)
    transaction.log(tenant, by, "person removed", person.name, via="inbox")


def change_role(
    transaction: Transaction, tenant: str, name: str, roles: Collection[Role], limit: Decimal | None, *, by: str
) -> None:
    """Give a person other roles and another limit.

    Raises:
        NotFoundError: this tenant has no such person.
        RefusedError: he is the last administrator and would be none any more.
    """
    if Role.ADMIN not in roles:
        _keep_an_admin(transaction.connection, tenant, without=name)
    before = find_person(transaction.connection, tenant, name)
    changed = change_person(transaction.connection, tenant, name, roles, limit)
    facts = {"before": role_text(before.roles), "roles": role_text(roles), "limit": "" if limit is None else str(limit)}
    transaction.log(tenant, by, "person changed", changed.name, **facts, via="inbox")


def stand_in(
    transaction: Transaction, tenant: str, name: str, to: str, first: date | None, last: date | None, *, by: str
) -> None:
    """Have somebody who may decide stand in for a person who may; an empty `to` ends it.

    Raises:
        NotFoundError: one of the two is nobody here.
        UsageError: the other may decide nothing himself, or the days don't fit.
    """
    if to and not find_person(transaction.connection, tenant, to).has(Role.REVIEWER):
        raise UsageError(f"{to} decides nothing himself: choose a reviewer")
    set_delegate(transaction.connection, tenant, name, to or None, first, last)
    facts = {"first": first.isoformat() if first else "", "last": last.isoformat() if last else ""}
    transaction.log(tenant, by, "delegated", name, to=to, **facts, via="inbox")


def amount_of(text: str) -> Decimal | None:
    """An amount limit as a person types it; None for none.

    Raises:
        UsageError: it is no amount.
    """
    try:
        amount = Decimal(text.replace(",", "").strip()) if text.strip() else None
    except InvalidOperation:
        raise UsageError(f"{text!r} is no amount: write one such as 5000.00") from None
    if amount is not None and not amount.is_finite():
        raise UsageError(f"{text!r} is no amount: write one such as 5000.00")
    return amount


def day_of(text: str) -> date | None:
    """A day as a form sends it; None for none.

    Raises:
        UsageError: it is no day.
    """
    try:
        return date.fromisoformat(text) if text.strip() else None
    except ValueError:
        raise UsageError(f"{text!r} is no day: write one such as 2026-09-30") from None


def _keep_an_admin(connection: Connection, tenant: str, *, without: str) -> None:
    admins = [person for person in list_people(connection, tenant) if Role.ADMIN in person.roles]
    if admins and all(same_person(person.name, without) for person in admins):
        raise RefusedError(f"{without} is the last administrator: make somebody else one first")
