"""What happened to a memory and to the versions before it."""

from sqlalchemy import Connection, select

from memory import rows, tables
from memory.model import Event


def history(connection: Connection, pool: str, memory_id: str) -> list[Event]:
    """The events of a memory and of all the versions it replaced, oldest first; empty for an unknown id."""
    mine = (tables.events.c.pool == pool) & tables.events.c.memory_id.in_(_chain(connection, pool, memory_id))
    query = select(tables.events).where(mine).order_by(tables.events.c.event_id)
    return [rows.event(row) for row in connection.execute(query).mappings()]


def _chain(connection: Connection, pool: str, memory_id: str) -> list[str]:
    """The ids of a memory and all the versions before it."""
    chain = [memory_id]
    while True:
        found = rows.load(connection, pool, [chain[-1]]).get(chain[-1])
        if found is None or found.replaces is None or found.replaces in chain:
            return chain
        chain.append(found.replaces)
