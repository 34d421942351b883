"""`remembrancer rules`: how the rules did."""

from typing import Annotated

import typer
from rich.table import Table

from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.insights import rule_records
from remembrancer.wiring import open_services

app = typer.Typer(help="How the rules did.", no_args_is_help=True)


@app.callback()
def rules() -> None:
    """How the rules did."""


@app.command("stats")
def stats(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how often each rule fired, and what people made of it: a rule often overturned is too strict."""
    terminal = terminal_of(context)
    records = rule_records(open_services(terminal.settings))
    if as_json:
        print_json({rule: record.to_json() for rule, record in records.items()})
        return
    say = terminal.say
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(say("rules.rule"))
    columns = ("fired", "overridden", "corrected", "rejected", "waiting", "overturned")
    for name in columns:
        table.add_column(say(f"rules.{name}"), justify="right")
    for rule, record in records.items():
        share = "" if record.overturned is None else f"{record.overturned:.0%}"
        table.add_row(rule, *(str(getattr(record, name)) for name in columns[:-1]), share)
    terminal.console.print(table if records else say("rules.none"))
