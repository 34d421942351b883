"""One's own account: password, stand-in, and tokens for scripts, whose secret is shown once."""

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response

from foundation.database import reading
from foundation.errors import NotAllowedError, NotFoundError, RefusedError
from oversight.people import Person, Role, find_person, list_people, same_person
from remembrancer.inbox import staff
from remembrancer.inbox.frame import NO_FORGERY, Reviewing, Visit, Visiting
from remembrancer.inbox.passwords import mark_of, password_fits, set_password
from remembrancer.inbox.tokens import add_token, find_token, list_tokens, revoke_token

router = APIRouter(include_in_schema=False)
_LONGEST_LIFE = 366
"""Days a token may live: one that is forgotten ends by itself."""


@router.get("/account")
def account_page(visit: Visiting) -> Response:
    """Who one is here."""
    return _page(visit)


@router.post("/account/tokens", dependencies=NO_FORGERY)
def add(
    visit: Visiting,
    label: Annotated[str, Form(max_length=100)] = "",
    days: Annotated[int, Form(ge=1, le=_LONGEST_LIFE)] = 90,
) -> Response:
    """A new token; its secret is on this one page and nowhere else."""
    _require_person(visit)
    with visit.office.services.journal.transaction() as transaction:
        _, secret = add_token(transaction, visit.tenant, visit.name, label=label.strip(), days=days, by=visit.name)
    return _page(visit, secret=secret)


@router.post("/account/tokens/{token_id}/revoke", dependencies=NO_FORGERY)
def revoke(visit: Visiting, token_id: str) -> Response:
    """End one of one's own tokens; somebody else's is as unknown as none."""
    with visit.office.services.journal.transaction() as transaction:
        token = find_token(transaction.connection, visit.tenant, token_id)
        if not same_person(token.person, visit.name):
            raise NotFoundError(f"there is no token {token_id} in force: `remembrancer tokens list` shows them")
        revoke_token(transaction, visit.tenant, token_id, by=visit.name)
    return visit.go("/account")


@router.post("/account/password", dependencies=NO_FORGERY)
def change_password(
    visit: Visiting,
    old: Annotated[str, Form(max_length=400)] = "",
    new: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Another password; this session goes on, every other one ends."""
    _require_person(visit)
    key = f"name:{visit.name.casefold()}"
    if visit.frame.attempts.wait(key):
        raise RefusedError(visit.words("signin.too_often"))
    with visit.office.services.journal.transaction() as transaction:
        connection = transaction.connection
        if not password_fits(connection, visit.tenant, visit.name, old):
            visit.frame.attempts.failed(key)
            raise NotAllowedError(visit.words("account.wrong_password"))
        set_password(transaction, visit.tenant, visit.name, new, by=visit.name)
        mark = mark_of(connection, visit.tenant, visit.name)
    visit.request.session["mark"] = mark
    return visit.go("/account")


@router.post("/account/stand-in", dependencies=NO_FORGERY)
def stand_in(
    visit: Reviewing,
    to: Annotated[str, Form(max_length=100)] = "",
    first: Annotated[str, Form(max_length=40)] = "",
    last: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Who decides what waits for one while one is away."""
    _require_person(visit)
    with visit.office.services.journal.transaction() as transaction:
        days = (staff.day_of(first) or visit.office.services.today(), staff.day_of(last))
        staff.stand_in(transaction, visit.tenant, visit.name, to.strip(), *days, by=visit.name)
    return visit.go("/account")


def _page(visit: Visit, *, secret: str = "") -> Response:
    with reading(visit.office.services.engine) as connection:
        person: Person | None = None if visit.alone else find_person(connection, visit.tenant, visit.name)
        mine = [token for token in list_tokens(connection, visit.tenant) if same_person(token.person, visit.name)]
        others = [one.name for one in list_people(connection, visit.tenant) if one.has(Role.REVIEWER)]
        by_password = bool(mark_of(connection, visit.tenant, visit.name))
    return visit.page(
        "account.html",
        person=person,
        tokens=mine,
        others=[name for name in others if not same_person(name, visit.name)],
        by_password=by_password,
        secret=secret,
        longest=_LONGEST_LIFE,
    )


def _require_person(visit: Visit) -> None:
    if visit.alone:
        raise NotAllowedError(visit.words("account.alone"))
