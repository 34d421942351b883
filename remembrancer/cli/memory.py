"""`remembrancer memory`: look at what is remembered, correct it, forget it, check it."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.text import Text

from foundation.errors import NotFoundError, UsageError
from memory.model import Event, Remembered, Status
from memory.scope import Scope
from nodes.services import Services
from remembrancer.cli import forgetting, moving
from remembrancer.cli.chat import reasons
from remembrancer.cli.explaining import explained
from remembrancer.cli.shared import Terminal, print_json, terminal_of
from remembrancer.memories import event_json, memory_json, outcome_json, recall_json
from remembrancer.models import model_reflector
from remembrancer.wiring import open_services

if TYPE_CHECKING:
    from memory.service import Memory

app = typer.Typer(help="What is remembered about somebody, and why.", no_args_is_help=True)
forgetting.register(app)
moving.register(app)

User = Annotated[str, typer.Option(help="Whose memory (default: this account's).")]
Company = Annotated[bool, typer.Option("--company", help="The company's pool instead of a person's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
AsOf = Annotated[str, typer.Option(help="As it was at this date or time (2026-01-31 or 2026-01-31T12:00).")]
MemoryId = Annotated[str, typer.Argument(help="The memory's id, as `memory list` shows it.")]
Reason = Annotated[str, typer.Option(help="Why; kept in the history.")]
Statuses = Literal["current", "superseded", "proposed", "quarantined", "expired", "invalidated"]


@dataclass(frozen=True, slots=True)
class Desk:
    """The memory, the pool that a command works on, and the terminal."""

    memory: "Memory"
    scope: Scope
    terminal: Terminal
    services: Services


def desk_of(context: typer.Context, user: str, company: bool) -> Desk:
    """What a command of this group works with."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    tenant = services.tenant
    scope = Scope.tenant(tenant) if company else Scope.user(tenant, user or services.account)
    return Desk(services.memory(), scope, terminal, services)


@app.command("list")
def list_memories(
    context: typer.Context,
    user: User = "",
    company: Company = False,
    status: Annotated[Statuses, typer.Option(help="Which ones.")] = "current",
    as_of: AsOf = "",
    as_json: AsJson = False,
) -> None:
    """List what is remembered."""
    desk = desk_of(context, user, company)
    _show_all(_listed(desk, status, moment(as_of, desk.terminal)), desk.terminal, as_json)


def _listed(desk: Desk, status: Status, at: datetime | None) -> list[Remembered]:
    if at is None:
        return desk.memory.current(desk.scope) if status == "current" else desk.memory.waiting(desk.scope, status)
    known: list[Remembered] = []
    for each in ("current", "superseded", "expired"):
        known += desk.memory.waiting(desk.scope, each)
    return [each for each in known if _held(each, at)]


def _held(memory: Remembered, at: datetime) -> bool:
    begun = memory.valid_from or min((source.said_at for source in memory.sources), default=memory.recorded_at)
    ends = [end for end in (memory.valid_to, memory.expires_at) if end is not None]
    return begun <= at and all(at < end for end in ends)


@app.command()
def search(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What to look for, in any language.")],
    user: User = "",
    company: Company = False,
    k: Annotated[int, typer.Option("-k", min=1, help="At most so many.")] = 5,
    as_of: AsOf = "",
    as_json: AsJson = False,
) -> None:
    """Find what matters to a question."""
    desk = desk_of(context, user, company)
    recall = desk.memory.search(desk.scope, question, k=k, as_of=moment(as_of, desk.terminal))
    desk.memory.flush()
    if as_json:
        print_json(recall_json(recall))
        return
    for part in recall.degraded:
        desk.terminal.console.print(desk.terminal.say("memory.degraded", part=part))
    _show_all([each.memory for each in recall.recollections], desk.terminal, as_json=False)
    desk.terminal.console.print(desk.terminal.say("memory.dropped", count=recall.dropped))


@app.command()
def show(
    context: typer.Context, memory_id: MemoryId, user: User = "", company: Company = False, as_json: AsJson = False
) -> None:
    """Say why something is believed: the words, the message, the rule, the date."""
    desk = desk_of(context, user, company)
    memory = desk.memory.show(desk.scope, memory_id)
    if as_json:
        print_json(memory_json(memory))
        return
    for line in reasons(memory, desk.terminal) or [memory.content]:
        desk.terminal.console.print(Text(line), soft_wrap=True)


@app.command()
def history(
    context: typer.Context, memory_id: MemoryId, user: User = "", company: Company = False, as_json: AsJson = False
) -> None:
    """Tell what happened to a memory and to the versions before it."""
    desk = desk_of(context, user, company)
    events = desk.memory.history(desk.scope, memory_id)
    if as_json:
        print_json([event_json(event) for event in events])
        return
    for line in _events(events, desk.terminal):
        desk.terminal.console.print(Text(line))


def _events(events: list[Event], terminal: Terminal) -> list[str]:
    """Each event in a line: when, what, by whom, the new words, the rule and the reason."""
    zone = terminal.settings.zone
    return [
        f"{event.at.astimezone(zone):%Y-%m-%d %H:%M}  {event.what}  {event.actor}  {event.after or ''}"
        f"  ({event.rule}{': ' if event.reason else ''}{event.reason})"
        for event in events
    ]


