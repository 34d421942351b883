"""`remembrancer memory export` and `import`: memories as files, ours and other programs'."""

import json
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Annotated, Literal

import typer

from foundation.errors import UsageError
from memory.scope import Scope
from remembrancer.cli.shared import print_json, terminal_of
from remembrancer.wiring import open_services

User = Annotated[str, typer.Option(help="Whose memory (default: this account's).")]
_CONVERSATIONS = "conversations.json"
_MOST_BYTES = 1 << 29
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
    file: Annotated[Path, typer.Argument(help="What `memory export`, mem0, ChatGPT or Claude wrote; a zip, too.")],
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
    from nodes.quarantine_matter import open_held
    from remembrancer.paperwork import note_read

    terminal = terminal_of(context)
    services = open_services(terminal.settings)
    text = _text_of(file)
    scope = _scope(services.tenant, user, company, services.account)
    chosen = format_of(text) if form == "auto" else form
    taken = take_in(services.memory(), scope, text, chosen, now=services.clock())
    note_read(services.engine, file, pool=scope.pool, at=services.clock())
    if not company:
        open_held(services, scope.user_id, services.memory().waiting(scope, "quarantined"))
    if as_json:
        unreadable = [{"item": each.number, "why": each.why} for each in taken.unreadable]
        outcomes = {} if chosen == "jsonl" else {"outcomes": taken.counts, "unreadable": unreadable}
        print_json({"imported": taken.new, **outcomes})
        return
    terminal.console.print(terminal.say("memory.imported", count=taken.new))
    for status in ("quarantined", "proposed", "failed"):
        if count := taken.counts.get(status, 0):
            terminal.console.print(f"{terminal.say(f'outcome.{status}')}: {count}", markup=False)
    for each in taken.unreadable:
        said = terminal.say("memory.unreadable", number=each.number, why=each.why)
        terminal.console.print(said, markup=False, soft_wrap=True)


def _text_of(file: Path) -> str:
    """The text of an export; of a zip, as ChatGPT and Claude hand them out, that of the conversations in it."""
    try:
        if not zipfile.is_zipfile(file):
            return file.read_text("utf-8-sig")
        with zipfile.ZipFile(file) as archive:
            named = [each for each in archive.infolist() if Path(each.filename).name == _CONVERSATIONS]
            if not named:
                raise UsageError(f"{file} holds no {_CONVERSATIONS}: name the zip that ChatGPT or Claude made")
            if named[0].file_size > _MOST_BYTES:
                raise UsageError(
                    f"{_CONVERSATIONS} in {file} is larger than {_MOST_BYTES >> 20} MB: unpack and split it"
                )
            return archive.read(named[0]).decode("utf-8-sig")
    except (OSError, ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        raise UsageError(f"{file} can't be read as text: name a file that was exported") from None
