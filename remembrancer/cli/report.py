"""`remembrancer report`: write the report of a batch."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from foundation.errors import StorageError
from remembrancer.cli.shared import terminal_of
from remembrancer.office import open_office
from remembrancer.reports import gather, render


def report(
    context: typer.Context,
    batch: Annotated[str, typer.Argument(help="The batch's name or id.")],
    format_name: Annotated[
        Literal["html", "xlsx", "json", "csv"], typer.Option("--format", help="Which format.")
    ] = "html",
    output: Annotated[
        str, typer.Option("-o", "--output", help="File to write; - for stdout (default: BATCH.FORMAT).")
    ] = "",
) -> None:
    """Write what became of a batch: totals, findings, decisions with who, when and why, and the file hashes."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        gathered = gather(office.services, batch)
    content = render(gathered, format_name, terminal.say)
    if output == "-":
        sys.stdout.buffer.write(content)
        return
    path = Path(output or f"{_file_name(gathered.batch.name)}.{format_name}")
    try:
        path.write_bytes(content)
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror}): choose another with -o") from None
    terminal.console.print(terminal.say("report.written", path=path), soft_wrap=True)


def _file_name(batch: str) -> str:
    """The batch's name as a file name: whatever else it holds, no path."""
    return "".join(character if character.isalnum() or character in "-_." else "_" for character in batch).lstrip(".")
