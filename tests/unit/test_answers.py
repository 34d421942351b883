"""What a message means as the answer to an open question, in Chinese and English."""

import pytest

from memory.answers import chooses, confirms, picks, yes_or_no


@pytest.mark.parametrize("text", ["是的。", "对，改吧", "好的", "嗯", "Yes", "yes please", "sure, go ahead", "OK!"])
def test_a_yes(text: str) -> None:
    assert yes_or_no(text) is True


@pytest.mark.parametrize("text", ["不", "不用了", "不是，别改", "算了吧", "No", "no, keep it", "never mind"])
def test_a_no(text: str) -> None:
    assert yes_or_no(text) is False


@pytest.mark.parametrize("text", ["", "今天天气不错", "是小林说的", "no idea what to eat", "好吃的店", "对芒果过敏"])
def test_neither(text: str) -> None:
    assert yes_or_no(text) is None


@pytest.mark.parametrize("text", ["确认", "确定。", "是的，全部忘掉", "yes", "Yes, delete everything", "I confirm"])
def test_a_firm_yes_confirms(text: str) -> None:
    assert confirms(text)


@pytest.mark.parametrize("text", ["好的", "嗯", "ok", "可以吧？", "确认一下天气", "yes or no?", "是谁", ""])
def test_a_passing_yes_confirms_nothing(text: str) -> None:
    assert not confirms(text)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("过道", True),
        ("改成过道", True),
        ("还是靠窗吧", False),
        ("靠窗和过道都行", None),
        ("过道吗？", None),
        ("随便", None),
    ],
)
def test_naming_one_of_two_chooses_it(text: str, choice: bool | None) -> None:
    assert chooses(text, ["我喜欢过道", "过道"], ["我喜欢靠窗", "靠窗"]) is choice


@pytest.mark.parametrize(
    ("text", "index"), [("第二条", 1), ("2", 1), ("the first one", 0), ("芒果", 0), ("第五个", None), ("都行", None)]
)
def test_one_of_several_is_picked_by_number_or_words(text: str, index: int | None) -> None:
    assert picks(text, ["我对芒果过敏", "我对花生过敏"]) == index
