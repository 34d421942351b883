"""What a person is asked: as it was, as LangChain's types say, as Agent Inbox shows it; any form of answer is taken."""

import json
from typing import Any

import pytest
from langchain.agents.middleware.human_in_the_loop import HITLRequest, HITLResponse
from pydantic import ConfigDict, TypeAdapter, with_config

from oversight.answer import Answer, parse_answer
from tests.support.agent_inbox import sent, shown
from tests.support.payloads import GOLDEN, payloads, settled

_NAMES = ("invoice", "refused", "memory", "tool")
_OURS = {"review_id", "triggers", "confidence", "evidence", "digest", "precedents", "refused", "round"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return payloads(tmp_path_factory.mktemp("payloads"))


def golden(name: str) -> dict[str, Any]:
    return dict(json.loads((GOLDEN / f"{name}.json").read_text("utf-8")))


@pytest.mark.parametrize("name", _NAMES)
def test_the_question_is_what_it_was(made: dict[str, dict[str, Any]], name: str) -> None:
    """Where it is meant to change, `python -m tests.support.payloads` writes it anew."""
    assert settled(made[name]) == (GOLDEN / f"{name}.json").read_text("utf-8")


@pytest.mark.parametrize("name", _NAMES)
def test_case_38_the_question_is_langchains_request_and_our_own_keys(name: str) -> None:
    value = golden(name)
    TypeAdapter(HITLRequest).validate_python(value, strict=True)
    (request,), (config,) = value["action_requests"], value["review_configs"]
    assert "arguments" not in request
    assert config["action_name"] == request["name"]
    own = set(value) - {"action_requests", "review_configs"}
    assert own == set() if name == "memory" else own >= _OURS


@pytest.mark.parametrize("name", _NAMES)
def test_case_38_agent_inbox_shows_the_question(name: str) -> None:
    value = golden(name)
    page = shown(value)
    assert page.action_request.action == value["action_requests"][0]["name"]
    assert page.description == value["action_requests"][0]["description"]
    assert page.config.allow_accept
    assert page.config.allow_respond


def test_an_answer_refused_says_why_where_every_screen_shows_it() -> None:
    value = golden("refused")
    assert value["refused"]
    assert "The last answer was not taken" in shown(value).description


_EDIT = {"seller_tax_id": "91990000631706691H"}
_WORD = {"name": "book_invoice", "args": _EDIT}
_REJECT, _RESPOND = {"type": "reject", "message": "forged"}, {"type": "respond", "message": "why?"}
_TAKEN: list[tuple[str, Any, Answer]] = [
    ("langchain approve", {"decisions": [{"type": "approve"}]}, Answer(kind="approve")),
    ("langchain edit", {"decisions": [{"type": "edit", "edited_action": _WORD}]}, Answer(kind="edit", edits=_EDIT)),
    (
        "langchain reject",
        {"decisions": [{"type": "reject", "message": "forged"}]},
        Answer(kind="reject", reason="forged"),
    ),
    (
        "langchain respond",
        {"decisions": [{"type": "respond", "message": "why?"}]},
        Answer(kind="respond", reason="why?"),
    ),
    ("bare", {"type": "approve"}, Answer(kind="approve")),
    ("a list of one", [{"type": "approve"}], Answer(kind="approve")),
    ("a word", "approve", Answer(kind="approve")),
    ("a Chinese word", "同意", Answer(kind="approve")),
    ("a word and a reason", "reject: forged", Answer(kind="reject", reason="forged")),
    ("JSON as text", '{"decisions": [{"type": "approve"}]}', Answer(kind="approve")),
    ("inbox accept", "accept", Answer(kind="approve")),
    ("inbox edit", "edit", Answer(kind="edit", edits=_EDIT)),
    ("inbox response", "response", Answer(kind="respond", reason="which contract?")),
    ("inbox ignore", "ignore", Answer(kind="reject", reason="ignored in the inbox")),
]


@pytest.mark.parametrize(("name", "given", "meant"), _TAKEN, ids=[one[0] for one in _TAKEN])
def test_every_form_of_answer_goes_through_one_parser(name: str, given: Any, meant: Answer) -> None:
    question = golden("invoice")
    if name.startswith("inbox"):
        given = sent(shown(question), given, text="which contract?", changes=_EDIT)
    if name.startswith("langchain"):
        TypeAdapter(with_config(ConfigDict(extra="forbid"))(HITLResponse)).validate_python(given)
    assert parse_answer(given, question) == meant
