"""The block of memories in a prompt: data about the user, dated, with sources, never closed by its content."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from foundation.visible import visible
from memory.model import Remembered
from memory.recall import count_tokens
from memory.speech import CONTEXT_CLOSE, CONTEXT_OPEN

_ANGLES = str.maketrans("<>＜＞﹤﹥⟨⟩〈〉", "‹›‹›‹›‹›‹›")
_SPEAKERS = {
    "user": ("用户说", "the user said"),
    "assistant": ("助手说", "the assistant said"),
    "tool": ("工具", "a tool"),
    "document": ("文件", "a document"),
    "reviewer": ("审核人说", "a reviewer said"),
    "system": ("系统", "the system"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is put before the model: the profile, what a question recalled, and where dates are days."""

    profile: Sequence[Remembered]
    found: Sequence[Remembered]
    stale: frozenset[str]
    """Ids of those that are to be asked about again before they are relied on."""
    zone: ZoneInfo
    profile_budget: int = 600
    """Tokens that the profile may take."""


def context_block(facts: Facts, lead: str, old: str, lang: str) -> str:
    """The block; empty when there is nothing to tell.

    Args:
        facts: what is told.
        lead: the sentence that says what the block is.
        old: the mark of a stale one.
        lang: "zh" or "en".
    """
    found = {each.memory_id for each in facts.found}
    lines = [_line(each, facts, old, lang) for each in facts.found]
    room = facts.profile_budget
    for each in facts.profile:
        line = _line(each, facts, old, lang)
        room -= count_tokens(line)
        if each.memory_id not in found and room >= 0:
            lines.append(line)
    if not lines:
        return ""
    return "\n".join([f'{CONTEXT_OPEN} zone="{facts.zone.key}">', lead, *lines, CONTEXT_CLOSE])


def plain(text: str) -> str:
    """Text that can neither close the block nor start a line in it, however its angles and line ends are written."""
    return " ".join(visible(" ".join(text.translate(_ANGLES).split())).split())


def said_on(memory: Remembered, zone: ZoneInfo) -> datetime:
    """When it was said last, in the person's zone; when it was recorded, where no source tells."""
    return max((source.said_at for source in memory.sources), default=memory.recorded_at).astimezone(zone)


def _line(memory: Remembered, facts: Facts, old: str, lang: str) -> str:
    source = max(memory.sources, key=lambda each: each.said_at, default=None)
    speaker = _SPEAKERS[source.speaker][0 if lang == "zh" else 1] if source else ""
    thread = plain(source.thread_id)[:60] if source else ""
    origin = ", ".join(part for part in (f"{said_on(memory, facts.zone):%Y-%m-%d}", speaker, thread) if part)
    topic = f" ({plain(memory.topic)})" if memory.topic else ""
    doubt = f" {old}" if memory.memory_id in facts.stale else ""
    return f"- [{origin}] {plain(memory.content)}{topic}{doubt}"
