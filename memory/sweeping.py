"""Passive forgetting: what is over, what nobody uses, what is too much. In small batches, so that no writer waits long.

Three verbs: `hard` deletes a memory for good (a line of history without content stays), `soft` retires it (its history
still tells it), `down-weight` lets it rank lower until it is used again. Critical facts are exempt from all but expiry
and capacity, and a pool under a legal hold is left alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Engine, case, extract, func, select, update

from foundation.database import reading, writing
from foundation.sequences import chunks
from memory import forgetting, holds, rows, store
from memory.defaults import Forgetting, SweepVerb
from memory.scope import pool_prefixes
from memory.store import Pen
from memory.tables import memories, pools

PenMaker = Callable[[Connection, str], Pen]
Pause = Callable[[float], None]
_CHOSEN = 10_000
"""Memories over the capacity that are chosen at once: what a sweep holds in memory."""
_POOLS = 1_000
_MONTH = timedelta(days=30)
_RANK = case({"low": 0, "normal": 1, "critical": 2}, value=memories.c.importance, else_=1)
_CURRENT = memories.c.status == "current"


@dataclass(frozen=True, slots=True)
class Rule:
    """Which current memories a sweep takes, what it does to them, and what the history says then."""

    name: str
    verb: SweepVerb
    reason: str
    takes: ColumnElement[bool]


def rules(settings: Forgetting, now: datetime) -> tuple[Rule, ...]:
    """The rules in force at a moment, in their order: what the first takes, the next doesn't see. One entry each."""
    passive = memories.c.importance != "critical"
    if settings.verb == "down-weight":
        passive &= memories.c.weight == 1.0
    last_used = func.coalesce(memories.c.last_accessed_at, memories.c.recorded_at)
    age = now.timestamp() - extract("epoch", memories.c.recorded_at)
    seldom = memories.c.access_count * _MONTH.total_seconds() < settings.monthly_uses * age
    # What was used within the month is not forgotten for the months before.
    seldom &= last_used <= now - _MONTH
    grown = memories.c.recorded_at <= now - timedelta(days=settings.seldom_after_days)
    return (
        Rule("expired", "soft", "its time is over", memories.c.expires_at <= now),
        Rule(
            "unused",
            settings.verb,
            f"not used for {settings.unused_days:g} days",
            passive & (last_used <= now - timedelta(days=settings.unused_days)),
        ),
        Rule(
            "seldom", settings.verb, f"used less than {settings.monthly_uses:g} times a month", passive & grown & seldom
        ),
    )


