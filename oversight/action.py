"""What the agent is about to do, and what the triggers say about it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

TriggerKind = Literal["high_stakes", "guardrail", "loop", "low_confidence"]
DecisionKind = Literal["approve", "reject", "edit", "respond"]
Message = Mapping[str, str]
"""The same text by language: zh and en."""

ALL_DECISIONS: tuple[DecisionKind, ...] = ("approve", "edit", "reject", "respond")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired:
    """One reason why a person is needed: the rule, in words, what was measured and the limit in force."""

    kind: TriggerKind
    rule: str
    message: Message
    measured: str = ""
    limit: str = ""
    hard: bool = False
    """Whether only an override gets past it."""

    def to_json(self) -> dict[str, Any]:
        """The reason as plain data."""
        return {**dataclasses.asdict(self), "message": dict(self.message)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something the agent is about to do. The caller states the facts; the triggers judge them."""

    name: str
    args: Mapping[str, Any]
    irreversible: bool = False
    amount: Decimal | None = None
    """In the currency of the limits; the size counts, not the sign."""
    currency: str = ""
    """What the amount is in, where the caller knows; "" where it is the currency of the limits."""
    risk: str = ""
    """What kind of step it is: an id of `oversight.risks.RISKS`; "" for none that needs a person by its kind."""
    recipient: str = ""
    """Who gets something by it: an account, an address."""
    text: str = ""
    """What it says or writes, for the rules about texts."""
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()
    """What exactly is unsure, for the message: field names, say."""
    attempt: int = 1
    """How often this same action, with the same arguments, has failed or been refused so far, and once more."""
    breaches: tuple[Fired, ...] = ()
    """Rules of the caller's own field that the action breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The thresholds in force."""

    amount: Decimal | None = None
    """Irreversible actions of this size or more ask (inclusive)."""
    confidence: float = 0.8
    """Below this asks; exactly this does not."""
    attempts: int = 3
    """The attempt with this number asks."""
    budget: Decimal | None = None
    """What may be spent in all without asking."""
    spent: Decimal = Decimal(0)
    currency: str = ""
    """What the amounts are in; "" where nothing else occurs."""
    text_length: int | None = None
    """Texts with more characters ask."""
    forbidden: tuple[str, ...] = ()
    """Texts with one of these words ask."""
    recipients: tuple[str, ...] = ()
    """Whoever else is to get something asks; an entry `@example.com` stands for all addresses there. () for anyone."""
    steps: int = 25
    """Each so-many-th action within one turn of a conversation asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the triggers said. Computed once, kept in the state, never computed again on resume."""

    fired: tuple[Fired, ...]
    allowed: tuple[DecisionKind, ...] = ALL_DECISIONS

    @property
    def asks(self) -> bool:
        """Whether a person is needed."""
        return bool(self.fired)
