"""A conversation that remembers: each message is heard, kept, and answered with what is known."""

from functools import partial
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from graphs.acting import add_acting
from graphs.asking import DURABILITY, Graph
from graphs.drawing import describe_nodes
from graphs.state import ChatContext, ChatInput, ChatOutput, ChatState
from nodes.extract import extract
from nodes.fold import fold
from nodes.inject import inject
from nodes.perceive import perceive
from nodes.reflect import reflect
from nodes.respond import respond
from nodes.retrieve import retrieve
from nodes.review import confirm
from nodes.services import Services
from nodes.settle import settle
from nodes.store import store as store_memories


def build_assistant(
    services: Services, *, checkpointer: BaseCheckpointSaver[Any] | None = None, store: BaseStore | None = None
) -> Graph:
    """The assistant graph; a thread is one conversation, memory goes across all of a person's threads."""
    graph = StateGraph(ChatState, ChatContext, input_schema=ChatInput, output_schema=ChatOutput)
    graph.add_node("perceive", partial(perceive, services=services))
    graph.add_node("settle", partial(settle, services=services))
    graph.add_node("extract", partial(extract, services=services))
    graph.add_node("store", partial(store_memories, services=services))
    graph.add_node("confirm", confirm)  # type: ignore[type-var] # nodes know no state class of the graphs above them
    graph.add_node("retrieve", partial(retrieve, services=services))
    graph.add_node("inject", partial(inject, services=services))
    graph.add_node("respond", partial(respond, services=services))
    graph.add_node("fold", partial(fold, services=services))
    graph.add_node("reflect", partial(reflect, services=services))

    pauses = services.ask_by == "interrupt"
    graph.add_edge(START, "perceive")
    graph.add_conditional_edges("perceive", answers, {"settle": "settle", "extract": "extract"})
    graph.add_conditional_edges("settle", forgot, {"respond": "respond", "extract": "extract", "confirm": "confirm"})
    graph.add_edge("extract", "store")
    graph.add_conditional_edges("store", asks if pauses else asks_twice, {"confirm": "confirm", "retrieve": "retrieve"})
    graph.add_edge("confirm", "settle")
    graph.add_edge("retrieve", "inject")
    graph.add_edge("inject", "respond")
    add_acting(graph, services, after="respond", then="fold")
    graph.add_edge("fold", "reflect")
    graph.add_edge("reflect", END)
    describe_nodes(graph)
    compiled = graph.compile(checkpointer=checkpointer, store=store, name="assistant")
    # What was said is in SQL before all else, so one checkpoint a turn is enough - unless a turn may pause or act.
    stepwise = pauses or services.tools is not None
    return compiled.with_config({"configurable": {DURABILITY: "sync" if stepwise else "exit"}})


def answers(state: ChatState) -> Literal["settle", "extract"]:
    """Settle the open question where the message answers it."""
    return "settle" if state.get("open") else "extract"


def forgot(state: ChatState) -> Literal["respond", "extract", "confirm"]:
    """After everything was forgotten there is only the receipt to show; a stranger's answer leaves the question."""
    if state.get("open"):
        return "confirm"
    return "respond" if state.get("receipt") else "extract"


def asks(state: ChatState) -> Literal["confirm", "retrieve"]:
    """Pause at an open question."""
    return "confirm" if state.get("open") else "retrieve"


def asks_twice(state: ChatState) -> Literal["confirm", "retrieve"]:
    """Pause where everything is to be forgotten; other questions are asked in the reply."""
    return "confirm" if (state.get("open") or {}).get("kind") == "forget_me" else "retrieve"
