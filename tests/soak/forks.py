"""Lives that end by SIGKILL, forked from a process that has everything imported: one costs its work, not its start.

The forking process runs no thread and holds no open database, so that a child is as good as a fresh process.
"""

import gc
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.crashes import die_at_step

_SPREAD = 1.1
"""Moments are drawn up to this many usual lifetimes: most kills hit, some lives end by themselves."""
_SHORT = 0.25
"""How far the short lives get at most, of what the long ones get."""
_SHORT_LIVES = 0.7
"""Share of lives that are short: each goes on where the last one was killed, so they too get everywhere, for less."""


class LifeFailedError(Exception):
    """A life ended by an error, not by a kill."""


@dataclass
class Reaper:
    """Ends lives at random durable steps and at random moments, by turns as chance has it."""

    chance: random.Random
    most_steps: int = 60
    """Durable steps up to which a life is drawn to die."""
    hits: int = 0
    at_steps: int = 0
    """Of the hits, those at a durable step."""
    lives: int = 0
    _usual: float = field(default=0.2)

    def run(self, work: Callable[[], None]) -> bool:
        """Live once; whether the life was ended."""
        self.lives += 1
        by_step = self.chance.random() < 0.5
        reach = _SHORT if self.chance.random() < _SHORT_LIVES else 1.0
        step = self.chance.randint(1, round(self.most_steps * reach)) if by_step else 0
        begun = time.monotonic()
        child = _fork(work, step)
        if not by_step:
            time.sleep(self.chance.uniform(0, self._usual * _SPREAD * reach))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            self.hits += 1
            self.at_steps += by_step
            return True
        self._usual += 0.1 * (time.monotonic() - begun - self._usual)
        if os.waitstatus_to_exitcode(status) != 0:
            raise LifeFailedError("a life ended by an error; its traceback stands above")
        return False


def _fork(work: Callable[[], None], step: int) -> int:
    gc.freeze()
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        if step:
            die_at_step(step)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        # No handler of the parent runs: neither of pytest nor of multiprocessing.
        os._exit(code)
