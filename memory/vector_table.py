"""Vectors beside their rows: plain BLOBs of 32-bit floats, little-endian, found by document or by the text's hash."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import ColumnElement, Connection, delete, select, update

from foundation.ids import content_hash
from memory.embedders import Vectors
from memory.sql import replace_row
from memory.tables import vectors

_IN_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Point:
    """A document's vector."""

    document: str
    vector: Vectors


def text_key(text: str) -> str:
    """The hash under which the vector of a text is found again."""
    return content_hash(text.encode("utf-8", "replace"))


def pack(vector: Vectors) -> bytes:
    """The bytes that are stored."""
    return np.asarray(vector, dtype="<f4").tobytes()


def unpack(data: bytes) -> Vectors:
    """The vector that the bytes hold."""
    return np.frombuffer(data, dtype="<f4")


def put_vector(connection: Connection, pool: str, point: Point, *, fingerprint: str, key: str) -> None:
    """Store a document's vector; an older one of the same document is replaced."""
    row = {"pool": pool, "document": point.document, "fingerprint": fingerprint, "text_key": key, "current": True}
    replace_row(connection, vectors, {**row, "vector": pack(point.vector)}, key=("pool", "document"))


def set_vector_current(connection: Connection, pool: str, document: str, *, current: bool) -> None:
    """Bring a document's vector into searches, or keep it out; a question about the past still finds it."""
    mine = (vectors.c.pool == pool) & (vectors.c.document == document)
    connection.execute(update(vectors).where(mine).values(current=current))


def drop_vectors(connection: Connection, pool: str, documents: Sequence[str]) -> int:
    """Delete these documents' vectors; returns how many there were."""
    mine = (vectors.c.pool == pool) & vectors.c.document.in_(documents)
    return connection.execute(delete(vectors).where(mine)).rowcount


def vectors_of(connection: Connection, pool: str, documents: Sequence[str], fingerprint: str) -> dict[str, Vectors]:
    """The vectors of these documents, retired ones included, as far as they were made by this embedder."""
    return _fetch(connection, pool, documents, fingerprint, vectors.c.document)


def known_vectors(connection: Connection, pool: str, keys: Sequence[str], fingerprint: str) -> dict[str, Vectors]:
    """The vectors of texts that this pool holds already, by text key: what need not be embedded again.

    Other pools are not asked: how fast an answer comes must not tell what somebody else has stored.
    """
    return _fetch(connection, pool, keys, fingerprint, vectors.c.text_key)


def _fetch(
    connection: Connection, pool: str, keys: Sequence[str], fingerprint: str, by: ColumnElement[str]
) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    for start in range(0, len(keys), _IN_CHUNK):
        query = select(by, vectors.c.vector).where(
            vectors.c.pool == pool, by.in_(keys[start : start + _IN_CHUNK]), vectors.c.fingerprint == fingerprint
        )
        found.update((key, unpack(data)) for key, data in connection.execute(query))
    return found
