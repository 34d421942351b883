"""`remembrancer checkpoints`: keep the file of paused and closed threads small, and encrypt it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from foundation.errors import SettingsError
from oversight.action import Message
from oversight.retention import seal
from remembrancer.cli.shared import Terminal, print_json, terminal_of
from remembrancer.office import open_office
from remembrancer.retention import KEPT_DAYS, prune_closed

app = typer.Typer(help="Keep the file of threads small, and encrypt it.", no_args_is_help=True)

_TEXTS: Mapping[str, Message] = {
    "pruned": {
        "zh": "已清理 {threads} 个已结束的线程的 {checkpoints} 个旧检查点；文件 {before} → {after} 字节",
        "en": "Removed {checkpoints} old checkpoints of {threads} closed threads; the file had {before} bytes and has"
        " {after}",
    },
    "sealed": {"zh": "已加密 {rows} 行", "en": "Encrypted {rows} rows"},
}


@app.command("prune")
def prune(
    context: typer.Context,
    older_than: Annotated[int, typer.Option(min=0, help="Days since the thread was closed.")] = KEPT_DAYS,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Keep only the newest checkpoint of closed threads; what waits for a person stays whole."""
    terminal = terminal_of(context)
    with open_office(terminal.settings) as office:
        pruned = prune_closed(office, days=older_than)
    if as_json:
        print_json(asdict(pruned))
        return
    facts = {"before": pruned.bytes_before, "after": pruned.bytes_after}
    _say(terminal, "pruned", threads=pruned.threads, checkpoints=pruned.checkpoints, **facts)


@app.command("encrypt")
def encrypt(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Encrypt a file that was written without a key; REMEMBRANCER_CHECKPOINT_KEY holds the key."""
    terminal = terminal_of(context)
    key = terminal.settings.sealing_key
    if key is None:
        raise SettingsError("REMEMBRANCER_CHECKPOINT_KEY: set it to 64 hexadecimal digits (`openssl rand -hex 32`)")
    rows = seal(terminal.settings.checkpoints, key)
    if as_json:
        print_json({"encrypted": rows})
        return
    _say(terminal, "sealed", rows=rows)


def _say(terminal: Terminal, name: str, **facts: int) -> None:
    text = _TEXTS[name][terminal.say.lang]
    terminal.console.print(text.format(**facts), markup=False, soft_wrap=True)
