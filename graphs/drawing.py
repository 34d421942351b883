"""What Studio shows beside a node: the first line of its own docstring."""

from functools import partial
from inspect import getdoc
from typing import Any

from langgraph.graph import StateGraph


def describe_nodes(graph: StateGraph[Any, Any, Any, Any]) -> None:
    """Give each node its description; called before the graph is compiled."""
    for spec in graph.nodes.values():
        node = getattr(spec.runnable, "func", None) or getattr(spec.runnable, "afunc", None)
        said = getdoc(node.func if isinstance(node, partial) else node) or ""
        spec.metadata = {**(spec.metadata or {}), "description": said.partition("\n")[0]}
