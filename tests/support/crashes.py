"""Processes that kill themselves at the n-th durable step, so that every gap between two steps is tried.

A step is counted before and after each commit of the ledger, before the log's head is kept outside the database, and
before and after each write of the checkpoint saver.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from sqlalchemy import Engine, event

from foundation.journal import Journal, Transaction
from oversight.checkpoints import GuardedSqliteSaver
from tests.support.processes import _run_cli


class _Countdown:
    def __init__(self, steps: int) -> None:
        self.left = steps

    def tick(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def run_cli_until(steps: int, *arguments: str) -> None:
    """Run a command and die at the n-th step; with fewer steps than that it ends as usual."""
    die_at_step(steps)
    _run_cli(*arguments)


def die_at_step(steps: int) -> None:
    """Let this process die at its n-th durable step from now."""
    countdown = _Countdown(steps)
    _count_ledger(countdown)
    _count_saver(countdown)


def _count_ledger(countdown: _Countdown) -> None:
    transaction, keep_head = Journal.transaction, Journal._keep_head

    @contextmanager
    def counted(self: Journal) -> Iterator[Transaction]:
        with transaction(self) as opened:
            yield opened
        countdown.tick()

    def counted_head(self: Journal, *arguments: Any) -> None:
        countdown.tick()
        keep_head(self, *arguments)

    Journal.transaction = counted  # type: ignore[method-assign]
    Journal._keep_head = counted_head  # type: ignore[method-assign]
    event.listen(Engine, "commit", countdown.tick)


def _count_saver(countdown: _Countdown) -> None:
    for name in ("put", "put_writes"):
        setattr(GuardedSqliteSaver, name, _counted(getattr(GuardedSqliteSaver, name), countdown))


def _counted(method: Any, countdown: _Countdown) -> Any:
    @wraps(method)  # langgraph passes only those arguments that the signature names
    def counted(self: GuardedSqliteSaver, *arguments: Any, **named: Any) -> Any:
        countdown.tick()
        result = method(self, *arguments, **named)
        countdown.tick()
        return result

    return counted
