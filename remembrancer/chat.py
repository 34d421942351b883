"""Conversations for the command line: the assistant with its checkpoints, one message at a time, streamed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from foundation.ids import derived_id
from foundation.locks import thread_lock
from graphs.assistant import build_assistant
from memory.model import Receipt
from memory.scope import Scope
from memory.service import Memory
from nodes.services import Services
from oversight.checkpoints import GuardedSqliteSaver, open_saver
from remembrancer.eraser import Eraser, completed
from remembrancer.receipts import lines
from remembrancer.settings import Settings
from remembrancer.texts import speech_for
from remembrancer.wiring import open_services

_A_WHILE = 30.0


class Chat:
    """One person's conversation in one thread."""

    def __init__(
        self, settings: Settings, services: Services, saver: GuardedSqliteSaver, user: str, thread: str
    ) -> None:
        """Go on in `thread`; `open_chat` is the usual way to get one."""
        self.services = services
        self.user = user
        self.thread = thread or derived_id("chat", services.tenant, user)
        self._graph = build_assistant(services, checkpointer=saver)
        self._eraser = Eraser(settings, services, saver)
        self._lang = speech_for(settings).lang
        self._locks = settings.home.absolute() / "locks"
        self._config: RunnableConfig = {"configurable": {"thread_id": self.thread, "user_id": user}}

    @property
    def scope(self) -> Scope:
        """The person's pool of memory."""
        return Scope.user(self.services.tenant, self.user)

    @property
    def memory(self) -> Memory:
        """The long-term memory behind the conversation."""
        return self.services.memory()

    def say(self, text: str) -> Iterator[str]:
        """The answer, piece by piece as it comes; the last turn's facts are in `state` afterwards.

        Raises:
            NotFoundError: the thread is somebody else's.
            ThreadBusyError: another process is talking in this thread.
        """
        with thread_lock(self._locks, self.thread, seconds=_A_WHILE):
            yield from self._pieces(text)
            yield from self._proof()

    def forget(self, memory_id: str) -> list[str]:
        """Delete one memory everywhere; the receipt in lines.

        Raises:
            NotFoundError: this person has no such memory.
            ThreadBusyError: another process is talking in this thread.
        """
        with thread_lock(self._locks, self.thread, seconds=_A_WHILE):
            receipt = self.memory.forget(self.scope, memory_id)
            finished = self._eraser.finish(self.scope.pool, holding=(self.thread,))
        return list(lines(completed(receipt, finished), self._lang))

    @property
    def state(self) -> dict[str, Any]:
        """Short-term memory and the facts of the last turn."""
        return dict(self._graph.get_state(self._config).values)

    def _pieces(self, text: str) -> Iterator[str]:
        streamed = ""
        stream: Any = self._graph.stream(self._input(text), self._config, stream_mode=["messages", "updates"])
        for mode, data in stream:
            if mode == "messages":
                piece, about = data
                if about.get("langgraph_node") == "respond" and isinstance(piece, AIMessageChunk) and piece.text:
                    streamed += piece.text
                    yield piece.text
            else:
                yield from _rest(data, streamed)

    def _input(self, text: str) -> Any:
        """A message, or the answer to the question at which the thread waits."""
        if self._graph.get_state(self._config).interrupts:
            return Command(resume=text)
        return {"messages": [{"role": "user", "content": text}]}

    def _proof(self) -> Iterator[str]:
        """After something was forgotten: it leaves all checkpoints and files, and what was looked through is told."""
        if not self._eraser.owes(self.scope.pool):
            return
        finished = self._eraser.finish(self.scope.pool, holding=(self.thread,))
        yield from (f"\n{line}" for line in lines(completed(Receipt(), finished), self._lang))


@contextmanager
def open_chat(settings: Settings, *, user: str = "", thread: str = "") -> Iterator[Chat]:
    """A conversation; without a name it is the account's, without a thread the person's one lasting thread.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
        StorageError: the database or the checkpoints can't be opened.
    """
    services = open_services(settings)
    with open_saver(settings.checkpoints, key=settings.sealing_key) as saver:
        yield Chat(settings, services, saver, user or services.account, thread)


def _rest(updates: dict[str, Any], streamed: str) -> Iterator[str]:
    """What the answer says beyond what was streamed, or the question at which the thread stops."""
    if "__interrupt__" in updates:
        yield updates["__interrupt__"][0].value["action_requests"][0]["description"]
    messages: list[BaseMessage] = (updates.get("respond") or {}).get("messages") or []
    for message in messages:
        said = message.text
        if said.startswith(streamed.strip()):
            yield said[len(streamed.strip()) :]
        else:
            yield f"\n{said}"
