"""The part that all graphs with reviews share: pose -> ask -> judge -> apply, with its two ways back."""

from functools import partial
from typing import Any, Literal

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph

from nodes.apply import apply
from nodes.judge import judge
from nodes.matter import Matter
from nodes.pose import pose
from nodes.review import ask
from nodes.services import Services

Graph = CompiledStateGraph[Any, Any, Any, Any]

_STEPS = 10_000_000
DURABILITY = "__pregel_durability"
"""The key under which langgraph reads the durability of a run that names none."""


def add_asking(graph: StateGraph[Any, Any, Any, Any], services: Services, matter: Matter, *, then: str) -> None:
    """Add the four nodes; after a matter is settled the flow goes on at `then`."""
    graph.add_node("pose", partial(pose, services=services, matter=matter))
    graph.add_node("ask", ask)  # type: ignore[type-var] # nodes know no state class of the graphs above them
    graph.add_node("judge", partial(judge, services=services, matter=matter))
    graph.add_node("apply", partial(apply, services=services, matter=matter))
    graph.add_conditional_edges("pose", asked, {"ask": "ask", "settled": then})
    graph.add_edge("ask", "judge")
    graph.add_conditional_edges("judge", judged, {"apply": "apply", "ask": "ask"})
    graph.add_conditional_edges("apply", done, {"settled": then, "judge": "judge"})


def run_safely(graph: Graph) -> Graph:
    """The graph with every checkpoint on disk before the next step, and room for batches of any size."""
    return graph.with_config({"recursion_limit": _STEPS, "configurable": {DURABILITY: "sync"}})


def asked(state: dict[str, Any]) -> Literal["ask", "settled"]:
    """Ask where there is a question; what no longer waits has none."""
    return "ask" if state.get("question") else "settled"


def judged(state: dict[str, Any]) -> Literal["apply", "ask"]:
    """Apply a decision; ask again where the answer was none or was not enough."""
    return "apply" if state.get("decision") else "ask"


def done(state: dict[str, Any]) -> Literal["settled", "judge"]:
    """Go on; where another decision had won, judge that one."""
    return "judge" if state.get("answer") else "settled"
