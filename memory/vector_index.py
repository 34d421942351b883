"""The vector index: which of a pool's documents lie nearest to a question's vector. A port and two adapters.

`SqlScan` reads the vectors that SQL holds anyway: exact, in the same transaction, any number of processes. `Qdrant`
keeps a copy in a Qdrant server; `memory/outbox.py` brings it what SQL committed. Similarities are cosines, nearest
first, at most 1.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from sqlalchemy import Engine, func, select

from foundation.database import reading, writing
from foundation.errors import RemembrancerError
from memory.embedders import Vectors
from memory.tables import vectors
from memory.vector_table import Point, drop_vectors, put_vector, unpack


class VectorIndexError(RemembrancerError):
    """The vector index doesn't answer; SQL still holds everything."""


class VectorIndex(Protocol):
    """Finds the documents of one pool whose vectors lie nearest."""

    external: bool
    """Whether it keeps a copy of its own that must be brought up to date."""

    def search(self, pool: str, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest documents of this pool with their cosine, nearest first.

        Raises:
            VectorIndexError: the index doesn't answer.
        """
        ...

    def upsert(self, pool: str, points: Sequence[Point]) -> None:
        """Add or replace documents.

        Raises:
            VectorIndexError: the index doesn't answer.
        """
        ...

    def delete(self, pool: str, documents: Sequence[str]) -> None:
        """Take documents of this pool out; those of other pools with the same id stay.

        Raises:
            VectorIndexError: the index doesn't answer.
        """
        ...

    def count(self, pool: str) -> int:
        """How many documents of this pool it holds.

        Raises:
            VectorIndexError: the index doesn't answer.
        """
        ...


class SqlScan:
    """An exact scan over the pool's rows of `memory_vectors`."""

    external = False

    def __init__(self, engine: Engine, *, fingerprint: str) -> None:
        self._engine = engine
        self._fingerprint = fingerprint

    def search(self, pool: str, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest documents of this pool."""
        query = select(vectors.c.document, vectors.c.vector).where(
            vectors.c.pool == pool, vectors.c.fingerprint == self._fingerprint, vectors.c.current
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query).all()
        if not rows:
            return []
        return nearest([row[0] for row in rows], np.stack([unpack(row[1]) for row in rows]), vector, limit)

    def upsert(self, pool: str, points: Sequence[Point]) -> None:
        """Add or replace documents."""
        with writing(self._engine) as connection:
            for point in points:
                put_vector(connection, pool, point, fingerprint=self._fingerprint, key="")

    def delete(self, pool: str, documents: Sequence[str]) -> None:
        """Take documents out."""
        with writing(self._engine) as connection:
            drop_vectors(connection, pool, documents)

    def count(self, pool: str) -> int:
        """How many documents of this pool there are."""
        mine = (vectors.c.pool == pool) & (vectors.c.fingerprint == self._fingerprint) & vectors.c.current
        query = select(func.count()).where(mine)
        with reading(self._engine) as connection:
            return connection.execute(query).scalar_one()


def nearest(ids: Sequence[str], matrix: Vectors, vector: Vectors, limit: int) -> list[tuple[str, float]]:
    """The ids whose rows of `matrix` have the largest product with `vector`, largest first."""
    similarities = matrix @ vector
    order = np.argsort(-similarities, kind="stable")[:limit]
    return [(ids[number], float(similarities[number])) for number in order]
