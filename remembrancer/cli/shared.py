"""What commands share: the settings, a console on stdout, the language, and JSON that stands alone on stdout."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import typer

from foundation.errors import UsageError
from foundation.visible import visible_json
from remembrancer.cli.edge import PlainConsole
from remembrancer.settings import Settings
from remembrancer.texts import Speech, speech_for

WAITS_FOR_A_PERSON = 3
_LANGS = ("zh", "en")


class Terminal:
    """The settings and the way to talk, made once a command."""

    def __init__(self, settings: Settings, lang: str | None = None) -> None:
        """Talk in `lang`, or as the settings and the locale say.

        Raises:
            UsageError: a language that isn't spoken here.
        """
        if lang not in {None, *_LANGS}:
            raise UsageError(f"--lang {lang}: choose zh or en")
        self.settings = settings
        self.say: Speech = speech_for(settings, lang)
        self.console = PlainConsole(highlight=False, soft_wrap=False)


def terminal_of(context: typer.Context) -> Terminal:
    """The terminal of the running command."""
    terminal = context.obj
    if not isinstance(terminal, Terminal):
        raise TypeError("the command line was entered past its frame")
    return terminal


def program() -> str:
    """How the user can call this program: by its name where that is on the path, else by the way it was called."""
    called = Path(sys.argv[0])
    if shutil.which("remembrancer"):
        return "remembrancer"
    if called.name == "__main__.py":
        return "python -m remembrancer"
    return os.path.relpath(called) if called.is_absolute() else str(called)


def print_json(document: Any) -> None:
    """One JSON document on stdout, and nothing else."""
    print_json_text(json.dumps(document, ensure_ascii=False, indent=2, default=str))


def print_json_text(text: str) -> None:
    """A text that is JSON already, on stdout; control characters in its strings are written as JSON escapes."""
    sys.stdout.write(visible_json(text) + "\n")
