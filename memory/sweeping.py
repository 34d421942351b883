"""Passive forgetting: what is over, what nobody uses, what is too much. In small batches, so that no writer waits long.

Three verbs: `hard` deletes a memory for good (a line of history without content stays), `soft` retires it (its history
still tells it), `down-weight` lets it rank lower until it is used again. Critical facts are exempt from all but expiry
and capacity, and a pool under a legal hold is left alone.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, case, extract, func, or_, select, true

from foundation.database import reading, writing
from memory import holds, rows, store
from memory.defaults import Forgetting, SweepVerb
from memory.dropping import Marked, Note, drop, still, weigh
from memory.scope import pool_prefixes, prefix_ranges
from memory.store import Pen
from memory.tables import memories, pools

PenMaker = Callable[[Connection, str], Pen]
Pens = dict[str, Pen]
Pause = Callable[[float], None]
_CHOSEN = 10_000
"""Memories that are chosen at once: what a sweep holds in memory."""
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
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


class _Pace:
    """How many memories come next in a transaction: twice as many each time, as long as the time is likely to do.

    What a memory costs differs a hundredfold: its pages may have to come from the disk. So each transaction begins
    with fewer than the last one had, and none goes on once half of its time is over; the commit takes the other half.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds / 2
        self.first = 1

    def next(self, done: int, lasted: float) -> int:
        """How many more after `done` ones that took so many seconds; 0 to commit."""
        if not done:
            return min(self.first, self._most)
        fit = done if lasted <= 0 else int(done * (self._seconds - lasted) / lasted)
        return max(min(fit, done, self._most - done), 0)

    def ended(self, done: int) -> None:
        """Remember how many a transaction took."""
        self.first = max(done // 2, 1)


class Sweeper:
    """Sweeps the pools of one tenant.

    A transaction takes memories of as many pools as there come, up to `batch`, and ends before it lasts longer than
    `batch_seconds`. So a sweep of many small pools doesn't pay a durable commit for each, and no writer waits long.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Forgetting,
        pen_of: PenMaker,
        pause: Pause,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pen_of` makes a pen for an open pool; `pause` sleeps between two batches, so that waiting writers get in."""
        self._engine = engine
        self._settings = settings
        self._pen_of = pen_of
        self._pause = pause
        self._timer = timer
        self._pace = _Pace(settings.batch, settings.batch_seconds)

    def sweep(self, tenant: str, now: datetime) -> dict[str, int]:
        """Take what the rules take, then what is over the capacity; returns how many memories each took."""
        in_force = rules(self._settings, now)
        taken = dict.fromkeys((*(rule.name for rule in in_force), "capacity"), 0)
        for found in self._due(tenant, in_force, now):
            for number, rule in enumerate(in_force):
                marked = [Marked(row.pool, row.memory_id) for row in found if row.rule == number]
                taken[rule.name] += self._carry_out(rule, marked, now)
        taken["capacity"] += self._fit(tenant, now)
        return taken

    def _due(self, tenant: str, in_force: Sequence[Rule], now: datetime) -> Iterator[Sequence[Row[Any]]]:
        """What the rules take, in one walk over the current memories."""
        for start, end in prefix_ranges(tenant):
            after = (start, _BEGINNING, "")
            while True:
                with reading(self._engine) as connection:
                    found = connection.execute(due(in_force, end, after, now).limit(_CHOSEN)).all()
                yield found
                if len(found) < _CHOSEN:
                    break
                after = (found[-1].pool, found[-1].recorded_at, found[-1].memory_id)

    def _carry_out(self, rule: Rule, marked: Sequence[Marked], now: datetime) -> int:
        """Do the work, batch after batch; in the order of pools, so that two sweeps never wait for each other."""
        total, begin = 0, 0
        waiting = sorted(marked)
        while begin < len(waiting):
            some = waiting[begin : begin + self._settings.batch]
            taken, done = self._batch(rule, some, now)
            total, begin = total + taken, begin + done
            self._pause(self._settings.pause_seconds)
        return total

    def _batch(self, rule: Rule, marked: Sequence[Marked], now: datetime) -> tuple[int, int]:
        """Carry out a rule on as many memories as there is time for; returns how many it took of how many."""
        taken = done = 0
        with writing(self._engine) as connection:
            begun = self._timer()
            while step := self._pace.next(done, self._timer() - begun):
                some = marked[done : done + step]
                if not some:
                    break
                taken += self._step(connection, rule, some, now)
                done += len(some)
        self._pace.ended(done)
        return taken, done

    def _step(self, connection: Connection, rule: Rule, marked: Sequence[Marked], now: datetime) -> int:
        """Carry out a rule on the memories that it still takes: somebody may have used one, or placed a hold."""
        taken = still(connection, marked, rule.takes, now)
        pens = {pool: self._pen_of(connection, pool) for pool in {each.pool for each in taken}}
        if taken:
            _VERBS[rule.verb](pens, taken, rule, self._settings)
        return len(taken)

    def _fit(self, tenant: str, now: datetime) -> int:
        """Delete what is over the capacity: the least important first, then the least used, then the oldest."""
        rule = Rule("capacity", "hard", f"over the capacity of {self._settings.capacity:,} memories", true())
        total = 0
        while (excess := self._count(tenant) - self._settings.capacity) > 0:
            query = least(tenant, now).limit(min(excess, _CHOSEN))
            with reading(self._engine) as connection:
                found = [Marked._make(row) for row in connection.execute(query)]
            done = self._carry_out(rule, found, now)
            total += done
            if not done:
                break
        return total

    def _count(self, tenant: str) -> int:
        query = select(func.coalesce(func.sum(pools.c.documents), 0)).where(pool_prefixes(pools.c.pool, tenant))
        with reading(self._engine) as connection:
            return int(connection.execute(query).scalar_one())


def due(in_force: Sequence[Rule], end: str, after: tuple[str, datetime, str], now: datetime) -> Select[Any]:
    """The current memories that a rule takes, each with the number of the first that does: pool, when, id, rule.

    Args:
        in_force: the rules, the first before the second.
        end: the pools go up to here.
        after: the pool, time and id of the memory to go on behind; the pool is where the walk along the index begins.
        now: the moment at which legal holds count.
    """
    pool, recorded_at, memory_id = after
    column = memories.c
    later = (column.recorded_at > recorded_at) | ((column.recorded_at == recorded_at) & (column.memory_id > memory_id))
    first = case(*((rule.takes, number) for number, rule in enumerate(in_force)))
    return (
        select(column.pool, column.recorded_at, column.memory_id, first.label("rule"))
        .where(column.pool >= pool, column.pool < end, (column.pool > pool) | later, _CURRENT)
        .where(or_(*(rule.takes for rule in in_force)), column.pool.not_in(holds.pools_held(now)))
        .order_by(column.pool, column.recorded_at, column.memory_id)
    )


def least(tenant: str, now: datetime) -> Select[Any]:
    """A tenant's current memories, those first that go first when there are too many."""
    order = (_RANK, memories.c.access_count, memories.c.recorded_at, memories.c.memory_id)
    mine = pool_prefixes(memories.c.pool, tenant) & _CURRENT & memories.c.pool.not_in(holds.pools_held(now))
    return select(memories.c.pool, memories.c.memory_id).where(mine).order_by(*order)


def _hard(pens: Pens, marked: Sequence[Marked], rule: Rule, settings: Forgetting) -> None:  # noqa: ARG001
    drop(pens, marked, Note("forgotten", f"sweep.{rule.name}", rule.reason))


def _soft(pens: Pens, marked: Sequence[Marked], rule: Rule, settings: Forgetting) -> None:  # noqa: ARG001
    for pool, mine in groupby(sorted(marked), key=attrgetter("pool")):
        pen = pens[pool]
        for memory in rows.load(pen.connection, pool, [each.memory_id for each in mine]).values():
            store.retire(
                pen, memory, "expired", what="expired", actor="system", rule=f"sweep.{rule.name}", reason=rule.reason
            )


def _down_weight(pens: Pens, marked: Sequence[Marked], rule: Rule, settings: Forgetting) -> None:
    weigh(pens, marked, settings.down_weight, Note("down-weighted", f"sweep.{rule.name}", rule.reason))


_VERBS: dict[SweepVerb, Callable[[Pens, Sequence[Marked], Rule, Forgetting], None]] = {
    "hard": _hard,
    "soft": _soft,
    "down-weight": _down_weight,
}
