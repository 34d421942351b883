"""`remembrancer worker`: the chores of `remembrancer/worker.py`, again and again."""

from typing import Annotated

import typer

from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.worker import Worker

_DONE = ("{name}：{count}", "{name}: {count}")


def worker(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Do what is to be done now, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --once: print one JSON document.")] = False,
) -> None:
    """Drive on what a crash left, remind, expire, notify, forget, archive. Any number may run at once."""
    terminal = terminal_of(context)
    with open_office(terminal.settings, sweep=False) as office:
        running = Worker(office)
        if not once:
            running.run_for_ever()
        done = running.run_due()
    if as_json:
        print_json(done)
        return
    for name, count in done.items():
        terminal.console.print(terminal.say.of(_DONE, name=name, count=count))
