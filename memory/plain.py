"""Proposals and outcomes as plain data, as a checkpoint holds them, and back."""

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from memory.model import Outcome, Proposal

_PROPOSALS: TypeAdapter[list[Proposal]] = TypeAdapter(list[Proposal])
_OUTCOMES: TypeAdapter[list[Outcome]] = TypeAdapter(list[Outcome])

Plain = list[dict[str, Any]]


def plain_proposals(proposals: Sequence[Proposal]) -> Plain:
    """The proposals as dicts of strings and numbers."""
    return list(_PROPOSALS.dump_python(list(proposals), mode="json"))


def proposals_of(plain: Plain) -> list[Proposal]:
    """The proposals that `plain_proposals` wrote down."""
    return _PROPOSALS.validate_python(plain)


def plain_outcomes(outcomes: Sequence[Outcome]) -> Plain:
    """The outcomes as dicts of strings."""
    return list(_OUTCOMES.dump_python(list(outcomes), mode="json"))


def outcomes_of(plain: Plain) -> list[Outcome]:
    """The outcomes that `plain_outcomes` wrote down."""
    return _OUTCOMES.validate_python(plain)
