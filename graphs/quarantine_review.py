"""One quarantined memory in a thread of its own: a reviewer releases it into memory or has it deleted."""

from functools import partial
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from graphs.asking import Graph, add_asking, run_safely
from graphs.drawing import describe_nodes
from graphs.state import QuarantineInput, QuarantineState, ReviewOutput
from nodes.quarantine_matter import QuarantineMatter
from nodes.release import release
from nodes.services import Services


def build_quarantine_review(
    services: Services, *, checkpointer: BaseCheckpointSaver[Any] | None = None, store: BaseStore | None = None
) -> Graph:
    """The review graph of memories. Without a checkpointer it can't pause."""
    graph = StateGraph(QuarantineState, input_schema=QuarantineInput, output_schema=ReviewOutput)
    add_asking(graph, services, QuarantineMatter(services), then="release")
    graph.add_node("release", partial(release, services=services))
    graph.add_edge(START, "pose")
    graph.add_edge("release", END)
    describe_nodes(graph)
    return run_safely(graph.compile(checkpointer=checkpointer, store=store, name="quarantine_review"))
