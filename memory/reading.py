"""Reading messages for memories: what a reader may know beside the message, and the reader by rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.extract import Context, propose
from memory.model import Message, Proposal, Remembered

UTC_ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What an extractor may know beside the message: the turns before it, what is remembered, and the time."""

    now: datetime
    earlier: tuple[Message, ...]
    profile: tuple[Remembered, ...]


Extractor = Callable[[Message, Situation], Sequence[Proposal]]
"""Reads one message and says what it wants done to memory."""


def by_rules(zone: ZoneInfo = UTC_ZONE) -> Extractor:
    """The reader that needs no model; dates are days in `zone`."""

    def read(message: Message, situation: Situation) -> Sequence[Proposal]:
        return propose(message, context=context_of(situation, zone))

    return read


def context_of(situation: Situation, zone: ZoneInfo) -> Context:
    """The situation as the rules take it."""
    return Context(zone=zone, previous=situation.earlier, now=situation.now)