class Sweeper:
    """Sweeps the pools of one tenant."""

    def __init__(self, engine: Engine, settings: Forgetting, pen_of: PenMaker, pause: Pause) -> None:
        """`pen_of` opens a pool for writing; `pause` sleeps between two batches, so that waiting writers get in."""
        self._engine = engine
        self._settings = settings
        self._pen_of = pen_of
        self._pause = pause

    def sweep(self, tenant: str, now: datetime) -> dict[str, int]:
        """Take what the rules take, then what is over the capacity; returns how many memories each took."""
        in_force = rules(self._settings, now)
        taken = dict.fromkeys((*(rule.name for rule in in_force), "capacity"), 0)
        for page in self._pages(tenant):
            for rule in in_force:
                for pool in self._concerned(page, rule):
                    taken[rule.name] += self._apply(rule, pool, now)
        taken["capacity"] += self._fit(tenant, now)
        return taken

    def _pages(self, tenant: str) -> Iterator[Sequence[str]]:
        """The tenant's pools with something in them, in order, page by page."""
        mine = pool_prefixes(pools.c.pool, tenant) & (pools.c.documents > 0)
        last = ""
        while True:
            query = select(pools.c.pool).where(mine, pools.c.pool > last).order_by(pools.c.pool).limit(_POOLS)
            with reading(self._engine) as connection:
                page = connection.execute(query).scalars().all()
            if page:
                yield page
            if len(page) < _POOLS:
                return
            last = page[-1]

    def _concerned(self, page: Sequence[str], rule: Rule) -> Sequence[str]:
        """Those of a page's pools in which the rule takes something: most have nothing, and are asked all at once."""
        within = (memories.c.pool >= page[0]) & (memories.c.pool <= page[-1])
        query = select(memories.c.pool).where(within, _CURRENT, rule.takes).distinct()
        with reading(self._engine) as connection:
            found = set(connection.execute(query).scalars())
        return [pool for pool in page if pool in found]

    def _apply(self, rule: Rule, pool: str, now: datetime) -> int:
        wanted = select(memories.c.memory_id).where(memories.c.pool == pool, _CURRENT, rule.takes)
        total = 0
        while True:
            with reading(self._engine) as connection:
                found = connection.execute(wanted.limit(self._settings.batch)).scalars().all()
                protected = bool(found) and bool(holds.active(connection, pool, now))
            if not found or protected:
                return total
            done = self._batch(pool, found, rule, now, still=rule.takes)
            total += done
            if not done:
                return total

    def _batch(
        self, pool: str, ids: Sequence[str], rule: Rule, now: datetime, *, still: ColumnElement[bool] | None
    ) -> int:
        """Carry out the rule on memories that it still takes: somebody may have used one meanwhile."""
        with writing(self._engine) as connection:
            pen = self._pen_of(connection, pool)
            mine = (memories.c.pool == pool) & memories.c.memory_id.in_(ids) & _CURRENT
            query = select(memories.c.memory_id).where(mine if still is None else mine & still)
            taken = connection.execute(query).scalars().all()
            if taken and not holds.active(connection, pool, now):
                _VERBS[rule.verb](pen, taken, rule, self._settings)
            else:
                taken = ()
        self._pause(self._settings.pause_seconds)
        return len(taken)

    def _fit(self, tenant: str, now: datetime) -> int:
        """Delete what is over the capacity: the least important first, then the least used, then the oldest."""
        rule = Rule("capacity", "hard", f"over the capacity of {self._settings.capacity:,} memories", _CURRENT)
        total = 0
        while (excess := self._count(tenant) - self._settings.capacity) > 0:
            done = 0
            for pool, ids in self._least(tenant, min(excess, _CHOSEN)).items():
                for some in chunks(ids, self._settings.batch):
                    done += self._batch(pool, some, rule, now, still=None)
            total += done
            if not done:
                break
        return total

    def _count(self, tenant: str) -> int:
        query = select(func.coalesce(func.sum(pools.c.documents), 0)).where(pool_prefixes(pools.c.pool, tenant))
        with reading(self._engine) as connection:
            return int(connection.execute(query).scalar_one())

    def _least(self, tenant: str, count: int) -> dict[str, list[str]]:
        order = (_RANK, memories.c.access_count, memories.c.recorded_at, memories.c.memory_id)
        query = select(memories.c.pool, memories.c.memory_id).where(pool_prefixes(memories.c.pool, tenant), _CURRENT)
        found: dict[str, list[str]] = {}
        with reading(self._engine) as connection:
            for pool, memory_id in connection.execute(query.order_by(*order).limit(count)):
                found.setdefault(pool, []).append(memory_id)
        return found


def _hard(pen: Pen, ids: Sequence[str], rule: Rule, settings: Forgetting) -> None:  # noqa: ARG001
    forgetting.drop(pen, ids, rule=f"sweep.{rule.name}", reason=rule.reason)


def _soft(pen: Pen, ids: Sequence[str], rule: Rule, settings: Forgetting) -> None:  # noqa: ARG001
    for memory in rows.load(pen.connection, pen.pool, ids).values():
        store.retire(
            pen, memory, "expired", what="expired", actor="system", rule=f"sweep.{rule.name}", reason=rule.reason
        )


def _down_weight(pen: Pen, ids: Sequence[str], rule: Rule, settings: Forgetting) -> None:
    mine = (memories.c.pool == pen.pool) & memories.c.memory_id.in_(ids)
    pen.connection.execute(update(memories).where(mine).values(weight=settings.down_weight))
    store.note_many(pen, ids, what="down-weighted", actor="system", rule=f"sweep.{rule.name}", reason=rule.reason)


_VERBS: dict[SweepVerb, Callable[[Pen, Sequence[str], Rule, Forgetting], None]] = {
    "hard": _hard,
    "soft": _soft,
    "down-weight": _down_weight,
}
