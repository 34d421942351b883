"""The keyword index: postings by pool, and BM25 computed from the pool's own statistics only."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from memory.stopwords import PARTICLES
from memory.tables import pools, postings
from memory.tokenizer import COMMON, VERSION, tokens

K1 = 1.2
B = 0.75
SINGLE_CHARACTER = 0.15
"""Weight of one Chinese character, or a pair with a particle, beside the words of the same question."""
PRESENT = ""
"""A token that every document has and no question: a text of stop words only is counted, too."""
COMMON_WORD = 0.25
"""Weight of a word that nearly every conversation has."""
_IN_CHUNK = 500
_INSERT = insert(postings)
_FETCH = select(postings.c.token, postings.c.document, postings.c.frequency, postings.c.length).where(
    postings.c.pool == bindparam("in_pool"), postings.c.token.in_(bindparam("wanted", expanding=True))
)
_MINE = (postings.c.pool == bindparam("in_pool")) & (postings.c.document == bindparam("of_document"))
_LENGTH = select(postings.c.length).where(_MINE).limit(1)
_REMOVE = delete(postings).where(_MINE)
_COUNT = (
    update(pools)
    .where(pools.c.pool == bindparam("in_pool"))
    .values(
        documents=pools.c.documents + bindparam("more_documents"),
        tokens=pools.c.tokens + bindparam("more_tokens"),
        tokenizer=VERSION,
    )
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 must know of a pool."""

    documents: int
    length: int
    """Tokens of all documents together."""


class Posting(NamedTuple):
    """How often a token stands in a document, and how many tokens the document has."""

    token: str
    document: str
    frequency: int
    length: int


def add_document(connection: Connection, pool: str, document: str, text: str) -> None:
    """Index the text of a document that isn't indexed."""
    add_documents(connection, pool, {document: text})


def add_documents(connection: Connection, pool: str, texts: Mapping[str, str]) -> None:
    """Index documents that aren't indexed, by id."""
    rows: list[dict[str, object]] = []
    total = 0
    for document, text in texts.items():
        counted = Counter(tokens(text))
        length = sum(counted.values())
        total += length
        rows += [
            {"pool": pool, "token": token, "document": document, "frequency": frequency, "length": length}
            for token, frequency in (*counted.items(), (PRESENT, 0))
        ]
    if rows:
        connection.execute(_INSERT, rows)
        _count(connection, pool, documents=len(texts), length=total)


def remove_document(connection: Connection, pool: str, document: str) -> bool:
    """Take a document out of the index; says whether it was in it."""
    this = {"in_pool": pool, "of_document": document}
    length = connection.execute(_LENGTH, this).scalar_one_or_none()
    if length is None:
        return False
    connection.execute(_REMOVE, this)
    _count(connection, pool, documents=-1, length=-length)
    return True


def _count(connection: Connection, pool: str, *, documents: int, length: int) -> None:
    connection.execute(_COUNT, {"in_pool": pool, "more_documents": documents, "more_tokens": length})


def fetch(connection: Connection, pool: str, wanted: Sequence[str]) -> list[Posting]:
    """The postings of these tokens in this pool."""
    found: list[Posting] = []
    for start in range(0, len(wanted), _IN_CHUNK):
        part = {"in_pool": pool, "wanted": list(wanted[start : start + _IN_CHUNK])}
        found += map(Posting._make, connection.execute(_FETCH, part).all())
    return found


@dataclass(frozen=True, slots=True)
class Weight:
    """What a question's token counts: in a document that has it, and in the best score that the question could get."""

    held: float
    possible: float


def weights(query: str) -> dict[str, Weight]:
    """The tokens of a question with their weight: see `weights_of`."""
    return weights_of(tokens(query))


def weights_of(asked: Sequence[str]) -> dict[str, Weight]:
    """The weight of each of a question's tokens.

    Single Chinese characters, and pairs with a particle, count little beside words and other pairs. Common words count
    little where they are found but fully in what is possible: a memory that shares only those covers little.
    """
    longer = any(len(token) > 1 for token in asked)
    return {token: _weight(token, longer) for token in asked}


def _weight(token: str, longer: bool) -> Weight:
    size = _size(token) if longer else 1.0
    return Weight(size * COMMON_WORD if token in COMMON else size, size)


def _size(token: str) -> float:
    if token.isascii() or len(token) > 2:
        return 1.0
    return SINGLE_CHARACTER if len(token) == 1 or PARTICLES & set(token) else 1.0


class Matches(NamedTuple):
    """Where a token stands: numbers of the documents that have it, and how much it says in each (without rarity)."""

    rows: npt.NDArray[np.int64]
    saturation: npt.NDArray[np.float64]


def matches(found: Sequence[Posting], place: Mapping[str, int], statistics: Statistics) -> dict[str, Matches]:
    """The postings by token; `place` numbers the documents, those that it doesn't know are left out."""
    grouped: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for token, document, frequency, length in found:
        number = place.get(document)
        if number is not None:
            grouped[token].append((number, frequency, length))
    average = max(statistics.length / max(statistics.documents, 1), 1.0)
    return {token: _matches(held, average) for token, held in grouped.items()}


def _matches(held: Sequence[tuple[int, int, int]], average: float) -> Matches:
    rows, frequency, length = np.array(held, dtype=np.int64).T
    norm = K1 * (1 - B + B * length / average)
    return Matches(rows, frequency * (K1 + 1) / (frequency + norm))


def scores(
    asked: Mapping[str, Weight], held: Mapping[str, Matches], size: int, statistics: Statistics
) -> tuple[npt.NDArray[np.float64], float]:
    """BM25 of each of `size` documents, and the best score the question could get.

    The second figure is that of a short document holding all the question's words; divided by it, scores of different
    questions can be compared and fused. Okapi BM25 with k1 = 1.2, b = 0.75 and an inverse document frequency that is
    never negative.
    """
    total = np.zeros(size)
    best = 0.0
    for token, weight in asked.items():
        match = held.get(token)
        rarity = _idf(statistics.documents, 0 if match is None else len(match.rows))
        best += weight.possible * rarity
        if match is not None:
            total[match.rows] += weight.held * rarity * match.saturation
    return total, best * (K1 + 1) / (1 + K1 * (1 - B))


def bm25(
    asked: Mapping[str, Weight], found: Sequence[Posting], statistics: Statistics
) -> tuple[dict[str, float], float]:
    """BM25 by document of those that share a token with the question, and the best score the question could get."""
    place = {document: number for number, document in enumerate(dict.fromkeys(each.document for each in found))}
    total, best = scores(asked, matches(found, place, statistics), len(place), statistics)
    return dict(zip(place, total.tolist(), strict=True)), best


def _idf(documents: int, holding: int) -> float:
    return math.log1p((max(documents, holding) - holding + 0.5) / (holding + 0.5))
