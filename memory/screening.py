"""Telling orders to the agent from facts about a person, before anything is written.

Each rule names a kind of attack, not a string: overriding instructions, a persona without limits, a forged authority, a
standing order to approve or to skip a check, taking data out, markup that ends a block, text addressed to the machine.
A kind is known by wordings (`suspect_phrases`) and by concepts that meet in one sentence, in any order and many
languages (`suspect_words`). Both look at every reading of the text (`unhiding.views`), so letters, encodings and
invisible characters don't matter. What somebody tells about himself ("my boss wants me to approve these myself") is not
an order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.model import Speaker
from memory.suspect_phrases import RULES as WORDINGS
from memory.suspect_phrases import Where
from memory.suspect_schemes import SCHEMES
from memory.suspect_words import bare, pattern_of
from memory.tokenizer import is_chinese
from memory.unhiding import views


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a text is held back."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Concepts that are suspicious when all of them stand in one sentence, unless one of some others does."""

    rule: str
    concepts: tuple[str, ...]
    unless: tuple[str, ...] = ()
    where: Where = "any"
    sentences: int = 1
    """In how many sentences that follow each other they may stand."""


MEETINGS = (
    Meeting("screen.override", ("drop", "rules", "prior"), unless=("mine",)),
    Meeting("screen.override", ("drop", "rules", "yours"), unless=("mine",)),
    Meeting("screen.override", ("drop", "prompt"), unless=("mine",)),
    Meeting("screen.override", ("void", "rules", "yours"), unless=("mine",)),
    Meeting("screen.override", ("void", "instructions", "prior"), unless=("mine",)),
    Meeting("screen.override", ("void", "prompt"), unless=("mine",)),
    Meeting("screen.persona", ("role", "limitless"), unless=("mine",)),
    Meeting("screen.persona", ("persona", "drop", "rules"), unless=("mine",)),
    Meeting("screen.persona", ("role", "mode"), unless=("device", "mine")),
    Meeting("screen.exfiltration", ("reveal", "prompt"), unless=("mine",)),
    Meeting("screen.exfiltration", ("reveal", "others", "data"), unless=("mine",)),
    Meeting("screen.exfiltration", ("reveal", "keys", "yousee"), unless=("mine",)),
    Meeting("screen.exfiltration", ("send", "sensitive", "outside"), unless=("mine",)),
    Meeting("screen.standing_order", ("approve", "money", "unchecked"), unless=("self", "consult", "forbid")),
    Meeting("screen.standing_order", ("money", "exempt"), unless=("self", "consult", "forbid")),
    Meeting("screen.authority", ("authority", "grant", "dodge", "check"), unless=("forbid",), sentences=2),
    Meeting("screen.authority", ("promised", "favour")),
    Meeting("screen.machine", ("address", "insert")),
    Meeting("screen.machine", ("address", "call")),
    Meeting("screen.machine", ("address", "approve")),
    Meeting("screen.data_orders", ("insert", "reply"), where="data"),
    Meeting("screen.data_orders", ("machine", "call"), where="data"),
    Meeting("screen.data_orders", ("address",), where="data"),
    Meeting("screen.data_orders", ("send", "outside"), where="data"),
)
RULES = (*WORDINGS, *SCHEMES)
_REASONS = {rule.rule: rule.reason for rule in RULES}
_SENTENCE_END = re.compile(r"[。！？!?\n;；]+|\.(?=\s|$)")
_LONGEST_SENTENCE = 240
_LONGEST_PART = 80
_MOST_PARTS = 3
_PART_NAME = re.compile(
    r"^\s*(?:(?:part|piece|step|line)\s*(?:\d+|[a-e]|one|two|three|four)|第[一二三四1-4](?:部分|段|句|行)|(?:接着|接上|续|后半句)(?:上文|上句|上一句)?|\(?\d/\d\)?)\s*(?:is|是)?\s*[:：,，]?",
    re.IGNORECASE,
)


def screen(text: str, speaker: Speaker = "user") -> Suspicion | None:
    """The first kind of order, forgery or hidden payload in `text`; None when it looks like what people say.

    Args:
        text: a message or a statement; its first 20,000 characters are read.
        speaker: tool output and documents are held to the stricter table.
    """
    trusted = speaker in {"user", "reviewer"}
    for reading in views(text):
        rule = _worded(reading, trusted) or _meeting(reading, trusted)
        if rule is not None:
            return Suspicion(rule, _REASONS[rule])
    return None


def screen_marks(text: str) -> Suspicion | None:
    """The same for forged mark-up of a prompt alone, for what is passed over as code otherwise."""
    marks = [rule for rule in RULES if rule.rule == "screen.markup"]
    forged = any(pattern.search(reading) for reading in views(text) for rule in marks for pattern in rule.patterns)
    return Suspicion(marks[0].rule, marks[0].reason) if forged else None


def screen_split(text: str, earlier: Sequence[str]) -> Suspicion | None:
    """The kind of order that `text` completes: cut over several short turns, each of which looks harmless.

    Args:
        text: what is said now.
        earlier: what the same person said before in this conversation, oldest first.
    """
    if not text.strip() or len(text) > _LONGEST_PART:
        return None
    before = ""
    for part in reversed(earlier[-_MOST_PARTS:]):
        if len(part) > _LONGEST_PART or screen(part) is not None:
            break
        before = _glued(part, before) if before else part
        for joined in dict.fromkeys((_glued(before, text), _bare_end(before) + _bare_start(text))):
            if (suspicion := screen(joined)) is not None:
                return suspicion
    return None


def _glued(part: str, rest: str) -> str:
    joint = "" if is_chinese(part) or is_chinese(rest) else " "
    return _bare_end(part) + joint + _bare_start(rest)


def _bare_end(part: str) -> str:
    return part.rstrip(" \t\n.。…,，、:：;；-—\"'“”‘’`+")


def _bare_start(part: str) -> str:
    return _PART_NAME.sub("", part, count=1).lstrip(" \t\n.。…,，、-—\"'“”‘’`+")


def _worded(reading: str, trusted: bool) -> str | None:
    for rule in RULES:
        if (rule.where == "any" or not trusted) and any(pattern.search(reading) for pattern in rule.patterns):
            return rule.rule
    return None


def _meeting(reading: str, trusted: bool) -> str | None:
    meetings = [meeting for meeting in MEETINGS if meeting.where == "any" or not trusted]
    texts = _sentences(bare(reading))
    known = {text: _Sentence(text) for text in texts}
    sentences = [known[text] for text in texts]
    for at in range(len(sentences)):
        for meeting in meetings:
            near = sentences[at : at + meeting.sentences]
            held = [any(sentence.has(concept) for sentence in near) for concept in meeting.concepts]
            if all(held) and not any(sentence.has(other) for sentence in near for other in meeting.unless):
                return meeting.rule
    return None


def _sentences(text: str) -> Sequence[str]:
    """The sentences of `text`; one that has no end is read in overlapping pieces."""
    found: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        step = _LONGEST_SENTENCE // 2
        found += [sentence[at : at + _LONGEST_SENTENCE] for at in range(0, max(len(sentence) - step, 1), step)]
    return found


class _Sentence:
    """A sentence and the concepts that it holds; each is looked for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, bool] = {}

    def has(self, concept: str) -> bool:
        if concept not in self._known:
            self._known[concept] = pattern_of(concept).search(self._text) is not None
        return self._known[concept]
