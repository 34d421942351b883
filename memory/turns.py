"""One message being carried out: each proposal resolved against what is remembered, and written, in one transaction."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from foundation.clock import as_utc
from foundation.ids import new_id
from memory import postings, revisions, store
from memory.admission import NOT_HIS_WORDS, may_write, quarantined
from memory.defaults import Defaults
from memory.forgetting import erase, find_to_forget
from memory.meant import Meant, meant
from memory.model import Category, Message, Outcome, OutcomeStatus, Proposal, Reference, Remembered, Source
from memory.resolve import CREDIBILITY, Resolution, resolve
from memory.scope import Scope
from memory.store import Pen
from memory.tokenizer import content_key, is_chinese

_RIVALS = 20
_OVERLAP = 0.3
"""Share of the shorter one's tokens that two statements about one thing have in common."""
_NO_TIME = timedelta()
MOST_ASKED = 5
"""Memories between which a person is asked to choose."""
NOTHING_MEANT = "nothing like that was told"
"""The reason of an outcome where nothing is remembered that may be meant."""
FORGET_EVERYTHING = "forget.everything"
"""The rule of a proposal to forget all; it is confirmed first, always."""


def pointed_at(connection: Connection, pool: str, message: Message, proposal: Proposal) -> Meant:
    """The memories at which a proposal points."""
    at = proposal.meant or Reference()
    return meant(connection, pool, at, (message.thread_id, message.message_id))


