"""`remembrancer chat`: talk, and be remembered."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from foundation.errors import RemembrancerError
from foundation.visible import visible
from memory.model import Remembered
from remembrancer.cli.shared import Terminal, terminal_of

if TYPE_CHECKING:
    from remembrancer.chat import Chat


def chat(
    context: typer.Context,
    user: Annotated[str, typer.Option(help="Who talks (default: this account).")] = "",
    thread: Annotated[str, typer.Option(help="Which conversation (default: the one lasting thread of the user).")] = "",
) -> None:
    """Talk; what you say about yourself is remembered in all threads. /why, /memory, /forget ID, /quit."""
    # An audit starts faster when talking isn't loaded.
    from remembrancer.chat import open_chat

    terminal = terminal_of(context)
    with open_chat(terminal.settings, user=user, thread=thread) as talk:
        if sys.stdin.isatty():
            terminal.console.print(terminal.say("chat.hello", user=talk.user, thread=talk.thread))
        if talk.waiting:
            sys.stdout.write(f"{talk.waiting}\n")
        for line in _lines(terminal):
            if line == "/quit":
                break
            _answer(line, talk, terminal)


def _lines(terminal: Terminal) -> Iterator[str]:
    """One message a line, from the keyboard or a pipe."""
    while True:
        if sys.stdin.isatty():
            sys.stdout.write(terminal.say("chat.prompt"))
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _answer(line: str, talk: "Chat", terminal: Terminal) -> None:
    command, _, rest = line.partition(" ")
    deed = _COMMANDS.get(command)
    try:
        pieces = deed(rest.strip(), talk, terminal) if deed else talk.say(line)
        for piece in pieces:
            sys.stdout.write(visible(piece))
            sys.stdout.flush()
    except RemembrancerError as error:
        sys.stdout.write(visible(str(error)))
    sys.stdout.write("\n\n" if sys.stdin.isatty() else "\n")


def _why(words: str, talk: "Chat", terminal: Terminal) -> Iterator[str]:
    """Where the memories about these words (or those of the last answer) come from."""
    if words:
        memories = [each.memory for each in talk.memory.search(talk.scope, words).recollections]
    else:
        recalled = talk.state.get("recalled") or {}
        memories = [talk.memory.show(talk.scope, each["memory_id"]) for each in recalled.get("found") or []]
    lines = [reason for memory in memories for reason in reasons(memory, terminal)]
    yield "\n".join(lines) or terminal.say("memory.none")


def _forget(memory_id: str, talk: "Chat", terminal: Terminal) -> Iterator[str]:
    receipt = talk.forget(memory_id)
    yield "\n".join([terminal.say("memory.forgotten", id=memory_id), *receipt])


def _memory(_rest: str, talk: "Chat", terminal: Terminal) -> Iterator[str]:
    lines = [f"{each.memory_id}  {each.content}" for each in talk.memory.current(talk.scope)]
    yield "\n".join(lines) or terminal.say("memory.none")


def reasons(memory: Remembered, terminal: Terminal) -> list[str]:
    """Why a memory is believed: each source in a line."""
    zone = terminal.settings.zone
    return [
        terminal.say(
            "memory.reason",
            content=memory.content,
            quote=source.quote,
            date=f"{source.said_at.astimezone(zone):%Y-%m-%d %H:%M}",
            thread=source.thread_id,
            message=source.message_id,
            rule=memory.rule,
        )
        for source in memory.sources
    ]


_COMMANDS = {"/why": _why, "/forget": _forget, "/memory": _memory}
