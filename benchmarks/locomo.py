"""LoCoMo conversations as memories: one turn is one memory, its session is its thread, its number its message id."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypedDict, cast

from benchmarks.measuring import load
from memory.model import Message, Proposal
from memory.reading import Situation
from memory.scope import Scope
from memory.service import Memory

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop"}
_EVIDENCE = re.compile(r"D\d+:\d+")


class _Turn(TypedDict, total=False):
    speaker: str
    dia_id: str
    text: str
    blip_caption: str


class _Question(TypedDict):
    question: str
    evidence: list[str]
    category: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the ids of the turns that answer it."""

    text: str
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two people's sessions over months, and questions about them."""

    name: str
    turns: tuple[Message, ...]
    questions: tuple[Question, ...]

    @property
    def scope(self) -> Scope:
        return Scope.tenant(self.name)

    @property
    def end(self) -> datetime:
        return max(turn.created_at for turn in self.turns) + timedelta(hours=1)


def conversations() -> list[Conversation]:
    """The conversations of the corpus."""
    return [_conversation(each) for each in cast(list[dict[str, object]], load("memory/locomo_1to5.json"))]


def _conversation(data: dict[str, object]) -> Conversation:
    sessions = cast(dict[str, object], data["conversation"])
    turns: list[Message] = []
    for number in range(1, 60):
        said = cast(list[_Turn], sessions.get(f"session_{number}") or [])
        if said:
            start = _moment(str(sessions[f"session_{number}_date_time"]))
            turns += [_message(turn, number, start + timedelta(seconds=20 * i)) for i, turn in enumerate(said)]
    known = {turn.message_id for turn in turns}
    asked = [_question(each, known) for each in cast(list[_Question], data["qa"]) if each["category"] in CATEGORIES]
    return Conversation(str(data["sample_id"]), tuple(turns), tuple(each for each in asked if each.evidence))


def _message(turn: _Turn, session: int, moment: datetime) -> Message:
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    text = f"{turn['speaker']}: {turn['text']}{shown}"
    return Message(turn["dia_id"], f"session {session:02d}", "document", text, moment)


def _question(data: _Question, known: set[str]) -> Question:
    found = {number for each in data["evidence"] for number in _EVIDENCE.findall(each)}
    return Question(data["question"], frozenset(found & known), CATEGORIES[data["category"]])


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def turn_as_memory(message: Message, situation: Situation) -> list[Proposal]:
    """An extractor that keeps every turn as it is."""
    return [
        Proposal(
            verb="add",
            content=message.content,
            quote=message.content,
            kind="episodic",
            category="conversation_history",
            importance="normal",
            confidence=1.0,
            rule="turn",
            expires_at=situation.now + timedelta(days=3650),
        )
    ]


def remember(memory: Memory, conversation: Conversation) -> None:
    """Store every turn as a memory of the conversation's pool."""
    for turn in conversation.turns:
        memory.observe(conversation.scope, [turn], now=turn.created_at)
