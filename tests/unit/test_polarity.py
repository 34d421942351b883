import pytest

from memory.polarity import agree, contradict, statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("可以给我发短信", "不可以给我发短信"),
        ("I eat pork", "I don't eat pork"),
        ("She eats pork", "She doesn't eat pork"),
        ("You are allowed to text me", "You are not allowed to text me"),
        ("You can text me", "You can’t text me"),
        ("You may text me", "You must not text me"),
        ("爱吃川菜", "现在讨厌川菜"),
        ("我喜欢 Vue", "我不喜欢 Vue"),
        ("I hate loud places", "I love loud places"),
        ("禁止给我发短信", "可以给我发短信"),
        ("I eat meat", "I no longer eat meat"),
    ],
)
def test_a_statement_contradicts_its_denial(one: str, other: str) -> None:
    assert contradict(statement(one), statement(other))
    assert not agree(statement(one), statement(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("不断改进", "持续改进"),
        ("这家店不错", "这家店错"),
        ("我的目标是周游世界", "周末常吃夜宵"),
        ("I don't eat pork", "I eat beef"),
        ("我以前住北京", "我现在住北京"),
        ("I was a teacher", "I am a teacher"),
        ("", ""),
    ],
)
def test_what_only_looks_like_a_denial_contradicts_nothing(one: str, other: str) -> None:
    assert not contradict(statement(one), statement(other))
    assert not agree(statement(one), statement(other))


@pytest.mark.parametrize(
    ("one", "other"), [("我真的很喜欢爬山", "我喜欢爬山"), ("I really love hiking!", "I love hiking")]
)
def test_filling_words_change_nothing(one: str, other: str) -> None:
    assert agree(statement(one), statement(other))


def test_a_sign_that_the_reader_took_out_counts() -> None:
    assert contradict(statement("pork", positive=False), statement("pork"))
