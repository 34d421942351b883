"""What an assistant was about to do and did: each action once, by its key, whatever runs twice.

proposed -> approved -> started -> done | failed | unknown      a step that runs
proposed -> refused | answered                                  a person said no, or answered in its place
blocked                                                         the repeat of what was refused

`started` is on disk before anything irreversible runs: whoever finds it after a crash doesn't know whether it
happened, and asks.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from foundation.errors import NotFoundError
from foundation.upserts import keep_first
from oversight.tables import actions

ACTION_KEYS = "act_"
"""How the keys of actions begin."""
_MANY = 500


class ActionStatus(StrEnum):
    """Where an action stands."""

    PROPOSED = "proposed"
    """Waits for a person."""
    APPROVED = "approved"
    """May run: by the rules, or by a person's decision."""
    STARTED = "started"
    """Was begun; nobody has seen its end yet."""
    DONE = "done"
    """Ran, once."""
    FAILED = "failed"
    """Said that it failed, or never ran because its arguments don't fit."""
    UNKNOWN = "unknown"
    """Broke off: it may have happened or not."""
    REFUSED = "refused"
    """A person said no."""
    BLOCKED = "blocked"
    """Is the repeat of what a person refused in this turn."""
    ANSWERED = "answered"
    """A person answered in its place."""


_COST = (ActionStatus.APPROVED, ActionStatus.STARTED, ActionStatus.UNKNOWN, ActionStatus.DONE)
RUNNING = (ActionStatus.APPROVED, ActionStatus.STARTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRecord:
    """One action that was proposed."""

    tenant: str
    action_key: str
    thread_id: str
    turn: str
    """The id of what the person said that led to it."""
    owner: str
    """Whom the assistant works for."""
    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    signature: str
    """The same for the same tool with the same arguments."""
    irreversible: bool
    amount: Decimal | None = None
    status: ActionStatus
    result: str = ""
    """What it returned, why it failed, why it was refused, or what a person said in its place."""
    decision_id: str | None = None
    decided_by: str = ""
    proposed_at: datetime
    ended_at: datetime | None = None


def propose(connection: Connection, record: ActionRecord) -> ActionRecord:
    """Keep the proposal; one that is known already stays as it is. Returns the one that is kept."""
    row = {name: getattr(record, name) for name in ActionRecord.__slots__}
    row["args"] = json.dumps(record.args, ensure_ascii=False)
    keep_first(connection, actions, row, key=["tenant", "action_key"])
    return find_action(connection, record.tenant, record.action_key)


def find_action(connection: Connection, tenant: str, action_key: str) -> ActionRecord:
    """The action of this tenant.

    Raises:
        NotFoundError: this tenant has none of that key.
    """
    query = select(actions).where(actions.c.tenant == tenant, actions.c.action_key == action_key)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no action {action_key}")
    return _record(row)


def advance(
    connection: Connection,
    record: ActionRecord,
    status: ActionStatus,
    *,
    after: Collection[ActionStatus],
    **changes: Any,
) -> bool:
    """The compare-and-set: bring the action to `status` where it stands at one of `after`; whether it did."""
    if "args" in changes:
        changes["args"] = json.dumps(changes["args"], ensure_ascii=False)
    moved = connection.execute(
        update(actions)
        .where(
            actions.c.tenant == record.tenant,
            actions.c.action_key == record.action_key,
            actions.c.status.in_([str(each) for each in after]),
        )
        .values(status=status, **changes)
    )
    return moved.rowcount == 1


def equal_before(connection: Connection, record: ActionRecord) -> list[ActionRecord]:
    """The other actions with the same signature in the same thread, oldest first."""
    query = select(actions).where(
        actions.c.tenant == record.tenant,
        actions.c.thread_id == record.thread_id,
        actions.c.signature == record.signature,
        actions.c.action_key != record.action_key,
    )
    return [
        _record(row) for row in connection.execute(query.order_by(actions.c.proposed_at, actions.c.action_key)).all()
    ]


def attempts_of(record: ActionRecord, before: Sequence[ActionRecord]) -> int:
    """How often this same action came to nothing so far, and once more.

    Counted are the last equal actions in a row with one outcome: the same failure, refusals, or (within this turn) the
    same result. A person's refusal starts the count anew.
    """
    if not before:
        return 1
    last, count = _outcome(before[-1]), 0
    for each in reversed(before):
        repeated = each.status is not ActionStatus.DONE or each.turn == record.turn
        if _outcome(each) != last or not repeated:
            break
        count += 1
        if each.status is ActionStatus.REFUSED:
            break
    return count + 1


def refused_before(before: Sequence[ActionRecord]) -> ActionRecord | None:
    """The refusal that still stands: no person has let the same action run since."""
    for each in reversed(before):
        if each.status is ActionStatus.REFUSED:
            return each
        if each.decision_id and each.status in _COST:
            return None
    return None


def steps_in(connection: Connection, record: ActionRecord) -> int:
    """How many actions the turn has proposed, this one included."""
    query = select(func.count()).where(
        actions.c.tenant == record.tenant, actions.c.thread_id == record.thread_id, actions.c.turn == record.turn
    )
    return connection.execute(query).scalar_one()


def spent_since(connection: Connection, tenant: str, owner: str, since: datetime, *, but: str = "") -> Decimal:
    """What irreversible actions cost this owner since then that no person decided."""
    query = select(actions.c.amount).where(
        actions.c.tenant == tenant,
        actions.c.owner == owner,
        actions.c.proposed_at >= since,
        actions.c.action_key != but,
        actions.c.irreversible,
        actions.c.decision_id.is_(None),
        actions.c.status.in_([str(each) for each in _COST]),
        actions.c.amount.is_not(None),
    )
    return sum((abs(amount) for amount in connection.execute(query).scalars()), Decimal(0))


def unfinished_threads(connection: Connection, tenant: str) -> list[str]:
    """The threads with actions that may run or have begun to: a crash may have left them there."""
    query = select(actions.c.thread_id).where(
        actions.c.tenant == tenant, actions.c.status.in_([str(each) for each in RUNNING])
    )
    return [str(each) for each in connection.execute(query.distinct().order_by(actions.c.thread_id)).scalars()]


def _outcome(record: ActionRecord) -> tuple[str, str]:
    refused = record.status in (ActionStatus.REFUSED, ActionStatus.BLOCKED)
    return ("refused", "") if refused else (record.status, record.result)


def _record(row: Row[Any]) -> ActionRecord:
    values = dict(row._mapping)
    return ActionRecord(**{**values, "args": json.loads(values["args"]), "status": ActionStatus(values["status"])})
