"""Processes that can be killed: the real command line, started quickly from a server that has imported it before.

`python -m remembrancer` needs seconds to import its libraries. A forked child runs the same `main` in a process of
its own at once, so that a test can afford hundreds of them.
"""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.support.house import House

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["tests.support.processes", "tests.support.crashes", "tests.support.warm", "remembrancer.cli.app"]
)
_PATIENCE = 120.0
KILLED = -signal.SIGKILL


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


class Running:
    """A command that runs in a process of its own."""

    def __init__(self, process: BaseProcess, folder: Path) -> None:
        self._process = process
        self._folder = folder

    def kill(self) -> None:
        """SIGKILL: no handler runs, no buffer is flushed."""
        self._process.kill()

    def kill_at_random(self, chance: random.Random, within: float) -> bool:
        """Kill it at a random moment; whether it was still running then."""
        self._process.join(chance.uniform(0, within))
        self.kill()
        return self.wait().code == KILLED

    def wait(self, patience: float = _PATIENCE) -> Done:
        """Wait for the end, so many seconds at most."""
        self._process.join(patience)
        if self._process.exitcode is None:
            self.kill()
            self._process.join()
            raise AssertionError(f"a command hangs: {self._text('out')} {self._text('err')}")
        done = Done(self._process.exitcode, self._text("out"), self._text("err"))
        self._process.close()
        return done

    def wait_for_lines(self, number: int) -> list[str]:
        """Wait until so many lines are printed; returns all there are."""
        until = time.monotonic() + _PATIENCE
        while len(lines := self._text("out").splitlines()) < number:
            if time.monotonic() > until or self._process.exitcode is not None:
                raise AssertionError(f"no {number} lines: {self._text('out')} {self._text('err')}")
            time.sleep(0.002)
        return lines

    def _text(self, name: str) -> str:
        path = self._folder / name
        return path.read_text("utf-8") if path.exists() else ""


def start_cli(house: House, *arguments: str) -> Running:
    """Start a command of the command line."""
    return start(house, _run_cli, *arguments)


def run_cli(house: House, *arguments: str) -> Done:
    """Run a command of the command line to its end."""
    return start_cli(house, *arguments).wait()


def run_python(house: House, *arguments: str) -> Done:
    """Run `python` from nothing, as a user does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REMEMBRANCER_")}
    environment |= {**house.environment, "PYTHONPATH": str(Path(__file__).parents[2])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=house.root,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=_PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def start(house: House, work: Callable[..., None], *arguments: Any) -> Running:
    """Run a function of a module in a process of its own, in the house's environment."""
    folder = house.root / "output" / str(time.monotonic_ns())
    folder.mkdir(parents=True)
    process = _FORKS.Process(target=_enter, args=(house, folder, work, arguments))
    process.start()
    return Running(process, folder)


def _enter(house: House, folder: Path, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    os.chdir(house.root)
    os.environ.update(house.environment)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    work(*arguments)


def _run_cli(*arguments: str) -> None:
    from remembrancer.cli.app import main

    sys.argv = ["remembrancer", *arguments]
    main()


def wait_for(path: Path) -> None:
    """Wait until a file is there: the starting gun of processes that race."""
    while not path.exists():
        with suppress(InterruptedError):
            time.sleep(0.0005)