@app.command()
def correct(
    context: typer.Context,
    memory_id: MemoryId,
    content: Annotated[str, typer.Argument(help="What is right.")],
    user: User = "",
    company: Company = False,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Replace a memory's words by a new version; the old one stays in the history."""
    desk = desk_of(context, user, company)
    _show_all([desk.memory.correct(desk.scope, memory_id, content, reason=reason)], desk.terminal, as_json)


@app.command()
def undo(
    context: typer.Context, memory_id: MemoryId, user: User = "", company: Company = False, as_json: AsJson = False
) -> None:
    """Take the last change of a memory back."""
    desk = desk_of(context, user, company)
    _show_all([desk.memory.undo(desk.scope, memory_id)], desk.terminal, as_json)


@app.command()
def explain(
    context: typer.Context, memory_id: MemoryId, user: User = "", company: Company = False, as_json: AsJson = False
) -> None:
    """Say why something is believed: in one line, then every source, then every event and decision."""
    desk = desk_of(context, user, company)
    memory, events = desk.memory.show(desk.scope, memory_id), desk.memory.history(desk.scope, memory_id)
    if as_json:
        print_json({**memory_json(memory), "history": [event_json(event) for event in events]})
        return
    for line in explained(memory, _replaced(desk, memory), events, desk.terminal):
        desk.terminal.console.print(line, soft_wrap=True)


def _replaced(desk: Desk, memory: Remembered) -> Remembered | None:
    """What it stands in the place of; None for the first of its kind, and where that was forgotten."""
    try:
        return desk.memory.show(desk.scope, memory.replaces) if memory.replaces else None
    except NotFoundError:
        return None


@app.command()
def settle(
    context: typer.Context,
    memory_id: MemoryId,
    answer: Annotated[Literal["yes", "no"], typer.Argument(help="Whether the proposed memory is right.")],
    user: User = "",
    company: Company = False,
    as_json: AsJson = False,
) -> None:
    """Answer for a proposed memory: yes makes it current, no deletes it."""
    desk = desk_of(context, user, company)
    outcome = desk.memory.settle(desk.scope, memory_id, accept=answer == "yes")
    said = f"{outcome.memory_id}  {desk.terminal.say(f'outcome.{outcome.status}')}  {outcome.content or ''}"
    _tell({"memory_id": outcome.memory_id, "status": outcome.status}, said, desk.terminal, as_json)


@app.command()
def reflect(
    context: typer.Context,
    user: Annotated[str, typer.Option(help="Only this person (default: everybody of the tenant).")] = "",
    as_json: AsJson = False,
) -> None:
    """Archive sessions that ended and propose what comes back over weeks; `memory settle` answers a proposal."""
    from remembrancer.reflecting import reflect as reflect_on

    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    done = reflect_on(services, user, by=model_reflector(terminal.settings))
    if as_json:
        print_json({name: outcome_json(outcomes) for name, outcomes in done.items()})
        return
    for name, outcomes in done.items():
        for each in outcomes:
            said = each.question or f"{terminal.say(f'outcome.{each.status}')}  {each.content or each.reason}"
            terminal.console.print(Text(f"{name}  {each.memory_id or '-'}  {said}"), soft_wrap=True)
    if not any(done.values()):
        terminal.console.print(terminal.say("memory.none"))


@app.command()
def doctor(context: typer.Context, user: User = "", company: Company = False, as_json: AsJson = False) -> None:
    """Check that the indexes agree with the rows, and repair what doesn't."""
    desk = desk_of(context, user, company)
    _health(desk, desk.memory.doctor(desk.scope), as_json)


@app.command()
def rebuild(context: typer.Context, user: User = "", company: Company = False, as_json: AsJson = False) -> None:
    """Make the keyword index and missing vectors anew."""
    desk = desk_of(context, user, company)
    _health(desk, desk.memory.rebuild(desk.scope), as_json)


def _health(desk: Desk, health: Any, as_json: bool) -> None:
    counts = {"current": health.current, "keywords": health.indexed, "vectors": health.embedded}
    said = desk.terminal.say("memory.health", **counts)
    _tell({**counts, "healthy": health.healthy}, said, desk.terminal, as_json)


def _tell(document: dict[str, Any], said: str, terminal: Terminal, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        terminal.console.print(said)


def _show_all(memories: list[Remembered], terminal: Terminal, as_json: bool) -> None:
    if as_json:
        print_json([memory_json(each) for each in memories])
        return
    for each in memories:
        terminal.console.print(Text(f"{each.memory_id}  {each.category}  {each.content}"), soft_wrap=True)
    if not memories:
        terminal.console.print(terminal.say("memory.none"))


def moment(text: str, terminal: Terminal) -> datetime | None:
    """The moment that an option names, in the company's zone; a bare date is the end of that day.

    Raises:
        UsageError: it is no date.
    """
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--as-of {text}: write a date such as 2026-01-31 or 2026-01-31T12:00") from None
    if len(text) <= len("2026-01-31"):
        at = datetime.combine(at.date() + timedelta(days=1), time())
    return at if at.tzinfo else at.replace(tzinfo=terminal.settings.zone)
