"""How much is at stake in a review, from the reasons it was opened for: what the queue shows first."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any


class Risk(IntEnum):
    """The higher, the sooner a person should look."""

    LOW = 1
    """Nothing but doubt about what was read."""
    MIDDLE = 2
    """A rule that wants a person's eye, or an action that keeps failing."""
    HIGH = 3
    """A hard rule is broken, or the amount is at or over the limit: decided by itself, never in a group."""


Reason = Mapping[str, Any]
"""One fired trigger as the question carries it (`Fired.to_json`)."""

_RISK_OF_KIND = {"high_stakes": Risk.HIGH, "guardrail": Risk.MIDDLE, "loop": Risk.MIDDLE, "low_confidence": Risk.LOW}


def risk_of(reasons: Sequence[Reason]) -> Risk:
    """The risk of the gravest reason; of none at all, the middle one."""
    return max((_risk(reason) for reason in reasons), default=Risk.MIDDLE)


def leading_rule(reasons: Sequence[Reason]) -> str:
    """The gravest reason's rule; of several, a broken hard rule first, then the order in which they fired."""
    ranked = sorted(reasons, key=lambda reason: (not reason.get("hard"), -_risk(reason)))
    return str(ranked[0]["rule"]) if ranked else ""


def hard_rules(reasons: Sequence[Reason]) -> tuple[str, ...]:
    """The rules that only an override gets past."""
    return tuple(str(reason["rule"]) for reason in reasons if reason.get("hard"))


def _risk(reason: Reason) -> Risk:
    return Risk.HIGH if reason.get("hard") else _RISK_OF_KIND.get(str(reason["kind"]), Risk.MIDDLE)
