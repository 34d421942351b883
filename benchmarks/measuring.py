"""Where the measuring data lie, and an embedder that keeps its vectors on disk between runs."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.embedders import Embedder, Vectors


def folder() -> Path:
    """The folder of `REMEMBRANCER_CORPUS`, or `../shared/data` beside the project.

    Raises:
        SystemExit: it isn't there.
    """
    found = Path(os.environ.get("REMEMBRANCER_CORPUS", "../shared/data"))
    if not found.is_dir():
        raise SystemExit(f"{found} isn't there: set REMEMBRANCER_CORPUS to the folder with the measuring data")
    return found


def load(name: str) -> object:
    """One JSON file of the corpus."""
    return json.loads((folder() / name).read_text(encoding="utf-8"))


class Kept:
    """An embedder whose vectors are kept in a file, so that a second run measures search and not embedding."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self._embedder = embedder
        self._file = file
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self._known: dict[str, Vectors] = {}
        if file.exists():
            with np.load(file) as stored:
                self._known = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def passages(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in texts if self._key("passage", text) not in self._known]
        for text, vector in zip(missing, self._embedder.passages(missing), strict=True):
            self._known[self._key("passage", text)] = vector
        found = [self._known[self._key("passage", text)] for text in texts]
        return np.stack(found) if found else np.zeros((0, self.dimension), dtype=np.float32)

    def question(self, text: str) -> Vectors:
        key = self._key("question", text)
        if key not in self._known:
            self._known[key] = self._embedder.question(text)
        return self._known[key]

    def save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._file, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))

    def _key(self, role: str, text: str) -> str:
        return hashlib.sha256(f"{self.fingerprint}\n{role}\n{text}".encode()).hexdigest()
