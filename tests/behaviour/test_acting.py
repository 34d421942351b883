"""The assistant acts: what is risky, forbidden, stuck or unsure waits, and each answer does what it says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException

from foundation.database import reading
from oversight.action import Limits
from oversight.actions import ActionRecord, find_action
from oversight.brake import pull
from oversight.guarded import Toolbox, guarded
from remembrancer.models import chat_model
from remembrancer.settings import load_settings
from tests.scripted_model import Reply, ScriptedModel, scripted_model
from tests.talking import Clock, Conversation, Turn, conversation

LIMITS = Limits(amount=500, confidence=0.8)  # type: ignore[arg-type]


def calls(name: str, confidence: float = 0.95, **args: object) -> Reply:
    return Reply(tools=((name, {**args, "confidence": confidence}),))


def answers(text: str, confidence: float = 0.95) -> Reply:
    return Reply(tools=(("answer", {"text": text, "confidence": confidence}),))


@dataclass
class Deeds:
    """What the tools really did."""

    done: list[str] = field(default_factory=list)

    def tools(self) -> list[BaseTool | Callable[..., Any]]:
        def transfer(to: str, amount: float, note: str = "") -> str:
            """Transfer money."""
            self.done.append(f"{amount:g} to {to}")
            return f"sent {amount:g} to {to}"

        def delete_records(table: str) -> str:
            """Delete the records of a table."""
            self.done.append(f"deleted {table}")
            return f"{table} is empty"

        def sign(document: str) -> str:
            """Sign a document."""
            self.done.append(f"signed {document}")
            return "signed"

        def look_up(what: str) -> str:
            """Look something up."""
            self.done.append(f"looked up {what}")
            raise ToolException("the register does not answer")

        def weather(town: str) -> str:
            """Say what the weather is like."""
            return f"sunny in {town}"

        return [
            guarded(transfer, risk="transfer", amount="amount", recipient="to", text=("note",)),
            guarded(delete_records, risk="deletion"),
            guarded(sign, risk="signing"),
            look_up,
            weather,
        ]


@dataclass
class Acting:
    """A conversation with tools, its scripted model, and what the tools did."""

    talk: Conversation
    model: ScriptedModel
    deeds: Deeds

    def say(self, text: str, *replies: Reply) -> Turn:
        self.model.replies.extend(replies)
        return self.talk.say(text)

    def answer(self, answer: object, *replies: Reply) -> Turn:
        self.model.replies.extend(replies)
        return self.talk.answer(answer)

    @property
    def question(self) -> dict[str, Any] | None:
        """What the thread waits for."""
        found = self.talk.graph.get_state(self.talk.config("t1", "lin")).interrupts
        return dict(found[0].value) if found else None

    @property
    def fired(self) -> list[tuple[str, str]]:
        return [(each["kind"], each["rule"]) for each in (self.question or {"triggers": []})["triggers"]]

    def told(self) -> list[str]:
        """What the tools' messages in the thread say."""
        messages: list[AnyMessage] = self.talk.graph.get_state(self.talk.config("t1", "lin")).values["messages"]
        return [message.text for message in messages if isinstance(message, ToolMessage)]

    def record(self) -> ActionRecord:
        key = (self.question or {})["evidence"]["action"]
        with reading(self.talk.services.engine) as connection:
            return find_action(connection, self.talk.services.tenant, key)


@contextmanager
def acting(folder: Path, limits: Limits = LIMITS, **options: Any) -> Iterator[Acting]:
    deeds = Deeds()
    with scripted_model([]) as model:
        settings = load_settings(_env_file=None, openai_base_url=model.url, model_retries=0)
        box = Toolbox.of([*deeds.tools(), *options.pop("more", ())], limits)
        given = {"model": chat_model(settings), "tools": box, **options}
        with conversation(folder, clock=Clock(), **given) as talk:
            yield Acting(talk, model, deeds)


@pytest.fixture
def it(tmp_path: Path) -> Iterator[Acting]:
    with acting(tmp_path) as it:
        yield it


LARGE = calls("transfer", to="Wang", amount=20_000)
ASKED = {"zh": "给老王转两万", "en": "Send Wang twenty thousand"}
APPROVE, REJECT = {"type": "approve"}, {"type": "reject", "message": "he left the company"}


def edit(name: str, **args: object) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


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


@pytest.mark.parametrize("amount", ["NaN", "inf", float("1e30")])
def test_an_amount_that_is_none_asks(it: Acting, amount: Any) -> None:
    it.say("Pay", calls("transfer", to="Wang", amount=amount))
    assert it.deeds.done == []
    assert it.fired == [("high_stakes", "amount_unknown")]


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
