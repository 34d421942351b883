"""A database of many people's memories, written by the program's own path: same rows, same indexes, same history.

What it leaves out of an import is reading JSON and looking for orders to the agent; what it changes is that many people
share a transaction, and that a power cut may ruin the file.
"""

import random
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import event

from foundation.database import writing
from foundation.ids import derived_id
from memory import store, transfer
from memory.embedders import Vectors
from memory.model import Importance, Remembered, Source
from memory.scope import Scope
from memory.service import Memory
from memory.store import Pen
from memory.vector_table import text_key

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TENANT = "acme"
EACH = 100
"""Memories a person."""
WORDS = [
    "harbour", "lantern", "orchard", "granite", "pepper", "violin", "meadow", "cobalt", "ferry", "walnut", "copper",
    "saddle", "tundra", "quartz", "basil", "thimble", "gravel", "juniper", "marble", "anchor", "barley", "canyon",
    "ember", "falcon", "glacier", "hazel", "island", "jasper", "kettle", "linen",
]  # fmt: skip
_TOGETHER = 50
"""People a transaction."""
_PRAGMAS = ("synchronous=OFF", "cache_size=-400000", "wal_autocheckpoint=20000")


class Synthetic:
    """A vector for each text, from its checksum: nothing is downloaded and nothing takes long."""

    fingerprint = "synthetic/32"
    dimension = 32

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A unit vector for each text."""
        seeds = [np.random.PCG64(zlib.crc32(text.encode())) for text in texts]
        rows = np.stack([np.random.Generator(seed).standard_normal(self.dimension, dtype=np.float32) for seed in seeds])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    def question(self, text: str) -> Vectors:
        """The vector of a question."""
        return np.asarray(self.passages([text])[0])


def scope_of(number: int) -> Scope:
    """The pool of one of the people."""
    return Scope.user(TENANT, f"u{number:05}")


def told_by(number: int) -> Iterator[Remembered]:
    """One person's memories: one in twenty critical, one in ten a relation; of every tenth person some unused or over."""
    chance = random.Random(number)
    for each in range(EACH):
        days = 200 if number % 10 == each % 10 == 3 else chance.randint(1, 60)
        over = number % 10 == 3 and each % 50 == 9
        yield _memory(number, each, chance.sample(WORDS, 3), NOW - timedelta(days=days), over=over)


def _memory(number: int, each: int, words: Sequence[str], said: datetime, *, over: bool) -> Remembered:
    one, two, three = words
    numbered = number * EACH + each
    related = f"{one.title()}{numbered} works on {two.title()}"
    content = related if each % 10 == 4 else f"prefers the {one} {two} beside {three} {numbered}"
    importance: Importance = "critical" if each % 20 == 7 else "normal"
    return Remembered(
        memory_id=derived_id("mem", str(numbered)), kind="semantic", category="preference", content=content, slot=None,
        value=None, polarity=True, topic=None, importance=importance, confidence=0.9, valid_from=None, valid_to=None,
        recorded_at=said, last_accessed_at=None, access_count=0, expires_at=NOW - timedelta(days=1) if over else None,
        status="current", version=1, replaced_by=None, replaces=None, rule="imported", episode=None,
        sources=(Source(thread_id="t", message_id=f"m{each}", quote=content, speaker="user", said_at=said),),
    )  # fmt: skip


def fill(memory: Memory, people: int) -> None:
    """Write the memories of that many people; nothing is held in memory but the people of one transaction."""
    engine, embedder = memory.engine, Synthetic()
    event.listen(engine, "connect", _hurried)
    engine.dispose()
    for first in range(0, people, _TOGETHER):
        with writing(engine) as connection:
            for number in range(first, min(first + _TOGETHER, people)):
                _fill_one(embedder, Pen(connection, scope_of(number).pool, NOW, embedder.fingerprint), number)
    event.remove(engine, "connect", _hurried)
    engine.dispose()


def _fill_one(embedder: Synthetic, pen: Pen, number: int) -> None:
    told = list(told_by(number))
    vectors = embedder.passages([each.content for each in told])
    embedded = dict(zip((text_key(each.content) for each in told), vectors, strict=True))
    store.open_pool(pen.connection, pen.pool)
    with_vectors = Pen(pen.connection, pen.pool, pen.now, pen.fingerprint, embedded=embedded)
    transfer.take_in(with_vectors, told, actor="user")


def _hurried(connection: Any, record: object) -> None:  # noqa: ARG001
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()
