"""What a pool held at a moment in the past, as a snapshot: retired rows included that were true then."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from memory.postings import Posting, Statistics, matches
from memory.snapshot import Snapshot, build, select_rows
from memory.tables import memories, sources
from memory.tokenizer import tokens
from memory.vector_table import vectors_of


def past(connection: Connection, pool: str, moment: datetime, fingerprint: str | None, dimension: int) -> Snapshot:
    """What was true at `moment`: said or valid by then, and not replaced, ended or invalidated before it."""
    rows = select_rows(connection, pool, _true_at(moment), content=True)
    found = [posting for row in rows for posting in _postings(row["memory_id"], row["content"])]
    ids = [row["memory_id"] for row in rows]
    matrix = np.zeros((len(ids), dimension if fingerprint else 0), dtype=np.float32)
    embedded = np.zeros(len(ids), dtype=np.bool_)
    known = vectors_of(connection, pool, ids, fingerprint) if fingerprint else {}
    for number, memory_id in enumerate(ids):
        if memory_id in known:
            matrix[number], embedded[number] = known[memory_id], True
    statistics = Statistics(len(ids), sum(posting.frequency for posting in found))
    made = build(pool, -1, statistics, rows, matrix, embedded)
    made.matches.update(matches(found, made.place, statistics))
    return made


def _true_at(moment: datetime) -> ColumnElement[bool]:
    row = memories.c
    said = select(func.min(sources.c.said_at)).where(sources.c.memory_id == row.memory_id).scalar_subquery()
    begun = func.coalesce(row.valid_from, said, row.recorded_at) <= moment
    ended = func.coalesce(row.valid_to, row.retired_at)
    return and_(
        row.status.in_(("current", "superseded", "expired")),
        begun,
        or_(ended.is_(None), ended > moment),
        or_(row.expires_at.is_(None), row.expires_at > moment),
    )


def _postings(document: str, content: str) -> Sequence[Posting]:
    counted = Counter(tokens(content))
    length = sum(counted.values())
    return [Posting(token, document, frequency, length) for token, frequency in counted.items()]
