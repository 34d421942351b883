"""Sentences of a message that give orders to the agent, and what holds them back."""

from foundation.masking import mask
from memory.drafts import Context
from memory.model import Message, Proposal
from memory.perceive import Statement, perceive
from memory.screening import Suspicion, screen, screen_marks, screen_split
from memory.speech import blank, without_context

_SHORT = 500


def orders(message: Message, context: Context) -> tuple[set[int], list[Proposal]]:
    """The sentences that give orders to the agent, and what holds them back; earlier turns may have begun one."""
    text, _ = blank(message.content)
    overall = screen(text) if text.strip() else _forged_marks(message.content)
    if overall is None:
        return _completed(message, text, context)
    guilty: dict[int, list[Statement]] = {}
    statements = perceive(message)
    for statement in statements:
        guilty.setdefault(statement.sentence, []).append(statement)
    held = {number for number, parts in guilty.items() if screen("，".join(part.quote for part in parts))}
    held = held or set(guilty)
    content = (
        (text.strip() or message.content.strip())
        if held == set(guilty)
        else " ".join(s.quote for s in statements if s.sentence in held)
    )
    return held, [_held(content, overall)]


def _forged_marks(content: str) -> Suspicion | None:
    """A message of nothing but mark-up is no code to be passed over where the mark-up is a prompt's."""
    content = without_context(content)
    return screen_marks(content) if len(content) <= _SHORT else None


def _completed(message: Message, text: str, context: Context) -> tuple[set[int], list[Proposal]]:
    """An order that was begun in earlier turns and ends in this one; the whole turn is held back."""
    said = [turn.content for turn in context.previous if turn.role == "user" and turn.thread_id == message.thread_id]
    whole = screen_split(text, said)
    if whole is None:
        return set(), []
    return {statement.sentence for statement in perceive(message)}, [_held(text.strip(), whole)]


def _held(content: str, suspicion: Suspicion) -> Proposal:
    return Proposal(
        verb="quarantine",
        content=mask(content),
        quote=mask(content),
        kind="semantic",
        category="conversation_history",
        importance="low",
        confidence=0.9,
        rule=suspicion.rule,
        reason=suspicion.reason,
    )
