"""`remembrancer claim`, `release`, `reassign`, `reopen`: who has what on his table, and asking again."""

from typing import Annotated

import typer

from remembrancer.cli.shared import terminal_of
from remembrancer.office import open_office

_CLAIMED = ("{review} 由 {by} 认领至 {until}。", "{review} is claimed by {by} until {until}.")
_RELEASED = ("{review} 已放回队列。", "{review} is back in the queue.")
_ASSIGNED = ("{review} 现由 {to} 处理。", "{review} now waits for {to}.")
_REOPENED = ("{review} 重新等待审批。", "{review} waits for a decision again.")

Review = Annotated[str, typer.Argument(help="The review's id.")]
By = Annotated[str, typer.Option(help="Who does it (default: this account).")]


def claim(context: typer.Context, review: Review, by: By = "") -> None:
    """Take a review to your table for half an hour; nobody else can decide it meanwhile."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        person = by or office.services.account
        until = office.desk.claim(office.services.tenant, review, person).astimezone(terminal.settings.zone)
    said = {"review": review, "by": person, "until": f"{until:%H:%M}"}
    terminal.console.print(terminal.say.of(_CLAIMED, **said), soft_wrap=True)


def release(context: typer.Context, review: Review, by: By = "") -> None:
    """Give a claimed review back to the queue."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        office.desk.release(office.services.tenant, review, by or office.services.account)
    terminal.console.print(terminal.say.of(_RELEASED, review=review), soft_wrap=True)


def reassign(
    context: typer.Context,
    review: Review,
    to: Annotated[str, typer.Option(help="Whom it waits for from now on.")],
    by: By = "",
) -> None:
    """Have a review wait for another person, who is told."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        office.desk.reassign(office.services.tenant, review, to, by or office.services.account)
    terminal.console.print(terminal.say.of(_ASSIGNED, review=review, to=to), soft_wrap=True)


def reopen(
    context: typer.Context,
    review: Review,
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    by: By = "",
) -> None:
    """Open an expired review again, or ask once more about a decided one; both decisions stay in the log."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        opened = office.reopen(review, by or office.services.account, reason)
    terminal.console.print(terminal.say.of(_REOPENED, review=opened.review_id), soft_wrap=True)
