"""The part that lets an agent act: weigh -> (pose -> ask -> judge -> apply) -> act, and back to the model.

It stands behind the assistant's `respond`, and behind any other agent's node that leaves tool calls in `messages`.
"""

from collections.abc import Hashable
from functools import partial
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langgraph.graph import StateGraph

from graphs.asking import add_asking
from nodes.act import act
from nodes.calls import has_open_call
from nodes.services import Services
from nodes.talk import KIND
from nodes.tool_matter import ToolMatter
from nodes.weigh import weigh


def add_acting(
    graph: StateGraph[Any, Any, Any, Any], services: Services, *, after: str, then: str, kind: str = KIND
) -> None:
    """Add the nodes behind the agent's node `after`; when it proposes nothing more, the flow goes on at `then`.

    The graph's state holds `messages` and what `graphs.state.ActingState` names; `services` carry the tools.

    Args:
        graph: the graph to add to.
        services: what the nodes work with.
        after: the agent's node; it comes again after each round of calls.
        then: where the flow goes on.
        kind: the kind of graph under which its threads are bound.
    """
    graph.add_node("weigh", partial(weigh, services=services))
    graph.add_node("act", partial(act, services=services))
    add_asking(graph, services, ToolMatter(services, kind), then="act", brake_stops=("act",))
    graph.add_conditional_edges(after, proposes, {"weigh": "weigh", "done": then})
    graph.add_conditional_edges("weigh", weighed, {"ask": "pose", "act": "act"})
    ways: dict[Hashable, str] = {"halt": "halt", "ask": "pose", "weigh": "weigh", "respond": after, "done": then}
    graph.add_conditional_edges("act", acted, ways)


def proposes(state: dict[str, Any]) -> Literal["weigh", "done"]:
    """Weigh what the model wants to do or say."""
    return "weigh" if state.get("draft") or has_open_call(state["messages"]) else "done"


def weighed(state: dict[str, Any]) -> Literal["ask", "act"]:
    """Ask a person where there is a reason to."""
    return "ask" if state["call"]["fired"] else "act"


def acted(state: dict[str, Any]) -> Literal["halt", "ask", "weigh", "respond", "done"]:
    """Go on with the next call; tell the model when all are answered; an answer to the person ends the turn."""
    if state.get("halted"):
        return "halt"
    if state.get("call"):
        return "ask"
    if has_open_call(state["messages"]):
        return "weigh"
    last = state["messages"][-1]
    return "done" if isinstance(last, AIMessage) else "respond"