@dataclass(frozen=True, slots=True)
class Turn:
    """One message being carried out."""

    pen: Pen
    scope: Scope
    message: Message
    defaults: Defaults

    def carry_out(self, proposal: Proposal) -> Outcome:
        """Do what a proposal asks for, or ask."""
        if self.scope.topic is not None and proposal.topic is None:
            proposal = replace(proposal, topic=self.scope.topic)
        if proposal.meant is not None:
            return self._to_what_is_meant(proposal, proposal.meant)
        if proposal.verb == "forget":
            return self._forget(proposal)
        if proposal.verb == "quarantine":
            return self._hold(proposal)
        if proposal.verb == "return":
            before = store.was_so(self.pen, proposal.value or "", proposal.topic)
            if before is None:
                return self._outcome("nothing", proposal, reason="nothing of that was so before")
            proposal = _in_place_of(before, proposal, value=before.value, polarity=before.polarity)
        elif proposal.instead_of and (old := store.is_so(self.pen, proposal.instead_of, proposal.topic)):
            # "I go to IronWorks now instead of FitOne" is about the gym, no taste of its own.
            proposal = _in_place_of(old, proposal, content=proposal.quote)
        resolution = resolve(proposal, self.message.role, self._rivals(proposal), self.defaults)
        if resolution.deed not in ("nothing", "reinforce") and not may_write(self.scope, self.message.role):
            return self._hold(quarantined(proposal, NOT_HIS_WORDS))
        return self._deed(proposal, resolution)

    def _to_what_is_meant(self, proposal: Proposal, at: Reference) -> Outcome:
        """Does what is wanted to the one memory that is pointed at; of several the person chooses, none is touched."""
        if not may_write(self.scope, self.message.role):
            return self._hold(quarantined(proposal, NOT_HIS_WORDS))
        pointed = pointed_at(self.pen.connection, self.pen.pool, self.message, proposal)
        found = pointed.memories
        if len(found) > 1 or (found and not pointed.sure):
            asked = self._outcome("proposed", proposal, reason="several fit", question=_which(proposal, found))
            return replace(asked, options=tuple(each.memory_id for each in found[:MOST_ASKED]), wanted=proposal)
        if not found and proposal.verb == "forget" and not (at.scene or at.since):
            return self._forget(proposal)
        if not found:
            return self._outcome("nothing", proposal, reason=NOTHING_MEANT)
        return _DEEDS[proposal.verb](self, proposal, found[0])

    def _revise(self, proposal: Proposal, old: Remembered) -> Outcome:
        content, value = revisions.version(proposal, old)
        new = _in_place_of(old, proposal, content=content, value=value, polarity=old.polarity, topic=old.topic)
        if content_key(content) == content_key(old.content):
            return self._reinforce(new, old, "same words")
        return self._supersede(replace(new, episode=old.episode), old, proposal.rule)

    def _retract(self, proposal: Proposal, old: Remembered) -> Outcome:
        reason = "the person says it no longer holds"
        store.retire(
            self.pen, old, "invalidated", what="invalidated", actor=self._actor, rule=proposal.rule, reason=reason
        )
        return self._outcome("forgotten", proposal, old, reason="no longer true")

    def _erase(self, _proposal: Proposal, old: Remembered) -> Outcome:
        erase(self.pen, old.memory_id, actor=self._actor, reason="asked for")
        return Outcome(message_id=self.message.message_id, status="forgotten", memory_id=old.memory_id)

    def _hold(self, proposal: Proposal) -> Outcome:
        return self._keep(proposal, "quarantined", Resolution("add", proposal.reason or "suspicious"))

    def _deed(self, proposal: Proposal, resolution: Resolution) -> Outcome:
        target = resolution.target
        if resolution.deed == "nothing":
            return self._outcome("nothing", proposal, reason=resolution.rule)
        if resolution.deed == "reinforce" and target is not None and self._just_said(target):
            return self._outcome("nothing", proposal, reason="said in the same breath")
        if resolution.deed == "reinforce" and target is not None:
            return self._reinforce(proposal, target, resolution.rule)
        if resolution.deed == "propose" and target is not None:
            return self._keep(proposal, "proposed", resolution)
        if resolution.deed == "supersede" and target is not None:
            return self._supersede(proposal, target, resolution.rule)
        return self._keep(proposal, "stored", resolution)

    def _rivals(self, proposal: Proposal) -> list[Remembered]:
        asked = set(postings.weights(f"{proposal.content} {proposal.instead_of or ''}"))
        shared: Counter[str] = Counter()
        lengths: dict[str, int] = {}
        for posting in postings.fetch(self.pen.connection, self.pen.pool, sorted(asked)):
            shared[posting.document] += 1
            lengths[posting.document] = posting.length
        likely = [each for each, count in shared.items() if count >= _OVERLAP * min(len(asked), lengths[each])]
        likely = sorted(likely, key=lambda each: (-shared[each], each))[:_RIVALS]
        slot = (proposal.slot.subject, proposal.slot.attribute) if proposal.slot else None
        key = content_key(proposal.content)
        found = store.rivals(self.pen, likely, slot=slot, topic=proposal.topic, key=key)
        found = [each for each in found if not self._is_over(each) or content_key(each.content) == key]
        return [each for each in found if not self._just_said(each) or _meets(proposal, each, key)]

    def _is_over(self, memory: Remembered) -> bool:
        """Whether it tells of a time that is past: nothing new contradicts that."""
        return memory.valid_to is not None and memory.valid_to <= self.pen.now

    def _just_said(self, memory: Remembered) -> bool:
        """Whether this very message said it: one part of a message is no older version of another part."""
        this = (self.message.thread_id, self.message.message_id)
        told = {(each.thread_id, each.message_id) for each in memory.sources}
        return told == {this}

    def _keep(self, proposal: Proposal, status: OutcomeStatus, resolution: Resolution) -> Outcome:
        """Write a new row: stored (current), proposed or quarantined."""
        row_status = "current" if status == "stored" else status
        target = resolution.target if status == "proposed" else None
        memory = replace(
            self._row(proposal),
            status=row_status,  # type: ignore[arg-type]
            replaces=target.memory_id if target else None,
        )
        what = "created" if status == "stored" else status
        if not store.write(
            self.pen, memory, [self._source(proposal)], what=what, actor=self._actor, reason=resolution.rule
        ):
            return self._outcome("nothing", proposal, reason="the same words are remembered already")
        told: OutcomeStatus = "coexists" if resolution.deed == "coexist" else status
        return self._outcome(told, proposal, memory, resolution.rule, resolution.question)

    def _supersede(self, proposal: Proposal, old: Remembered, rule: str) -> Outcome:
        new = replace(self._row(proposal), replaces=old.memory_id, version=old.version + 1)
        store.retire(self.pen, old, "superseded", what="superseded", actor=self._actor, rule=rule, replaced_by=new)
        until = new.valid_from or as_utc(self.message.created_at)
        if old.valid_to is None or old.valid_to > until:
            store.change(self.pen, old.memory_id, valid_to=until)
        store.write(self.pen, new, [self._source(proposal)], what="created", actor=self._actor, reason=rule)
        return self._outcome("superseded", proposal, new, rule)

    def _reinforce(self, proposal: Proposal, old: Remembered, rule: str) -> Outcome:
        """Another telling: a source more, and more confidence if the person himself told it again."""
        heard = self.message.role in ("user", "reviewer", "document")
        fresh = heard and store.add_source(self.pen, old.memory_id, self._source(proposal))
        if fresh and CREDIBILITY[self.message.role] >= CREDIBILITY["user"]:
            confidence = old.confidence + self.defaults.reinforcement * (1 - old.confidence)
            store.change(
                self.pen,
                old.memory_id,
                confidence=confidence,
                expires_at=_later(old.expires_at, self._expiry(proposal)),
            )
        if fresh:
            noted = replace(old, rule=rule)
            store.note(self.pen, noted, what="reinforced", actor=self._actor, before=old.content, after=old.content)
        return self._outcome("reinforced", proposal, old, rule)

    def _forget(self, proposal: Proposal) -> Outcome:
        if proposal.rule == FORGET_EVERYTHING:
            # Never on one sentence: `Memory.forget_me` wants its confirmation.
            return self._outcome("proposed", proposal, reason="everything", question=_really_everything(proposal))
        targets = find_to_forget(self.pen.connection, self.pen.pool, proposal)
        if not targets:
            return self._outcome("nothing", proposal, reason="nothing of that is remembered")
        if len(targets) > 1:
            return self._outcome("proposed", proposal, reason="several fit", question=_which(proposal, targets))
        return self._erase(proposal, targets[0])

    @property
    def _actor(self) -> str:
        return self.message.role

    def _row(self, proposal: Proposal) -> Remembered:
        return Remembered(
            memory_id=new_id("mem"),
            kind=proposal.kind,
            category=proposal.category,
            content=proposal.content,
            slot=proposal.slot,
            value=proposal.value,
            polarity=proposal.polarity,
            topic=proposal.topic,
            importance=proposal.importance,
            confidence=proposal.confidence,
            valid_from=proposal.valid_from,
            valid_to=proposal.valid_to,
            recorded_at=self.pen.now,
            last_accessed_at=None,
            access_count=0,
            expires_at=self._expiry(proposal),
            status="current",
            version=1,
            replaced_by=None,
            replaces=None,
            rule=proposal.rule,
            episode=proposal.episode,
        )

    def _expiry(self, proposal: Proposal) -> datetime | None:
        life = self._life(proposal.category)
        if proposal.expires_at is None and life is None:
            return None
        dated = proposal.episode.when if proposal.episode else None
        after = as_utc(dated or proposal.valid_from or self.message.created_at)
        over = as_utc(proposal.expires_at) if proposal.expires_at is not None else after + (life or _NO_TIME)
        # What an old chat tells is new to memory: it is not over before it is written.
        return over if over > self.pen.now or proposal.valid_to is not None else self.pen.now + (life or _NO_TIME)

    def _life(self, category: Category) -> timedelta | None:
        days = self.defaults.lives[category].days
        return None if days is None else timedelta(days=days)

    def _source(self, proposal: Proposal) -> Source:
        return Source(
            thread_id=self.message.thread_id,
            message_id=self.message.message_id,
            quote=proposal.quote,
            speaker=self.message.role,
            said_at=as_utc(self.message.created_at),
        )

    def _outcome(
        self,
        status: OutcomeStatus,
        proposal: Proposal,
        memory: Remembered | None = None,
        reason: str = "",
        question: str | None = None,
    ) -> Outcome:
        told = memory or proposal
        return Outcome(
            message_id=self.message.message_id,
            status=status,
            memory_id=memory.memory_id if memory else None,
            content=told.content,
            kind=told.kind,
            category=told.category,
            slot=told.slot,
            reason=reason,
            question=question,
        )


_DEEDS: dict[str, Callable[[Turn, Proposal, Remembered], Outcome]] = {
    "revise": Turn._revise,
    "retract": Turn._retract,
    "forget": Turn._erase,
}
"""What is done to the memory that a proposal points at, by its verb."""


def _in_place_of(old: Remembered, proposal: Proposal, **more: object) -> Proposal:
    """The proposal as another answer to what `old` answered."""
    same = {"slot": old.slot, "kind": old.kind, "category": old.category, "importance": old.importance}
    return replace(proposal, verb="supersede", **same, **more)  # type: ignore[arg-type]


def _meets(proposal: Proposal, memory: Remembered, key: str) -> bool:
    same_slot = proposal.slot is not None and proposal.slot == memory.slot
    return same_slot or content_key(memory.content) == key


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return None if one is None or other is None else max(one, other)


def _really_everything(proposal: Proposal) -> str:
    if is_chinese(proposal.content):
        return "真的要忘掉关于你的一切吗？这无法撤销。"
    return "Shall I really forget everything about you? This can't be undone."


def _which(proposal: Proposal, targets: Sequence[Remembered]) -> str:
    chinese = is_chinese(proposal.quote)
    if len(targets) == 1:
        return f"你说的是“{targets[0].content}”吗？" if chinese else f"Do you mean “{targets[0].content}”?"
    listed = "；" if chinese else "; "
    listed = listed.join(f"“{target.content}”" for target in targets[:MOST_ASKED])
    if proposal.verb == "forget":
        ask = ("要忘掉哪一条？", "Which one shall I forget?")
    else:
        ask = ("你说的是哪一条？", "Which one do you mean?")
    return f"有几条都符合：{listed}。{ask[0]}" if chinese else f"Several memories fit: {listed}. {ask[1]}"
