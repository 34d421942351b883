"""`remembrancer memory export` and `import`: memories as files, ours and other programs'."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from foundation.errors import UsageError
from memory.scope import Scope
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.wiring import open_services

User = Annotated[str, typer.Option(help="Whose memory (default: this account's).")]
Company = Annotated[bool, typer.Option("--company", help="The company's pool instead of a person's.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the group `memory`."""
    app.command("export")(export)
    app.command("import")(import_file)


def _scope(tenant: str, user: str, company: bool, account: str) -> Scope:
    return Scope.tenant(tenant) if company else Scope.user(tenant, user or account)


def export(
    context: typer.Context,
    user: User = "",
    company: Company = False,
    form: Annotated[Literal["jsonl", "mem0"], typer.Option("--format", help="Ours, or mem0's.")] = "jsonl",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; forgetting clears it, too.")] = None,
) -> None:
    """Print every memory of the pool as JSON, retired ones included in our own form."""
    from foundation.database import writing
    from memory.foreign import as_mem0
    from remembrancer.paperwork import note_file

    services = open_services(terminal_of(context).settings)
    memory, scope = services.memory(), _scope(services.tenant, user, company, services.account)
    if form == "mem0":
        lines = iter([json.dumps(as_mem0(memory.current(scope), scope.user_id), ensure_ascii=False, indent=2)])
    else:
        lines = memory.export(scope)
    if output is None:
        for line in lines:
            sys.stdout.write(line + "\n")
        return
    try:
        with output.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise UsageError(f"{output} can't be written ({error.strerror}): choose another file") from None
    with writing(services.engine) as connection:
        note_file(connection, output, "export", pool=scope.pool, at=services.clock())


def import_file(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="What `memory export`, mem0, ChatGPT or Claude wrote.")],
    user: User = "",
    company: Company = False,
    form: Annotated[
        Literal["auto", "jsonl", "mem0", "chatgpt", "claude"], typer.Option("--format", help="Who wrote it.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Take in exported memories or conversations, screened; what is known already is left alone."""
    from memory.foreign import format_of
    from memory.importing import take_in
    from remembrancer.paperwork import note_read

    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, ValueError):
        raise UsageError(f"{file} can't be read as text: name a file that was exported") from None
    scope = _scope(services.tenant, user, company, services.account)
    chosen = format_of(text) if form == "auto" else form
    counts = take_in(services.memory(), scope, text, chosen, now=services.clock())
    note_read(services.engine, file, pool=scope.pool, at=services.clock())
    taken = counts.get("stored", 0) + counts.get("superseded", 0) + counts.get("coexists", 0)
    if as_json:
        print_json({"imported": taken, **({} if chosen == "jsonl" else {"outcomes": counts})})
    else:
        terminal.console.print(terminal.say("memory.imported", count=taken))
