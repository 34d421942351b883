"""With REMEMBRANCER_MASK_FOR_MODEL a model sees placeholders, and its answers come back in plain words."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from remembrancer.models import chat_model
from remembrancer.settings import Settings
from tests.scripted_model import Reply, scripted_model

PHONE, CARD = "13800000000", "4111111111111111"


class Contact(BaseModel):
    """A contact."""

    phone: str


def settings(url: str) -> Settings:
    return Settings(openai_base_url=url, mask_for_model=True, _env_file=None)  # type: ignore[call-arg]


def test_nothing_personal_goes_out_and_the_answer_is_readable() -> None:
    with scripted_model([Reply(text="我会打给⟦phone 1⟧，扣款卡是⟦card 2⟧")]) as model:
        chat = chat_model(settings(model.url))
        assert chat
        said = [
            HumanMessage(f"我的手机是{PHONE}，卡号{CARD}"),
            AIMessage("", tool_calls=[{"name": "call", "args": {"to": PHONE}, "id": "c1"}]),
            ToolMessage(f"打过{PHONE}了", tool_call_id="c1"),
            HumanMessage([{"type": "text", "text": f"再打一次{PHONE}"}]),
        ]
        answer = chat.call(lambda it: it.invoke(said))
    sent = json.dumps(model.requests, ensure_ascii=False)
    assert answer.text == f"我会打给{PHONE}，扣款卡是{CARD}"
    assert PHONE not in sent
    assert CARD not in sent
    assert sent.count("⟦phone 1⟧") == 4


@pytest.mark.parametrize("method", ["function_calling", "json_schema", "json_mode"])
def test_structured_answers_and_tool_calls_come_back_in_plain_words(method: str) -> None:
    given = {"phone": "⟦phone 1⟧"}
    reply = Reply(tools=(("Contact", given),)) if method == "function_calling" else Reply(text=json.dumps(given))
    with scripted_model([reply]) as model:
        chat = chat_model(settings(model.url))
        assert chat
        found = chat.call(lambda it: it.with_structured_output(Contact, method=method).invoke(f"json: 手机{PHONE}"))
    assert found == Contact(phone=PHONE)
    assert PHONE not in json.dumps(model.requests)


def test_a_stream_comes_whole_so_that_no_placeholder_is_cut() -> None:
    with scripted_model([Reply(text="打⟦phone 1⟧")]) as model:
        chat = chat_model(settings(model.url))
        assert chat
        pieces = chat.call(lambda it: [piece.text for piece in it.stream(f"手机{PHONE}")])
    assert "".join(pieces) == f"打{PHONE}"
