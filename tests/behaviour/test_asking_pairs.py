"""Summarising and crashes never leave a tool's answer without its call, or a call without its answer."""

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from memory.short_term import as_talk, assemble, paired, split

_NAMES = st.sampled_from(["transfer", "look_up"])


@st.composite
def _turn(draw: st.DrawFn, whole: bool) -> list[AnyMessage]:
    """A turn with rounds of tool calls; one that isn't whole may lack answers, or have them astray."""
    number = draw(st.integers(0, 10**9))
    messages: list[AnyMessage] = [HumanMessage("说" * draw(st.integers(1, 900)), id=f"h{number}")]
    for each in range(draw(st.integers(0, 3))):
        ids = [f"c{number}-{each}-{index}" for index in range(draw(st.integers(1, 3)))]
        calls = [{"name": draw(_NAMES), "args": {"n": 1}, "id": call_id, "type": "tool_call"} for call_id in ids]
        answers: list[AnyMessage] = [ToolMessage("r" * 200, tool_call_id=call_id) for call_id in ids]
        if not whole:
            answers = draw(
                st.lists(st.sampled_from([*answers, ToolMessage("astray", tool_call_id="nobody")]), max_size=3)
            )
        messages += [AIMessage("", tool_calls=calls), *answers]
    return messages if draw(st.booleans()) and not whole else [*messages, AIMessage("answer")]


def _is_paired(messages: list[AnyMessage]) -> bool:
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if not waiting or waiting.pop(0) != message.tool_call_id:
                return False
        elif waiting:
            return False
        elif isinstance(message, AIMessage):
            waiting = [str(call["id"]) for call in message.tool_calls]
    return not waiting


@given(st.lists(_turn(whole=True), max_size=25))
def test_case_40_whatever_leaves_the_window_no_call_loses_its_answer(listed: list[list[AnyMessage]]) -> None:
    messages = [message for turn in listed for message in turn]
    older, window = split(messages)
    assert older + window == messages
    assert _is_paired(older)
    assert _is_paired(window)
    assert paired(window) == window


@given(st.lists(_turn(whole=False), max_size=6))
def test_case_40_what_a_crash_tore_apart_is_sent_in_pairs(listed: list[list[AnyMessage]]) -> None:
    messages = [message for turn in listed for message in turn]
    sent = assemble("system", "", "", split(messages)[1])
    assert _is_paired(sent)
    kept = [message for message in messages if not isinstance(message, ToolMessage)]
    assert [message for message in paired(messages) if not isinstance(message, ToolMessage)] == kept


@given(st.lists(_turn(whole=True), max_size=6))
def test_case_40_a_summary_is_made_of_words_alone(listed: list[list[AnyMessage]]) -> None:
    told = as_talk([message for turn in listed for message in turn])
    assert not any(isinstance(message, ToolMessage) or getattr(message, "tool_calls", []) for message in told)
