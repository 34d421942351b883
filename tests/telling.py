"""What the tests of memory share: a small deterministic embedder, a moment, and telling something to a memory."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Unpack

import numpy as np
from typing_extensions import TypedDict

from memory.embedders import EmbedderError, Vectors, unit
from memory.model import Category, Episode, Importance, Kind, Message, Outcome, Proposal, Slot, Speaker, Verb
from memory.scope import Scope
from memory.service import Memory
from memory.tokenizer import tokens
from tests.support.databases import database_at

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
LIN = Scope.user("acme", "lin")


def at(minutes: float = 0, *, days: float = 0) -> datetime:
    return START + timedelta(days=days, minutes=minutes)


class WordVectors:
    """An embedder that adds up a fixed random vector for each token: texts with like words lie near."""

    def __init__(self, dimension: int = 64, version: str = "1") -> None:
        self.dimension = dimension
        self.fingerprint = f"words/{version}/{dimension}"
        self.works = True
        self.embedded: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        if not self.works:
            raise EmbedderError("switched off")
        self.embedded += texts
        rows = [sum((self._token(token) for token in tokens(text)), self._token("")) for text in texts]
        return unit(np.array(rows, dtype=np.float32).reshape(-1, self.dimension), self.dimension)

    def question(self, text: str) -> Vectors:
        return np.asarray(self.passages([text])[0])

    def _token(self, token: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(token.encode()).digest()[:8], "big")
        size = 1.0 if token else 0.05
        return np.asarray(size * np.random.default_rng(seed).standard_normal(self.dimension), dtype=np.float32)


def open_memory(folder: Path, embedder: WordVectors | None = None, **options: object) -> Memory:
    return Memory.open(database_at(folder / "memory.db"), embedder=embedder, clock=lambda: START, **options)  # type: ignore[arg-type]


class Said(TypedDict, total=False):
    verb: Verb
    kind: Kind
    category: Category
    importance: Importance
    confidence: float
    slot: Slot | None
    value: str | None
    polarity: bool
    topic: str | None
    explicit: bool
    exception: bool
    valid_from: datetime | None
    expires_at: datetime | None
    episode: Episode | None
    reason: str


def proposal(text: str, **said: Unpack[Said]) -> Proposal:
    usual: Said = {
        "verb": "add",
        "kind": "semantic",
        "category": "preference",
        "importance": "normal",
        "confidence": 0.9,
    }
    return Proposal(content=text, quote=text, rule="told", **(usual | said))


def tell(
    memory: Memory,
    text: str,
    *,
    scope: Scope = LIN,
    when: datetime = START,
    message_id: str = "",
    thread: str = "t1",
    speaker: Speaker = "user",
    **said: Unpack[Said],
) -> Outcome:
    name = message_id or hashlib.sha256(f"{when.isoformat()} {text}".encode("utf-8", "replace")).hexdigest()[:8]
    message = Message(name, thread, speaker, text, when)
    return memory.apply(scope, message, [proposal(text, **said)], now=when)[0]


def found(memory: Memory, query: str, *, scope: Scope = LIN, when: datetime = START) -> list[str]:
    return [each.memory.content for each in memory.search(scope, query, now=when).recollections]


def current(memory: Memory, scope: Scope = LIN, when: datetime = START) -> list[str]:
    return [each.content for each in memory.current(scope, now=when)]
