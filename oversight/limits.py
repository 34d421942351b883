"""Limits changed while something runs: kept with who, when and why, and read by each step before it acts.

A change for one batch stands over a change for all of the tenant, and both stand over what the policy says. Changes
are never overwritten; the newest of a scope is in force. The audit log has each.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation

from sqlalchemy import Connection, func, insert, select

from foundation.errors import UsageError
from foundation.journal import Transaction
from oversight.feed import Event, publish
from oversight.rights import Deed, require_right
from oversight.tables import limit_changes

EVERYWHERE = ""
"""The scope of a change for all of the tenant."""


@dataclass(frozen=True, slots=True)
class LimitName:
    """One limit that may be changed: what a value must be, and how it is said."""

    accepts: Callable[[Decimal], bool]
    zh: str
    en: str


def _is_money(value: Decimal) -> bool:
    return value > 0


def _is_count(value: Decimal) -> bool:
    return value > 0 and value == value.to_integral_value()


def _is_share(value: Decimal) -> bool:
    return 0 <= value <= 1


NAMES: Mapping[str, LimitName] = {
    "amount": LimitName(_is_money, "单笔限额（达到即请人审批）", "an action of this size or more asks a person"),
    "confidence": LimitName(_is_share, "置信度下限", "what is read less surely than this asks a person"),
    "batch_budget": LimitName(_is_money, "每批预算", "what one batch may book in all without a person"),
    "batch_count": LimitName(_is_count, "每批笔数上限", "how many one batch may book without a person"),
    "loss": LimitName(_is_money, "每批损失限额", "what may go wrong in one batch, by amount"),
    "failure_rate": LimitName(_is_share, "每批失败率上限", "the share of one batch that may fail"),
}
"""The limits that may be changed while something runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitChange:
    """One change of one limit."""

    seq: int
    scope: str
    """The batch's id; "" for all of the tenant."""
    name: str
    value: Decimal
    set_by: str
    why: str
    set_at: datetime


def change(
    transaction: Transaction,
    tenant: str,
    name: str,
    value: str,
    *,
    batch: str = EVERYWHERE,
    by: str,
    why: str = "",
    before: str = "",
) -> LimitChange:
    """Change a limit from the next step on; `before` is what the caller knows to be in force, for the log.

    Raises:
        UsageError: there is no such limit, or the value is none of its kind.
        NotAllowedError: nobody is named, or he may not change limits.
    """
    parsed, connection = _parsed(name, value), transaction.connection
    require_right(connection, tenant, by, Deed.CHANGE_LIMIT)
    earlier = in_force(connection, tenant, batch).get(name)
    before = str(earlier.value) if earlier else before
    number = connection.execute(select(func.max(limit_changes.c.seq)).where(limit_changes.c.tenant == tenant)).scalar()
    made = LimitChange(
        seq=(number or 0) + 1, scope=batch, name=name, value=parsed, set_by=by, why=why, set_at=transaction.at
    )
    row = {field: getattr(made, field) for field in LimitChange.__slots__}
    connection.execute(insert(limit_changes), row | {"tenant": tenant, "value": str(parsed)})
    transaction.log(tenant, by, "limit changed", batch or tenant, limit=name, before=before, after=str(parsed), why=why)
    facts = {"by": by, "name": name, "before": before or "–", "value": str(parsed), "scope": batch or "*", "why": why}
    publish(connection, tenant, transaction.at, Event(kind="limit_changed", subject=name, batch=batch, facts=facts))
    return made


def in_force(connection: Connection, tenant: str, batch: str = EVERYWHERE) -> dict[str, LimitChange]:
    """Name -> the change in force for this batch; what nobody changed is not in it."""
    found: dict[str, LimitChange] = {}
    ordered = sorted(changes(connection, tenant, batch), key=lambda one: (one.scope != EVERYWHERE, one.seq))
    for one in ordered:
        found[one.name] = one
    return found


def changes(connection: Connection, tenant: str, batch: str | None = None) -> list[LimitChange]:
    """All changes in order; for one batch its own and those for all of the tenant, where `batch` names it."""
    query = select(limit_changes).where(limit_changes.c.tenant == tenant)
    if batch is not None:
        query = query.where(limit_changes.c.scope.in_({EVERYWHERE, batch}))
    rows = connection.execute(query.order_by(limit_changes.c.seq)).mappings()
    return [
        LimitChange(**{name: row[name] for name in LimitChange.__slots__} | {"value": Decimal(row["value"])})
        for row in rows
    ]


def _parsed(name: str, value: str) -> Decimal:
    known = NAMES.get(name)
    if known is None:
        raise UsageError(f"there is no limit {name!r}: choose one of {', '.join(NAMES)}")
    try:
        parsed = Decimal(value.strip())
    except InvalidOperation:
        raise UsageError(f"{name}: {value!r} is no number") from None
    if not parsed.is_finite() or not known.accepts(parsed):
        raise UsageError(f"{name}: {value} can't be its value ({known.en})")
    return parsed
