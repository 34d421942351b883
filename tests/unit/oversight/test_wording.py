"""Words and names are the same however they are written; how sure a model is can be said in several ways."""

import pytest

from oversight.guarded import signature_of
from oversight.self_report import by_tokens, report_in, report_of
from oversight.wording import contains, listed


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("给他回扣", "回扣", True),
        ("回 扣", "回扣", True),
        ("class action", "ass", False),
        ("A BRIBE!", "bribe", True),
        ("ｂｒｉｂｅ", "bribe", True),
        ("anything", "", False),
    ],
)
def test_a_word_is_found_as_a_word(text: str, word: str, found: bool) -> None:
    assert contains(text, word) is found


@pytest.mark.parametrize(
    ("name", "found"), [("Chen", True), ("CHEN ", True), ("li@corp.cn", True), ("li@corp.cn.evil.com", False)]
)
def test_a_recipient_is_on_the_list_by_name_or_domain(name: str, found: bool) -> None:
    assert listed(name, ("chen", "@corp.cn")) is found


@pytest.mark.parametrize(
    ("said", "share"),
    [(0.6, 0.6), ("0.6", 0.6), ("60%", 0.6), (60, 0.6), (1, 1.0), ("high", None), (-1, None), (None, None)],
)
def test_a_report_is_a_share_or_nothing(said: object, share: float | None) -> None:
    assert report_of({"confidence": said}, {})[1].confidence == share


def test_a_tools_own_argument_of_that_name_is_no_report() -> None:
    kept, report = report_of({"confidence": 0.1, "doubts": ["x"]}, {"confidence": {}})
    assert (kept, report.confidence, report.doubts) == ({"confidence": 0.1}, None, ("x",))


def test_the_lower_of_report_and_tokens_stands_and_nobody_is_sure_by_saying_nothing() -> None:
    _, report = report_in("Yes.\nConfidence: 0.9")
    assert report.beside(by_tokens({"logprobs": {"content": [{"logprob": -1.0}]}})) == pytest.approx(0.3679, abs=1e-4)
    assert report.beside(by_tokens({})) == 0.9
    assert report_in("confidence is a virtue")[1].beside(None) == 1.0


def test_a_signature_is_the_same_however_the_arguments_are_written() -> None:
    one = signature_of("pay", {"to": "Wang ", "amount": 20_000})
    assert one == signature_of("pay", {"amount": 20_000.0, "to": " Wang"})
    assert one != signature_of("pay", {"to": "Wang", "amount": 20_001})
