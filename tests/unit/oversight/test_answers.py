import json
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents.middleware.human_in_the_loop import ActionRequest, DecisionType, HITLRequest, ReviewConfig

from oversight.action import ALL_DECISIONS, Action, Fired, Verdict
from oversight.answer import Answer, AnswerError, parse_answer
from oversight.question import both_languages, in_language, question_about, refused

FIRED = Fired(kind="guardrail", rule="tax_id", message={"zh": "税号", "en": "tax id"})
QUESTION = question_about(
    Action(name="book", args={"seller_tax_id": "12", "total": "5.00"}, confidence=0.5),
    Verdict(fired=(FIRED,)),
    review_id="rev_1",
    description="Book it?",
    editable=("seller_tax_id", "total"),
    evidence={"file": "a.xml"},
)


@pytest.mark.parametrize(
    "raw",
    [
        {"decisions": [{"type": "approve"}]},
        {"type": "approve"},
        [{"type": "accept", "args": None}],
        {"type": "accept"},
        "approve",
        " Approve ",
        "同意",
        "批准：特殊业务",
        '{"decisions": [{"type": "approve"}]}',
        '[{"type": "accept", "args": null}]',
    ],
)
def test_an_approval_is_understood_in_every_shape_that_screens_send(raw: Any):
    assert parse_answer(raw, QUESTION).kind == "approve"


@pytest.mark.parametrize(
    "raw",
    [
        {"decisions": [{"type": "reject", "message": "forged"}]},
        {"type": "reject", "reason": "forged"},
        {"type": "reject", "args": "forged"},
        "reject: forged",
        "驳回：forged",
    ],
)
def test_a_rejection_keeps_its_reason(raw: Any):
    assert parse_answer(raw, QUESTION) == Answer(kind="reject", reason="forged")


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "edit", "edited_action": {"name": "book", "args": {"seller_tax_id": "34", "total": "5.00"}}},
        [{"type": "edit", "args": {"action": "book", "args": {"seller_tax_id": "34"}}}],
        {"type": "edit", "args": {"seller_tax_id": 34}},
        json.dumps({"type": "edit", "edits": {"seller_tax_id": "34"}}),
    ],
)
def test_an_edit_keeps_only_what_it_changes_as_text(raw: Any):
    assert parse_answer(raw, QUESTION).edits == {"seller_tax_id": "34"}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (None, "no decision"),
        ("", "empty"),
        ({}, "no decision"),
        ([], "0 were given"),
        (0, "no decision"),
        (False, "no decision"),
        ({"decisions": []}, "0 were given"),
        ({"decisions": [{"type": "approve"}, {"type": "reject", "message": "x y"}]}, "2 were given"),
        ({"type": "aprove"}, "no decision"),
        ({"type": "reject"}, "needs a reason"),
        ({"type": "reject", "message": " "}, "needs a reason"),
        ({"type": "reject", "message": ["x"]}, "must be a text"),
        ({"type": "respond"}, "needs a text"),
        ({"type": "edit"}, "needs the changed values"),
        ({"type": "edit", "args": {"total": "5.00"}}, "changes nothing"),
        ({"type": "edit", "args": {"buyer": "x"}}, "can't be edited"),
        ({"type": "edit", "args": {"total": {"x": 1}}}, "must be a text"),
        ("{not json", "isn't any"),
        ("[" * 10_000, "isn't any"),
    ],
)
def test_an_answer_that_states_too_little_is_refused_with_what_is_missing(raw: Any, says: str):
    with pytest.raises(AnswerError, match=says):
        parse_answer(raw, QUESTION)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)


@given(json_values | st.dictionaries(st.sampled_from(["type", "args", "decisions", "message", "edits"]), json_values))
def test_no_answer_whatever_it_holds_raises_anything_but_a_refusal(raw: Any):
    try:
        kind = parse_answer(raw, QUESTION).kind
    except AnswerError:
        return
    assert kind in ALL_DECISIONS


def test_a_decision_that_is_not_offered_is_refused():
    config = {**QUESTION["review_configs"][0], "allowed_decisions": ["reject"]}
    with pytest.raises(AnswerError, match="not allowed here"):
        parse_answer("approve", {**QUESTION, "review_configs": [config]})


def test_the_question_is_langchains_request_with_keys_of_our_own_beside_it():
    assert set(get_type_hints(HITLRequest)) <= set(QUESTION)
    assert set(QUESTION["action_requests"][0]) <= set(get_type_hints(ActionRequest))
    assert set(QUESTION["review_configs"][0]) <= set(get_type_hints(ReviewConfig))
    assert set(QUESTION["review_configs"][0]["allowed_decisions"]) <= set(get_args(DecisionType))
    assert len(QUESTION["action_requests"]) == len(QUESTION["review_configs"]) == 1
    json.dumps(QUESTION)


def test_a_refusal_is_said_once_in_the_next_question():
    again = refused(refused(QUESTION, "first"), "second")
    assert again["refused"] == "second"
    assert "first" not in again["action_requests"][0]["description"]
    assert again["digest"] == QUESTION["digest"]


def test_a_reason_in_two_languages_is_read_in_one():
    text = both_languages(("税号", "tax id"), ("日期", "date"))
    assert in_language(text, "zh") == "税号；日期"
    assert in_language(text, "en") == "tax id; date"
    assert in_language("only one", "zh") == "only one"
