"""`remembrancer vouchers`: what was booked, for the ledger system."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from foundation.database import reading
from foundation.errors import StorageError
from remembrancer.cli.shared import terminal_of
from remembrancer.vouchers import to_csv, to_json, vouchers_of
from remembrancer.wiring import open_services


def vouchers(
    context: typer.Context,
    batch: Annotated[str, typer.Argument(help="The batch's name or id.")],
    format_name: Annotated[Literal["csv", "json"], typer.Option("--format", help="Which format.")] = "csv",
    output: Annotated[str, typer.Option("-o", "--output", help="File to write; - for stdout.")] = "-",
) -> None:
    """Export the batch's bookings as vouchers; an export repeated gives the same ids, so nothing is imported twice."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    with reading(services.engine) as connection:
        found = vouchers_of(connection, services.tenant, batch)
    text = to_csv(found) if format_name == "csv" else to_json(found)
    if output == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(output).write_text(text, "utf-8-sig" if format_name == "csv" else "utf-8")
    except OSError as error:
        raise StorageError(f"{output} can't be written ({error.strerror}): choose another with -o") from None
    terminal.console.print(terminal.say("vouchers.written", count=len(found), path=output), soft_wrap=True)
