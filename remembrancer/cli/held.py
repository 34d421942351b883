"""`remembrancer held`: put what a run without people held before a person."""

from typing import Annotated

import typer

from remembrancer.cli.shared import terminal_of
from remembrancer.office import open_office
from remembrancer.taking_up import take_up

_TOLD = {
    "zh": "{count} 张被暂扣的发票现在等待审批：remembrancer reviews",
    "en": "{count} held invoices now wait for a person: remembrancer reviews",
}


def held(
    context: typer.Context,
    batch: Annotated[str, typer.Argument(help="The batch's name or id.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    by: Annotated[str, typer.Option(help="Who does it (default: this account).")] = "",
) -> None:
    """Put what a run without people held before a person; nothing is booked by that."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        count = take_up(office.services, batch, by=by or office.services.account, reason=reason)
        office.open_reviews()
    terminal.console.print(_TOLD[terminal.say.lang].format(count=count))
