"""What the tests of the assistant share: a clock that is moved by hand, services over a folder, and a conversation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from langgraph.types import Command

from foundation.database import open_engine
from foundation.journal import Journal
from graphs.asking import Graph
from graphs.assistant import build_assistant
from memory.embedders import Embedder
from memory.reading import by_rules
from memory.scope import Scope
from memory.service import Memory
from nodes.services import Services
from oversight.checkpoints import open_saver
from remembrancer.models import chat_model, model_reader
from remembrancer.settings import load_settings
from tests.scripted_model import ScriptedModel, scripted_model
from tests.support.databases import database_at
from tests.telling import WordVectors

SHANGHAI = ZoneInfo("Asia/Shanghai")


class Clock:
    """Stands still between calls of `move`, but for a second a look, so that turns have an order."""

    def __init__(self, now: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Turn:
    """What one message led to."""

    reply: str
    statuses: list[str]
    recalled: list[str]
    state: dict


class Conversation:
    def __init__(self, graph: Graph, clock: Clock, services: Services) -> None:
        self.graph, self.clock, self.services = graph, clock, services

    @property
    def memory(self) -> Memory:
        return self.services.memory()

    def scope(self, user: str = "lin") -> Scope:
        return Scope.user(self.services.tenant, user)

    def config(self, thread: str, user: str) -> dict:
        return {"configurable": {"thread_id": thread, "user_id": user}}

    def say(self, text: str, *, thread: str = "t1", user: str = "lin", topic: str = "") -> Turn:
        given = {"messages": [{"role": "user", "content": text}], "topic": topic}
        return self._run(given, thread, user)

    def answer(self, answer: object, *, thread: str = "t1", user: str = "lin") -> Turn:
        return self._run(Command(resume=answer), thread, user)

    def _run(self, given: object, thread: str, user: str) -> Turn:
        config = self.config(thread, user)
        result = self.graph.invoke(given, config)
        state = self.graph.get_state(config).values
        return Turn(
            reply=result["messages"][-1].text,
            statuses=[each["status"] for each in state.get("outcomes") or []],
            recalled=[each["content"] for each in (state.get("recalled") or {}).get("found") or []],
            state=state,
        )

    def current(self, user: str = "lin") -> list[str]:
        return [each.content for each in self.memory.current(self.scope(user), now=self.clock.now)]


def services_at(folder: Path, clock: Clock, embedder: Embedder | None = None, **options: object) -> Services:
    engine = open_engine(database_at(folder / "talk.db"))
    memory = Memory(engine, embedder=embedder, extractor=by_rules(SHANGHAI), clock=clock)
    plain = Services(
        engine=engine,
        journal=Journal(engine, folder / "heads", clock),
        clock=clock,
        zone=SHANGHAI,
        tenant="acme",
        account="clerk",
        memory=lambda: memory,
    )
    return replace(plain, **options)


@contextmanager
def conversation(
    folder: Path, embedder: Embedder | None = None, clock: Clock | None = None, **options: object
) -> Iterator[Conversation]:
    clock = clock or Clock()
    services = services_at(folder, clock, embedder, **options)
    with open_saver(folder / "checkpoints.db") as saver:
        yield Conversation(build_assistant(services, checkpointer=saver), clock, services)
    services.engine.dispose()


@dataclass
class Modelled:
    """A conversation with a model that answers from a script."""

    talk: Conversation
    server: ScriptedModel


@contextmanager
def modelled_conversation(folder: Path) -> Iterator[Modelled]:
    """The assistant with a model for answers and for what the rules leave unclear."""
    with scripted_model([]) as server:
        chosen = load_settings(home=folder, OPENAI_BASE_URL=server.url, model_retries=0, model_timeout=10.0)
        with conversation(folder, WordVectors(), model=chat_model(chosen), reader=model_reader(chosen)) as talk:
            yield Modelled(talk, server)
