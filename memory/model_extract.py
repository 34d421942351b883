"""What the rules leave unclear, read by a model: langmem's memory manager with our schema, and guards on every answer.

A candidate is kept only when its quote is a substring of the user's message, its words come from there, and it isn't a
sentence of the prompt. Knows no prompt: the instructions are passed in.
"""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, cast

import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from foundation.errors import UnavailableError
from foundation.masking import mask
from memory.extract import Context, propose
from memory.model import Message, Proposal, Slot
from memory.perceive import perceive
from memory.rules import DEFAULTS
from memory.screening import screen

Method = Literal["function_calling", "json_schema", "json_mode"]

_METHODS: tuple[Method, ...] = ("function_calling", "json_schema", "json_mode")
_FIRST_PERSON = re.compile(r"我|俺|咱|本人|\b(?:I|I'm|I've|my|we|our)\b", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z0-9]+|[\u4e00-\u9fff]")
_FILLERS = frozenset("用户的是在有") | {"the", "user", "s", "is", "are", "has", "a", "an", "of", "to", "in", "and"}
_SUPPORT = 0.6
_SHORTEST_CLAUSE = 5


class Remembered(BaseModel):
    """One thing that the author of the message says about himself and that is worth keeping."""

    content: str = Field(description="in the author's language and words, understood on its own")
    quote: str = Field(description="the words of the message that support it, copied exactly")
    kind: Literal["semantic", "episodic", "procedural"] = "semantic"
    category: Literal["user_profile", "preference", "task_progress", "domain_knowledge", "conversation_history"] = (
        "user_profile"
    )
    attribute: str | None = Field(default=None, description="which question it answers: name, city, likes ...")
    value: str | None = None
    polarity: bool = Field(default=True, description="false for what is denied")


class RememberedList(BaseModel):
    """All things worth keeping; often none."""

    memories: list[Remembered] = []


@dataclass(kw_only=True)
class ModelExtractor:
    """Asks a chat model about what the rules left unclear, within a budget of calls."""

    model: BaseChatModel
    """Its timeout and retries are the model's own settings (`ChatOpenAI(timeout=..., max_retries=...)`)."""
    instructions: str
    method: Method = "function_calling"
    """The structured-output method to try first; the others follow when the endpoint refuses it."""
    budget: int = 200
    """Calls that may still be made."""
    _works: Method | None = field(default=None, init=False)

    def propose(self, message: Message, *, context: Context) -> list[Proposal]:
        """Supported proposals for the unclear clauses of a message; no call is made when nothing is unclear.

        Raises:
            UnavailableError: no method got an answer, or the budget is used up.
        """
        clauses = unclear(message, context)
        if not clauses:
            return []
        found = self._ask("\n".join(clauses))
        return [proposal for candidate in found if (proposal := self._supported(candidate, message)) is not None]

    def _ask(self, text: str) -> list[Remembered]:
        first = self._works or self.method
        refused: Exception | None = None
        for method in (first, *(other for other in _METHODS if other != first)):
            self._spend()
            try:
                found = _CALLS[method](self.model, self.instructions, text)
            except openai.APIStatusError as error:
                refused = error
            except openai.OpenAIError as error:
                raise UnavailableError(
                    f"the model does not answer ({type(error).__name__}): try again later"
                ) from error
            else:
                self._works = method
                return found
        raise UnavailableError("the model refuses every structured-output method: check its URL and name") from refused

    def _spend(self) -> None:
        if self.budget <= 0:
            raise UnavailableError("the budget of model calls is used up: raise it, or rely on the rules")
        self.budget -= 1

    def _supported(self, candidate: Remembered, message: Message) -> Proposal | None:
        text = mask(message.content)
        if not supported(candidate, text, self.instructions) or screen(candidate.content) is not None:
            return None
        slot = Slot("user", candidate.attribute.strip().lower()) if candidate.attribute else None
        return Proposal(
            verb="add",
            content=mask(candidate.content),
            quote=candidate.quote,
            kind=candidate.kind,
            category=candidate.category,
            importance=DEFAULTS[candidate.category].importance,
            confidence=0.7,
            rule="model",
            slot=slot,
            value=candidate.value,
            polarity=candidate.polarity,
        )


def unclear(message: Message, context: Context) -> list[str]:
    """The user's own statements in the first person that no rule reads; secrets masked."""
    if message.role != "user" or screen(message.content) is not None:
        return []
    read = {proposal.quote for proposal in propose(message, context=context)}
    statements = [s for s in perceive(message) if s.speech == "statement" and mask(s.quote) not in read]
    told = [s for s in statements if len(s.text) >= _SHORTEST_CLAUSE and _FIRST_PERSON.search(s.quote)]
    return [mask(statement.quote) for statement in told]


def supported(candidate: Remembered, said: str, prompt: str) -> bool:
    """Whether the user's words carry a candidate: quoted exactly, worded from there, and not taken from the prompt."""
    quote, content = candidate.quote.strip(), candidate.content.strip()
    if len(quote) < 2 or quote not in said or content in prompt or quote in prompt:
        return False
    words = [word.lower() for word in _WORDS.findall(content) if word.lower() not in _FILLERS]
    known = {word.lower() for word in _WORDS.findall(said)}
    return bool(words) and sum(word in known for word in words) / len(words) >= _SUPPORT


def _by_manager(model: BaseChatModel, instructions: str, text: str) -> list[Remembered]:
    # langmem's own dependency imports a deprecated name of langgraph.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from langmem import create_memory_manager

    manager = create_memory_manager(model, schemas=[Remembered], instructions=instructions, enable_updates=False)
    found = manager.invoke({"messages": [{"role": "user", "content": text}]})
    return [memory.content for memory in found if isinstance(memory.content, Remembered)]


def _by_schema(method: Literal["json_schema", "json_mode"]) -> Callable[[BaseChatModel, str, str], list[Remembered]]:
    def call(model: BaseChatModel, instructions: str, text: str) -> list[Remembered]:
        shape = (
            f"{instructions}\n\nJSON: {RememberedList.model_json_schema()}" if method == "json_mode" else instructions
        )
        asked = model.with_structured_output(RememberedList, method=method)
        answer = asked.invoke([SystemMessage(instructions + shape), HumanMessage(text)])
        return cast("RememberedList", answer).memories if answer else []

    return call


_CALLS: dict[Method, Callable[[BaseChatModel, str, str], list[Remembered]]] = {
    "function_calling": _by_manager,
    "json_schema": _by_schema("json_schema"),
    "json_mode": _by_schema("json_mode"),
}
