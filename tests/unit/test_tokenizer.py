import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.tokenizer import content_key, is_chinese, tokens


@pytest.mark.parametrize("query", ["口令", "蓝鲸", "测试口令", "鲸"])
def test_a_chinese_query_of_one_to_four_characters_shares_a_token_with_its_text(query: str) -> None:
    assert set(tokens(query)) & set(tokens("专属测试口令是蓝鲸"))


def test_words_are_stemmed_and_stop_words_go() -> None:
    assert tokens("The runners were running to the stations") == ["runner", "run", "station"]


def test_a_code_is_found_whole_and_in_parts() -> None:
    assert {"err-40317", "err", "40317"} <= set(tokens("Error ERR-40317 again"))


def test_mixed_text_keeps_both_scripts() -> None:
    found = tokens("我在Google做PM")
    assert {"googl", "pm"} <= set(found)
    assert "做" in found


def test_full_width_text_meets_ordinary_text() -> None:
    assert tokens("ＡＢＣ１２３") == tokens("abc123")


def test_without_a_dictionary_chinese_still_has_pairs_and_characters() -> None:
    code = (
        "import sys; sys.modules['jieba'] = None\n"
        "from memory.tokenizer import VERSION, tokens\n"
        "print(VERSION, '口令' in tokens('专属测试口令是蓝鲸'))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["2-without-dictionary", "True"]


@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_has_tokens_and_a_key(text: str) -> None:
    assert all(tokens(text))
    assert content_key(text) == content_key(f" {text} ".upper().lower()) or text != text.lower()


_HARD = "ıſßŉǰΐςᾳὖ\u0345\u0301\u0307\u0323aist"
"""Letters whose case has no single partner, and marks that composing moves."""


@given(st.text(alphabet=_HARD, max_size=8).filter(lambda text: text == text.lower()))
def test_capitals_never_change_the_key(text: str) -> None:
    assert content_key(text) == content_key(text.upper()) == content_key(text.upper().lower())


@pytest.mark.parametrize("shouted", ["ISPARTA", "STRASSE"])
def test_a_word_is_found_in_capitals(shouted: str) -> None:
    (written,) = [word for word in ("ısparta", "straße") if word.upper() == shouted]
    assert tokens(written) == tokens(shouted)


@pytest.mark.parametrize(
    ("one", "other"), [("我在杭州，做财务！", "我在杭州 做财务"), ("I live in Berlin.", "i live  in berlin")]
)
def test_the_key_leaves_out_case_spacing_and_punctuation(one: str, other: str) -> None:
    assert content_key(one) == content_key(other)


def test_the_key_keeps_words_apart() -> None:
    assert content_key("I may be") != content_key("I maybe")


@pytest.mark.parametrize(
    ("text", "chinese"), [("我在Google做PM", True), ("I ate 饺子 in the old town", False), ("", False)]
)
def test_the_language_is_that_of_the_letters(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese
