"""What a new statement does to what is remembered already: the ladder of decisions, as pure functions.

Order: the same words reinforce; the same slot or a contradiction climbs the ladder (the person's words today > the
specific beside the general > the more credible source > the newest) and ends in supersede, propose or coexist; all else
is added. Unrelated memories are never touched, whatever their vectors say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from memory.conditions import conditions_of
from memory.defaults import MANY_VALUES, Defaults
from memory.model import Proposal, Remembered, Slot, Speaker
from memory.polarity import Statement, agree, contradict, statement
from memory.tokenizer import content_key, is_chinese, tokens

Deed = Literal["add", "reinforce", "supersede", "propose", "coexist", "nothing"]

CREDIBILITY: dict[Speaker, int] = {"user": 3, "reviewer": 3, "document": 2, "tool": 1, "assistant": 0, "system": 0}
"""Whose word counts more; only the user and a reviewer outrank what a user said."""

_A_DAY = timedelta(days=1)
_LEAST_OVERLAP = 0.5
_LEAST_NAMED = 0.5


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is to be done, on which memory, by which rule; and what to ask, if the person must settle it."""

    deed: Deed
    rule: str
    target: Remembered | None = None
    question: str | None = None


def resolve(proposal: Proposal, speaker: Speaker, current: Sequence[Remembered], defaults: Defaults) -> Resolution:
    """Decide what `proposal` does.

    Args:
        proposal: the new statement.
        speaker: who made it.
        current: the current memories of the same pool that could be concerned: same words, same slot, shared words.
        defaults: the gates.
    """
    same = _same_words(proposal, current)
    if same is not None:
        return Resolution("reinforce", "same words", same)
    if defaults.lives[proposal.category].importance == "low" or proposal.importance == "low":
        return Resolution("nothing", "of low importance")
    for rule in (_corrected, _contradicted, _same_slot):
        resolution = rule(proposal, speaker, current, defaults)
        if resolution is not None:
            return resolution
    return _paraphrased(proposal, current) or Resolution("add", "new")


def _same_words(proposal: Proposal, current: Sequence[Remembered]) -> Remembered | None:
    key = content_key(proposal.content)
    return next((old for old in current if old.topic == proposal.topic and content_key(old.content) == key), None)


def _corrected(
    proposal: Proposal, speaker: Speaker, current: Sequence[Remembered], defaults: Defaults
) -> Resolution | None:
    if proposal.verb != "supersede" or proposal.exception:
        return None
    rivals = [old for old in current if old.topic == proposal.topic]
    target = _named(proposal, rivals) or next((old for old in rivals if _slots_meet(proposal, old)), None)
    if target is None:
        target = _only_of_its_kind(proposal, rivals)
    if target is None:
        target = _nearest(proposal, [old for old in rivals if _may_be_meant(proposal, old)])
    return None if target is None else _ladder(proposal, speaker, target, defaults, rule="corrected")


def _contradicted(
    proposal: Proposal, speaker: Speaker, current: Sequence[Remembered], defaults: Defaults
) -> Resolution | None:
    said = _statement(proposal)
    for old in current:
        if contradict(said, _statement(old)) or _value_denied(proposal, old):
            if _stands_beside(proposal, old):
                return Resolution("coexist", "the specific beside the general", old)
            return _ladder(proposal, speaker, old, defaults, rule="contradicts")
    return None


def _same_slot(
    proposal: Proposal, speaker: Speaker, current: Sequence[Remembered], defaults: Defaults
) -> Resolution | None:
    beside: Remembered | None = None
    for old in current:
        if not _slots_meet(proposal, old):
            continue
        if _stands_beside(proposal, old) or proposal.polarity != old.polarity or _holds_many(proposal):
            if _same_value(proposal, old) and proposal.polarity == old.polarity and old.topic == proposal.topic:
                return Resolution("reinforce", "same slot, same value", old)
            beside = beside or old
            continue
        if _same_value(proposal, old):
            return Resolution("reinforce", "same slot, same value", old)
        return _ladder(proposal, speaker, old, defaults, rule="same slot")
    return None if beside is None else Resolution("coexist", "stands beside", beside)


def _paraphrased(proposal: Proposal, current: Sequence[Remembered]) -> Resolution | None:
    said = _statement(proposal)
    for old in current:
        if old.topic == proposal.topic and agree(said, _statement(old)) and not _is_dated(proposal):
            return Resolution("reinforce", "same statement in other words", old)
    return None


def _ladder(proposal: Proposal, speaker: Speaker, old: Remembered, defaults: Defaults, *, rule: str) -> Resolution:
    if CREDIBILITY[speaker] < _credibility(old):
        return _ask(proposal, old, f"{rule}: a less credible source")
    if proposal.confidence < defaults.asks_below and not proposal.explicit:
        return _ask(proposal, old, f"{rule}: not sure enough")
    if _is_older(proposal, old):
        return _ask(proposal, old, f"{rule}: it dates from before the other was said")
    changes = proposal.verb == "supersede" or proposal.explicit or rule != "same slot"
    if proposal.category == "preference" and not changes:
        return _ask(proposal, old, f"{rule}: an implied change of a preference")
    return Resolution("supersede", f"{rule}: the newest word of the person", old)


def _ask(proposal: Proposal, old: Remembered, rule: str) -> Resolution:
    if is_chinese(proposal.content):
        question = f"我之前记的是“{old.content}”，现在要改成“{proposal.content}”吗？"
    else:
        question = f'I have noted "{old.content}". Shall I change that to "{proposal.content}"?'
    return Resolution("propose", rule, old, question)


def _credibility(old: Remembered) -> int:
    return max((CREDIBILITY[source.speaker] for source in old.sources), default=CREDIBILITY["document"])


def _statement(said: Proposal | Remembered) -> Statement:
    return statement(said.content, positive=said.polarity or _shows_negation(said.content))


def _shows_negation(text: str) -> bool:
    return not statement(text).positive


def _stands_beside(proposal: Proposal, old: Remembered) -> bool:
    return (
        proposal.exception
        or proposal.topic != old.topic
        or _is_dated(proposal)
        or _is_past_stretch(proposal)
        or conditions_of(proposal.content) != conditions_of(old.content)
    )


def _is_past_stretch(proposal: Proposal) -> bool:
    return proposal.slot is not None and proposal.valid_to is not None


def _is_older(proposal: Proposal, old: Remembered) -> bool:
    """Whether the change lies before a day on which the person still said the other thing."""
    if proposal.valid_from is None or old.valid_from is not None:
        return False
    return proposal.valid_from < max((each.said_at for each in old.sources), default=old.recorded_at) - _A_DAY


def _is_dated(proposal: Proposal) -> bool:
    return proposal.category == "task_progress" or proposal.kind == "episodic"


def _holds_many(proposal: Proposal) -> bool:
    return proposal.slot is not None and proposal.slot.attribute in MANY_VALUES


def _slots_meet(proposal: Proposal, old: Remembered) -> bool:
    return proposal.slot is not None and proposal.slot == old.slot


def _may_be_meant(proposal: Proposal, old: Remembered) -> bool:
    """Whether a correction that names no slot of ours may speak of this memory: never of somebody else's."""
    return proposal.slot is None or old.slot is None or proposal.slot.subject == old.slot.subject


def _only_of_its_kind(proposal: Proposal, rivals: Sequence[Remembered]) -> Remembered | None:
    """Of a named thing, the one memory that says what it uses, where it says so of one thing only."""
    if proposal.slot is None or proposal.slot.subject == "user" or ":" not in proposal.slot.attribute:
        return None
    mine = [old for old in rivals if old.slot and _family(old.slot) == _family(proposal.slot)]
    return mine[0] if len(mine) == 1 else None


def _family(slot: Slot) -> tuple[str, str]:
    return slot.subject, slot.attribute.partition(":")[0]


def _same_value(proposal: Proposal, old: Remembered) -> bool:
    if proposal.value is None or old.value is None:
        return False
    return content_key(proposal.value) == content_key(old.value)


def _value_denied(proposal: Proposal, old: Remembered) -> bool:
    return _slots_meet(proposal, old) and _same_value(proposal, old) and proposal.polarity != old.polarity


def _named(proposal: Proposal, rivals: Sequence[Remembered]) -> Remembered | None:
    """The memory of what the person says is over: by its value, else by the words they share."""
    if proposal.instead_of is None:
        return None
    over = set(tokens(proposal.instead_of))
    likely = [old for old in rivals if old.category == proposal.category and _may_be_meant(proposal, old)]
    exact = [old for old in likely if content_key(old.value or "") == content_key(proposal.instead_of)]
    if exact:
        return exact[0]
    best = max(likely, key=lambda old: _shared(over, old), default=None)
    return best if best is not None and _shared(over, best) >= _LEAST_NAMED else None


def _shared(over: set[str], old: Remembered) -> float:
    """How much two names of a thing have in common: 1 for the same words."""
    own = set(tokens(old.value or old.content))
    return len(over & own) / max(len(over | own), 1)


def _nearest(proposal: Proposal, rivals: Sequence[Remembered]) -> Remembered | None:
    def overlap(old: Remembered) -> float:
        new, before = set(tokens(proposal.content)), set(tokens(old.content))
        return len(new & before) / max(min(len(new), len(before)), 1)

    best = max(rivals, key=overlap, default=None)
    return best if best is not None and overlap(best) >= _LEAST_OVERLAP else None
