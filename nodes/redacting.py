"""Taking forgotten words out of the state, too."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory.forgetting import telling
from memory.model import Outcome, Remembered
from memory.transcript import blanked


def redacted(state: dict[str, Any], outcomes: Sequence[Outcome], before: Mapping[str, Remembered]) -> dict[str, Any]:
    """The window and the summary without the words of what was forgotten; empty when nothing of them stands there."""
    forgotten = {each.memory_id for each in outcomes if each.status == "forgotten"}
    gone = [memory for memory_id, memory in before.items() if memory_id in forgotten]
    words = [word for memory in gone for word in telling(memory)]
    if not words:
        return {}
    changed = [
        message.model_copy(update={"content": blanked(message.text, words)})
        for message in state.get("messages") or []
        if blanked(message.text, words) != message.text
    ]
    return {"messages": changed, "summary": blanked(state.get("summary") or "", words)}
