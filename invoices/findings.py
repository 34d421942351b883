"""What a check says: a problem becomes a finding, and a check that could not be executed says why."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from invoices.history import Claim, History
from invoices.identity import Candidate
from invoices.policy import Policy
from invoices.record import Invoice
from invoices.verification import NOT_ASKED, Verification

Severity = Literal["hard", "review", "hint"]
"""hard: broken, only an override or a correction gets past; review: a person looks; hint: ranks, never pauses."""
Trigger = Literal["high_stakes", "guardrail", "loop", "low_confidence"]
Lang = Literal["zh", "en"]
Scope = Literal["any", "cn", "en16931"]
"""Which invoices a rule is for: all, Chinese ones, or those in a syntax of EN 16931."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An invoice with the same key that was there first."""

    invoice_id: str
    batch: str
    file: str
    status: str


@dataclass(frozen=True, slots=True)
class Context:
    """What a check may look at beside the invoice."""

    policy: Policy
    today: date
    """Today in the company's time zone."""
    earlier: Earlier | None = None
    history: History | None = None
    """What earlier invoices say; without it, the rules that need it are not executed."""
    claim: Claim | None = None
    invoice_id: str = ""
    """The id of this invoice where it is known to the history already, so that it is not held against itself."""
    verification: Verification = NOT_ASKED
    """What the tax office answered."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What one check found wrong: the field, what was read, what was expected, and words for the message."""

    field: str | None = None
    read: str = ""
    expected: str = ""
    words: Mapping[str, str] = dataclasses.field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    severity: Severity | None = None
    """Where this problem is graver or milder than the rule's own severity."""


@dataclass(frozen=True, slots=True)
class NotExecuted:
    """The check could not be done, and why; it never counts as passed."""

    zh: str
    en: str
    blocks: bool = False
    """Whether the invoice may not be approved without this check: a person then looks."""


Outcome = Problem | NotExecuted
CheckFunction = Callable[[Invoice, Context], Iterable[Outcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule: id, severity, the law or standard behind it, the message in zh and en, and the function.

    The messages may name {read}, {expected}, {where} and the problem's own words.
    """

    id: str
    severity: Severity
    source: str
    zh: str
    en: str
    run: CheckFunction
    trigger: Trigger = "guardrail"
    scope: Scope = "any"
    category: str = ""
    """The VAT category (UNTDID 5305) without which the rule has nothing to look at, "" for every invoice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem, told so that a person can act on it."""

    rule: str
    severity: Severity
    trigger: Trigger | None
    """None for a hint: it never pauses."""
    message: Mapping[Lang, str]
    source: str = ""
    field: str | None = None
    read: str = ""
    expected: str = ""
    where: str = ""
    candidates: tuple[Candidate, ...] = ()
    cleared_by: str = ""
    """Id of the decision whose correction removed the cause; "" while it stands."""

    @property
    def asks(self) -> bool:
        """Whether this finding alone needs a person."""
        return self.trigger is not None and not self.cleared_by

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "trigger": self.trigger,
            "message": dict(self.message),
            "source": self.source,
            "field": self.field,
            "read": self.read,
            "expected": self.expected,
            "where": self.where,
            "candidates": [{"value": c.value, "known": c.known} for c in self.candidates],
            "cleared_by": self.cleared_by,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Finding":
        """The finding back from plain data."""
        return cls(**{**data, "candidates": tuple(Candidate(**c) for c in data["candidates"])})


@dataclass(frozen=True, slots=True)
class Examination:
    """All that the rules said about one invoice."""

    findings: tuple[Finding, ...] = ()
    not_executed: Mapping[str, NotExecuted] = dataclasses.field(default_factory=dict)
    """Rule id -> why it could not be executed."""
