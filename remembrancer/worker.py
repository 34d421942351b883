"""The worker: what has to be done again and again, whether or not anybody types a command.

Every chore may run in any number of processes at once and as often as it likes: each says itself what is still to do.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from foundation.errors import RemembrancerError
from remembrancer.forgetting import finish_deletions, sweep_memories
from remembrancer.models import model_reflector
from remembrancer.notifying import deliver
from remembrancer.office import Office
from remembrancer.reflecting import close_sessions, reflect
from remembrancer.tending import expire_late, remind

_log = structlog.get_logger(__name__)

_NAP_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Chore:
    """One thing that is done every so often; `run` returns how much there was to do."""

    name: str
    every: timedelta
    run: Callable[[Office], int]


def _sweep(office: Office) -> int:
    swept = office.sweep()
    return swept.decisions + swept.ghosts + swept.reviews_opened + swept.begun


def _close_sessions(office: Office) -> int:
    return close_sessions(office.services, office.services.clock())


def _reflect(office: Office) -> int:
    done = reflect(office.services, by=model_reflector(office.settings), now=office.services.clock())
    return sum(each.status != "failed" for outcomes in done.values() for each in outcomes)


CHORES: tuple[Chore, ...] = (
    Chore("sweep", timedelta(minutes=1), _sweep),
    Chore("expire", timedelta(minutes=5), expire_late),
    Chore("remind", timedelta(minutes=5), remind),
    Chore("finish deletions", timedelta(minutes=1), finish_deletions),
    Chore("forget", timedelta(days=1), sweep_memories),
    Chore("close sessions", timedelta(minutes=5), _close_sessions),
    Chore("reflect", timedelta(days=1), _reflect),
    Chore("notify", timedelta(seconds=30), deliver),
)
"""All chores. Adding one is an entry and a test."""


class Worker:
    """Runs the chores of one office, each when its time has come."""

    def __init__(self, office: Office, chores: Sequence[Chore] = CHORES) -> None:
        """All chores are due at once, first."""
        self._office = office
        self._chores = chores
        self._next: dict[str, datetime] = {}

    def run_due(self) -> dict[str, int]:
        """Run every chore whose time has come; chore -> how much there was to do.

        One that fails is logged and tried again at its next time; the others run all the same.
        """
        done: dict[str, int] = {}
        for chore in self._chores:
            now = self._office.services.clock()
            if self._next.get(chore.name, now) <= now:
                self._next[chore.name] = now + chore.every
                done[chore.name] = self._run(chore)
        return done

    def run_for_ever(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Run until the process is stopped."""
        while True:
            self.run_due()
            sleep(_NAP_SECONDS)

    def _run(self, chore: Chore) -> int:
        try:
            return chore.run(self._office)
        except RemembrancerError as error:
            _log.warning("a chore failed; it is tried again", chore=chore.name, error=str(error))
            return 0
