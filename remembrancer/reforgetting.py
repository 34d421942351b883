"""Forgetting again, in a restored installation, what was forgotten since its backup was made."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import select, union
from sqlalchemy.exc import DatabaseError

from foundation.database import open_engine, reading, writing
from foundation.errors import NotFoundError
from memory import holds
from memory.holds import Hold
from memory.scope import Scope
from memory.service import Memory
from memory.tables import events, memories, transcript
from remembrancer import deletions
from remembrancer.deletions import Deletion
from remembrancer.eraser import Eraser, open_eraser
from remembrancer.settings import Settings

_HELD = "held:"


def forget_again(settings: Settings, lists: Sequence[Path], made_at: datetime, orders: Sequence[Hold] = ()) -> int:
    """Carry out the deletions of these lists from a moment on; returns how many lines they have.

    The lists, joined, become the installation's own.

    Args:
        settings: of the restored installation.
        lists: the deletion lists.
        made_at: when the backup was made.
        orders: legal holds as they stand today: what is under one is kept apart once more, not destroyed.
    """
    lines = deletions.read(lists, since=made_at)
    with open_eraser(settings) as eraser:
        with writing(eraser.services.engine) as connection:
            holds.carry_over(connection, orders)
        for line in lines:
            _BY_KIND[line.what](eraser.memory, line)
        _finish(eraser)
        eraser.memory.close()
    older = deletions.read(lists, since=datetime.min.replace(tzinfo=made_at.tzinfo))
    own = settings.home / deletions.NAME
    own.unlink(missing_ok=True)
    deletions.append([own], older)
    return len(lines)


def orders_in(ledger: Path) -> list[Hold]:
    """The legal holds of the installation that a restore replaces; none where its database can't be read any more."""
    if not ledger.exists():
        return []
    engine = open_engine(f"sqlite:///{ledger}")
    try:
        with reading(engine) as connection:
            return holds.everything(connection)
    except DatabaseError:
        return []
    finally:
        engine.dispose()


def _finish(eraser: Eraser) -> None:
    while eraser.owes():
        eraser.finish()


def _memory(memory: Memory, line: Deletion) -> None:
    query = select(memories.c.pool, memories.c.memory_id).where(memories.c.memory_id.in_(line.ids))
    with reading(memory.engine) as connection:
        found = connection.execute(query).all()
    for pool, memory_id in found:
        if pool.startswith(_HELD):
            continue
        try:
            memory.forget(Scope.of_pool(pool), memory_id, actor="restore", reason="forgotten since the backup")
        except NotFoundError:
            continue  # It went with the version that replaced it.


def _message(memory: Memory, line: Deletion) -> None:
    query = select(transcript.c.pool, transcript.c.thread_id, transcript.c.message_id)
    with reading(memory.engine) as connection:
        found = [row for row in connection.execute(query) if line.means(*row)]
    for pool, thread_id, message_id in found:
        memory.forget_message(Scope.of_pool(pool), thread_id, message_id, actor="restore")


def _person(memory: Memory, line: Deletion) -> None:
    for pool in _pools(memory):
        if line.means(pool):
            memory.forget_pool(pool)


def _pools(memory: Memory) -> Iterator[str]:
    query = union(*(select(table.c.pool) for table in (memories, events, transcript)))
    with reading(memory.engine) as connection:
        yield from connection.execute(query).scalars().all()


_BY_KIND = {"memory": _memory, "message": _message, "person": _person}
