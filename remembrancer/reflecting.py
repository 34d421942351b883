"""Chores of memory over all people of the tenant, for the worker: archive sessions that ended, propose patterns."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from foundation.database import reading
from memory.model import Outcome
from memory.scope import Scope
from memory.tables import transcript
from nodes.services import Services

if TYPE_CHECKING:
    from memory.reflecting import Reflector


def people(services: Services) -> Iterator[Scope]:
    """The pool of everybody of the tenant who ever said something."""
    with reading(services.engine) as connection:
        pools = connection.execute(select(transcript.c.pool).distinct().order_by(transcript.c.pool)).scalars().all()
    for pool in pools:
        scope = Scope.of_pool(pool)
        if scope.kind == "user" and scope.tenant_id == services.tenant:
            yield scope


def reflect(
    services: Services, user: str = "", *, by: "Reflector | None" = None, now: datetime | None = None
) -> dict[str, list[Outcome]]:
    """Archive what ended and propose what comes back, for one person or for all; a person's failure stops no other.

    Run daily or weekly: what was archived or proposed once is left alone.
    """
    memory = services.memory()
    scopes = [Scope.user(services.tenant, user)] if user else list(people(services))
    done: dict[str, list[Outcome]] = {}
    for scope in scopes:
        archived = memory.close_sessions(scope, now=now)
        done[scope.user_id] = [*archived, *memory.reflect(scope, zone=services.zone, by=by, now=now)]
    return done


def close_sessions(services: Services, now: datetime | None = None) -> int:
    """Archive the sessions that ended, everybody's; returns how many. Run every few minutes."""
    memory = services.memory()
    return sum(len(memory.close_sessions(scope, now=now)) for scope in people(services))
