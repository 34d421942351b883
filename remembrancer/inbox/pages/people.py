"""The people of the tenant, for administrators: who there is, with which role, limit, stand-in and tokens."""

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response
from sqlalchemy import Connection

from foundation.database import reading
from oversight.people import Person, Role, find_person, list_people, parse_roles
from remembrancer.inbox import staff
from remembrancer.inbox.frame import NO_FORGERY, Administering
from remembrancer.inbox.passwords import mark_of, set_password
from remembrancer.inbox.tokens import list_tokens, revoke_token

router = APIRouter(include_in_schema=False)
Name = Annotated[str, Form(max_length=100)]
Short = Annotated[str, Form(max_length=40)]


@router.get("/people")
def people_page(visit: Administering) -> Response:
    """Everybody, and everybody's tokens."""
    with reading(visit.office.services.engine) as connection:
        found = list_people(connection, visit.tenant)
        able = {one.name for one in found if _may_sign_in(connection, one)}
        tokens = [token for token in list_tokens(connection, visit.tenant) if token.revoked_at is None]
    return visit.page("people.html", found=found, able=able, tokens=tokens, roles=list(Role), reviewer=Role.REVIEWER)


@router.post("/people", dependencies=NO_FORGERY)
def add(
    visit: Administering,
    name: Name,
    role: Short = "reviewer",
    limit: Short = "",
    password: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Add a person."""
    with visit.office.services.journal.transaction() as transaction:
        person = Person(
            tenant=visit.tenant,
            name=name,
            roles=parse_roles([role]),
            amount_limit=staff.amount_of(limit),
            added_at=transaction.at,
        )
        staff.hire(transaction, person, password, by=visit.name)
    return visit.go("/people")


@router.post("/people/role", dependencies=NO_FORGERY)
def change_role(visit: Administering, name: Name, role: Short, limit: Short = "") -> Response:
    """Another role, another limit."""
    with visit.office.services.journal.transaction() as transaction:
        roles, amount = parse_roles([role]), staff.amount_of(limit)
        staff.change_role(transaction, visit.tenant, name, roles, amount, by=visit.name)
    return visit.go("/people")


@router.post("/people/password", dependencies=NO_FORGERY)
def change_password(visit: Administering, name: Name, password: Annotated[str, Form(max_length=400)] = "") -> Response:
    """A new password for somebody who forgot his; he is signed out everywhere."""
    with visit.office.services.journal.transaction() as transaction:
        person = find_person(transaction.connection, visit.tenant, name)
        set_password(transaction, visit.tenant, person.name, password, by=visit.name)
    return visit.go("/people")


@router.post("/people/stand-in", dependencies=NO_FORGERY)
def stand_in(visit: Administering, name: Name, to: Name = "", first: Short = "", last: Short = "") -> Response:
    """Who stands in while this person is away."""
    with visit.office.services.journal.transaction() as transaction:
        days = (staff.day_of(first) or visit.office.services.today(), staff.day_of(last))
        staff.stand_in(transaction, visit.tenant, name, to.strip(), *days, by=visit.name)
    return visit.go("/people")


@router.post("/people/remove", dependencies=NO_FORGERY)
def remove(visit: Administering, name: Name) -> Response:
    """Take all rights from a person."""
    with visit.office.services.journal.transaction() as transaction:
        staff.dismiss(transaction, visit.tenant, name, by=visit.name)
    return visit.go("/people")


@router.post("/people/tokens/{token_id}/revoke", dependencies=NO_FORGERY)
def revoke(visit: Administering, token_id: str) -> Response:
    """End anybody's token."""
    with visit.office.services.journal.transaction() as transaction:
        revoke_token(transaction, visit.tenant, token_id, by=visit.name)
    return visit.go("/people")


def _may_sign_in(connection: Connection, person: Person) -> bool:
    return bool(mark_of(connection, person.tenant, person.name))
