"""Carrying out proposals: embed, then in one transaction do what each asks for (`turns`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Engine, bindparam, select

from foundation.database import reading, writing
from foundation.masking import IRREVOCABLE, mask
from memory import revisions, rows, store, tables
from memory.admission import admitted
from memory.defaults import Defaults
from memory.framing import FRAMED, framed
from memory.model import Message, Outcome, Proposal
from memory.scope import Scope
from memory.store import Pen
from memory.turns import MOST_ASKED, Turn, pointed_at
from memory.vectorizer import Vectorizer

_OVER = (
    select(tables.memories.c.memory_id)
    .where(
        tables.memories.c.pool == bindparam("in_pool"),
        tables.memories.c.status == "current",
        tables.memories.c.expires_at <= bindparam("moment"),
    )
    .limit(200)
)
_LONGEST_CONTENT = 4_000


@dataclass(frozen=True, slots=True)
class Context:
    """What carrying out needs beside the proposals."""

    engine: Engine
    vectorizer: Vectorizer
    external: bool
    defaults: Defaults
    keeps_erasures: bool = False


def storable(text: str) -> str:
    """`text` as the database takes it: no NUL, no lone surrogate, secrets masked."""
    return mask(text.replace("\0", "\u2400").encode("utf-8", "replace").decode("utf-8"), IRREVOCABLE)


def apply(
    context: Context, scope: Scope, message: Message, proposals: Sequence[Proposal], *, now: datetime
) -> list[Outcome]:
    """Do what the proposals of one message ask for; one outcome a proposal, in order."""
    proposals = [admitted(message, _made_storable(proposal)) for proposal in proposals]
    frames = _frames(context.engine, scope.pool, message, proposals)
    embedded = context.vectorizer.passages(scope.pool, list(frames.values()))
    with writing(context.engine) as connection:
        store.open_pool(connection, scope.pool)
        pen = Pen(
            connection=connection,
            pool=scope.pool,
            now=now,
            fingerprint=context.vectorizer.fingerprint,
            external=context.external,
            embedded=embedded.vectors,
            frames=frames,
            keeps_erasures=context.keeps_erasures,
        )
        expire(pen)
        return [Turn(pen, scope, message, context.defaults).carry_out(proposal) for proposal in proposals]


def _frames(engine: Engine, pool: str, message: Message, proposals: Sequence[Proposal]) -> dict[str, str]:
    wanted = [each for each in proposals if each.verb in ("add", "supersede", "return")]
    revising = [each for each in proposals if each.verb == "revise"]
    if not revising and not any(each.category in FRAMED for each in wanted):
        return {each.content: each.content for each in wanted}
    with reading(engine) as connection:
        made = {each.content: framed(connection, pool, each.category, message, each.content) for each in wanted}
        for proposal in revising:
            found = pointed_at(connection, pool, message, proposal).memories
            made |= {text: text for old in found[:MOST_ASKED] for text in [revisions.version(proposal, old)[0]]}
    return made


def expire(pen: Pen) -> int:
    """Retire the pool's memories whose time is over; returns how many."""
    ids = pen.connection.execute(_OVER, {"in_pool": pen.pool, "moment": pen.now}).scalars().all()
    over = rows.load(pen.connection, pen.pool, ids)
    for memory in over.values():
        store.retire(pen, memory, "expired", what="expired", actor="system", rule="its time is over")
    return len(over)


def _made_storable(proposal: Proposal) -> Proposal:
    return replace(
        proposal,
        content=storable(proposal.content)[:_LONGEST_CONTENT],
        quote=storable(proposal.quote)[:_LONGEST_CONTENT],
        value=storable(proposal.value) if proposal.value is not None else None,
    )
