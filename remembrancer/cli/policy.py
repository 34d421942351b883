"""`remembrancer policy`: check a policy file before it is used, and see what it would have done."""

from pathlib import Path
from typing import Annotated

import typer

from invoices.policy import load_policy
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.insights import preview
from remembrancer.wiring import open_services

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


@app.command("preview")
def preview_policy(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The policy file (TOML).")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what this policy would have done to the invoices audited so far; nothing is changed."""
    terminal = terminal_of(context)
    found = preview(open_services(terminal.settings), load_policy(file))
    if as_json:
        print_json(
            {
                "invoices": found.invoices,
                "would_wait": [one.invoice_id for one in found.would_wait],
                "would_pass": [one.invoice_id for one in found.would_pass],
                "rules": found.rules,
            }
        )
        return
    numbers = {"count": found.invoices, "wait": len(found.would_wait), "pass_": len(found.would_pass)}
    terminal.console.print(terminal.say("policy.preview", **numbers))
    for rule, count in sorted(found.rules.items(), key=lambda pair: -pair[1]):
        terminal.console.print(f"  {rule}: {count}")
