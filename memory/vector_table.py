"""Vectors beside their rows: plain BLOBs of 32-bit floats, little-endian, found by document or by the text's hash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import BindParameter, Connection, Select, bindparam, delete, select, update

from foundation.ids import content_hash
from foundation.upserts import replace_rows
from memory.embedders import Vectors
from memory.tables import vectors

_IN_CHUNK = 500
_OF_THIS_MAKER = (vectors.c.pool == bindparam("in_pool")) & (vectors.c.fingerprint == bindparam("made_by"))
_VECTOR = vectors.c.vector
_WANTED: BindParameter[str] = bindparam("wanted", expanding=True)
_BY_DOCUMENT = select(vectors.c.document, _VECTOR).where(_OF_THIS_MAKER, vectors.c.document.in_(_WANTED))
_BY_TEXT = select(vectors.c.text_key, _VECTOR).where(_OF_THIS_MAKER, vectors.c.text_key.in_(_WANTED))
_SET_CURRENT = (
    update(vectors)
    .where(vectors.c.pool == bindparam("in_pool"), vectors.c.document == bindparam("of_document"))
    .values(current=bindparam("is_current"))
)


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
    put_vectors(connection, pool, {key: [point]}, fingerprint=fingerprint)


def put_vectors(connection: Connection, pool: str, points: Mapping[str, Sequence[Point]], *, fingerprint: str) -> None:
    """Store documents' vectors, given by text key; older ones of the same documents are replaced."""
    rows = [
        {
            "pool": pool,
            "document": point.document,
            "fingerprint": fingerprint,
            "text_key": key,
            "current": True,
            "vector": pack(point.vector),
        }
        for key, listed in points.items()
        for point in listed
    ]
    replace_rows(connection, vectors, rows, key=("pool", "document"))


def set_vector_current(connection: Connection, pool: str, document: str, *, current: bool) -> None:
    """Bring a document's vector into searches, or keep it out; a question about the past still finds it."""
    connection.execute(_SET_CURRENT, {"in_pool": pool, "of_document": document, "is_current": current})


def drop_vectors(connection: Connection, pool: str, documents: Sequence[str]) -> int:
    """Delete these documents' vectors; returns how many there were."""
    mine = (vectors.c.pool == pool) & vectors.c.document.in_(documents)
    return connection.execute(delete(vectors).where(mine)).rowcount


def vectors_of(connection: Connection, pool: str, documents: Sequence[str], fingerprint: str) -> dict[str, Vectors]:
    """The vectors of these documents, retired ones included, as far as they were made by this embedder."""
    return _fetch(connection, pool, documents, fingerprint, _BY_DOCUMENT)


def known_vectors(connection: Connection, pool: str, keys: Sequence[str], fingerprint: str) -> dict[str, Vectors]:
    """The vectors of texts that this pool holds already, by text key: what need not be embedded again.

    Other pools are not asked: how fast an answer comes must not tell what somebody else has stored.
    """
    return _fetch(connection, pool, keys, fingerprint, _BY_TEXT)


def _fetch(
    connection: Connection, pool: str, keys: Sequence[str], fingerprint: str, query: Select[str, bytes]
) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    for start in range(0, len(keys), _IN_CHUNK):
        part = {"in_pool": pool, "made_by": fingerprint, "wanted": list(keys[start : start + _IN_CHUNK])}
        found.update((key, unpack(data)) for key, data in connection.execute(query, part))
    return found
