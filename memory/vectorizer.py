"""Embedding what is to be stored and asked, outside any transaction; a failing embedder is noted, never raised."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from foundation.database import reading
from memory.embedders import Embedder, EmbedderError, Vectors
from memory.vector_table import known_vectors, text_key

log = logging.getLogger(__name__)

_QUESTIONS_KEPT = 256
_BATCH = 32


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors by text key; `complete` is False when the embedder failed for some."""

    vectors: dict[str, Vectors]
    complete: bool


class Vectorizer:
    """The embedder with its caches: what the pool holds already, and the last questions of this process."""

    def __init__(self, engine: Engine, embedder: Embedder | None) -> None:
        self._engine = engine
        self.embedder = embedder
        self._questions: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str | None:
        """The embedder's fingerprint; None without one."""
        return self.embedder.fingerprint if self.embedder else None

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; 0 without an embedder."""
        return self.embedder.dimension if self.embedder else 0

    def passages(self, pool: str, texts: Sequence[str]) -> Embedded:
        """The vectors of these texts, those that the pool doesn't hold yet newly made."""
        if self.embedder is None or not texts:
            return Embedded({}, complete=True)
        by_key = {text_key(text): text for text in texts}
        with reading(self._engine) as connection:
            made = known_vectors(connection, pool, list(by_key), self.embedder.fingerprint)
        missing = [key for key in by_key if key not in made]
        for start in range(0, len(missing), _BATCH):
            keys = missing[start : start + _BATCH]
            try:
                made.update(zip(keys, self.embedder.passages([by_key[key] for key in keys]), strict=True))
            except EmbedderError as error:
                log.warning("texts stay without a vector until `doctor`: %s", error)
                return Embedded(made, complete=False)
        return Embedded(made, complete=True)

    def question(self, text: str) -> Vectors | None:
        """The vector of a question; None when there is no embedder.

        Raises:
            EmbedderError: the embedder failed.
        """
        if self.embedder is None:
            return None
        with self._lock:
            if text in self._questions:
                self._questions.move_to_end(text)
                return self._questions[text]
        vector = self.embedder.question(text)
        with self._lock:
            self._questions[text] = vector
            while len(self._questions) > _QUESTIONS_KEPT:
                self._questions.popitem(last=False)
        return vector

    def forget_questions(self) -> None:
        """Drop the questions held in this process."""
        with self._lock:
            self._questions.clear()
