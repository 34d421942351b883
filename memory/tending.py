"""Looking after a pool: forget for good, expire, export and import, check and repair."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, select

from foundation.clock import as_utc
from foundation.database import reading, writing
from foundation.errors import RefusedError
from foundation.ids import derived_id
from memory import forgetting, holds, outbox, tables, transfer, upkeep
from memory.applying import storable
from memory.defaults import Forgetting
from memory.door import Door
from memory.holds import Hold
from memory.model import Receipt, Remembered, Slot, Status
from memory.scope import Scope, pool_prefixes
from memory.screening import screen
from memory.store import Pen
from memory.sweeping import Pause, Sweeper
from memory.tokenizer import VERSION
from memory.upkeep import Health


class Tending(Door):
    """The calls that work on a whole pool, or take something out of it for good."""

    def forget(
        self,
        scope: Scope,
        memory_id: str,
        *,
        actor: str = "user",
        reason: str = "asked for",
        now: datetime | None = None,
    ) -> Receipt:
        """Delete a memory and the versions it replaced, everywhere, for good.

        Raises:
            NotFoundError: no such memory in this scope.
        """
        return self._erasing(scope, now, lambda pen: forgetting.erase(pen, memory_id, actor=actor, reason=reason))

    def meant(self, scope: Scope, words: str) -> list[Remembered]:
        """The memories that a request to forget `words` may mean."""
        with reading(self.engine) as connection:
            return forgetting.find_to_forget(connection, scope.pool, forgetting.request(words))

    def forget_message(
        self, scope: Scope, thread_id: str, message_id: str, *, actor: str = "user", now: datetime | None = None
    ) -> Receipt:
        """Delete a message and what only it supports; what has another source stays."""
        return self._erasing(scope, now, lambda pen: forgetting.erase_message(pen, thread_id, message_id, actor=actor))

    def forget_me_token(self, scope: Scope) -> str:
        """What `forget_me` must be given as confirmation; it changes with every change of the pool."""
        with reading(self.engine) as connection:
            query = select(tables.pools.c.generation).where(tables.pools.c.pool == scope.pool)
            generation = connection.execute(query).scalar_one_or_none() or 0
        return derived_id("forget", scope.pool, str(generation))

    def forget_me(self, scope: Scope, *, confirm: str, now: datetime | None = None) -> Receipt:
        """Delete everything of a pool.

        Raises:
            RefusedError: `confirm` isn't the present `forget_me_token`; nothing was changed.
        """
        if confirm != self.forget_me_token(scope):
            raise RefusedError("everything is forgotten only with a fresh confirmation: ask again, then confirm")
        return self._erasing(scope, now, forgetting.erase_pool)

    def forget_pool(self, pool: str, *, now: datetime | None = None) -> None:
        """Delete everything of a pool that was forgotten before, withheld rows included: what a restore does again."""
        with writing(self.engine) as connection:
            forgetting.erase_pool(self._pen(connection, pool, self._now(now)))
        self._snapshots.forget(pool)
        self._deliver()

    def _erasing(self, scope: Scope, now: datetime | None, deed: Callable[[Pen], object]) -> Receipt:
        moment = self._now(now)
        self._searcher.flush(moment)
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, moment)
            before = forgetting.census(connection, scope.pool)
            deed(pen)
            after = forgetting.census(connection, scope.pool)
            under = holds.active(connection, scope.pool, moment)
            held = forgetting.census(connection, holds.held_pool(scope.pool))
        self._snapshots.forget(scope.pool)
        self._vectorizer.forget_questions()
        return forgetting.receipt(before, after, index=self._index_confirms(scope.pool), held=held, under=under)

    def _index_confirms(self, pool: str) -> bool | None:
        """Whether the index outside SQL has confirmed all changes of the pool; None where there is none."""
        delivered = self._deliver()
        if not self._external:
            return None
        with reading(self.engine) as connection:
            return delivered and not outbox.is_behind(connection, pool)

    # Legal holds

    def hold(
        self, scope: Scope, *, reason: str, by: str, until: datetime | None = None, now: datetime | None = None
    ) -> Hold:
        """Keep what is forgotten of this pool from being destroyed; it is found by nobody all the same.

        Raises:
            UsageError: no reason, nobody is named, or it would be over already.
        """
        moment, end = self._now(now), None if until is None else as_utc(until)
        with writing(self.engine) as connection:
            return holds.place(connection, scope.pool, reason=reason, by=by, now=moment, until=end)

    def holds(self, scope: Scope) -> list[Hold]:
        """All holds on this pool, lifted ones included, oldest first."""
        with reading(self.engine) as connection:
            return holds.listed(connection, tables.legal_holds.c.pool == scope.pool)

    def lift_hold(self, scope: Scope, hold_id: str, *, now: datetime | None = None) -> Hold:
        """End a hold; what no other hold keeps is erased now.

        Raises:
            NotFoundError: this pool has no such hold in force.
        """
        moment = self._now(now)
        with writing(self.engine) as connection:
            hold = holds.lift(connection, scope.pool, hold_id, now=moment)
            if not holds.active(connection, scope.pool, moment):
                forgetting.erase_pool(self._pen(connection, holds.held_pool(scope.pool), moment))
        return hold

    def sweep(
        self, tenant: str, *, settings: Forgetting | None = None, pause: Pause = time.sleep, now: datetime | None = None
    ) -> dict[str, int]:
        """Forget what is over, unused, seldom used, or over the capacity, in all pools of a tenant.

        In small batches with a pause between, so that writers never wait long. What legal holds kept until now is
        erased when they are over.

        Returns:
            How many memories each rule took: expired, unused, seldom, capacity, held.
        """
        moment = self._now(now)
        self._searcher.flush(moment)
        fingerprint, external = self._vectorizer.fingerprint, self._external

        def pen_of(connection: Connection, pool: str) -> Pen:
            return Pen(connection, pool, moment, fingerprint, external, keeps_erasures=self._keeps_erasures)

        chosen = settings or self.defaults.forgetting
        taken = Sweeper(self.engine, chosen, pen_of, pause).sweep(tenant, moment)
        taken["held"] = self._end_holds(tenant, moment)
        self._deliver()
        return taken

    def _end_holds(self, tenant: str, now: datetime) -> int:
        mine = pool_prefixes(tables.legal_holds.c.pool, tenant)
        with reading(self.engine) as connection:
            pools = holds.over(connection, mine, now)
        for pool in pools:
            with writing(self.engine) as connection:
                forgetting.erase_pool(self._pen(connection, holds.held_pool(pool), now))
        return len(pools)

    def export(self, scope: Scope) -> Iterator[str]:
        """Every memory of the pool, retired ones included, as lines of JSON."""
        every: frozenset[Status] = frozenset(
            ("current", "superseded", "proposed", "quarantined", "expired", "invalidated")
        )
        return (transfer.to_line(memory) for memory in transfer.everything(self.engine, scope.pool, every))

    def import_lines(
        self, scope: Scope, lines: Iterable[str], *, actor: str = "user", now: datetime | None = None
    ) -> int:
        """Take in exported memories; what is known already is left alone. Returns how many are new.

        An order to the agent among them is quarantined, whoever wrote it into the file.

        Raises:
            UsageError: a line is no exported memory; nothing was changed.
        """
        listed = [transfer.from_line(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
        listed = [_screened(_made_storable(memory)) for memory in listed]
        embedded = self._vectorizer.passages(scope.pool, [each.content for each in listed if each.status == "current"])
        with writing(self.engine) as connection:
            taken = transfer.take_in(
                self._pen(connection, scope.pool, self._now(now), embedded.vectors), listed, actor=actor
            )
        self._deliver()
        return taken

    def examine(self, scope: Scope) -> Health:
        """Whether the pool's indexes agree with its rows."""
        with reading(self.engine) as connection:
            return upkeep.examine(connection, scope.pool, self._vectorizer.fingerprint)

    def doctor(self, scope: Scope, *, now: datetime | None = None) -> Health:
        """Repair what doesn't agree: keywords, missing vectors, what the vector index lacks; returns the new state."""
        health = self.examine(scope)
        stale = health.tokenizer != VERSION or not health.tokens_right
        if stale or not health.current == health.indexed == health.documents:
            with writing(self.engine) as connection:
                upkeep.rebuild_keywords(self._pen(connection, scope.pool, self._now(now)))
        upkeep.embed_pending(self.engine, self._vectorizer, self._pen_maker(now), scope.pool)
        self._deliver()
        return self.examine(scope)

    def rebuild(self, scope: Scope, *, now: datetime | None = None) -> Health:
        """Make keywords anew, embed what lacks a vector, and bring the vector index everything again."""
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now))
            upkeep.rebuild_keywords(pen)
            upkeep.rebuild_relations(pen)
            if self._external:
                upkeep.queue_index(pen)
        return self.doctor(scope, now=now)


def _made_storable(memory: Remembered) -> Remembered:
    """The memory without secrets in any of its words."""
    slot, value = memory.slot, memory.value
    return replace(
        memory,
        content=storable(memory.content),
        value=storable(value) if value is not None else None,
        slot=Slot(storable(slot.subject), storable(slot.attribute)) if slot else None,
        sources=tuple(replace(source, quote=storable(source.quote)) for source in memory.sources),
    )


def _screened(memory: Remembered) -> Remembered:
    """The memory, quarantined where any of its words gives orders: a quotation is shown and told, too."""
    texts = (memory.content, memory.value or "", *(source.quote for source in memory.sources))
    suspicious = memory.status in ("current", "proposed") and any(screen(text) is not None for text in texts)
    return replace(memory, status="quarantined", importance="low", slot=None) if suspicious else memory
