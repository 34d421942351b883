"""`remembrancer backup` and `restore`: the whole installation in one file, and back."""

from pathlib import Path
from typing import Annotated

import typer

from remembrancer.backup import back_up
from remembrancer.backup import restore as bring_back
from remembrancer.cli.shared import Terminal, print_json, terminal_of

_TEXTS = {
    "made": (
        "已备份到 {file}（{count} 个部分，审计链已核对）。",
        "Backed up to {file} ({count} parts, audit log verified).",
    ),
    "restored": (
        "已恢复 {made_at} 的备份；其后被遗忘的 {count} 项已再次删除。",
        "The backup of {made_at} is restored; {count} deletions made since were carried out again.",
    ),
}
Replace = Annotated[bool, typer.Option("--replace", help="Take the place of what is there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def _say(terminal: Terminal, key: str, **words: object) -> str:
    return _TEXTS[key][0 if terminal.say.lang == "zh" else 1].format(**words)


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The archive to write.")],
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Write both databases, the audit log's heads and the deletion list to one archive, while others work on."""
    terminal = terminal_of(context)
    manifest = back_up(terminal.settings, file, replace=replace)
    if as_json:
        print_json({"file": str(file), "made_at": manifest.made_at.isoformat(), "files": dict(manifest.files)})
    else:
        terminal.console.print(_say(terminal, "made", file=file, count=len(manifest.files)), soft_wrap=True)


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="What `remembrancer backup` wrote.")],
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Bring a backup back; what was forgotten since it was made stays forgotten."""
    terminal = terminal_of(context)
    restored = bring_back(terminal.settings, file, replace=replace)
    made_at = restored.manifest.made_at
    if as_json:
        print_json({"made_at": made_at.isoformat(), "deletions": restored.deletions})
    else:
        local = f"{made_at.astimezone(terminal.settings.zone):%Y-%m-%d %H:%M}"
        terminal.console.print(_say(terminal, "restored", made_at=local, count=restored.deletions), soft_wrap=True)
