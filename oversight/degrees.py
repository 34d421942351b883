"""Degrees of oversight: whether a person stands before an action, beside it, or only set its limits beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from foundation.errors import UsageError
from oversight.action import Verdict

Degree = Literal["hitl", "hotl", "hootl", "shadow"]
"""hitl: in the loop, what hits a trigger waits. hotl: on the loop, the run goes on under his eyes, limits pull the
brake. hootl: out of the loop, what hits a trigger is held, a breaker ends the run. shadow: advises, decides nothing."""

Course = Literal["do", "ask", "hold", "advise"]
"""What becomes of an action: it is done, a person is asked, it is held and not done, or it is only told of."""

DEGREES: tuple[Degree, ...] = get_args(Degree)

_PEOPLE: tuple[Degree, ...] = ("shadow", "hitl", "hotl", "hootl")
"""From the degree under which a run does least without people to the one under which it does most."""

_COURSES: Mapping[tuple[Degree, bool], Course] = {
    ("hitl", False): "do",
    ("hitl", True): "ask",
    ("hotl", False): "do",
    ("hotl", True): "ask",
    ("hootl", False): "do",
    ("hootl", True): "hold",
    ("shadow", False): "advise",
    ("shadow", True): "advise",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Degrees:
    """The degree of each action; what isn't named has the default."""

    default: Degree = "hitl"
    actions: Mapping[str, Degree] = field(default_factory=dict)

    def of(self, action: str) -> Degree:
        """The degree of oversight of this action."""
        return self.actions.get(action, self.default)


def degree_named(name: str) -> Degree:
    """The degree of this name.

    Raises:
        UsageError: there is none.
    """
    for degree in DEGREES:
        if degree == name:
            return degree
    raise UsageError(f"{name!r} is no degree of oversight: choose one of {', '.join(DEGREES)}")


def is_looser(degree: Degree, than: Degree) -> bool:
    """Whether a run does more without people under this degree than under the other."""
    return _PEOPLE.index(degree) > _PEOPLE.index(than)


def course_of(verdict: Verdict, degree: Degree) -> Course:
    """What becomes of an action with this verdict. Nothing that asks is ever done unasked, in no degree."""
    return _COURSES[degree, verdict.asks]
