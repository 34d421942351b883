"""`remembrancer reverse`: take a booking back."""

from typing import Annotated

import typer

from remembrancer.cli.shared import terminal_of
from remembrancer.office import open_office


def reverse(
    context: typer.Context,
    invoice: Annotated[str, typer.Argument(help="The invoice's id or number.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    by: Annotated[str, typer.Option(help="Who takes it back (default: this account).")] = "",
) -> None:
    """Take a booking back with a second entry; nothing is deleted, and the invoice is never booked again."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        person = by or office.services.account
        examined = office.reverse(invoice, by=person, reason=reason)
    terminal.console.print(terminal.say("reverse.done", invoice=examined.invoice_id, by=person), soft_wrap=True)
