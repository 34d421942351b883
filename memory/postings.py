"""The keyword index: postings by pool, and BM25 computed from the pool's own statistics only."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

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
    counted = Counter(tokens(text))
    length = sum(counted.values())
    rows = [
        {"pool": pool, "token": token, "document": document, "frequency": frequency, "length": length}
        for token, frequency in (*counted.items(), (PRESENT, 0))
    ]
    connection.execute(insert(postings), rows)
    _count(connection, pool, documents=1, length=length)


def remove_document(connection: Connection, pool: str, document: str) -> bool:
    """Take a document out of the index; says whether it was in it."""
    mine = (postings.c.pool == pool) & (postings.c.document == document)
    length = connection.execute(select(postings.c.length).where(mine).limit(1)).scalar_one_or_none()
    if length is None:
        return False
    connection.execute(delete(postings).where(mine))
    _count(connection, pool, documents=-1, length=-length)
    return True


def _count(connection: Connection, pool: str, *, documents: int, length: int) -> None:
    connection.execute(
        update(pools)
        .where(pools.c.pool == pool)
        .values(documents=pools.c.documents + documents, tokens=pools.c.tokens + length, tokenizer=VERSION)
    )


def fetch(connection: Connection, pool: str, wanted: Sequence[str]) -> list[Posting]:
    """The postings of these tokens in this pool."""
    found: list[Posting] = []
    for start in range(0, len(wanted), _IN_CHUNK):
        query = select(postings.c.token, postings.c.document, postings.c.frequency, postings.c.length).where(
            postings.c.pool == pool, postings.c.token.in_(wanted[start : start + _IN_CHUNK])
        )
        found += [Posting._make(row) for row in connection.execute(query)]
    return found


@dataclass(frozen=True, slots=True)
class Weight:
    """What a question's token counts: in a document that has it, and in the best score that the question could get."""

    held: float
    possible: float


def weights(query: str) -> dict[str, Weight]:
    """The tokens of a question with their weight.

    Single Chinese characters, and pairs with a particle, count little beside words and other pairs. Common words count
    little where they are found but fully in what is possible: a memory that shares only those covers little.
    """
    asked = tokens(query)
    longer = any(len(token) > 1 for token in asked)
    return {token: _weight(token, longer) for token in asked}


def _weight(token: str, longer: bool) -> Weight:
    size = _size(token) if longer else 1.0
    return Weight(size * COMMON_WORD if token in COMMON else size, size)


def _size(token: str) -> float:
    if token.isascii() or len(token) > 2:
        return 1.0
    return SINGLE_CHARACTER if len(token) == 1 or PARTICLES & set(token) else 1.0


def bm25(
    asked: Mapping[str, Weight], found: Sequence[Posting], statistics: Statistics
) -> tuple[dict[str, float], float]:
    """BM25 of each document that shares a token with the question, and the best score the question could get.

    The second figure is that of a short document holding all the question's words; divided by it, scores of different
    questions can be compared and fused. Okapi BM25 with k1 = 1.2, b = 0.75 and an inverse document frequency that is
    never negative.
    """
    held = Counter(posting.token for posting in found)
    average = max(statistics.length / max(statistics.documents, 1), 1.0)
    rarity = {token: _idf(statistics.documents, held[token]) for token in asked}
    scores: dict[str, float] = defaultdict(float)
    for posting in found:
        norm = K1 * (1 - B + B * posting.length / average)
        part = posting.frequency * (K1 + 1) / (posting.frequency + norm)
        scores[posting.document] += asked[posting.token].held * rarity[posting.token] * part
    best = sum(weight.possible * rarity[token] for token, weight in asked.items()) * (K1 + 1) / (1 + K1 * (1 - B))
    return dict(scores), best


def _idf(documents: int, holding: int) -> float:
    return math.log1p((max(documents, holding) - holding + 0.5) / (holding + 0.5))
