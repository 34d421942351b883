"""`remembrancer brake`: stop what is under way before its next irreversible step, and let it go on."""

from collections.abc import Mapping
from typing import Annotated

import typer

from foundation.database import reading
from invoices.ledger import find_batch, require_batch
from nodes.services import Services
from oversight.action import Message
from oversight.brake import EVERYTHING, Brake, brakes_of, is_on, pull, release
from remembrancer.cli.shared import WAITS_FOR_A_PERSON, Terminal, print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.wiring import open_services

app = typer.Typer(help="Stop what is under way before its next irreversible step; let it go on.")

_TEXTS: Mapping[str, Message] = {
    "none": {"zh": "没有拉下的刹车。", "en": "No brake is on."},
    "on": {
        "zh": "刹车已拉下（{scope}），由 {by}，{at}：{why}",
        "en": "The brake is on ({scope}), pulled by {by} at {at}: {why}",
    },
    "off": {"zh": "刹车已松开（{scope}），由 {by}", "en": "The brake is released ({scope}) by {by}"},
    "went": {"zh": "{count} 个停下的线程继续运行。", "en": "{count} stopped threads went on."},
    "all": {"zh": "全部", "en": "everything"},
}

Batch = Annotated[str, typer.Option(help="Name of the batch (default: all that this tenant does).")]
Reason = Annotated[str, typer.Option(help="Why; it is kept.")]
By = Annotated[str, typer.Option(help="Who does it (default: this account).")]


@app.callback(invoke_without_command=True)
def brake(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show which brakes are on."""
    if context.invoked_subcommand:
        return
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        pulled = brakes_of(connection, services.tenant, on_only=True)
    if as_json:
        print_json([_json(one) for one in pulled])
        return
    for one in pulled:
        terminal.console.print(_told("on", one, terminal, services), markup=False, soft_wrap=True)
    if not pulled:
        terminal.console.print(_say("none", terminal))


@app.command("on")
def on(context: typer.Context, batch: Batch = "", reason: Reason = "", by: By = "") -> None:
    """Pull the brake: every process stops before its next irreversible step."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with services.journal.transaction() as transaction:
        scope = require_batch(transaction.connection, services.tenant, batch).batch_id if batch else EVERYTHING
        pulled = pull(transaction, services.tenant, batch=scope, by=by or services.account, why=reason)
    terminal.console.print(_told("on", pulled, terminal, services), markup=False, soft_wrap=True)


@app.command("off")
def off(context: typer.Context, batch: Batch = "", reason: Reason = "", by: By = "") -> None:
    """Release the brake; what it stopped goes on, here and now."""
    terminal = terminal_of(context)
    with open_office(terminal.settings, sweep=False) as office:
        services = office.services
        with services.journal.transaction() as transaction:
            scope = require_batch(transaction.connection, services.tenant, batch).batch_id if batch else EVERYTHING
            released = release(transaction, services.tenant, batch=scope, by=by or services.account, why=reason)
        terminal.console.print(_told("off", released, terminal, services), markup=False, soft_wrap=True)
        went = office.go_on()
        with reading(services.engine) as connection:
            again = is_on(connection, services.tenant, scope)
    terminal.console.print(_say("went", terminal).format(count=went))
    if again:
        terminal.console.print(_told("on", again, terminal, services), markup=False, soft_wrap=True)
        raise typer.Exit(WAITS_FOR_A_PERSON)


def _told(key: str, one: Brake, terminal: Terminal, services: Services) -> str:
    by = one.released_by if key == "off" else one.pulled_by
    words = {"scope": _scope(one, terminal, services), "by": by, "why": one.why or "–"}
    return _say(key, terminal).format(**words, at=one.pulled_at.isoformat(timespec="seconds"))


def _scope(one: Brake, terminal: Terminal, services: Services) -> str:
    with reading(services.engine) as connection:
        batch = find_batch(connection, services.tenant, one.scope) if one.scope else None
    return batch.name if batch else one.scope or _say("all", terminal)


def _say(key: str, terminal: Terminal) -> str:
    return _TEXTS[key][terminal.say.lang]


def _json(one: Brake) -> dict[str, object]:
    return {name: getattr(one, name) for name in Brake.__slots__} | {"pulled_at": one.pulled_at.isoformat()}
