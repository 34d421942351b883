"""What a model proposes: the tools it is offered, and the calls and the answer that its message holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from foundation.ids import derived_id
from memory.applying import storable
from memory.short_term import LIMITS, clipped
from nodes.talk import Lang
from oversight.actions import ACTION_KEYS
from oversight.guarded import ANSWER, Proposal, Toolbox, signature_of
from oversight.self_report import by_tokens, report_in, report_of, with_report
from prompts import load

_SURENESS = "sureness"


class Draft(TypedDict):
    """An answer that the model wants to give, before it is weighed."""

    message_id: str
    text: str
    confidence: float
    doubts: list[str]


class Call(TypedDict):
    """The action on its way, as the state keeps it; its arguments are in the table of actions."""

    key: str
    call_id: str
    """The id of the tool call that a message must answer; "" for an answer to the person."""
    name: str
    confidence: float
    doubts: list[str]
    fired: list[dict[str, Any]]
    """Why a person is needed, computed once; [] when none is."""
    nth: int
    """How often the action was put before a person already."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """One proposal of a model's message, and where in it."""

    message_id: str
    position: int
    call_id: str
    proposal: Proposal

    def key(self, thread_id: str) -> str:
        """The key under which it is done once: the same proposal at the same place of the same thread."""
        signature = signature_of(self.proposal.name, self.proposal.args)
        return derived_id(ACTION_KEYS.rstrip("_"), thread_id, self.message_id, str(self.position), signature)


def offered(box: Toolbox | None, lang: Lang) -> list[dict[str, Any]]:
    """The tools as the model is offered them: its answer is one of them, and each asks how sure it is."""
    if box is None:
        return []
    words = load("acting", lang)
    answer = {
        "type": "function",
        "function": {
            "name": ANSWER,
            "description": words.fill("answer"),
            "parameters": {
                "type": "object",
                "properties": {"text": {"type": "string", "description": words.fill("text")}},
                "required": ["text"],
            },
        },
    }
    tools = [*(convert_to_openai_tool(tool) for tool in box.tools.values()), answer]
    return [with_report(tool, words.fill("confidence"), words.fill("doubts")) for tool in tools]


def proposals_in(said: AIMessage, state: Mapping[str, Any]) -> dict[str, Any]:
    """The message with its tool calls, or the draft of an answer where it holds no other call."""
    sureness = by_tokens(said.response_metadata)
    calls = [call for call in _calls(said) if call["name"] != ANSWER]
    message_id = _own_id(said, state)
    if not calls:
        return {"draft": _draft(said, sureness, message_id)}
    text = clipped(storable(report_in(said.text)[0]), LIMITS.message_tokens)
    metadata = {} if sureness is None else {_SURENESS: sureness}
    return {"messages": [AIMessage(text, id=message_id, tool_calls=calls, response_metadata=metadata)]}


def next_proposed(state: Mapping[str, Any], box: Toolbox) -> Proposed:
    """The draft, or the first call of the last message of the model that nothing answers yet."""
    draft: Draft | None = state.get("draft")
    if draft is not None:
        proposal = Proposal(
            name=ANSWER, args={"text": draft["text"]}, confidence=draft["confidence"], doubts=tuple(draft["doubts"])
        )
        return Proposed(draft["message_id"], 0, "", proposal)
    message, position = _open_call(state["messages"])
    call = message.tool_calls[position]
    args, report = report_of(call["args"], box.schema(call["name"])["properties"])
    confidence = report.beside(message.response_metadata.get(_SURENESS))
    proposal = Proposal(name=call["name"], args=args, confidence=confidence, doubts=report.doubts)
    return Proposed(str(message.id), position, str(call["id"]), proposal)


def has_open_call(messages: Sequence[AnyMessage]) -> bool:
    """Whether the model's last message proposes a call that nothing answers yet."""
    message, answers = _last(messages)
    return message is not None and len(message.tool_calls) > answers


def _open_call(messages: Sequence[AnyMessage]) -> tuple[AIMessage, int]:
    message, answers = _last(messages)
    if message is None or len(message.tool_calls) <= answers:
        raise ValueError("the model's last message holds no call that waits")
    return message, answers


def _last(messages: Sequence[AnyMessage]) -> tuple[AIMessage | None, int]:
    """The model's last message, where only answers of tools follow it, and how many: they come in the calls' order."""
    for answers, message in enumerate(reversed(messages)):
        if isinstance(message, AIMessage):
            return message, answers
        if not isinstance(message, ToolMessage):
            break
    return None, 0


def _draft(said: AIMessage, sureness: float | None, message_id: str) -> Draft:
    answers = [call for call in _calls(said) if call["name"] == ANSWER]
    if answers:
        args, report = report_of(answers[0]["args"], {"text": {}})
        text = str(args.get("text", "")) or said.text
    else:
        text, report = report_in(said.text)
    confidence = report.beside(sureness)
    return Draft(message_id=message_id, text=storable(text), confidence=confidence, doubts=list(report.doubts))


def _calls(said: AIMessage) -> list[ToolCall]:
    """All calls with ids of their own; one whose arguments are no JSON stays one that fits no tool."""
    broken = [
        ToolCall(name=bad["name"] or "", args={"malformed": clipped(bad["args"] or "", 100)}, id=bad["id"])
        for bad in said.invalid_tool_calls
    ]
    calls = [*said.tool_calls, *broken]
    ids = [call["id"] for call in calls]
    return [
        call if call["id"] and ids.count(call["id"]) == 1 else {**call, "id": f"{call['id'] or 'call'}_{position}"}
        for position, call in enumerate(calls)
    ]


def _own_id(said: AIMessage, state: Mapping[str, Any]) -> str:
    """The provider's id, unless it gave the same one before: a message with a known id would take the other's place."""
    known = {str(message.id) for message in state["messages"]}
    return str(said.id) if said.id and said.id not in known else derived_id("said", *sorted(known))
