"""Changing what is remembered without losing it: correct, undo, set aside, restore, settle a question."""

from dataclasses import replace
from datetime import datetime

from foundation.database import writing
from foundation.errors import RefusedError, UsageError
from foundation.ids import new_id
from memory import dropping, rows, store
from memory.applying import storable
from memory.door import Door
from memory.model import Outcome, Remembered
from memory.scope import Scope
from memory.screening import screen
from memory.store import Pen
from memory.tokenizer import content_key


class Amending(Door):
    """The calls that change one memory; each leaves the old version in its history."""

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
            RefusedError: another memory says the same already, or the new text gives orders to the agent.
        """
        text = _admissible(content)
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
        self,
        scope: Scope,
        memory_id: str,
        *,
        accept: bool,
        content: str | None = None,
        actor: str = "user",
        now: datetime | None = None,
    ) -> Outcome:
        """Answer the question of a proposed memory: yes makes it current and archives what it replaces, no deletes it.

        The conversation that it was made of stays as it is.

        With `content` the answer is yes, but in these words.

        Raises:
            NotFoundError: no such memory in this scope.
            RefusedError: it isn't proposed (any more), or the words give orders to the agent.
        """
        text = _admissible(content) if accept and content else self.show(scope, memory_id).content
        embedded = self._vectorizer.passages(scope.pool, [text])
        with writing(self.engine) as connection:
            pen = self._pen(connection, scope.pool, self._now(now), embedded.vectors)
            proposed = self._any(connection, scope, memory_id)
            if proposed.status != "proposed":
                raise RefusedError(f"memory {memory_id} is {proposed.status}: there is nothing to settle")
            if accept and text != proposed.content:
                proposed = _reworded(pen, proposed, text, actor)
            outcome = self._settle(pen, proposed, accept, actor)
        self._deliver()
        return outcome

    def _settle(self, pen: Pen, proposed: Remembered, accept: bool, actor: str) -> Outcome:
        message_id = proposed.sources[0].message_id if proposed.sources else ""
        if not accept:
            # What was said stays said: a no only means that nothing is to be made of it.
            declined = dropping.Note("forgotten", "settle", "the person said no", actor)
            dropping.drop({pen.pool: pen}, [dropping.Marked(pen.pool, proposed.memory_id)], declined)
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


def _admissible(content: str) -> str:
    text = storable(content)
    if not text.strip():
        raise UsageError("a correction needs a text: use forget to remove a memory")
    if (suspicion := screen(text)) is not None:
        raise RefusedError(f"this can't be remembered: {suspicion.reason}")
    return text


def _reworded(pen: Pen, proposed: Remembered, text: str, actor: str) -> Remembered:
    """The proposed memory in the words in which the person said it is right."""
    new = replace(proposed, content=text, rule="corrected")
    store.change(pen, proposed.memory_id, content=text, content_key=content_key(text), rule=new.rule)
    store.note(pen, new, what="edited", actor=actor, before=proposed.content, after=text, reason="put right when asked")
    return new


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise UsageError("this needs a reason: say why, so that the history can tell")
