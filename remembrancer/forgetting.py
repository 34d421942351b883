"""What the worker does about forgetting: deletions that a crash left unfinished, and what time and use forget."""

from sqlalchemy import select

from foundation.database import reading
from memory.tables import memories
from remembrancer.eraser import Eraser
from remembrancer.office import Office


def finish_deletions(office: Office) -> int:
    """Finish what deletions still owe outside the rows of memory; 1 when there was something to do."""
    eraser = _eraser(office)
    if not eraser.owes():
        return 0
    eraser.finish()
    return 1


def sweep_memories(office: Office) -> int:
    """Forget what is over, unused, seldom used or too much; returns how many memories were taken."""
    with reading(office.services.engine) as connection:
        if connection.execute(select(memories.c.memory_id).limit(1)).first() is None:
            return 0  # An office without memories doesn't load what embeds them.
    return sum(_eraser(office).sweep().values())


def _eraser(office: Office) -> Eraser:
    return Eraser(office.settings, office.services, office.saver)
