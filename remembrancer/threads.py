"""The threads of one tenant: in which graph each runs, who runs it just now, and how it is gone on with.

A thread is run by one process at a time. What stands at a brake goes on once that is released; what a crash cut off
goes on from its last checkpoint; a decision is handed to the question that it answers.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot

from foundation.database import reading
from foundation.errors import RefusedError, RemembrancerError, ThreadAnsweredError, ThreadBusyError
from foundation.ids import derived_id
from foundation.locks import thread_lock
from graphs.asking import Graph
from graphs.invoice_audit import build_invoice_audit
from graphs.invoice_review import build_invoice_review
from graphs.state import AuditInput
from invoices.ledger import list_batches
from nodes.quarantine_matter import KIND as QUARANTINE
from nodes.quarantine_matter import REMEMBER
from nodes.services import Services
from oversight.actions import unfinished_threads
from oversight.brake import is_on
from oversight.checkpoints import GuardedSqliteSaver, ThreadState
from oversight.reviews import ReviewStatus, find_review, pending_reviews
from oversight.threads import thread_kind, thread_owner

_log = structlog.get_logger(__name__)

AT_ONCE = 0.0
A_WHILE = 30.0
"""Seconds to wait for a process that runs the same thread just now."""

Progress = Callable[[int, int], None]
"""Is told how many files are done, and of how many."""

RELEASED = {"released": True}
"""What a thread is told whose brake somebody released: no decision, so that a brake pulled again meanwhile holds."""


class Threads:
    """The threads of one tenant in one checkpoint file."""

    def __init__(self, services: Services, saver: GuardedSqliteSaver, locks: Path) -> None:
        """Compile the graphs; `locks` is the folder that all processes on these threads share."""
        self._services = services
        self._saver = saver
        self._locks = locks
        self._audit = build_invoice_audit(services, checkpointer=saver)
        self._review = build_invoice_review(services, checkpointer=saver)
        self._graphs: Mapping[str, Callable[[], Graph]] = {
            "invoice_audit": lambda: self._audit,
            "invoice_review": lambda: self._review,
            "assistant": cache(self._assistant),
            QUARANTINE: cache(self._quarantine),
        }

    # One process at a time

    def alone(self, thread_id: str, *, seconds: float = A_WHILE) -> AbstractContextManager[None]:
        """Nobody else runs this thread meanwhile.

        Raises:
            ThreadBusyError: another process still runs it after so many seconds.
        """
        return thread_lock(self._locks, thread_id, seconds=seconds)

    def if_free(self, thread_id: str, work: Callable[[], bool]) -> bool:
        """Whether there was something to do, and nobody else was doing it."""
        try:
            with self.alone(thread_id, seconds=AT_ONCE):
                return work()
        except ThreadBusyError:
            return False
        except RemembrancerError as error:
            _log.warning("a thread could not be driven on", thread=thread_id, error=str(error))
            return False

    # Running

    def audit(self, thread_id: str, start: AuditInput | None, progress: Progress | None = None) -> None:
        """Run a batch to its next stop: from its start, or with None from where it stands."""
        self._run(self._audit, thread_id, start, progress)

    def ask_about(self, invoice_id: str) -> bool:
        """Let a doubtful invoice wait in a thread of its own; whether it did not yet."""
        thread_id = derived_id("review", invoice_id)

        def start() -> bool:
            state = self._saver.thread_states([thread_id])[thread_id]
            if state is not ThreadState.WAITS:
                begun = state is not ThreadState.UNKNOWN
                self._review.invoke(None if begun else {"invoice_id": invoice_id}, _config(thread_id))
            return state is not ThreadState.WAITS

        return self.if_free(thread_id, start)

    def state(self, thread_id: str) -> StateSnapshot:
        """Where the thread stands, and what it waits for."""
        return self.graph_of(thread_id).get_state(_config(thread_id))

    def drive(self, review_id: str, thread_id: str, decision_id: str | None) -> bool:
        """Resume the thread with the decision, or run on what a crash left between two checkpoints.

        Returns whether there was something to do.
        """
        graph, config = self.graph_of(thread_id), self._config_of(thread_id)
        state = graph.get_state(config)
        begun = not state.values and self._begin(graph, review_id, config)
        state = graph.get_state(config) if begun else state
        asked = [question for question in state.interrupts if question.value.get("review_id") == review_id]
        if asked and decision_id:
            try:
                graph.invoke(Command(resume={asked[0].id: {"decision_id": decision_id}}), config)
            except ThreadAnsweredError:
                # Somebody answered past the desk at the same moment; whoever won, it is gone on with from there.
                self.drive(review_id, thread_id, None)
        elif not state.interrupts and (state.next or state.tasks):
            graph.invoke(None, config)
        else:
            return begun
        return True

    def _begin(self, graph: Graph, review_id: str, config: RunnableConfig) -> bool:
        """Start the thread of a review that was opened before it, so that a crash between the two loses nothing."""
        with reading(self._services.engine) as connection:
            review = find_review(connection, self._services.tenant, review_id)
        if review.action == REMEMBER:
            graph.invoke({"memory_id": review.subject, "person": review.question["evidence"]["person"]}, config)
        elif review.forked_from:
            graph.invoke({"invoice_id": review.subject, "reopens": review.forked_from}, config)
        else:
            return False
        return True

    # The brake

    def at_a_brake(self) -> list[str]:
        """The threads that stand at a brake, whether it is still on or not."""
        with reading(self._services.engine) as connection:
            threads = [one.thread_id for one in list_batches(connection, self._services.tenant, finished=False)]
            pending = pending_reviews(connection, self._services.tenant)
            acting = unfinished_threads(connection, self._services.tenant)
        threads += [one.thread_id for one in pending if one.status is ReviewStatus.DECIDED]
        threads = list(dict.fromkeys([*threads, *acting]))
        states = self._saver.thread_states(threads)
        return [one for one in threads if states[one] is ThreadState.WAITS and self._halts(one)]

    def _halts(self, thread_id: str) -> list[Interrupt]:
        """The brake's questions that the thread waits at."""
        return [one for one in self.state(thread_id).interrupts if "brake" in one.value]

    def is_stopped(self, thread_id: str) -> bool:
        """Whether the thread stands at a brake that is on."""
        scopes = [one.value["brake"]["batch"] for one in self._halts(thread_id)]
        with reading(self._services.engine) as connection:
            return any(is_on(connection, self._services.tenant, scope, thread_id) for scope in scopes)

    def past_the_brake(self, thread_id: str, progress: Progress | None = None) -> bool:
        """Let a stopped thread go on, as often as its brake was released meanwhile; whether it did."""
        went = False
        while (halts := self._halts(thread_id)) and not self.is_stopped(thread_id):
            resume: Command[Any] = Command(resume={halts[0].id: RELEASED})
            self._run(self.graph_of(thread_id), thread_id, resume, progress)
            went = True
        return went

    # Which graph

    def graph_of(self, thread_id: str) -> Graph:
        """The graph that this thread runs in.

        Raises:
            RefusedError: it runs in another program.
        """
        with reading(self._services.engine) as connection:
            kind = thread_kind(connection, thread_id, self._services.tenant)
        if kind not in self._graphs:
            raise RefusedError(
                f"thread {thread_id} runs in a program of its own: answer there, with Command(resume=...)"
            )
        return self._graphs[kind]()

    def _assistant(self) -> Graph:
        """The assistant, loaded when one of its threads is driven: an audit starts faster without."""
        from graphs.assistant import build_assistant

        return build_assistant(self._services, checkpointer=self._saver)

    def _quarantine(self) -> Graph:
        """What reviews held memories, loaded no earlier than it is needed."""
        from graphs.quarantine_review import build_quarantine_review

        return build_quarantine_review(self._services, checkpointer=self._saver)

    def _config_of(self, thread_id: str) -> RunnableConfig:
        """The thread, and in a conversation whose it is."""
        with reading(self._services.engine) as connection:
            owner = thread_owner(connection, thread_id, self._services.tenant)
        return {"configurable": {"thread_id": thread_id, **({"user_id": owner} if owner else {})}}

    def _run(
        self, graph: Graph, thread_id: str, start: AuditInput | Command[Any] | None, progress: Progress | None
    ) -> None:
        """Run a thread to its next stop, telling how many files are done."""
        files = 0
        for update in graph.stream(start, self._config_of(thread_id), stream_mode="updates"):
            for node, values in update.items():
                files = (values or {}).get("files", files) if node == "intake" else files
                if progress and node == "examine" and values:
                    progress(values["file"], files)


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}
