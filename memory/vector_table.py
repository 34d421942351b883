"""Vectors beside their rows, and the cache of embedded texts: plain BLOBs of 32-bit floats, little-endian."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, delete, select

from foundation.ids import content_hash
from memory.embedders import Vectors
from memory.sql import keep_first, replace_row
from memory.tables import embedding_cache, vectors

_IN_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Point:
    """A document's vector."""

    document: str
    vector: Vectors


def text_key(text: str) -> str:
    """Under which the vector of a text is cached: a hash, so the cache holds no text."""
    return content_hash(text.encode("utf-8", "replace"))


def pack(vector: Vectors) -> bytes:
    """The bytes that are stored."""
    return np.asarray(vector, dtype="<f4").tobytes()


def unpack(data: bytes) -> Vectors:
    """The vector that the bytes hold."""
    return np.frombuffer(data, dtype="<f4")


def put_vector(connection: Connection, pool: str, point: Point, *, fingerprint: str, key: str) -> None:
    """Store a document's vector; an older one of the same document is replaced."""
    row = {"pool": pool, "document": point.document, "fingerprint": fingerprint, "text_key": key}
    replace_row(connection, vectors, {**row, "vector": pack(point.vector)}, key=("pool", "document"))


def drop_vectors(connection: Connection, pool: str, documents: Sequence[str]) -> int:
    """Delete these documents' vectors and the cache entries of their texts; returns how many vectors there were."""
    mine = (vectors.c.pool == pool) & vectors.c.document.in_(documents)
    keys = connection.execute(select(vectors.c.text_key).where(mine)).scalars().all()
    connection.execute(delete(embedding_cache).where(embedding_cache.c.text_key.in_(keys)))
    return connection.execute(delete(vectors).where(mine)).rowcount


def vectors_of(connection: Connection, pool: str, documents: Sequence[str], fingerprint: str) -> dict[str, Vectors]:
    """The vectors of these documents, as far as they were made by this embedder."""
    found: dict[str, Vectors] = {}
    for start in range(0, len(documents), _IN_CHUNK):
        query = select(vectors.c.document, vectors.c.vector).where(
            vectors.c.pool == pool,
            vectors.c.document.in_(documents[start : start + _IN_CHUNK]),
            vectors.c.fingerprint == fingerprint,
        )
        found.update((document, unpack(data)) for document, data in connection.execute(query))
    return found


def cached(connection: Connection, fingerprint: str, keys: Sequence[str]) -> dict[str, Vectors]:
    """The vectors of texts that were embedded before."""
    found: dict[str, Vectors] = {}
    for start in range(0, len(keys), _IN_CHUNK):
        query = select(embedding_cache.c.text_key, embedding_cache.c.vector).where(
            embedding_cache.c.fingerprint == fingerprint,
            embedding_cache.c.text_key.in_(keys[start : start + _IN_CHUNK]),
        )
        found.update((key, unpack(data)) for key, data in connection.execute(query))
    return found


def remember_vector(connection: Connection, fingerprint: str, key: str, vector: Vectors) -> None:
    """Put a text's vector into the cache; one that is there stays."""
    keep_first(connection, embedding_cache, {"fingerprint": fingerprint, "text_key": key, "vector": pack(vector)})
