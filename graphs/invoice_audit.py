"""A batch of invoices: fifty examined and booked a step, then the doubtful ones, one question at a time."""

from functools import partial
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from graphs.asking import Graph, add_asking, run_safely
from graphs.drawing import describe_nodes
from graphs.state import AuditInput, AuditOutput, AuditState
from nodes.book import book
from nodes.examine import examine
from nodes.intake import intake
from nodes.invoice_matter import InvoiceMatter
from nodes.pick import pick
from nodes.report import report
from nodes.services import Services


def build_invoice_audit(
    services: Services, *, checkpointer: BaseCheckpointSaver[Any] | None = None, store: BaseStore | None = None
) -> Graph:
    """The audit graph. Without a checkpointer it can't pause: only a server that brings its own may compile it so."""
    graph = StateGraph(AuditState, input_schema=AuditInput, output_schema=AuditOutput)
    graph.add_node("intake", partial(intake, services=services))
    graph.add_node("examine", partial(examine, services=services))
    graph.add_node("book", partial(book, services=services))
    graph.add_node("pick", partial(pick, services=services))
    add_asking(graph, services, InvoiceMatter(services), then="pick", brake_stops=("book", "report"))
    graph.add_node("report", partial(report, services=services))

    graph.add_edge(START, "intake")
    graph.add_edge("intake", "examine")
    graph.add_edge("examine", "book")
    graph.add_conditional_edges("book", booked, ["halt", "report", "examine", "pick"])
    graph.add_conditional_edges("pick", picked, {"pose": "pose", "report": "report"})
    graph.add_edge("report", END)
    describe_nodes(graph)
    return run_safely(graph.compile(checkpointer=checkpointer, store=store, name="invoice_audit"))


def booked(state: AuditState) -> Literal["halt", "report", "examine", "pick"]:
    """Wait at the brake, report a run that was ended, else examine until the cursor is past the last file."""
    if state.get("halted"):
        return "halt"
    if state.get("ended"):
        return "report"
    return "examine" if state["file"] < state["files"] else "pick"


def picked(state: AuditState) -> Literal["pose", "report"]:
    """Ask about the picked invoice; report when none is left."""
    return "pose" if state.get("invoice_id") else "report"
