"""The command line's frame: options that all commands share, and errors as one line with an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 waits for a person.
"""

import sys
from typing import Annotated

import typer

from foundation.errors import RemembrancerError
from foundation.visible import visible_line
from remembrancer.cli import (
    audit,
    backup,
    brake,
    checkpoints,
    decide,
    desk,
    doctor,
    held,
    inbox,
    limits,
    memory,
    notify,
    policy,
    quarantine,
    remember,
    report,
    reverse,
    reviews,
    rules,
    tokens,
    users,
    vouchers,
    worker,
)
from remembrancer.cli.chat import chat
from remembrancer.cli.edge import guarded_streams
from remembrancer.cli.mcp import mcp
from remembrancer.cli.shared import Terminal
from remembrancer.logs import log_to_stderr
from remembrancer.settings import load_settings

app = typer.Typer(
    name="remembrancer",
    help="Remembers people well and asks them at the right moment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command("audit")(audit.audit)
app.command("reviews")(reviews.reviews)
app.command("decide")(decide.decide)
for verb in (desk.claim, desk.release, desk.reassign, desk.reopen):
    app.command(verb.__name__)(verb)
app.command("worker")(worker.worker)
app.command("held")(held.held)
app.command("reverse")(reverse.reverse)
app.command("report")(report.report)
app.command("vouchers")(vouchers.vouchers)
app.command("doctor")(doctor.doctor)
app.add_typer(policy.app, name="policy")
app.command("chat")(chat)
app.command("remember")(remember.remember)
memory.app.add_typer(quarantine.app, name="quarantine")
app.add_typer(memory.app, name="memory")
app.command("mcp")(mcp)
backup.register(app)
app.add_typer(rules.app, name="rules")
app.add_typer(users.app, name="users")
app.add_typer(brake.app, name="brake")
app.command("inbox")(inbox.inbox)
app.add_typer(tokens.app, name="tokens")
app.add_typer(notify.app, name="notify")
app.add_typer(checkpoints.app, name="checkpoints")
app.add_typer(limits.app, name="limits")


@app.callback()
def common(
    context: typer.Context,
    lang: Annotated[str | None, typer.Option(help="Language of the output: zh or en (default: by locale).")] = None,
) -> None:
    """Remembers people well and asks them at the right moment."""
    settings = load_settings()
    log_to_stderr(settings.log_level)
    context.obj = Terminal(settings, lang)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line (the process's own arguments where none are given); an error of ours is one line on stderr.

    Raises:
        SystemExit: always, with the exit code.
    """
    with guarded_streams():
        try:
            app(arguments)
        except RemembrancerError as error:
            print(f"remembrancer: {visible_line(str(error))}", file=sys.stderr)
            sys.exit(error.exit_code)
        except KeyboardInterrupt:
            print("remembrancer: stopped; nothing is lost, the same command goes on", file=sys.stderr)
            sys.exit(1)
