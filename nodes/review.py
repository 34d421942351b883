"""The gates. Each holds one `interrupt()` and nothing else: whatever stands in a gate runs again at every resume."""

from typing import Any

from langgraph.types import interrupt


def ask(state: dict[str, Any]) -> dict[str, Any]:
    """Wait for a person; the answer goes on raw, because an error raised here would be saved as the answer."""
    return {"answer": interrupt(state["question"])}


def halt(state: dict[str, Any]) -> dict[str, Any]:
    """Wait at the brake until a person releases it; the answer goes on raw, as above."""
    return {"answer": interrupt(state["halted"])}


def confirm(state: dict[str, Any]) -> dict[str, Any]:
    """Wait for the person whose memory it is; the answer goes on raw, as above."""
    return {"answer": interrupt(state["open"]["request"])}
