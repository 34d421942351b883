"""Threads and whose they are: the first use of a thread id binds it to a tenant; a foreign one is not found."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from foundation.errors import NotFoundError
from foundation.upserts import keep_first
from oversight.tables import threads


@dataclass(frozen=True, slots=True)
class BoundThread:
    """A thread, the kind of graph that runs in it, and whose it is."""

    thread_id: str
    kind: str
    owner: str


def bind_thread(connection: Connection, thread_id: str, tenant: str, kind: str, owner: str, at: datetime) -> str:
    """Bind the thread at its first use; returns the kind of graph that runs in it (the first binding's).

    Raises:
        NotFoundError: the thread belongs to another tenant.
    """
    row = {"thread_id": thread_id, "tenant": tenant, "kind": kind, "owner": owner, "created_at": at}
    keep_first(connection, threads, row, key=["thread_id"])
    return thread_kind(connection, thread_id, tenant)


def thread_kind(connection: Connection, thread_id: str, tenant: str) -> str:
    """The kind of graph that runs in the thread.

    Raises:
        NotFoundError: there is no such thread in this tenant.
    """
    query = select(threads.c.kind).where(threads.c.thread_id == thread_id, threads.c.tenant == tenant)
    kind = connection.execute(query).scalar_one_or_none()
    if kind is None:
        raise NotFoundError(f"there is no thread {thread_id}")
    return str(kind)


def thread_owner(connection: Connection, thread_id: str, tenant: str) -> str:
    """Whose the thread is; "" where it isn't bound in this tenant."""
    query = select(threads.c.owner).where(threads.c.thread_id == thread_id, threads.c.tenant == tenant)
    return str(connection.execute(query).scalar_one_or_none() or "")


def bind_own_thread(connection: Connection, thread_id: str, tenant: str, kind: str, owner: str, at: datetime) -> None:
    """Bind the thread to its owner at its first use; afterwards only he finds it.

    Raises:
        NotFoundError: the thread is another person's, another tenant's, or runs another kind of graph.
    """
    bind_thread(connection, thread_id, tenant, kind, owner, at)
    if not is_own_thread(connection, thread_id, tenant, kind, owner):
        raise NotFoundError(f"there is no thread {thread_id}")


def is_own_thread(connection: Connection, thread_id: str, tenant: str, kind: str, owner: str) -> bool:
    """Whether the thread is bound to this owner already."""
    query = select(threads.c.kind).where(
        threads.c.thread_id == thread_id, threads.c.tenant == tenant, threads.c.owner == owner
    )
    return connection.execute(query).scalar_one_or_none() == kind


def own_threads(connection: Connection, tenant: str, kind: str, owner: str) -> list[str]:
    """The ids of a person's threads of one kind, oldest first."""
    query = select(threads.c.thread_id).where(
        threads.c.tenant == tenant, threads.c.kind == kind, threads.c.owner == owner
    )
    return [str(each) for each in connection.execute(query.order_by(threads.c.created_at)).scalars()]


def is_foreign_thread(connection: Connection, thread_id: str, tenant: str, person: str) -> bool:
    """Whether the thread is bound to another person or another tenant."""
    query = select(threads.c.tenant, threads.c.owner).where(threads.c.thread_id == thread_id)
    row = connection.execute(query).one_or_none()
    return row is not None and tuple(row) != (tenant, person)


def bound_threads(connection: Connection, tenant: str) -> list[BoundThread]:
    """The tenant's threads, oldest first."""
    query = select(threads.c.thread_id, threads.c.kind, threads.c.owner).where(threads.c.tenant == tenant)
    return [BoundThread(*row) for row in connection.execute(query.order_by(threads.c.created_at, threads.c.thread_id))]
