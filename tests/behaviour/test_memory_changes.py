"""Changes of mind and taking back: what is over is archived with its link, what holds now is current."""

from pathlib import Path

import pytest

from memory.model import Message
from memory.service import Memory
from tests.telling import LIN, at, open_memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path)


def hear(memory: Memory, *texts: str) -> list[str]:
    statuses: list[str] = []
    for number, text in enumerate(texts):
        when = at(days=number)
        told = memory.observe(LIN, [Message(f"m{number}", f"t{number}", "user", text, when)], now=when)
        statuses += [each.status for each in told]
    return statuses


CHANGES = [
    ("I like tea.", "I used to like tea, but now I prefer coffee.", "coffee", True),
    ("I like cats.", "I've changed my mind about cats. What I like now is cats, including Sphynx.", "cats, including Sphynx", True),  # noqa: E501
    ("I like yoga.", "Instead of yoga, I now enjoy power yoga.", "power yoga", True),
    ("I dislike opera.", "I've come around to opera: these days I love opera.", "opera", True),
    ("I hate slasher films.", "Let me correct something: it's not slasher films I dislike but war films.", "war films", False),  # noqa: E501
    ("I love rock music.", "I no longer enjoy rock music, I actually dislike rock music now.", "rock music", False),
    ("I like coffee.", "I don't drink coffee anymore, I drink tea now.", "tea", True),
    ("I dislike opera.", "It turns out I actually like opera.", "opera", True),
    ("我喜欢可乐", "我以前喜欢可乐，现在更喜欢茶", "茶", True),
    ("我讨厌爬山", "我不再讨厌爬山了，现在喜欢爬山", "爬山", True),
    ("我喜欢恐怖片", "我对恐怖片改主意了：现在不喜欢恐怖片了", "恐怖片", False),
]  # fmt: skip


@pytest.mark.parametrize(("before", "change", "value", "likes"), CHANGES)
def test_a_change_of_mind_replaces_what_it_names_and_links_both_ways(
    memory: Memory, before: str, change: str, value: str, likes: bool
) -> None:
    assert hear(memory, before, change) == ["stored", "superseded"]
    (new,) = memory.current(LIN)
    assert (new.value, new.polarity) == (value, likes)
    old = memory.show(LIN, str(new.replaces))
    assert (old.status, old.replaced_by) == ("superseded", new.memory_id)
    assert old.valid_to == at(days=1)
    assert memory.undo(LIN, new.memory_id).memory_id == old.memory_id


def test_a_change_of_mind_leaves_other_tastes_alone(memory: Memory) -> None:
    hear(memory, "I like black tea.", "I like green apples.", "I used to like black tea, but now I prefer coffee.")
    assert {each.value for each in memory.current(LIN)} == {"green apples", "coffee"}


@pytest.mark.parametrize(
    "text",
    [
        "I used to like tea.",
        "Imagine I no longer liked tea and preferred coffee.",
        "Just kidding, I used to like tea but now I prefer coffee.",
        '"I used to like tea, but now I prefer coffee," she said.',
        "Do you think I used to like tea?",
    ],
)
def test_what_only_sounds_like_a_change_replaces_nothing(memory: Memory, text: str) -> None:
    hear(memory, "I like tea.", text)
    assert "tea" in [each.value for each in memory.current(LIN)]
    assert "coffee" not in [each.value for each in memory.current(LIN)]


def test_said_again_more_firmly_is_the_same_preference(memory: Memory) -> None:
    assert hear(memory, "I like jazz.", "I still like jazz, more than ever.") == ["stored", "reinforced"]


@pytest.mark.parametrize(
    ("facts", "wish", "left"),
    [
        (("I like horror films.", "I dislike slasher films."), "Forget what I told you about disliking slasher films.", {"horror films"}),  # noqa: E501
        (("I like films.", "I like cookbooks with rich recipes."), "Please remove my preference for cookbooks with rich recipes from your memory.", {"films"}),  # noqa: E501
        (("我喜欢香菜", "我讨厌香菇"), "把我讨厌香菇的记忆删掉", {"香菜"}),
        (("我喜欢瑜伽", "我喜欢爬山"), "忘掉我喜欢瑜伽这件事", {"爬山"}),
        (("我喜欢瑜伽", "我喜欢爬山"), "删掉我喜欢瑜伽的记录", {"爬山"}),
        (("I like tea.", "I like films."), "I don't want you to remember that I like tea.", {"films"}),
    ],
)  # fmt: skip
def test_the_taste_that_is_named_is_forgotten_and_no_other(
    memory: Memory, facts: tuple[str, ...], wish: str, left: set[str]
) -> None:
    assert hear(memory, *facts, wish)[-1] == "forgotten"
    assert {each.value for each in memory.current(LIN)} == left
