"""How closely an audit that is started on the page is watched: as the policy says, or closer; looser for managers."""

from dataclasses import dataclass
from pathlib import Path

from foundation.errors import PolicyError, UsageError
from graphs.state import AuditInput
from invoices.policy import Policy, load_policy
from nodes.watching import degree_of
from oversight.degrees import Degree, degree_named, is_looser
from oversight.rights import RIGHTS, Deed
from remembrancer.inbox.frame import Visit

_LOOSER = RIGHTS[Deed.CHOOSE_OVERSIGHT].role
_MOST = 1_000
"""One in more than this is no sampling any more."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What the policy says of an audit that is started now."""

    degree: Degree
    sample_one_in: int | None
    categories: tuple[str, ...]


def watch_of(visit: Visit) -> Watch | None:
    """What the configured policy says; None where there is none that can be read: the audit says why."""
    try:
        policy = load_policy(Path(visit.frame.settings.policy))
    except PolicyError:
        return None
    return _watch(policy)


def _watch(policy: Policy) -> Watch:
    return Watch(degree_of(policy), policy.oversight.sample_one_in, tuple(policy.categories))


def asked_for(visit: Visit, degree: str, sample: str) -> AuditInput:
    """The part of an audit's start that says how it is watched, as far as this person may say so.

    Raises:
        NotAllowedError: looser than the policy, and he is no manager.
        UsageError: no degree of oversight, or no number of invoices.
    """
    given, watch = AuditInput(), watch_of(visit)
    if degree:
        named = degree_named(degree)
        if watch is None or is_looser(named, watch.degree):
            visit.require(_LOOSER)
        given["oversight"] = named
    if sample.strip():
        one_in = _number(sample)
        if watch is not None and watch.sample_one_in is not None and one_in > watch.sample_one_in:
            visit.require(_LOOSER)
        given["sample_one_in"] = one_in
    return given


def _number(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit() and 1 <= int(text.strip()[:9]) <= _MOST):
        raise UsageError(f"{text[:20]!r}: one in 1 to {_MOST}")
    return int(text.strip())
