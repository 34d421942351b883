"""Conversations for the command line: the assistant with its checkpoints, one message at a time, streamed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from foundation.ids import derived_id
from foundation.locks import thread_lock
from graphs.assistant import build_assistant
from invoices.findings import Lang
from memory.answers import confirms, yes_or_no
from memory.model import Receipt
from memory.scope import Scope
from memory.service import Memory
from nodes.forget_me import ACTION
from nodes.services import Services
from oversight.checkpoints import GuardedSqliteSaver, open_saver
from remembrancer.eraser import Eraser, completed
from remembrancer.receipts import lines
from remembrancer.settings import Settings
from remembrancer.texts import speech_for
from remembrancer.wiring import open_services

_A_WHILE = 30.0
_SPEAKING = ("respond", "act")
_WAYS: dict[str, dict[Lang, str]] = {
    "approve": {"zh": "批准", "en": "approve"},
    "edit": {"zh": "修改：名称=值", "en": "edit: NAME=VALUE"},
    "reject": {"zh": "拒绝：理由", "en": "reject: REASON"},
    "respond": {"zh": "回复：内容", "en": "respond: TEXT"},
}
_HERE: dict[Lang, str] = {
    "zh": "等待决定。在此回答：{ways}；或者：remembrancer decide {review} approve",
    "en": "This waits for a decision. Answer here: {ways}; or: remembrancer decide {review} approve",
}


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
        self._told = {str(message.id) for message in self._spoken()}

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
            yield from self._finished()
            changes_the_subject = self._asks_to_forget_all() and yes_or_no(text) is None and not confirms(text)
            yield from self._pieces(self._input(text))
            if changes_the_subject:
                # What was said instead of a yes cancelled the question; it is still something that was said.
                yield "\n"
                yield from self._pieces(self._input(text))
            yield from self._proof()
            self._told = {str(message.id) for message in self._spoken()}

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

    @property
    def waiting(self) -> str:
        """What the thread waits for a person to decide, and how; "" when it waits for nothing."""
        found = self._graph.get_state(self._config).interrupts
        return _asked(found[0].value, self._lang) if found else ""

    def _finished(self) -> Iterator[str]:
        """What was said since in another process, and the end of a turn that a crash cut off."""
        for message in self._spoken():
            if str(message.id) not in self._told:
                yield f"{message.text}\n"
        state = self._graph.get_state(self._config)
        if (state.next or state.tasks) and not state.interrupts:
            yield from self._pieces(None)
            yield "\n"

    def _spoken(self) -> list[AIMessage]:
        return [message for message in self.state.get("messages") or [] if _is_said(message)]

    def _pieces(self, given: Any) -> Iterator[str]:
        streamed = ""
        stream: Any = self._graph.stream(given, self._config, stream_mode=["messages", "updates"])
        for mode, data in stream:
            if mode != "messages":
                yield from _rest(data, streamed, self._lang)
            elif self.services.tools is None and (piece := _piece(data)):
                # With tools an answer is weighed before anybody hears it.
                streamed += piece
                yield piece

    def _asks_to_forget_all(self) -> bool:
        interrupts = self._graph.get_state(self._config).interrupts
        requests = [request for each in interrupts for request in each.value.get("action_requests", ())]
        return any(request["name"] == ACTION for request in requests)

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


def _piece(data: tuple[Any, dict[str, Any]]) -> str:
    """A piece of the answer as it is made."""
    piece, about = data
    return piece.text if about.get("langgraph_node") == "respond" and isinstance(piece, AIMessageChunk) else ""


def _rest(updates: dict[str, Any], streamed: str, lang: Lang) -> Iterator[str]:
    """What the answer says beyond what was streamed, or the question at which the thread stops."""
    if "__interrupt__" in updates:
        yield _asked(updates["__interrupt__"][0].value, lang)
    updated = [values for node, values in updates.items() if node in _SPEAKING and values]
    for message in (message for values in updated for message in values.get("messages") or []):
        if not _is_said(message):
            continue
        said = message.text
        if said.startswith(streamed.strip()):
            yield said[len(streamed.strip()) :]
        else:
            yield f"\n{said}"


def _is_said(message: BaseMessage) -> bool:
    """Whether it is meant for the person; what calls tools isn't."""
    return isinstance(message, AIMessage) and not message.tool_calls


def _asked(question: dict[str, Any], lang: Lang) -> str:
    """The question, and how to answer it."""
    description = str(question["action_requests"][0]["description"])
    review_id = question.get("review_id")
    if not review_id:
        return description
    allowed = question["review_configs"][0]["allowed_decisions"]
    ways = " | ".join(_WAYS[kind][lang] for kind in _WAYS if kind in allowed)
    return f"{description}\n\n{_HERE[lang].format(ways=ways, review=review_id)}"
