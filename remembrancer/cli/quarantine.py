"""`remembrancer memory quarantine`: what was held back from memory, and a reviewer's word on it."""

from typing import Annotated

import typer
from rich.text import Text

from nodes.quarantine_matter import open_held, review_id_of
from oversight.action import DecisionKind
from remembrancer.cli.memory import AsJson, Company, MemoryId, User, desk_of
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.memories import memory_json
from remembrancer.office import open_office

app = typer.Typer(help="What was held back from memory, and a reviewer's word on it.", no_args_is_help=True)

By = Annotated[str, typer.Option(help="Who decides (default: this account); never the person himself.")]


@app.command("list")
def list_held(context: typer.Context, user: User = "", company: Company = False, as_json: AsJson = False) -> None:
    """List what waits in quarantine, with the review that decides on it."""
    desk = desk_of(context, user, company)
    held = desk.memory.waiting(desk.scope, "quarantined")
    open_held(desk.services, desk.scope.user_id, held)
    if as_json:
        print_json([{**memory_json(each), "review_id": review_id_of(each.memory_id)} for each in held])
        return
    for each in held:
        line = f"{each.memory_id}  {review_id_of(each.memory_id)}  {each.rule}  {each.content}"
        desk.terminal.console.print(Text(line), soft_wrap=True)
    if not held:
        desk.terminal.console.print(desk.terminal.say("memory.none"))


@app.command()
def release(
    context: typer.Context,
    memory_id: MemoryId,
    reason: Annotated[str, typer.Option(help="Why it is harmless; kept in the log.")] = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Let a held memory into use."""
    _decide(context, memory_id, "approve", reason, by, as_json)


@app.command()
def discard(
    context: typer.Context,
    memory_id: MemoryId,
    reason: Annotated[str, typer.Option(help="Why; kept in the log.")],
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Delete a held memory for good."""
    _decide(context, memory_id, "reject", reason, by, as_json)


def _decide(
    context: typer.Context, memory_id: str, decision: DecisionKind, reason: str, by: str, as_json: bool
) -> None:
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        person = by or office.services.account
        settled = office.decide(review_id_of(memory_id), decision, by=person, reason=reason)
    if as_json:
        print_json({"memory_id": memory_id, "status": settled.status, "decided_by": person})
    else:
        terminal.console.print(terminal.say(f"quarantine.{settled.status}", id=memory_id, by=person))
