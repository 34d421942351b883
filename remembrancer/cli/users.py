"""`remembrancer users`: who may decide what."""

import sys
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import typer
from rich.table import Table

from foundation.database import reading
from foundation.errors import UsageError
from oversight.people import (
    Person,
    add_person,
    find_person,
    list_people,
    parse_roles,
    remove_person,
    role_text,
    set_delegate,
)
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.inbox.passwords import drop_password, set_password
from remembrancer.inbox.tokens import revoke_all
from remembrancer.wiring import open_services

app = typer.Typer(help="Who may decide what.", no_args_is_help=True, rich_markup_mode=None)

_ADDED = ("{name}：{roles}", "{name}: {roles}")
_REMOVED = ("{name} 不再有任何权限，其决定保留。", "{name} may do nothing any more; what he decided stays.")
_NOBODY = (
    "还没有建立用户：本机的账户名或 --by 即为身份。",
    "No users yet: the account's name or --by is the identity.",
)
_DELEGATED = ("{name} 由 {to} 代理，{first} 至 {last}。", "{to} stands in for {name} from {first} to {last}.")
_PASSWORD = ("{name} 的密码已更新。", "{name} has a new password.")
_ENDED = ("{name} 的代理已结束。", "Nobody stands in for {name} any more.")
_HEADINGS = (("姓名", "Name"), ("角色", "Roles"), ("限额", "Limit"), ("代理", "Stands in"))

Day = Annotated[datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day (default: today).")]
LastDay = Annotated[datetime | None, typer.Option("--until", formats=["%Y-%m-%d"], help="Last day, included.")]


@app.command("add")
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name; unique whatever its case.")],
    role: Annotated[list[str] | None, typer.Option(help="submitter, reviewer, manager or admin; may repeat.")] = None,
    limit: Annotated[str, typer.Option(help="The largest amount this person may approve.")] = "",
    password: Annotated[bool, typer.Option("--password", help="Ask for a password for the page.")] = False,
) -> None:
    """Add a person. From the first one on, a name that isn't on the list decides nothing."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    secret = _ask_password() if password else ""
    with services.journal.transaction() as transaction:
        person = Person(
            tenant=services.tenant,
            name=name,
            roles=parse_roles(role or ["reviewer"]),
            amount_limit=_amount(limit),
            added_at=transaction.at,
        )
        add_person(transaction.connection, person)
        facts = {"roles": role_text(person.roles), "limit": limit}
        transaction.log(services.tenant, services.account, "person added", name, **facts)
        if secret:
            set_password(transaction, services.tenant, person.name, secret, by=services.account)
    terminal.console.print(terminal.say.of(_ADDED, name=name, roles=role_text(person.roles)))


@app.command("password")
def password(context: typer.Context, name: Annotated[str, typer.Argument(help="The name.")]) -> None:
    """Give a person a new password for the page; who is signed in with the old one is signed out."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    secret = _ask_password()
    with services.journal.transaction() as transaction:
        person = find_person(transaction.connection, services.tenant, name)
        set_password(transaction, services.tenant, person.name, secret, by=services.account)
    terminal.console.print(terminal.say.of(_PASSWORD, name=person.name))


@app.command("list")
def listed(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the people, their roles and limits, and who stands in for whom."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        found = list_people(connection, services.tenant)
    if as_json:
        print_json([_json(person) for person in found])
    elif not found:
        terminal.console.print(terminal.say.of(_NOBODY))
    else:
        table = Table(*(terminal.say.of(heading) for heading in _HEADINGS), box=None)
        for person in found:
            row = _json(person)
            table.add_row(person.name, role_text(person.roles), row["limit"] or "-", person.delegate_to or "-")
        terminal.console.print(table)


@app.command("remove")
def remove(context: typer.Context, name: Annotated[str, typer.Argument(help="The name.")]) -> None:
    """Take all rights from a person; what he decided stays his."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with services.journal.transaction() as transaction:
        remove_person(transaction.connection, services.tenant, name)
        drop_password(transaction, services.tenant, name)
        revoke_all(transaction, services.tenant, name, by=services.account)
        transaction.log(services.tenant, services.account, "person removed", name)
    terminal.console.print(terminal.say.of(_REMOVED, name=name))


@app.command("delegate")
def delegate(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Who is away.")],
    to: Annotated[str, typer.Option(help="Who stands in; empty ends it.")] = "",
    first: Day = None,
    last: LastDay = None,
) -> None:
    """Have somebody stand in while a person is away: what waits for him then waits for the other."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    starts: date = first.date() if first else services.today()
    ends = last.date() if last else None
    with services.journal.transaction() as transaction:
        set_delegate(transaction.connection, services.tenant, name, to or None, starts, ends)
        facts = {"to": to, "first": starts.isoformat(), "last": ends.isoformat() if ends else ""}
        transaction.log(services.tenant, services.account, "delegated", name, **facts)
    text = _DELEGATED if to else _ENDED
    terminal.console.print(terminal.say.of(text, name=name, to=to, first=starts, last=ends))


def _ask_password() -> str:
    """A password, typed twice at a terminal, or one line of a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _amount(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "")) if text else None
    except InvalidOperation:
        raise UsageError(f"--limit {text}: write an amount such as 5000.00") from None


def _json(person: Person) -> dict[str, Any]:
    return {
        "name": person.name,
        "roles": role_text(person.roles).split(","),
        "limit": "" if person.amount_limit is None else f"{person.amount_limit:.2f}",
        "delegate_to": person.delegate_to or "",
        "delegate_from": person.delegate_from.isoformat() if person.delegate_from else "",
        "delegate_until": person.delegate_until.isoformat() if person.delegate_until else "",
    }
