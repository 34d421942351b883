"""What an extraction rule is, and the table of defaults by category: importance and life."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from memory.model import Category, Importance, Kind

SELF, FAMILY, WE, BARE, OTHER = "self", "family", "we", "bare", "other"


@dataclass(frozen=True, slots=True)
class Default:
    """How important memories of a category are, and how long one lives after its date (None: no expiry)."""

    importance: Importance
    life: timedelta | None


DEFAULTS: dict[Category, Default] = {
    "user_profile": Default("critical", None),
    "preference": Default("normal", None),
    "task_progress": Default("normal", timedelta(days=90)),
    "domain_knowledge": Default("normal", None),
    "conversation_history": Default("normal", timedelta(days=90)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way of saying one kind of thing. Looks at what follows the subject of a clause."""

    rule: str
    pattern: re.Pattern[str]
    """Its group `v` is the value; `neg`, when it matched, negates."""
    kind: Kind = "semantic"
    category: Category = "user_profile"
    attribute: str | None = None
    """Slot attribute. One that ends with ":" holds one value for each object ("likes:咖啡")."""
    subjects: frozenset[str] = frozenset({SELF})
    """Whose clauses it reads; BARE are clauses that leave the subject out."""
    confidence: float = 0.9
    polarity: bool = True
    constant: str | None = None
    """The value, where the words themselves aren't it."""
    many: bool = False
    """The value may be a list ("葱、姜和蒜"): one memory for each."""
    firm: bool = False
    """Laughter beside it doesn't make it a joke."""
    supersedes: bool = False
    """Says in itself that something else was true before ("no longer", "改喝")."""
    check: Callable[[str], bool] | None = None
    """A last look at the value."""


def table(*rows: Rule) -> tuple[Rule, ...]:
    """The rules in order of precedence; ids are unique.

    Raises:
        ValueError: two rules share an id.
    """
    ids = [row.rule for row in rows]
    if len(set(ids)) != len(ids):
        raise ValueError(f"rule ids are not unique: {sorted({i for i in ids if ids.count(i) > 1})}")
    return rows


def pattern(text: str) -> re.Pattern[str]:
    """A rule's pattern, blind to case."""
    return re.compile(text, re.IGNORECASE)
