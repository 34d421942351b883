"""One doubtful invoice in a thread of its own: thousands may wait, and an approval acts at once."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from graphs.asking import Graph, add_asking, run_safely
from graphs.drawing import describe_nodes
from graphs.state import ReviewInput, ReviewOutput, ReviewState
from nodes.invoice_matter import InvoiceMatter
from nodes.services import Services


def build_invoice_review(
    services: Services, *, checkpointer: BaseCheckpointSaver[Any] | None = None, store: BaseStore | None = None
) -> Graph:
    """The review graph. Without a checkpointer it can't pause: only a server that brings its own may compile it so."""
    graph = StateGraph(ReviewState, input_schema=ReviewInput, output_schema=ReviewOutput)
    add_asking(graph, services, InvoiceMatter(services), then=END)
    graph.add_edge(START, "pose")
    describe_nodes(graph)
    return run_safely(graph.compile(checkpointer=checkpointer, store=store, name="invoice_review"))
