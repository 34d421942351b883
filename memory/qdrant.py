"""Qdrant as the vector index: a server or cluster by URL, or `:memory:` and a path for tests."""

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock
from typing import TypeVar

from qdrant_client import QdrantClient, models

from foundation.ids import content_hash
from memory.embedders import Vectors
from memory.vector_index import VectorIndexError
from memory.vector_table import Point

T = TypeVar("T")

_SPACE = uuid.UUID("6b0f3a52-6a1c-4a0e-9a6e-2f6f0c5d8e11")
_BATCH = 256


class Qdrant:
    """One collection an embedder, all pools in it, told apart by an indexed tenant key.

    The collection's name carries the embedder's fingerprint, so vectors of another model or dimension are never mixed
    or wiped: they lie in a collection of their own.
    """

    external = True

    def __init__(self, connect: Callable[[], QdrantClient], *, fingerprint: str, dimension: int) -> None:
        """Over the client that `connect` makes when the index is first asked, and again until that works."""
        self._connect = connect
        self._dimension = dimension
        self.collection = f"remembrancer-{content_hash(fingerprint.encode())[:16]}"
        self._client: QdrantClient | None = None
        self._ready = False
        # The local client's database is not made for several threads.
        self._lock = RLock()

    @classmethod
    def open(cls, location: str, *, fingerprint: str, dimension: int, timeout: int = 5) -> "Qdrant":
        """Qdrant at a URL, at `:memory:`, or in a folder.

        A folder serves one process at a time: another one is told so at each call, goes on with SQL alone, and what it
        writes reaches the index once either can.
        """
        connect = partial(_client_at, location, timeout)
        return cls(connect, fingerprint=fingerprint, dimension=dimension)

    def search(self, pool: str, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest documents of this pool."""
        found = self._ask(
            lambda client: client.query_points(
                self.collection, query=vector.tolist(), query_filter=_of(pool), limit=limit, with_payload=["document"]
            )
        )
        return [(str((point.payload or {})["document"]), point.score) for point in found.points]

    def upsert(self, pool: str, points: Sequence[Point]) -> None:
        """Add or replace documents."""
        listed = [
            models.PointStruct(
                id=_point_id(pool, point.document),
                vector=point.vector.tolist(),
                payload={"pool": pool, "document": point.document},
            )
            for point in points
        ]
        for start in range(0, len(listed), _BATCH):
            self._put(listed[start : start + _BATCH])

    def _put(self, batch: list[models.PointStruct]) -> None:
        self._ask(lambda client: client.upsert(self.collection, batch, wait=True))

    def delete(self, pool: str, documents: Sequence[str]) -> None:
        """Take documents out."""
        if not documents:
            return
        ids: list[int | str | uuid.UUID] = [_point_id(pool, document) for document in documents]
        selector = models.PointIdsList(points=ids)
        self._ask(lambda client: client.delete(self.collection, selector, wait=True))

    def count(self, pool: str) -> int:
        """How many documents of this pool it holds."""
        return self._ask(lambda client: client.count(self.collection, count_filter=_of(pool), exact=True)).count

    def close(self) -> None:
        """Let the server or folder go."""
        with self._lock:
            if self._client is not None:
                self._client.close()

    def _ask(self, call: Callable[[QdrantClient], T]) -> T:
        with self._lock:
            try:
                return call(self._make_ready())
            except VectorIndexError:
                raise
            except Exception as error:  # the client raises errors of three libraries
                raise VectorIndexError(
                    f"Qdrant doesn't answer ({type(error).__name__}): is the server up? SQL goes on without it"
                ) from error

    def _make_ready(self) -> QdrantClient:
        client = self._client = self._client or self._connect()
        if not self._ready:
            self._make_collection(client)
        self._ready = True
        return client

    def _make_collection(self, client: QdrantClient) -> None:
        if client.collection_exists(self.collection):
            return
        shape = models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)
        # Another process may make it at the same moment.
        with suppress(ValueError):
            client.create_collection(self.collection, vectors_config=shape)
        if not _is_local(client):
            tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
            client.create_payload_index(self.collection, "pool", field_schema=tenant)


def _client_at(location: str, timeout: int) -> QdrantClient:
    if location == ":memory:":
        return QdrantClient(":memory:")
    if "://" in location:
        return QdrantClient(url=location, timeout=timeout, check_compatibility=False)
    try:
        return QdrantClient(path=location)
    except RuntimeError as error:
        raise VectorIndexError(
            f"the Qdrant folder {location} is in use by another process: SQL goes on without it"
        ) from error


def _is_local(client: QdrantClient) -> bool:
    # A local client keeps no payload index and warns when asked for one.
    given = client.init_options
    return "path" in given and bool(given["path"] or given["location"] == ":memory:")


def _of(pool: str) -> models.Filter:
    return models.Filter(must=[models.FieldCondition(key="pool", match=models.MatchValue(value=pool))])


def _point_id(pool: str, document: str) -> str:
    return str(uuid.uuid5(_SPACE, f"{len(pool)}:{pool}:{document}"))
