"""Patterns that a model sees in what was said, with langmem, and guards on every one.

Each must name at least three turns on three days that share its words, and can't be a sentence of the prompt. Knows no
prompt: the instructions are passed in.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from foundation.ids import derived_id
from memory.model import Message
from memory.patterns import Pattern
from memory.screening import screen
from memory.sessions import sources_of
from memory.tokenizer import COMMON, is_chinese, tokens

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_LEAST = 3
_MOST_TURNS = 200
_MOST_KEYED = 8


class Seen(BaseModel):
    """Something that comes back in what the person said, worth being asked about."""

    content: str = Field(description="one sentence in the person's language, in the first person")
    kind: Literal["semantic", "procedural"] = "procedural"
    turns: list[str] = Field(description="the ids of all turns that show it, at least three")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReflector:
    """Asks a chat model for patterns in the person's own turns."""

    model: "BaseChatModel"
    instructions: str

    def __call__(self, turns: Sequence[Message]) -> list[Pattern]:
        """The patterns that hold up against the turns they name."""
        if len(turns) < _LEAST:
            return []
        listed = {f"t{number}": turn for number, turn in enumerate(turns[-_MOST_TURNS:])}
        found = (_pattern(each, listed, self.instructions) for each in self._ask(listed))
        return [each for each in found if each is not None]

    def _ask(self, listed: dict[str, Message]) -> list[Seen]:
        # langmem's own dependency imports a deprecated name of langgraph.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            from langmem import create_memory_manager

        told = "\n".join(f"[{key}] {turn.created_at:%Y-%m-%d %a}: {turn.content[:300]}" for key, turn in listed.items())
        manager = create_memory_manager(
            self.model, schemas=[Seen], instructions=self.instructions, enable_updates=False
        )
        found = manager.invoke({"messages": [{"role": "user", "content": told}]})
        return [memory.content for memory in found if isinstance(memory.content, Seen)]


def _keys(shown: Sequence[Message]) -> tuple[str, ...]:
    """A key for each three of the turns, the earliest first: words vary from run to run, and turns are added."""
    first = sorted(shown, key=lambda turn: (turn.created_at, turn.message_id))[:_MOST_KEYED]
    return tuple(
        f"model:{derived_id('p', *(turn.message_id for turn in three))}" for three in combinations(first, _LEAST)
    )


def _pattern(seen: Seen, listed: dict[str, Message], prompt: str) -> Pattern | None:
    content = seen.content.strip()
    if not content or content in prompt or screen(content) is not None:
        return None
    own = set(tokens(content)) - COMMON
    named = [listed[key] for key in dict.fromkeys(seen.turns) if key in listed]
    shown = [turn for turn in named if own & set(tokens(turn.content))]
    if len({turn.created_at.date() for turn in shown}) < _LEAST:
        return None
    question = (
        f"我注意到：{content}（{len(shown)} 次）。要记下来吗？"
        if is_chinese(content)
        else f"I noticed: {content} ({len(shown)} times). Shall I note that?"
    )
    keys = _keys(shown)
    return Pattern(
        key=keys[0],
        also=keys[1:],
        kind=seen.kind,
        content=content,
        question=question,
        rule="reflection.model",
        sources=tuple(sources_of(shown)),
    )
