"""`remembrancer notify`: notices by mail or chat."""

import typer

from remembrancer.cli.shared import terminal_of
from remembrancer.notifying import send_test

app = typer.Typer(help="Notices by mail or chat.", no_args_is_help=True, rich_markup_mode=None)

_ARRIVED = ("已送达：{place}", "sent: {place}")
_LOST = ("未送达：{place}", "not sent: {place}")


@app.callback()
def notify() -> None:
    """Notices by mail or chat."""


@app.command("test")
def test(context: typer.Context) -> None:
    """Send a word to every place that REMEMBRANCER_NOTIFY_URLS names, and say whether it arrived."""
    terminal = terminal_of(context)
    sent = send_test(terminal.settings)
    for one in sent:
        terminal.console.print(terminal.say.of(_ARRIVED if one.arrived else _LOST, place=one.place), soft_wrap=True)
    if not all(one.arrived for one in sent):
        raise typer.Exit(1)
