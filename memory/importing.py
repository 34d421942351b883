"""Taking in what other programs remembered, and giving ours away: each statement once, screened, with its origin."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from langgraph.store.base import BaseStore

from foundation.errors import UsageError
from memory import transfer
from memory.foreign import Format, Statement, Unreadable, conversations, of_item, parsed, statements
from memory.model import Message, OutcomeStatus, Proposal
from memory.scope import Scope
from memory.screening import screen
from memory.service import Memory

_PAGE = 200
_OURS = "remembrancer"
"""The key of a store's item under which a memory stands with all that is known of it."""
_SURE = 0.7
"""Confidence in what another program says about a person: below what asks before it replaces his own words."""
Counts = dict[OutcomeStatus, int]


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an export: how many statements ended in which way, and what couldn't be read."""

    counts: Counts
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def new(self) -> int:
        """How many became memories."""
        return sum(self.counts.get(status, 0) for status in ("stored", "superseded", "coexists"))


def take_in(memory: Memory, scope: Scope, text: str, form: Format, *, now: datetime) -> Taken:
    """Take in an export file of another program; what was taken in before is left alone.

    An item that can't be read is told and keeps nothing else out; a file of ours comes in whole or not at all.

    Raises:
        UsageError: the file isn't of this form, or nothing in it can be read.
    """
    if form == "jsonl":
        return Taken({"stored": memory.import_lines(scope, text.split("\n"), now=now)})
    document = parsed(text)
    read: Iterable[Message | Statement | Unreadable] = (
        statements(document, scope.user_id) if form == "mem0" else conversations(document, form, default=now)
    )
    items = list(read)
    unreadable = tuple(each for each in items if isinstance(each, Unreadable))
    if unreadable and len(unreadable) == len(items):
        first = unreadable[0]
        raise UsageError(f"nothing in the file can be read as {form}: item {first.number}, {first.why}")
    counts: Counter[OutcomeStatus] = Counter()
    for message in (each for each in items if isinstance(each, Message)):
        counts.update(outcome.status for outcome in memory.observe(scope, [message], now=now))
    counts.update(take_in_statements(memory, scope, (each for each in items if isinstance(each, Statement)), now=now))
    return Taken(dict(counts), unreadable)


def take_in_statements(memory: Memory, scope: Scope, told: Iterable[Statement], *, now: datetime) -> Counts:
    """Take in what another program remembered, each statement with its origin as the source."""
    counts: Counter[OutcomeStatus] = Counter()
    for each in told:
        message = Message(each.foreign_id, f"import:{each.origin}", "document", each.text, each.at or now)
        kept, fresh = memory.keep(scope, message, now=now)
        if not fresh:
            counts["nothing"] += 1
            continue
        counts.update(outcome.status for outcome in memory.apply(scope, kept, [_proposal(each, kept)], now=now))
        memory.mark_read(scope, kept, now=now)
    return dict(counts)


def _proposal(told: Statement, kept: Message) -> Proposal:
    suspicion = screen(kept.content, "document")
    return Proposal(
        verb="quarantine" if suspicion else "add",
        content=kept.content,
        quote=kept.content,
        kind="semantic",
        category=told.category,
        importance="normal",
        confidence=_SURE,
        rule=f"imported.{told.origin}",
        reason=suspicion.reason if suspicion else "",
    )


def to_store(memory: Memory, scope: Scope, store: BaseStore, namespace: tuple[str, ...]) -> int:
    """Put every current memory into a LangGraph store, in the shape that langmem's tools read; returns how many."""
    count = 0
    for each in memory.current(scope):
        value = {"kind": "Memory", "content": {"content": each.content}, _OURS: json.loads(transfer.to_line(each))}
        store.put(namespace, each.memory_id, value)
        count += 1
    return count


def from_store(memory: Memory, scope: Scope, store: BaseStore, namespace: tuple[str, ...], *, now: datetime) -> Counts:
    """Take in the items of a store's namespace: ours with all that was known, foreign ones by their words."""
    ours: list[str] = []
    told: list[Statement] = []
    offset = 0
    while page := store.search(namespace, limit=_PAGE, offset=offset):
        for item in page:
            if _OURS in item.value:
                ours.append(json.dumps(item.value[_OURS], ensure_ascii=False))
            elif (statement := of_item(item.key, item.value, item.created_at)) is not None:
                told.append(statement)
        offset += len(page)
    # Ours come in whole or not at all, so they go first: where one is broken nothing was changed.
    whole = memory.import_lines(scope, ours, now=now)
    counts = take_in_statements(memory, scope, told, now=now)
    return {**counts, "stored": counts.get("stored", 0) + whole}
