"""`remembrancer doctor`: is everything as it must be?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.text import Text

from foundation.database import assert_durable, reading
from foundation.errors import StorageError
from invoices.bookings import unbalanced
from oversight.reviews import ReviewStatus, count_reviews
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.office import Office, open_office
from remembrancer.texts import Speech

_FULL = 2


@dataclass(frozen=True, slots=True)
class Checked:
    """One thing looked at: its name, and what is wrong with it ("" when nothing is)."""

    name: str
    what: str
    fault: str


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Verify the audit log's chain, the durability of commits and that ledger and invoices agree."""
    terminal = terminal_of(context)
    with open_office(terminal.settings, sweep=False) as office:
        checked = list(_look(office, terminal.say))
    if as_json:
        print_json({one.name: one.fault for one in checked})
    else:
        for one in checked:
            mark, style = ("✓", "green") if not one.fault else ("✗", "red")
            terminal.console.print(Text(f"{mark} {one.what}: {one.fault or terminal.say('doctor.fine')}", style=style))
    if any(one.fault for one in checked):
        raise typer.Exit(1)


def _look(office: Office, say: Speech) -> Iterator[Checked]:
    services = office.services
    verification = services.journal.verify(services.tenant)
    yield Checked("audit_log", say("doctor.log", rows=verification.rows), verification.fault)
    try:
        assert_durable(services.engine)
        fault = ""
    except StorageError as error:
        fault = str(error)
    yield Checked("ledger_durable", say("doctor.ledger"), fault)
    level = office.saver.synchronous()
    yield Checked("checkpoints_durable", say("doctor.checkpoints"), "" if level >= _FULL else f"synchronous={level}")
    with reading(services.engine) as connection:
        wrong = unbalanced(connection, services.tenant)
        undone = count_reviews(connection, services.tenant, ReviewStatus.DECIDED)
    yield Checked("bookings", say("doctor.bookings"), ", ".join(wrong[:5]))
    yield Checked("unapplied_decisions", say("doctor.unapplied"), str(undone) if undone else "")
