"""An assistant with tools over a scripted model: what it was told, what it waits for, and what its tools really did."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException

from foundation.database import reading
from oversight.action import Limits
from oversight.actions import ActionRecord, find_action
from oversight.guarded import Toolbox, guarded
from remembrancer.models import chat_model
from remembrancer.settings import load_settings
from tests.scripted_model import Reply, ScriptedModel, scripted_model
from tests.talking import Clock, Conversation, Turn, conversation

LIMITS = Limits(amount=Decimal(500))


APPROVE, REJECT = {"type": "approve"}, {"type": "reject", "message": "he left the company"}


def edit(name: str, **args: object) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


def calls(name: str, confidence: float = 0.95, **args: object) -> Reply:
    return Reply(tools=((name, {**args, "confidence": confidence}),))


def answers(text: str, confidence: float = 0.95) -> Reply:
    return Reply(tools=(("answer", {"text": text, "confidence": confidence}),))


@dataclass
class Deeds:
    """What the tools really did."""

    done: list[str] = field(default_factory=list)

    def tools(self) -> list[BaseTool | Callable[..., Any]]:
        def transfer(to: str, amount: float, note: str = "") -> str:
            """Transfer money."""
            self.done.append(f"{amount:g} to {to}")
            return f"sent {amount:g} to {to}"

        def delete_records(table: str) -> str:
            """Delete the records of a table."""
            self.done.append(f"deleted {table}")
            return f"{table} is empty"

        def sign(document: str) -> str:
            """Sign a document."""
            self.done.append(f"signed {document}")
            return "signed"

        def look_up(what: str) -> str:
            """Look something up."""
            self.done.append(f"looked up {what}")
            raise ToolException("the register does not answer")

        def weather(town: str) -> str:
            """Say what the weather is like."""
            return f"sunny in {town}"

        return [
            guarded(transfer, risk="transfer", amount="amount", recipient="to", text=("note",)),
            guarded(delete_records, risk="deletion"),
            guarded(sign, risk="signing"),
            look_up,
            weather,
        ]


@dataclass
class Acting:
    """A conversation with tools, its scripted model, and what the tools did."""

    talk: Conversation
    model: ScriptedModel
    deeds: Deeds

    def say(self, text: str, *replies: Reply) -> Turn:
        self.model.replies.extend(replies)
        return self.talk.say(text)

    def answer(self, answer: object, *replies: Reply) -> Turn:
        self.model.replies.extend(replies)
        return self.talk.answer(answer)

    @property
    def question(self) -> dict[str, Any] | None:
        """What the thread waits for."""
        found = self.talk.graph.get_state(self.talk.config("t1", "lin")).interrupts
        return dict(found[0].value) if found else None

    @property
    def fired(self) -> list[tuple[str, str]]:
        return [(each["kind"], each["rule"]) for each in (self.question or {"triggers": []})["triggers"]]

    def told(self) -> list[str]:
        """What the tools' messages in the thread say."""
        messages: list[AnyMessage] = self.talk.graph.get_state(self.talk.config("t1", "lin")).values["messages"]
        return [message.text for message in messages if isinstance(message, ToolMessage)]

    def record(self) -> ActionRecord:
        key = (self.question or {})["evidence"]["action"]
        with reading(self.talk.services.engine) as connection:
            return find_action(connection, self.talk.services.tenant, key)


@contextmanager
def acting(folder: Path, limits: Limits = LIMITS, **options: Any) -> Iterator[Acting]:
    deeds = Deeds()
    with scripted_model([]) as model:
        settings = load_settings(_env_file=None, openai_base_url=model.url, model_retries=0)
        box = Toolbox.of([*deeds.tools(), *options.pop("more", ())], limits)
        given = {"model": chat_model(settings), "tools": box, **options}
        with conversation(folder, clock=Clock(), **given) as talk:
            yield Acting(talk, model, deeds)
