"""Forget-me is asked twice, as a review of the person's own; only his yes does it, whatever door it comes through."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.types import Command

from foundation.database import reading
from oversight.reviews import ReviewStatus, find_review, list_reviews, winning_decision
from remembrancer.chat import Chat, open_chat
from remembrancer.settings import Settings
from tests.talking import Conversation, conversation

WISH = "忘记所有关于我的事"


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Conversation]:
    with conversation(tmp_path) as talk:
        yield talk


def asked(talk: Conversation) -> dict:
    """The question at which the thread stops."""
    talk.say("我叫小林")
    talk.say(WISH)
    (question,) = talk.graph.get_state(talk.config("t1", "lin")).interrupts
    return dict(question.value)


def test_the_second_confirmation_is_a_review_for_the_person_himself(talk: Conversation) -> None:
    question = asked(talk)
    assert question["review_configs"][0]["allowed_decisions"] == ["approve", "reject"]
    with reading(talk.services.engine) as connection:
        (review,) = list_reviews(connection, "acme")
        assert (review.audience, review.action, review.risk) == ("person:lin", "memory.forget_me", 3)
        assert review.review_id == question["review_id"]
    assert talk.current() == ["我叫小林"]


@pytest.mark.parametrize("yes", ["确认", {"decisions": [{"type": "approve"}]}, [{"type": "accept", "args": None}]])
def test_a_yes_in_any_form_forgets_everything_and_closes_the_review(talk: Conversation, yes: object) -> None:
    question = asked(talk)
    turn = talk.answer(yes)
    assert turn.state["receipt"]["counts"]["memories"] == [1, 0]
    assert talk.current() == []
    with reading(talk.services.engine) as connection:
        review = find_review(connection, "acme", question["review_id"])
        decision = winning_decision(connection, "acme", review.review_id)
    assert review.status is ReviewStatus.APPLIED
    assert decision is not None
    assert (decision.kind, decision.decided_by) == ("approve", "lin")
    assert talk.services.journal.verify("acme").fault == ""


@pytest.mark.parametrize("other", ["好的", "不", "今天天气怎么样", {"type": "reject", "message": "no"}, [], 7, None])
def test_anything_else_cancels_and_deletes_nothing(talk: Conversation, other: object) -> None:
    question = asked(talk)
    turn = talk.answer(other if other is not None else "")
    assert turn.state["receipt"] is None
    assert turn.state["open"] is None
    assert talk.current() == ["我叫小林"]
    with reading(talk.services.engine) as connection:
        assert find_review(connection, "acme", question["review_id"]).status is ReviewStatus.APPLIED
        assert list_reviews(connection, "acme") == []


def test_a_strangers_yes_leaves_the_question_open(talk: Conversation) -> None:
    question = asked(talk)
    talk.graph.invoke(Command(resume="确认"), talk.config("t1", "wang"))
    assert talk.current() == ["我叫小林"]
    (again,) = talk.graph.get_state(talk.config("t1", "lin")).interrupts
    assert again.value["review_id"] == question["review_id"]
    assert talk.answer("确认").state["receipt"] is not None


def say(chat: Chat, text: str) -> str:
    return "".join(chat.say(text))


def test_in_the_chat_another_sentence_cancels_and_is_heard_all_the_same(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path / "home", embedder="none", lang="zh", tenant="acme")
    with open_chat(settings, user="lin") as chat:
        say(chat, "我叫小林")
        assert "真的" in say(chat, WISH)
        told = say(chat, "我对芒果过敏")
        assert "已取消" in told
        assert "芒果" in told
        assert {each.content for each in chat.memory.current(chat.scope)} == {"我叫小林", "我对芒果过敏"}
        say(chat, WISH)
        told = say(chat, "确认")
        assert "已删除关于你的一切" in told
        assert "找不到一个字" in told
        assert chat.memory.current(chat.scope) == []
    assert not any("芒果".encode() in file.read_bytes() for file in settings.home.rglob("*") if file.is_file())
