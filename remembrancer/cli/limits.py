"""`remembrancer limits`: change a limit while something runs, and see which are in force."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from foundation.database import reading
from foundation.errors import UsageError
from invoices.ledger import find_batch, require_batch
from nodes.services import Services
from nodes.watching import limits_in_force
from oversight.limits import EVERYWHERE, NAMES, LimitChange, change, changes
from remembrancer.cli.shared import Terminal, print_json, terminal_of
from remembrancer.wiring import open_services

app = typer.Typer(help="Limits that can be changed while something runs.", no_args_is_help=True)

_COLUMNS = {
    "name": ("限额", "Limit"),
    "value": ("现值", "In force"),
    "by": ("设定人", "Set by"),
    "at": ("时间", "At"),
    "what": ("含义", "Meaning"),
}

Batch = Annotated[str, typer.Option(help="Name of the batch (default: all batches of this tenant).")]


@app.callback()
def limits() -> None:
    """Limits that can be changed while something runs."""


@app.command("set")
def set_limit(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(NAMES)}.")],
    value: Annotated[str, typer.Argument(help="Its new value.")],
    batch: Batch = "",
    reason: Annotated[str, typer.Option(help="Why; it is kept.")] = "",
    by: Annotated[str, typer.Option(help="Who does it (default: this account).")] = "",
) -> None:
    """Change a limit from the next step on; who, when and why is kept."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    if name not in NAMES:
        raise UsageError(f"there is no limit {name!r}: choose one of {', '.join(NAMES)}")
    with services.journal.transaction() as transaction:
        found = require_batch(transaction.connection, services.tenant, batch) if batch else None
        scope = found.batch_id if found else EVERYWHERE
        before = limits_in_force(transaction.connection, found)[name] if found else ""
        person = by or services.account
        made = change(transaction, services.tenant, name, value, batch=scope, by=person, why=reason, before=before)
    terminal.console.print(f"{name}: {before or '–'} → {made.value}", markup=False, highlight=False)


@app.command("show")
def show(
    context: typer.Context,
    batch: Batch = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the limits in force, and every change with who, when and why."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        found = require_batch(connection, services.tenant, batch) if batch else None
        made = changes(connection, services.tenant, found.batch_id if found else None)
        values = limits_in_force(connection, found) if found else {}
    if as_json:
        print_json({"in_force": values, "changes": [_json(one) for one in made]})
        return
    terminal.console.print(_table(values, made, terminal, services))


def _table(values: dict[str, str], made: list[LimitChange], terminal: Terminal, services: Services) -> Table:
    column = 0 if terminal.say.lang == "zh" else 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in _COLUMNS.values():
        table.add_column(heading[column])
    for name, known in NAMES.items():
        if name in values:
            table.add_row(name, values[name] or "–", "", "", known.zh if column == 0 else known.en)
    for one in made:
        where = _batch_name(one, services)
        cells = (one.name, str(one.value), one.set_by, one.set_at.isoformat(timespec="seconds"), f"{where} {one.why}")
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _batch_name(one: LimitChange, services: Services) -> str:
    with reading(services.engine) as connection:
        found = find_batch(connection, services.tenant, one.scope) if one.scope else None
    return f"[{found.name if found else '*'}]"


def _json(one: LimitChange) -> dict[str, object]:
    values = {name: getattr(one, name) for name in LimitChange.__slots__}
    return values | {"value": str(one.value), "set_at": one.set_at.isoformat()}
