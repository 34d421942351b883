"""SIGKILL at random moments of real commands; after each kill the same command goes on."""

import random
from dataclasses import dataclass, field

from tests.support.house import House
from tests.support.processes import KILLED, Done, start_cli

WAITS = 3


@dataclass
class Kills:
    """Kills commands at moments that follow from a seed, and counts those that were hit while they ran."""

    seed: int
    within: float = 0.6
    """Seconds from the start of a command within which it is killed."""
    hits: int = 0
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def run(self, house: House, *command: str, most: int = 4) -> Done:
        """Run the command, killing it up to `most` times before it may end."""
        for _ in range(most):
            running = start_cli(house, *command)
            if not running.kill_at_random(self.chance, self.within):
                break
            self.hits += 1
        done = start_cli(house, *command).wait()
        assert done.code != KILLED
        return done


def audit_and_decide(house: House, kills: Kills) -> None:
    """One whole round: a batch is audited and all that waits is decided, with kills all along."""
    audited = kills.run(house, "audit", str(house.papers.folder), "--batch", "one")
    assert audited.code == WAITS, audited.err
    waiting = house.ask("SELECT review_id FROM reviews ORDER BY review_id")
    for number, (review_id,) in enumerate(waiting):
        kind = ("approve", "reject")[number % 2]
        decided = kills.run(house, "decide", review_id, kind, "--by", "lin", "--reason", "verified by phone", most=2)
        assert decided.code == 0, decided.err
