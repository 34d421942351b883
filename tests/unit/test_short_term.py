"""Short-term memory: the window, the summary, the prompt - and that all of it stays bounded."""

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from memory.recall import count_tokens
from memory.short_term import LIMITS, assemble, clipped, split, summarise, tokens_of, turns


def talk(count: int, text: str = "第{}轮说的话") -> list[AnyMessage]:
    messages: list[AnyMessage] = []
    for number in range(count):
        messages += [HumanMessage(text.format(number), id=f"h{number}"), AIMessage("好的。", id=f"a{number}")]
    return messages


def with_tools(count: int) -> list[AnyMessage]:
    messages: list[AnyMessage] = []
    for number in range(count):
        call = {"name": "look", "args": {}, "id": f"c{number}"}
        messages += [
            HumanMessage(f"question {number}", id=f"h{number}"),
            AIMessage("", tool_calls=[call], id=f"t{number}"),
            ToolMessage("x" * 900, tool_call_id=f"c{number}", id=f"r{number}"),
            AIMessage("done", id=f"a{number}"),
        ]
    return messages


def test_a_chinese_character_is_one_token_and_four_latin_ones_are_one() -> None:
    assert count_tokens("记住我的名字") == 6
    assert count_tokens("remember") == 2
    assert tokens_of([HumanMessage("记住")]) == 6


def test_turns_gather_until_five_more_than_ten_are_there() -> None:
    older, window = split(talk(14))
    assert (older, len(turns(window))) == ([], 14)
    older, window = split(talk(15))
    assert (len(turns(older)), len(turns(window))) == (5, 10)
    assert window[-1].id == "a14"


def test_a_window_over_its_tokens_gives_up_its_oldest_turns_at_once() -> None:
    older, window = split(talk(6, "话" * 1_000))
    assert tokens_of(window) <= LIMITS.tokens
    assert [*older, *window] == talk(6, "话" * 1_000)


def test_case_40_after_summarising_every_tool_message_has_its_call() -> None:
    for count in (3, 9, 15, 40):
        _, window = split(with_tools(count))
        calls = {call["id"] for each in window if isinstance(each, AIMessage) for call in each.tool_calls}
        answers = {each.tool_call_id for each in window if isinstance(each, ToolMessage)}
        assert answers == calls
        assert isinstance(window[0], HumanMessage)


@given(st.text(max_size=3_000), st.integers(20, 400))
def test_a_clipped_text_fits_and_keeps_its_beginning(text: str, limit: int) -> None:
    short = clipped(text, limit)
    assert count_tokens(short) <= limit
    assert short == text or short[:2] == text[:2]


def test_the_summary_keeps_what_the_person_said_and_its_length() -> None:
    older = [
        HumanMessage("预算定了，3 万元，9 月 12 日之前交付。"),
        AIMessage("好的，明白了。"),
        HumanMessage("嗯嗯，行。"),
    ]
    summary = summarise("", older)
    assert "3 万元" in summary
    for number in range(40):
        summary = summarise(summary, [HumanMessage(f"第{number}项改由小组{number}负责，周{number}之前给出结果。")])
        assert len(summary) <= LIMITS.summary_characters


def test_an_english_summary_has_at_most_120_words() -> None:
    summary = ""
    for number in range(40):
        said = f"Item {number} goes to team {number}, which reports to the board in week {number}."
        summary = summarise(summary, [HumanMessage(said)])
        assert len(summary.split()) <= LIMITS.summary_words
    assert "Item 39" in summary


def test_the_prompt_is_one_system_message_with_facts_before_the_summary_then_the_window() -> None:
    window = talk(2)
    first, *rest = assemble("You are.", "<facts>", "<summary>", window)
    assert isinstance(first, SystemMessage)
    assert first.text == "You are.\n\n<facts>\n\n<summary>"
    assert rest == window
