"""`remembrancer policy`: check a policy file before it is used."""

from pathlib import Path
from typing import Annotated

import typer

from invoices.policy import load_policy
from remembrancer.cli.shared import terminal_of

app = typer.Typer(help="Check a policy file.", no_args_is_help=True)


@app.callback()
def policy() -> None:
    """Check a policy file."""


@app.command("check")
def check(context: typer.Context, file: Annotated[Path, typer.Argument(help="The policy file (TOML).")]) -> None:
    """Say whether a policy file is valid; if not, what is wrong in which line."""
    terminal = terminal_of(context)
    read = load_policy(file)
    limits = read.limits
    words = {"companies": ", ".join(read.company.names), "limit": f"{limits.amount:,.2f}", "currency": limits.currency}
    terminal.console.print(terminal.say("policy.fine", path=file, **words), soft_wrap=True)
