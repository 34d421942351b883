"""How things stand with somebody: reading a clause by the rules, since when or until when, and what is so again."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from memory import returns, spans
from memory.drafts import Context, standing_alone
from memory.model import Message, Proposal
from memory.perceive import Statement
from memory.spans import Span
from memory.subjects import Subject, who

ByRules = Callable[[Statement, Subject], list[Proposal]]

STATES = frozenset(
    ("city", "residence", "address", "home", "employer", "job", "role", "school", "diet", "relationship", "commute",
     "work mode", "household", "programming_language")
)  # fmt: skip
"""Attributes of which one holds at a time, from a day to a day; the same may come back."""


def standing(
    statement: Statement, subject: Subject, message: Message, context: Context, read: ByRules
) -> list[Proposal]:
    """What the rules read in the clause; with its time where it names one, as a change where it says "again"."""
    span = spans.span_of(statement.text, message.created_at, context.zone)
    if span is not None:
        found = _with_again(replace(statement, text=span.rest), who(span.rest, statement.language), read)
        if found and all(_is_state(each) for each in found):
            words = standing_alone(statement, subject)
            return [_during(replace(each, content=words), span) for each in found]
    return _with_again(statement, subject, read)


def returning(statement: Statement, message: Message, context: Context) -> list[Proposal]:
    """What the clause says that somebody came back to, with its time."""
    span = spans.span_of(statement.text, message.created_at, context.zone)
    said = replace(statement, text=span.rest) if span else statement
    found = returns.returned(said) or returns.returned(statement)
    begins = span.begins if span else None
    return [replace(each, content=standing_alone(statement, _mine(said)), valid_from=begins) for each in found]


def _mine(statement: Statement) -> Subject:
    return who(statement.text, statement.language)


def _with_again(statement: Statement, subject: Subject, read: ByRules) -> list[Proposal]:
    found = read(statement, subject)
    if found:
        return found
    plain = returns.plain(statement)
    again: Sequence[Proposal] = read(plain, who(plain.text, plain.language)) if plain else ()
    words = standing_alone(statement, subject)
    return [replace(each, verb="supersede", content=words) for each in again if _is_state(each) or _is_taste(each)]


def _during(proposal: Proposal, span: Span) -> Proposal:
    """The proposal with its time; what is over by now stands in nobody's place."""
    if span.ends is None:
        return replace(proposal, valid_from=span.begins)
    return replace(proposal, verb="add", explicit=False, valid_from=span.begins, valid_to=span.ends)


def _is_state(proposal: Proposal) -> bool:
    return proposal.slot is not None and proposal.slot.attribute in STATES


def _is_taste(proposal: Proposal) -> bool:
    return proposal.slot is not None and proposal.slot.attribute.startswith("likes:")
