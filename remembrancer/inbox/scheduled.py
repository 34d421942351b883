"""Decisions that can still be called back: kept in the database for some seconds, then taken.

Nothing is lost by a crash: what is due is taken by the background task, by the next request and at the next start.
While one is scheduled, nobody else decides the review.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection, Engine, Row, func, select, update

from foundation.clock import Clock
from foundation.database import reading, writing
from foundation.errors import AlreadyDecidedError, NotFoundError, RemembrancerError
from foundation.ids import new_id
from foundation.upserts import keep_first
from oversight.action import DecisionKind
from remembrancer.inbox.tables import scheduled_decisions as table
from remembrancer.office import Office

_log = structlog.get_logger(__name__)

SHOWN_FOR = timedelta(seconds=20)
"""How long the outcome of a decision is shown to whoever made it."""
_STUCK = timedelta(seconds=60)
"""A decision that a process began to take and didn't finish within this is taken again: taking is repeatable."""
_AT_ONCE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """One decision on its way. `status`: scheduled, taking, taken, failed, cancelled."""

    scheduled_id: str
    tenant: str
    review_id: str
    kind: DecisionKind
    reason: str = ""
    edits: Mapping[str, str] = field(default_factory=dict)
    decided_by: str
    via: str
    bulk: str = ""
    """What several decisions made at once have in common; "" for one alone."""
    seen: str = ""
    """Digest of what was before the person's eyes: another thing is not decided by this."""
    due_at: datetime
    status: str = "scheduled"
    outcome: str = ""
    """Why it failed, or what keeps the review open; "" when all went well."""


class Schedule:
    """The scheduled decisions of one tenant."""

    def __init__(self, engine: Engine, tenant: str, clock: Clock, *, seconds: float) -> None:
        """`seconds`: how long a decision can be called back; 0 takes it at once."""
        self._engine, self._tenant, self._clock = engine, tenant, clock
        self._delay = timedelta(seconds=seconds)
        self._running = threading.Lock()

    def put(
        self,
        review_id: str,
        kind: DecisionKind,
        *,
        by: str,
        reason: str = "",
        edits: Mapping[str, str] | None = None,
        bulk: str = "",
        seen: str = "",
    ) -> Scheduled:
        """Schedule a decision.

        Raises:
            AlreadyDecidedError: another one is scheduled for this review; says whose.
        """
        scheduled = Scheduled(
            scheduled_id=new_id("sch"),
            tenant=self._tenant,
            review_id=review_id,
            kind=kind,
            reason=reason,
            edits=dict(edits or {}),
            decided_by=by,
            via="inbox",
            bulk=bulk,
            seen=seen,
            due_at=self._clock() + self._delay,
        )
        with writing(self._engine) as connection:
            if not keep_first(connection, table, _row(scheduled)):
                other = self.on(connection, [review_id]).get(review_id)
                who = other.decided_by if other else "somebody"
                raise AlreadyDecidedError(f"{review_id} was already decided: {other.kind if other else ''} by {who}")
        return scheduled

    def cancel(self, scheduled_id: str, *, by: str) -> list[Scheduled]:
        """Call a decision back, and with it those made at once with it; returns what was called back in time.

        Raises:
            NotFoundError: there is none of this person that could be called back.
        """
        with writing(self._engine) as connection:
            mine = (table.c.tenant == self._tenant) & (table.c.decided_by == by) & (table.c.status == "scheduled")
            first = connection.execute(select(table).where(mine, table.c.scheduled_id == scheduled_id)).one_or_none()
            if first is None:
                raise NotFoundError("it is too late to undo this")
            same = table.c.bulk == first.bulk if first.bulk else table.c.scheduled_id == scheduled_id
            found = [_scheduled(row) for row in connection.execute(select(table).where(mine, same))]
            connection.execute(update(table).where(mine, same).values(status="cancelled"))
        return found

    def on(self, connection: Connection, review_ids: list[str]) -> dict[str, Scheduled]:
        """Review id -> the decision that is on its way there."""
        query = select(table).where(table.c.tenant == self._tenant, table.c.status.in_(("scheduled", "taking")))
        return {
            row.review_id: _scheduled(row) for row in connection.execute(query.where(table.c.review_id.in_(review_ids)))
        }

    def told(self, connection: Connection, person: str) -> list[Scheduled]:
        """What this person decided just now: on its way, or with an outcome he should see; newest first."""
        mine = (table.c.tenant == self._tenant) & (table.c.decided_by == person)
        fresh = table.c.due_at > self._clock() - SHOWN_FOR
        telling = table.c.status.in_(("scheduled", "taking")) | ((table.c.outcome != "") & fresh)
        query = select(table).where(mine, telling).order_by(table.c.due_at.desc(), table.c.scheduled_id).limit(100)
        return [_scheduled(row) for row in connection.execute(query)]

    def version(self, connection: Connection) -> str:
        """Changes whenever a decision is scheduled, called back or taken."""
        query = select(table.c.status, func.count(), func.max(table.c.due_at)).where(table.c.tenant == self._tenant)
        return str([tuple(row) for row in connection.execute(query.group_by(table.c.status))])

    def run_due(self, office: Office, *, everything: bool = False) -> int:
        """Take what is due (with `everything`, also what could still be called back); returns how many were taken.

        Returns at once while another thread is at it.
        """
        if not self._running.acquire(blocking=False):
            return 0
        try:
            due = self._due(everything)
            for scheduled in due:
                self._take(office, scheduled)
            return len(due)
        finally:
            self._running.release()

    def _due(self, everything: bool) -> list[Scheduled]:
        now = self._clock()
        ready = (table.c.status == "scheduled") & (True if everything else table.c.due_at <= now)
        stuck = (table.c.status == "taking") & (table.c.due_at <= now - _STUCK)
        query = select(table).where(table.c.tenant == self._tenant, ready | stuck)
        with reading(self._engine) as connection:
            return [_scheduled(row) for row in connection.execute(query.order_by(table.c.due_at).limit(_AT_ONCE))]

    def _take(self, office: Office, scheduled: Scheduled) -> None:
        if not self._move(scheduled, {"status": "taking"}, was=scheduled.status):
            return
        try:
            settled = office.decide(
                scheduled.review_id,
                scheduled.kind,
                by=scheduled.decided_by,
                reason=scheduled.reason,
                edits=scheduled.edits,
                via=scheduled.via,
                seen=scheduled.seen,
            )
        except RemembrancerError as error:
            _log.warning("a scheduled decision was not taken", review=scheduled.review_id, error=str(error))
            self._move(scheduled, {"status": "failed", "outcome": str(error), "due_at": self._clock()})
        else:
            self._move(scheduled, {"status": "taken", "outcome": settled.still_open, "due_at": self._clock()})

    def _move(self, scheduled: Scheduled, values: Mapping[str, object], was: str = "taking") -> bool:
        with writing(self._engine) as connection:
            mine = (table.c.scheduled_id == scheduled.scheduled_id) & (table.c.status == was)
            return connection.execute(update(table).where(mine).values(values)).rowcount == 1


def _row(scheduled: Scheduled) -> dict[str, object]:
    row = {name: getattr(scheduled, name) for name in Scheduled.__slots__}
    return row | {"edits": json.dumps(dict(scheduled.edits), ensure_ascii=False)}


def _scheduled(row: Row[tuple[object, ...]]) -> Scheduled:
    values = dict(row._mapping)
    return Scheduled(**{**values, "edits": json.loads(values["edits"])})
