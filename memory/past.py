"""What a pool held at a moment in the past, as a snapshot, in two senses.

What was true then, as far as is known today: a move told later counts from the day of the move. And what was known
then: what memory would have answered on that day, later corrections left out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from memory.postings import Posting, Statistics, matches
from memory.snapshot import Snapshot, build, select_rows
from memory.tables import memories, sources
from memory.tokenizer import tokens
from memory.vector_table import vectors_of


@dataclass(frozen=True, slots=True)
class Then:
    """A moment in the past, and in which sense it is asked about."""

    moment: datetime
    known: bool
    """Whether what was known then is asked for; else what was true then."""


def past(connection: Connection, pool: str, then: Then, fingerprint: str | None, dimension: int) -> Snapshot:
    """The pool as it was at that moment."""
    rows = select_rows(connection, pool, holds_at(then), content=True)
    found = [posting for row in rows for posting in _postings(row["memory_id"], row["content"])]
    ids = [row["memory_id"] for row in rows]
    matrix = np.zeros((len(ids), dimension if fingerprint else 0), dtype=np.float32)
    embedded = np.zeros(len(ids), dtype=np.bool_)
    known = vectors_of(connection, pool, ids, fingerprint) if fingerprint else {}
    for number, memory_id in enumerate(ids):
        if memory_id in known:
            matrix[number], embedded[number] = known[memory_id], True
    statistics = Statistics(len(ids), sum(posting.frequency for posting in found))
    # The condition has looked at every end already; one that was noted later didn't count then.
    made = replace(build(pool, -1, statistics, rows, matrix, embedded), ends=np.full(len(ids), np.inf))
    made.matches.update(matches(found, made.place, statistics))
    return made


def holds_at(then: Then) -> ColumnElement[bool]:
    """The condition on a row of `memories` that it held, or was known, at that moment."""
    return _known_at(then.moment) if then.known else _true_at(then.moment)


def holds_now(now: datetime) -> ColumnElement[bool]:
    """The condition on a row of `memories` that it holds now."""
    row = memories.c
    return and_(
        row.status == "current",
        or_(row.valid_to.is_(None), row.valid_to > now),
        or_(row.expires_at.is_(None), row.expires_at > now),
    )


def _true_at(moment: datetime) -> ColumnElement[bool]:
    row = memories.c
    said = select(func.min(sources.c.said_at)).where(sources.c.memory_id == row.memory_id).scalar_subquery()
    # What was over when it was told began some time before, nobody said when.
    past = and_(row.valid_from.is_(None), row.valid_to <= said)
    begun = or_(past, func.coalesce(row.valid_from, said, row.recorded_at) <= moment)
    ended = func.coalesce(row.valid_to, row.retired_at)
    return and_(
        row.status.in_(("current", "superseded", "expired")),
        begun,
        or_(ended.is_(None), ended > moment),
        or_(row.expires_at.is_(None), row.expires_at > moment),
    )


def _known_at(moment: datetime) -> ColumnElement[bool]:
    row = memories.c
    return and_(
        row.status.in_(("current", "superseded", "expired", "invalidated")),
        row.recorded_at <= moment,
        or_(row.retired_at.is_(None), row.retired_at > moment),
        # The end of what was replaced later was noted only then.
        or_(row.retired_at.is_not(None), row.valid_to.is_(None), row.valid_to > moment),
        or_(row.expires_at.is_(None), row.expires_at > moment),
    )


def _postings(document: str, content: str) -> Sequence[Posting]:
    counted = Counter(tokens(content))
    length = sum(counted.values())
    return [Posting(token, document, frequency, length) for token, frequency in counted.items()]
