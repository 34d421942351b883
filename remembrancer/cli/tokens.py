"""`remembrancer tokens`: keys for scripts that use the page's JSON interface."""

from typing import Annotated, Any

import typer
from rich.table import Table

from foundation.database import reading
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.inbox.tokens import ApiToken, add_token, list_tokens, revoke_token
from remembrancer.wiring import open_services

app = typer.Typer(help="Keys for scripts.", no_args_is_help=True, rich_markup_mode=None)

_ADDED = (
    "{token_id}，属于 {person}。密钥只显示这一次：",
    "{token_id} for {person}. The secret is shown only this once:",
)
_REVOKED = ("{token_id} 已吊销。", "{token_id} is revoked.")
_NONE = ("还没有密钥。", "There are no tokens yet.")
_HEADINGS = (("编号", "Id"), ("属于", "Person"), ("用途", "For"), ("到期", "Expires"), ("吊销", "Revoked"))


@app.command("add")
def add(
    context: typer.Context,
    person: Annotated[str, typer.Argument(help="Whose roles it has; one of `users list`.")],
    label: Annotated[str, typer.Option("--for", help="What it is for.")] = "",
    days: Annotated[int | None, typer.Option(help="How many days it lives (default: until it is revoked).")] = None,
) -> None:
    """Make a token; its secret is printed once and not kept."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with services.journal.transaction() as transaction:
        token, secret = add_token(transaction, services.tenant, person, label=label, days=days, by=services.account)
    terminal.console.print(terminal.say.of(_ADDED, token_id=token.token_id, person=person))
    terminal.console.print(secret, soft_wrap=True)


@app.command("list")
def listed(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the tokens, revoked ones too; never their secrets."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        found = [_json(token) for token in list_tokens(connection, services.tenant)]
    if as_json:
        print_json(found)
    elif not found:
        terminal.console.print(terminal.say.of(_NONE))
    else:
        table = Table(*(terminal.say.of(heading) for heading in _HEADINGS), box=None)
        for row in found:
            table.add_row(*(row[name] or "-" for name in ("token_id", "person", "label", "expires_at", "revoked_at")))
        terminal.console.print(table)


@app.command("revoke")
def revoke(context: typer.Context, token: Annotated[str, typer.Argument(help="The token's id.")]) -> None:
    """End a token at once."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with services.journal.transaction() as transaction:
        revoke_token(transaction, services.tenant, token, by=services.account)
    terminal.console.print(terminal.say.of(_REVOKED, token_id=token))


def _json(token: ApiToken) -> dict[str, Any]:
    moments = {name: getattr(token, name) for name in ("created_at", "expires_at", "revoked_at")}
    texts = {name: at.isoformat(timespec="minutes") if at else "" for name, at in moments.items()}
    return {"token_id": token.token_id, "person": token.person, "label": token.label, **texts}
