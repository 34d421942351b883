"""The part that all graphs with reviews share: pose -> ask -> judge -> apply, with its ways back, and the brake."""

from functools import partial
from typing import Any, Literal

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from nodes.apply import apply
from nodes.go_on import go_on
from nodes.judge import judge
from nodes.matter import Matter
from nodes.pose import pose
from nodes.review import ask, halt
from nodes.services import Services

Graph = CompiledStateGraph[Any, Any, Any, Any]

_STEPS = 10_000_000
DURABILITY = "__pregel_durability"
"""The key under which langgraph reads the durability of a run that names none."""


def add_asking(
    graph: StateGraph[Any, Any, Any, Any],
    services: Services,
    matter: Matter,
    *,
    then: str,
    brake_stops: tuple[str, ...] = (),
) -> None:
    """Add the nodes; after a matter is settled the flow goes on at `then`.

    The state needs the keys of `ReviewState`. `brake_stops` names the nodes beside `apply` that the flow goes on at
    once the brake is released.
    """
    graph.add_node("pose", partial(pose, services=services, matter=matter))
    graph.add_node("ask", ask)  # type: ignore[type-var] # nodes know no state class of the graphs above them
    graph.add_node("judge", partial(judge, services=services, matter=matter))
    graph.add_node("apply", partial(apply, services=services, matter=matter))
    graph.add_conditional_edges("pose", asked, {"ask": "ask", "settled": then})
    graph.add_edge("ask", "judge")
    graph.add_conditional_edges("judge", judged, {"apply": "apply", "ask": "ask"})
    graph.add_node("halt", halt)  # type: ignore[type-var] # as above
    graph.add_node("go_on", partial(go_on, services=services))
    graph.add_conditional_edges("apply", done, {"settled": then, "judge": "judge", "ask": "ask", "halt": "halt"})
    graph.add_edge("halt", "go_on")
    graph.add_conditional_edges("go_on", goes_on, ["halt", "apply", *brake_stops])


def run_safely(graph: Graph) -> Graph:
    """The graph with every checkpoint on disk before the next step, and room for batches of any size."""
    return graph.with_config({"recursion_limit": _STEPS, "configurable": {DURABILITY: "sync"}})


def asked(state: dict[str, Any]) -> Literal["ask", "settled"]:
    """Ask where there is a question; what no longer waits has none."""
    return "ask" if state.get("question") else "settled"


def judged(state: dict[str, Any]) -> Literal["apply", "ask"]:
    """Apply a decision; ask again where the answer was none or was not enough."""
    return "apply" if state.get("decision") else "ask"


def done(state: dict[str, Any]) -> Literal["settled", "judge", "ask", "halt"]:
    """Go on; where the brake is on, wait at it; judge the decision that had won, ask about what has changed."""
    if state.get("halted"):
        return "halt"
    if state.get("answer"):
        return "judge"
    return "ask" if state.get("question") else "settled"


def goes_on(state: dict[str, Any]) -> Literal["halt", "apply", "act", "book", "report"]:
    """Wait on; apply the decision that the brake stopped, or act or book on; report where a person ended the batch."""
    if state.get("halted"):
        return "halt"
    if state.get("decision"):
        return "apply"
    if state.get("call"):
        return "act"
    return "report" if state.get("ended") else "book"
