"""`remembrancer remember`: take in a chat that was had elsewhere."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from zoneinfo import ZoneInfo

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from foundation.errors import UsageError
from memory.model import Message, Outcome
from memory.scope import Scope
from nodes.quarantine_matter import open_quarantine
from remembrancer.cli.shared import Terminal, print_json_text, terminal_of
from remembrancer.memories import outcome_json
from remembrancer.paperwork import note_read
from remembrancer.wiring import open_services

if TYPE_CHECKING:
    from memory.service import Memory


class Line(BaseModel):
    """One line of the file: one message of a chat."""

    model_config = ConfigDict(extra="ignore")

    user_id: str = Field(default="", max_length=200)
    thread_id: str = Field(min_length=1)
    message_id: str = Field(min_length=1)
    role: Literal["user", "assistant", "tool", "document", "reviewer", "system"]
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Read:
    """A line that was read: whose it is and what was said, or what is wrong with it."""

    user: str
    message: Message | None
    fault: str = ""


def remember(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="JSON lines: user_id, thread_id, message_id, role, content, created_at.")
    ],
    user_default: Annotated[str, typer.Option(help="Whose the lines are that name no user_id.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Import a chat; each message is kept, and read once for what is worth remembering."""
    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    faults: list[str] = []
    for read in _lines(file, user_default, terminal.settings.zone):
        if read.message is None:
            faults.append(read.fault)
            continue
        outcomes = _observed(services.memory(), Scope.user(services.tenant, read.user), read.message)
        open_quarantine(services, read.user, outcomes)
        _print(read.message, outcomes, terminal, as_json=as_json)
    services.memory().flush()
    note_read(services.engine, file, at=services.clock())
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise UsageError(f"{faults[0]}{more}; all other lines are in: correct the file and run it again")


def _lines(file: Path, user_default: str, zone: ZoneInfo) -> Iterator[Read]:
    try:
        with file.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
            for number, text in enumerate(lines, start=1):
                if text.strip():
                    yield _read(text, number, user_default, zone)
    except OSError as error:
        raise UsageError(f"{file} can't be read ({error.strerror}): name an existing file of JSON lines") from None


def _read(text: str, number: int, user_default: str, zone: ZoneInfo) -> Read:
    try:
        line = Line.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        return Read("", None, f"line {number}: {'.'.join(map(str, first['loc'])) or 'the line'}: {first['msg']}")
    except ValueError as error:
        return Read("", None, f"line {number} is no JSON ({error})")
    user = line.user_id.strip() or user_default
    if not user:
        return Read("", None, f"line {number} names no user_id: add it, or pass --user-default")
    said_at = line.created_at if line.created_at.tzinfo else line.created_at.replace(tzinfo=zone)
    return Read(user, Message(line.message_id, line.thread_id, line.role, line.content, said_at))


def _observed(memory: "Memory", scope: Scope, message: Message) -> list[Outcome]:
    return memory.observe(scope, [message])


def _print(message: Message, outcomes: list[Outcome], terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        line = {"message_id": message.message_id, "outcomes": outcome_json(outcomes)}
        print_json_text(json.dumps(line, ensure_ascii=False))
        return
    for outcome in outcomes:
        if outcome.status != "nothing":
            status = terminal.say(f"outcome.{outcome.status}")
            terminal.console.print(f"{message.message_id}  {status}  {outcome.content or ''}", markup=False)
