"""The assistant acts: what is risky, forbidden, stuck or unsure waits, and each answer does what it says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from foundation.database import reading
from memory.scope import Scope
from nodes.remembering import remember_decisions
from oversight.brake import pull
from oversight.guarded import guarded
from oversight.precedents import unremembered
from tests.scripted_model import Reply
from tests.support.acting import APPROVE, REJECT, Acting, acting, answers, calls, edit


@pytest.fixture
def it(tmp_path: Path) -> Iterator[Acting]:
    with acting(tmp_path) as it:
        yield it


LARGE = calls("transfer", to="Wang", amount=20_000)
ASKED = {"zh": "给老王转两万", "en": "Send Wang twenty thousand"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_large_transfer_waits_with_its_reason_and_approval_runs_it_once(it: Acting, lang: str) -> None:
    it.say(ASKED[lang], LARGE)
    assert it.fired == [("high_stakes", "amount_limit")]
    question = it.question or {}
    assert {"zh": "20,000.00 达到或超过限额 500.00", "en": "20,000.00 is at or over"}[lang] in question["triggers"][0][
        "message"
    ][lang]
    assert question["action_requests"][0]["args"] == {"to": "Wang", "amount": 20_000.0, "note": ""}
    assert question["evidence"]["asked_for"] == ASKED[lang]
    assert it.deeds.done == []
    done = it.answer(APPROVE, answers("已转" if lang == "zh" else "Sent."))
    assert it.deeds.done == ["20000 to Wang"]
    assert done.reply == {"zh": "已转", "en": "Sent."}[lang]
    assert it.question is None


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_edited_transfer_runs_as_edited(it: Acting, lang: str) -> None:
    it.say(ASKED[lang], LARGE)
    it.answer(edit("transfer", amount="400"), answers("ok"))
    assert it.deeds.done == ["400 to Wang"]
    changed = {"zh": "有人改动了这次调用", "en": "A person changed the call"}[lang]
    assert changed in it.told()[0]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_rejected_transfer_never_runs_and_the_model_learns_why(it: Acting, lang: str) -> None:
    it.say(ASKED[lang], LARGE)
    done = it.answer(REJECT, answers("I didn't."))
    assert it.deeds.done == []
    (told,) = it.told()
    assert "he left the company" in told
    assert {"zh": "拒绝了", "en": "refused it"}[lang] in told
    assert done.reply == "I didn't."


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_response_stands_in_place_of_the_tool(it: Acting, lang: str) -> None:
    it.say(ASKED[lang], LARGE)
    it.answer({"type": "respond", "message": "paid in cash yesterday"}, answers("It was paid."))
    assert it.deeds.done == []
    assert it.told() == ["paid in cash yesterday"]


@pytest.mark.parametrize(
    ("reply", "rule"),
    [(calls("delete_records", table="orders"), "deletion"), (calls("sign", document="lease"), "signing")],
)
@pytest.mark.parametrize(
    ("answer", "effect"), [(APPROVE, 1), (REJECT, 0), ({"type": "respond", "message": "done by hand"}, 0)]
)
def test_a_deletion_and_a_signature_always_ask(it: Acting, reply: Reply, rule: str, answer: Any, effect: int) -> None:
    it.say("Clean up, please", reply)
    assert it.fired == [("high_stakes", rule)]
    assert it.deeds.done == []
    it.answer(answer, answers("ok"))
    assert len(it.deeds.done) == effect


def test_an_edited_deletion_deletes_what_was_edited(it: Acting) -> None:
    it.say("Clean up, please", calls("delete_records", table="orders"))
    it.answer(edit("delete_records", table="drafts"), answers("ok"))
    assert it.deeds.done == ["deleted drafts"]


LOOK_UP = calls("look_up", what="9137")


@pytest.mark.parametrize("answer", [APPROVE, REJECT, {"type": "respond", "message": "it is 42"}], ids=["a", "r", "o"])
def test_case_41_a_failing_call_asks_at_the_third_time_before_it_runs(it: Acting, answer: dict[str, str]) -> None:
    it.say("Look up 9137", LOOK_UP, LOOK_UP, LOOK_UP)
    assert it.deeds.done == ["looked up 9137"] * 2
    assert it.fired == [("loop", "same_again")]
    assert it.record().args == {"what": "9137"}
    it.answer(answer, answers("I can't find it."))
    assert len(it.deeds.done) == (3 if answer is APPROVE else 2)
    assert it.told()[-1] == ("it is 42" if answer["type"] == "respond" else it.told()[-1])


def test_case_41_an_edit_leads_out_of_the_loop(it: Acting) -> None:
    it.say("Look up 9137", LOOK_UP, LOOK_UP, LOOK_UP)
    it.answer(edit("look_up", what="9138"), answers("ok"))
    assert it.deeds.done[-1] == "looked up 9138"


def test_case_41_an_equal_call_without_a_new_result_asks_at_the_third_time(it: Acting) -> None:
    sunny = calls("weather", town="Suzhou")
    it.say("Weather?", sunny, sunny, sunny)
    assert it.fired == [("loop", "same_again")]


def test_case_35_the_repeat_of_a_rejected_call_is_blocked_and_the_third_asks_again(it: Acting) -> None:
    it.say("Pay Wang", LARGE)
    it.answer(REJECT, LARGE, LARGE)
    assert it.deeds.done == []
    assert len(it.told()) == 2
    assert "was refused in this turn" in it.told()[1]
    assert ("loop", "same_again") in it.fired
    it.answer(REJECT, answers("All right, no transfer."))
    assert it.deeds.done == []


def test_case_35_what_was_rejected_asks_in_a_later_turn_even_if_it_would_pass(it: Acting) -> None:
    unsure = calls("transfer", to="Wang", amount=100, confidence=0.3)
    it.say("Pay Wang", unsure)
    assert it.fired == [("low_confidence", "confidence")]
    it.answer(REJECT, answers("All right."))
    it.say("Now do it", calls("transfer", to="Wang", amount=100))
    assert it.fired == [("loop", "refused_before")]
    it.answer(APPROVE, answers("Done."))
    assert it.deeds.done == ["100 to Wang"]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (APPROVE, "Perhaps Go."),
        (edit("answer", text="Certainly Go."), "Certainly Go."),
        ({"type": "respond", "message": "Ask Chen."}, "Ask Chen."),
        (REJECT, "I don't know."),
    ],
    ids=["approve", "edit", "respond", "reject"],
)
def test_an_unsure_answer_is_seen_by_a_person_first(it: Acting, lang: str, answer: Any, reply: str) -> None:
    waiting = it.say({"zh": "用哪种语言？", "en": "Which language?"}[lang], answers("Perhaps Go.", 0.6))
    assert it.fired == [("low_confidence", "confidence")]
    message = (it.question or {})["triggers"][0]["message"][lang]
    assert {"zh": "置信度 0.60 低于 0.80", "en": "Confidence 0.60 is below 0.80"}[lang] in message
    assert "Perhaps Go." not in waiting.reply
    assert it.answer(answer, answers("I don't know.")).reply == reply


def test_several_calls_in_one_message_are_handled_one_after_another(it: Acting) -> None:
    several = Reply(
        tools=(
            ("weather", {"town": "Suzhou", "confidence": 1}),
            ("transfer", {"to": "Wang", "amount": 900, "confidence": 1}),
            ("delete_records", {"table": "orders", "confidence": 1}),
        )
    )
    it.say("Do all of it", several)
    assert it.fired == [("high_stakes", "amount_limit")]
    it.answer(APPROVE)
    assert it.fired == [("high_stakes", "deletion")]
    assert it.deeds.done == ["900 to Wang"]
    it.answer(REJECT, answers("ok"))
    assert it.deeds.done == ["900 to Wang"]
    assert [text.split("\n")[0] for text in it.told()[:2]] == ["sunny in Suzhou", "sent 900 to Wang"]
    sent = [message["role"] for message in it.model.requests[-1]["messages"]]
    assert sent[-4:] == ["assistant", "tool", "tool", "tool"]


def test_safe_tools_run_without_asking(it: Acting) -> None:
    reply = it.say("Weather?", calls("weather", town="Suzhou"), answers("Sunny."))
    assert (reply.reply, it.told()) == ("Sunny.", ["sunny in Suzhou"])


def test_malformed_answers_are_put_back_and_a_good_one_wins(it: Acting) -> None:
    it.say("Pay", LARGE)
    for malformed in (
        "perhaps",
        7,
        [],
        {"decisions": []},
        {"type": "edit", "edited_action": {"args": {"amount": "x"}}},
    ):
        it.answer(malformed)
        assert (it.question or {})["refused"], malformed
    it.answer(edit("sign", document="x"))
    assert "not what is done" in (it.question or {})["refused"]
    it.answer("edit: amount=450, to=Li", answers("ok"))
    assert it.deeds.done == ["450 to Li"]


def test_an_edit_meets_the_triggers_again(it: Acting) -> None:
    it.say("Pay", LARGE)
    it.answer(edit("transfer", amount="30000"))
    assert it.deeds.done == []
    assert "30,000.00" in (it.question or {})["refused"]
    assert (it.question or {})["action_requests"][0]["args"]["amount"] == 30_000
    it.answer(APPROVE, answers("ok"))
    assert it.deeds.done == ["30000 to Wang"]


def test_arguments_that_do_not_fit_are_told_to_the_model_and_not_to_a_person(it: Acting) -> None:
    it.say("Pay", calls("transfer", to="Wang"), calls("launch", rocket=1), calls("sign", paper="x"), answers("Sorry."))
    assert it.deeds.done == []
    assert it.question is None
    assert [("amount" in text, "no tool launch" in text, "no argument paper" in text) for text in it.told()] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_the_same_irreversible_call_twice_in_a_turn_asks(it: Acting) -> None:
    small = calls("transfer", to="Wang", amount=100)
    it.say("Pay", small, small)
    assert it.deeds.done == ["100 to Wang"]
    assert it.fired == [("loop", "done_before")]


def test_a_tool_that_breaks_off_is_told_as_unknown_and_asks_when_it_is_tried_again(tmp_path: Path) -> None:
    runs = []

    def pay(to: str, amount: float) -> str:
        """Pay somebody."""
        runs.append(to)
        raise TimeoutError("no answer within 30 s")

    with acting(tmp_path, more=[guarded(pay, risk="transfer", amount="amount")]) as it:
        again = calls("pay", to="Li", amount=10)
        it.say("Pay Li", again, answers("It broke off."))
        assert "may have happened" in it.told()[0]
        it.say("Try again", again)
        assert runs == ["Li"]
        assert it.fired == [("loop", "done_before")]


@pytest.mark.parametrize("amount", [100, 900])
def test_a_brake_stops_the_next_irreversible_step_until_it_is_released(it: Acting, amount: int) -> None:
    with it.talk.services.journal.transaction() as transaction:
        pull(transaction, "acme", by="wu", why="audit")
    it.say("Pay", calls("transfer", to="Wang", amount=amount))
    if amount == 900:
        it.answer(APPROVE)
    assert it.fired == [("guardrail", "brake")]
    assert it.deeds.done == []
    it.answer(APPROVE, answers("ok"))
    assert it.deeds.done == [f"{amount} to Wang"]


def test_what_is_decided_in_a_conversation_never_becomes_the_companys_memory(it: Acting) -> None:
    it.say("Is my address 7 Lake Road right?", answers("I think 7 Lake Road is right.", 0.5))
    it.answer(edit("answer", text="Yes, 7 Lake Road."))
    remember_decisions(it.talk.services)
    company = Scope.tenant(it.talk.services.tenant)
    assert it.talk.memory.current(company, now=it.talk.clock.now) == []
    with reading(it.talk.services.engine) as connection:
        assert unremembered(connection, it.talk.services.tenant, 9) == []
    it.say("And the town?", answers("Perhaps Suzhou.", 0.5))
    assert (it.question or {})["precedents"] == []


def test_nobody_else_but_a_second_person_decides_where_the_tool_says_so(tmp_path: Path) -> None:
    def wire(amount: float) -> str:
        """Wire money."""
        return "wired"

    tool = guarded(wire, risk="transfer", amount="amount", second_person=True)
    with acting(tmp_path, more=[tool], account="lin") as it:
        it.say("Wire it", calls("wire", amount=900))
        it.answer(APPROVE)
        assert "second person" in (it.question or {})["refused"]


def test_the_window_never_holds_a_call_without_its_answer(it: Acting) -> None:
    for number in range(18):
        it.say(f"Weather in town {number}?", calls("weather", town=f"town {number}"), answers(f"Sunny {number}."))
    for request in it.model.requests:
        _assert_paired(request["messages"])


def _assert_paired(messages: list[dict[str, Any]]) -> None:
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
        else:
            assert waiting == []
            waiting = [call["id"] for call in message.get("tool_calls") or []]
    assert waiting == []


def test_the_model_is_offered_each_tool_with_the_question_how_sure_it_is(it: Acting) -> None:
    it.say("Hello", answers("Hi."))
    offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in it.model.requests[0]["tools"]}
    assert set(offered) == {"transfer", "delete_records", "sign", "look_up", "weather", "answer"}
    assert all("confidence" in parameters["required"] for parameters in offered.values())


def test_when_the_model_fails_after_an_action_the_reply_says_what_was_done(it: Acting) -> None:
    reply = it.say("Pay", calls("transfer", to="Wang", amount=100), Reply(status=500))
    assert "sent 100 to Wang" in reply.reply
    assert isinstance(reply.state["messages"][-1], AIMessage)
