"""When the assistant asks: amounts, kinds of steps, guardrails and confidence at their limits."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.scripted_model import Reply
from tests.support.acting import LIMITS, Acting, acting, answers, calls


@pytest.fixture
def it(tmp_path: Path) -> Iterator[Acting]:
    with acting(tmp_path) as it:
        yield it


@pytest.mark.parametrize(("confidence", "asks"), [(0.79, True), (0.80, False), ("79%", True), (None, False)])
def test_case_24_confidence_below_the_limit_asks(it: Acting, confidence: Any, asks: bool) -> None:
    reply = it.say("Hello", Reply(tools=(("answer", {"text": "Hi.", "confidence": confidence}),)))
    assert bool(it.question) is asks
    assert (reply.reply == "Hi.") is not asks


@pytest.mark.parametrize(("probability", "asks"), [(-0.5, True), (-0.01, False)])
def test_log_probabilities_of_the_endpoint_count_as_confidence(it: Acting, probability: float, asks: bool) -> None:
    it.say("Hello", Reply("Hi.", logprobs=(probability,) * 4))
    assert bool(it.question) is asks


def test_a_plain_answer_says_how_sure_it_is_in_its_last_line(it: Acting) -> None:
    assert it.say("Hello", Reply("Hi.\nConfidence: 0.9")).reply == "Hi."
    it.say("And?", Reply("Perhaps.\n置信度：0.5"))
    assert it.fired == [("low_confidence", "confidence")]


@pytest.mark.parametrize(("amount", "asks"), [(600, True), (500, True), (400, False)])
def test_case_23_a_transfer_over_the_limit_asks_and_one_below_does_not(it: Acting, amount: int, asks: bool) -> None:
    it.say("Pay Wang", calls("transfer", to="Wang", amount=amount), *([] if asks else [answers("ok")]))
    assert bool(it.question) is asks
    assert bool(it.deeds.done) is not asks


@pytest.mark.parametrize(
    ("limits", "args", "rule"),
    [
        ({"budget": 600}, {"to": "Wang", "amount": 301}, "budget"),
        ({"text_length": 10}, {"to": "Wang", "amount": 1, "note": "a long, long note"}, "text_length"),
        ({"forbidden": ("回扣",)}, {"to": "Wang", "amount": 1, "note": "这是回\u200b扣"}, "forbidden_word"),
        ({"forbidden": ("bribe",)}, {"to": "Wang", "amount": 1, "note": "ＢＲＩＢＥ"}, "forbidden_word"),
        ({"recipients": ("Chen", "@corp.cn")}, {"to": "Wang", "amount": 1}, "recipient"),
    ],
)
def test_case_24_guardrails_ask(tmp_path: Path, limits: dict[str, Any], args: dict[str, Any], rule: str) -> None:
    with acting(tmp_path, replace(LIMITS, **limits)) as it:
        first = calls("transfer", to="chen@corp.cn", amount=300)
        it.say("Pay", first, calls("transfer", **args))
        assert it.deeds.done == ["300 to chen@corp.cn"]
        assert it.fired == [("guardrail", rule)]


@pytest.mark.parametrize("amount", ["NaN", "inf", float("1e30")])
def test_an_amount_that_is_none_asks(it: Acting, amount: Any) -> None:
    it.say("Pay", calls("transfer", to="Wang", amount=amount))
    assert it.deeds.done == []
    assert it.fired == [("high_stakes", "amount_unknown")]
