"""What is written without being asked for: the end of a session, what comes up again, patterns over weeks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from foundation.database import reading, writing
from foundation.errors import RemembrancerError
from foundation.ids import derived_id
from memory import applying, sessions, signals, store, tables, transcript, transfer
from memory.applying import storable
from memory.door import Door
from memory.model import Category, Episode, Kind, Message, Outcome, Remembered, Slot, Source
from memory.patterns import WEEKS, Pattern, patterns
from memory.reading import UTC_ZONE
from memory.scope import Scope
from memory.screening import screen

Reflector = Callable[[Sequence[Message]], Sequence[Pattern]]
"""Finds patterns in what was said, oldest first."""
_TURNS = 400
_REFLECTED = "reflection."
"""How the rules of patterns begin."""
_SESSION_LIFE = timedelta(days=90)


class Reflecting(Door):
    """The calls that make memories of what was said over time; each is repeated safely."""

    def close_sessions(
        self,
        scope: Scope,
        *,
        thread_id: str | None = None,
        summariser: sessions.Summariser | None = None,
        now: datetime | None = None,
    ) -> list[Outcome]:
        """Archive the sessions that ended (goodbye, or 30 idle minutes), each as one episode with all its turns.

        Args:
            scope: whose pool.
            thread_id: only this conversation; None: all of the last days.
            summariser: sums the person's turns up; None: by choosing sentences.
            now: the time.
        """
        moment = self._now(now)
        with reading(self.engine) as connection:
            turns = _turns(connection, scope.pool, thread_id, moment - timedelta(days=WEEKS * 7))
        ended = [each for thread in turns for each in sessions.sessions(thread) if sessions.is_over(each, moment)]
        return [made for each in ended if (made := self._archive(scope, each, summariser, moment)) is not None]

    def _archive(
        self, scope: Scope, session: Sequence[Message], summariser: sessions.Summariser | None, now: datetime
    ) -> Outcome | None:
        told = sessions.telling(session)
        first, pool = session[0], scope.pool
        memory_id = derived_id("mem", "session", pool, first.thread_id, first.message_id)
        with reading(self.engine) as connection:
            if not told or _was_there(connection, pool, memory_id) or _all_kept(connection, pool, told):
                return None
        content = storable((summariser or sessions.plain_summary)(told)).strip()
        if not content or screen(content) is not None:
            return None
        made = _memory(memory_id, content, "episodic", "conversation_history", sessions.RULE, now)
        made = replace(
            made,
            topic=scope.topic,
            confidence=0.8,
            valid_from=first.created_at,
            expires_at=session[-1].created_at + _SESSION_LIFE,
            episode=Episode(when=first.created_at),
        )
        return self._write(scope, made, sessions.sources_of(told), what="created", reason="the session ended")

    def count_signals(self, scope: Scope, message: Message, *, now: datetime | None = None) -> list[Outcome]:
        """Note what the message names again; what three conversations named is kept, with the three as its sources."""
        named = signals.named_in(message)
        if not named:
            return []
        with writing(self.engine) as connection:
            third = [name for name in named if signals.count(connection, scope.pool, name, message)]
            third = [name for name in third if not signals.is_known(connection, scope.pool, name)]
        return [outcome for name in third for outcome in self._keep_signal(scope, name, message, self._now(now))]

    def _keep_signal(self, scope: Scope, name: str, message: Message, now: datetime) -> list[Outcome]:
        proposal = signals.proposal(name, message.content[:200])
        outcomes = applying.apply(self._context, scope, message, [proposal], now=now)
        stored = [each for each in outcomes if each.status == "stored" and each.memory_id]
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, now)
            for thread_id, message_id, _ in signals.places(connection, scope.pool, name) if stored else ():
                for source in sessions.sources_of(transcript.load(connection, scope.pool, thread_id, [message_id])):
                    store.add_source(pen, str(stored[0].memory_id), source)
        self._deliver()
        return outcomes

    def reflect(
        self,
        scope: Scope,
        *,
        zone: ZoneInfo = UTC_ZONE,
        by: Reflector | None = None,
        now: datetime | None = None,
    ) -> list[Outcome]:
        """Propose the patterns in what was said and felt, each with all its sources; nothing becomes current by itself.

        What was proposed once, whatever came of it, is not proposed again. A model that fails is one failed outcome
        beside what was counted.

        Args:
            scope: whose pool.
            zone: where the person lives: weekdays are days there.
            by: a model's eye beside the counting.
            now: the time.
        """
        moment = self._now(now)
        with reading(self.engine) as connection:
            turns = transcript.between(connection, scope.pool, moment - timedelta(weeks=WEEKS), moment)
        remembered = list(transfer.everything(self.engine, scope.pool, frozenset({"current", "proposed"})))
        counted = patterns(turns, [each for each in remembered if each.status == "current"], zone)
        made = [told for each in counted if (told := self._propose(scope, each, moment)) is not None]
        if by is None:
            return made
        try:
            seen = by(sessions.telling(turns))
        except RemembrancerError as error:
            # What was counted is proposed whatever becomes of the model.
            return [*made, Outcome(message_id="", status="failed", reason=str(error))]
        shown = [_places(each.sources) for each in counted]
        shown += [_places(each.sources) for each in remembered if each.rule.startswith(_REFLECTED)]
        fresh = [each for each in seen if not any(_places(each.sources) <= known for known in shown)]
        return made + [told for each in fresh if (told := self._propose(scope, each, moment)) is not None]

    def _propose(self, scope: Scope, pattern: Pattern, now: datetime) -> Outcome | None:
        ids = [derived_id("mem", "pattern", scope.pool, key) for key in (pattern.key, *pattern.also)]
        with reading(self.engine) as connection:
            if any(_was_there(connection, scope.pool, each) for each in ids):
                return None
        memory_id = ids[0]
        made = _memory(memory_id, storable(pattern.content), pattern.kind, "preference", pattern.rule, now)
        made = replace(made, status="proposed", confidence=0.6, slot=Slot("user", f"habit:{pattern.key}"))
        told = self._write(scope, made, pattern.sources, what="proposed", reason="a pattern over events")
        return told and replace(told, status="proposed", question=pattern.question)

    def _write(
        self, scope: Scope, memory: Remembered, told: Sequence[Source], *, what: str, reason: str
    ) -> Outcome | None:
        embedded = self._vectorizer.passages(scope.pool, [memory.content])
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, memory.recorded_at, embedded.vectors)
            if not store.write(pen, memory, told, what=what, actor="system", reason=reason):
                return None
        self._deliver()
        return Outcome(
            message_id=told[-1].message_id,
            status="stored",
            memory_id=memory.memory_id,
            content=memory.content,
            kind=memory.kind,
            category=memory.category,
            slot=memory.slot,
            reason=reason,
        )


def _places(told: Sequence[Source]) -> set[tuple[str, str]]:
    return {(each.thread_id, each.message_id) for each in told}


def _turns(connection: Connection, pool: str, thread_id: str | None, since: datetime) -> list[list[Message]]:
    if thread_id is not None:
        return [transcript.last(connection, pool, thread_id, _TURNS)]
    by_thread: dict[str, list[Message]] = {}
    for turn in transcript.since(connection, pool, since):
        by_thread.setdefault(turn.thread_id, []).append(turn)
    return list(by_thread.values())


def _was_there(connection: Connection, pool: str, memory_id: str) -> bool:
    """Whether this memory exists or existed: what was forgotten or declined doesn't come back."""
    query = select(tables.events.c.event_id).where(tables.events.c.pool == pool, tables.events.c.memory_id == memory_id)
    return connection.execute(query.limit(1)).first() is not None


def _all_kept(connection: Connection, pool: str, told: Sequence[Message]) -> bool:
    """Whether a lone turn is a memory already: an archive of it would only say it twice."""
    if len(told) > 1:
        return False
    query = select(tables.sources.c.memory_id).where(
        tables.sources.c.pool == pool,
        tables.sources.c.thread_id == told[0].thread_id,
        tables.sources.c.message_id == told[0].message_id,
    )
    return connection.execute(query.limit(1)).first() is not None


def _memory(memory_id: str, content: str, kind: Kind, category: Category, rule: str, now: datetime) -> Remembered:
    return Remembered(
        memory_id=memory_id, kind=kind, category=category, content=content, slot=None, value=None, polarity=True,
        topic=None, importance="normal", confidence=0.7, valid_from=None, valid_to=None, recorded_at=now,
        last_accessed_at=None, access_count=0, expires_at=None, status="current", version=1, replaced_by=None,
        replaces=None, rule=rule,
    )  # fmt: skip
