"""The office: the graphs with their checkpoints, run under locks. CLI, inbox, server and worker go through it.

It starts audits and reviews, takes decisions, and drives on what a crash left lying: decisions that were taken and
have no effect yet, threads that hold an answer nobody went on with, doubtful invoices without a thread.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt
from sqlalchemy import Connection

from foundation.clock import Clock, utc_now
from foundation.database import reading
from foundation.errors import (
    RefusedError,
    RemembrancerError,
    ThreadAnsweredError,
    ThreadBusyError,
)
from foundation.ids import derived_id, new_id
from foundation.locks import thread_lock
from graphs.asking import Graph
from graphs.invoice_audit import build_invoice_audit
from graphs.invoice_review import build_invoice_review
from graphs.state import AuditInput
from invoices.ledger import (
    Batch,
    Examined,
    InvoiceStatus,
    find_batch,
    find_examined,
    finished_last,
    list_batches,
    waiting_in_threads,
)
from nodes.invoice_matter import samples_in_threads
from nodes.quarantine_matter import KIND as QUARANTINE
from nodes.quarantine_matter import REMEMBER, HeldStatus
from nodes.remembering import remember_decisions
from nodes.services import Services
from oversight.action import DecisionKind
from oversight.actions import ACTION_KEYS, ActionStatus, find_action, unfinished_threads
from oversight.admission import admit, decision_of
from oversight.answer import Answer, parse_answer
from oversight.brake import is_on
from oversight.checkpoints import GuardedSqliteSaver, ThreadState, open_saver
from oversight.desk import ReviewDesk
from oversight.due_times import has_expired
from oversight.reviews import (
    Decision,
    Pending,
    Review,
    ReviewStatus,
    applied_last,
    find_review,
    pending_reviews,
)
from oversight.threads import thread_kind, thread_owner
from remembrancer.bulk import Outcome, decide_each
from remembrancer.reopening import reopen_review
from remembrancer.reversing import reverse
from remembrancer.settings import Settings, load_settings
from remembrancer.settled import Settled
from remembrancer.taking import keep, settled_of
from remembrancer.tending import expire_late
from remembrancer.wiring import open_services

_log = structlog.get_logger(__name__)

_AT_ONCE = 0.0
_A_WHILE = 30.0
_LATEST = 100

Progress = Callable[[int, int], None]

_STOPPED = frozenset({ThreadState.GHOST, ThreadState.AT_REST})
"""How a thread stands that a crash stopped; one that was never begun was not stopped."""

RELEASED = {"released": True}
"""What a thread is told whose brake somebody released: no decision, so that a brake pulled again meanwhile holds."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep drove on."""

    decisions: int = 0
    ghosts: int = 0
    reviews_opened: int = 0
    begun: int = 0
    """Threads of reviews that had none yet: a conversation holds a memory back without running another graph."""

    @property
    def after_a_crash(self) -> bool:
        """Whether something had been left half done."""
        return bool(self.decisions or self.ghosts or self.reviews_opened)


class Office:
    """The graphs of one process, bound to its services and its checkpoint file."""

    def __init__(self, settings: Settings, services: Services, saver: GuardedSqliteSaver) -> None:
        """Compile the graphs; `open_office` is the usual way to get one."""
        self.settings = settings
        self.services = services
        self.saver = saver
        self._audit = build_invoice_audit(services, checkpointer=saver)
        self._review = build_invoice_review(services, checkpointer=saver)
        self._graphs: Mapping[str, Callable[[], Graph]] = {
            "invoice_audit": lambda: self._audit,
            "invoice_review": lambda: self._review,
            "assistant": cache(self._assistant),
            QUARANTINE: cache(self._quarantine),
        }
        self._locks = settings.home.absolute() / "locks"
        self.desk = ReviewDesk(services.engine, services.journal, services.clock, services.zone)

    # Audits

    def audit(self, start: AuditInput, *, name: str = "", progress: Progress | None = None) -> Batch:
        """Audit a batch to the end of its files; each doubtful invoice then waits in a thread of its own.

        A batch of this name that a crash stopped goes on where it stood; a finished one is returned as it is.

        Raises:
            UsageError: the paths, the policy or the name can't be used.
            ThreadBusyError: another process is auditing this batch.
        """
        thread_id = derived_id("audit", self.services.tenant, name) if name else new_id("audit")
        with thread_lock(self._locks, thread_id, seconds=_AT_ONCE):
            batch = self._known(name)
            if batch is None or batch.finished_at is None:
                fresh: AuditInput | None = _given(start, name) if batch is None else None
                self._run(self._audit, thread_id, fresh, progress)
                self._past_the_brake(thread_id, progress)
            batch = self._of_thread(thread_id)
        self.open_reviews()
        return batch

    # The brake

    def go_on(self) -> int:
        """Drive on what a brake had stopped and none stops any more; returns how many threads went on.

        Waits for a process that is just about to stop, so that a release never falls between two chairs.
        """
        went = 0
        for thread_id in self._at_a_brake():
            with thread_lock(self._locks, thread_id, seconds=_A_WHILE):
                went += self._past_the_brake(thread_id)
        self.open_reviews()
        return went

    def _at_a_brake(self) -> list[str]:
        """The threads that stand at a brake, whether it is still on or not."""
        with reading(self.services.engine) as connection:
            threads = [one.thread_id for one in list_batches(connection, self.services.tenant, finished=False)]
            pending = pending_reviews(connection, self.services.tenant)
            acting = unfinished_threads(connection, self.services.tenant)
        threads += [one.thread_id for one in pending if one.status is ReviewStatus.DECIDED]
        threads = list(dict.fromkeys([*threads, *acting]))
        states = self.saver.thread_states(threads)
        return [one for one in threads if states[one] is ThreadState.WAITS and self._halts(one)]

    def _halts(self, thread_id: str) -> list[Interrupt]:
        """The brake's questions that the thread waits at."""
        state = self._graph_of(thread_id).get_state(_config(thread_id))
        return [one for one in state.interrupts if "brake" in one.value]

    def _is_stopped(self, thread_id: str) -> bool:
        """Whether the thread stands at a brake that is on."""
        scopes = [one.value["brake"]["batch"] for one in self._halts(thread_id)]
        with reading(self.services.engine) as connection:
            return any(is_on(connection, self.services.tenant, scope, thread_id) for scope in scopes)

    def _past_the_brake(self, thread_id: str, progress: Progress | None = None) -> bool:
        """Let a stopped thread go on, as often as its brake was released meanwhile; whether it did."""
        went = False
        while (halts := self._halts(thread_id)) and not self._is_stopped(thread_id):
            resume: Command[Any] = Command(resume={halts[0].id: RELEASED})
            self._run(self._graph_of(thread_id), thread_id, resume, progress)
            went = True
        return went

    def open_reviews(self) -> int:
        """Start the thread of every doubtful or sampled invoice that has none yet; returns how many were started."""
        with reading(self.services.engine) as connection:
            waiting = waiting_in_threads(connection, self.services.tenant)
            waiting += samples_in_threads(connection, self.services.tenant)
            known = {pending.subject for pending in pending_reviews(connection, self.services.tenant)}
        lacking = [invoice_id for invoice_id in waiting if invoice_id not in known]
        return sum(self._open_review(invoice_id) for invoice_id in lacking)

    def _open_review(self, invoice_id: str) -> bool:
        thread_id = derived_id("review", invoice_id)

        def start() -> bool:
            state = self.saver.thread_states([thread_id])[thread_id]
            if state is not ThreadState.WAITS:
                begun = state is not ThreadState.UNKNOWN
                self._review.invoke(None if begun else {"invoice_id": invoice_id}, _config(thread_id))
            return state is not ThreadState.WAITS

        return self._if_free(thread_id, start)

    # Decisions

    def decide(
        self,
        review_id: str,
        kind: DecisionKind,
        *,
        by: str,
        reason: str = "",
        edits: Mapping[str, str] | None = None,
        via: str = "cli",
        seen: str = "",
    ) -> Settled:
        """Take one decision and let it take effect; the same decision by the same person again is that decision.

        `seen` is the digest of what the person had before his eyes, where the screen knows it.

        Raises:
            NotFoundError: this tenant has no such review.
            AlreadyDecidedError: somebody was first; says who.
            ExpiredError: its time is over.
            NotAllowedError: this person may not decide this.
            RefusedError: it has changed since he looked at it.
            AnswerError: the decision states too little (a rejection without a reason, an edit of nothing).
        """
        review = self._review_of(review_id)
        self._graph_of(review.thread_id)  # A thread of another program is refused before anything is taken.
        self._finish_first(review)
        review = self._review_of(review_id)
        answer = parse_answer({"type": kind, "message": reason, "args": dict(edits or {})}, review.question)
        if seen and seen != review.digest and review.status is ReviewStatus.OPEN:
            raise RefusedError(f"{review_id} has changed since you looked at it: look at it again")
        decision = self._decision(answer, review, by, via)
        kept = keep(self.services, decision, review)
        if not kept.refused:
            with thread_lock(self._locks, review.thread_id, seconds=_A_WHILE):
                self._drive(review_id, review.thread_id, kept.decision_id)
        return settled_of(self.services, kept, self._status_of)

    def _decision(self, answer: Answer, review: Review, by: str, via: str) -> Decision:
        """The answer as this person's decision; one that comes too late moves the review to expired."""
        now, day = self.services.clock(), self.services.today()
        if has_expired(review, now):
            expire_late(self)
        with reading(self.services.engine) as connection:
            right = admit(connection, review, by, answer.kind, now=now, day=day)
        return decision_of(answer, review, review.question, right, decision_id=new_id("dec"), via=via, at=now)

    def decide_many(
        self,
        review_ids: Sequence[str],
        kind: DecisionKind,
        *,
        by: str,
        reason: str = "",
        via: str = "cli",
        seen: Mapping[str, str] | None = None,
    ) -> list[Outcome]:
        """Decide several reviews of one reason group the same way; one outcome each, whatever becomes of the others.

        Raises:
            UsageError: they were opened for different reasons, or the decision is an edit.
            NotFoundError: this tenant has no such review.
        """
        return decide_each(self, review_ids, kind, by=by, reason=reason, via=via, seen=seen or {})

    def reopen(self, review_id: str, by: str, reason: str) -> Review:
        """Ask again: an expired review is opened again, a decided one is asked about once more as a fork of it.

        Returns the review that is open now. The old decision stays in the log and, until another one is made, in force.

        Raises:
            NotFoundError: this tenant has no such review.
            UsageError: no reason.
            NotAllowedError: this person could not decide it.
            RefusedError: it waits, or what it was about can't be decided about any more.
        """
        review = reopen_review(self, review_id, by, reason)
        self._if_free(review.thread_id, lambda: self._drive(review.review_id, review.thread_id, None))
        return self._review_of(review.review_id)

    def _review_of(self, review_id: str) -> Review:
        with reading(self.services.engine) as connection:
            return find_review(connection, self.services.tenant, review_id)

    def reverse(self, id_or_number: str, *, by: str, reason: str) -> Examined:
        """Take a booking back with a second entry; nothing is deleted, and the invoice is never booked again.

        Raises:
            NotFoundError: this tenant has no such invoice.
            RefusedError: it isn't booked (any more).
            UsageError: no reason, or a number that several booked invoices have.
            NotAllowedError: nobody is named or known, or the person brought the claim in himself.
        """
        return reverse(self.services, id_or_number, by=by, reason=reason)

    def _finish_first(self, review: Review) -> None:
        """An answer that is saved in the thread, but was not gone on with, came before any that comes now."""
        if self.saver.thread_states([review.thread_id])[review.thread_id] is ThreadState.GHOST:
            with thread_lock(self._locks, review.thread_id, seconds=_A_WHILE):
                self._drive(review.review_id, review.thread_id, None)

    def _status_of(self, connection: Connection, review: Review) -> InvoiceStatus | ActionStatus | HeldStatus:
        if review.action == REMEMBER:
            return self._held(review)
        if review.subject.startswith(ACTION_KEYS):
            return find_action(connection, review.tenant, review.subject).status
        return find_examined(connection, review.tenant, review.subject).status

    def _held(self, review: Review) -> HeldStatus:
        last = self._graph_of(review.thread_id).get_state(_config(review.thread_id)).values.get("last") or {}
        return HeldStatus(last.get("status", HeldStatus.QUARANTINED))

    def _drive(self, review_id: str, thread_id: str, decision_id: str | None) -> bool:
        """Resume the thread with the decision, or run on what a crash left between two checkpoints.

        Returns whether there was something to do.
        """
        graph, config = self._graph_of(thread_id), self._config_of(thread_id)
        state = graph.get_state(config)
        begun = not state.values and self._begin(graph, review_id, config)
        state = graph.get_state(config) if begun else state
        asked = [question for question in state.interrupts if question.value.get("review_id") == review_id]
        if asked and decision_id:
            try:
                graph.invoke(Command(resume={asked[0].id: {"decision_id": decision_id}}), config)
            except ThreadAnsweredError:
                # Somebody answered past the desk at the same moment; whoever won, it is gone on with from there.
                self._drive(review_id, thread_id, None)
        elif not state.interrupts and (state.next or state.tasks):
            graph.invoke(None, config)
        else:
            return begun
        return True

    def _begin(self, graph: Graph, review_id: str, config: RunnableConfig) -> bool:
        """Start the thread of a review that was opened before it, so that a crash between the two loses nothing."""
        review = self._review_of(review_id)
        if review.action == REMEMBER:
            graph.invoke({"memory_id": review.subject, "person": review.question["evidence"]["person"]}, config)
        elif review.forked_from:
            graph.invoke({"invoice_id": review.subject, "reopens": review.forked_from}, config)
        else:
            return False
        return True

    # After a crash

    def sweep(self) -> Swept:
        """Drive on whatever a crash left: decisions without effect, ghosts, doubtful invoices without a thread.

        What another process is running at the moment is left to it. Running a sweep twice changes nothing.
        """
        with reading(self.services.engine) as connection:
            pending = pending_reviews(connection, self.services.tenant)
            batches = list_batches(connection, self.services.tenant, finished=False)
            # A crash between an end in the ledger and its last checkpoint leaves a ghost of what is finished.
            batches += finished_last(connection, self.services.tenant, _LATEST)
            applied = applied_last(connection, self.services.tenant, _LATEST)
        halted = self._at_a_brake()
        decided = [one for one in pending if one.status is ReviewStatus.DECIDED and one.thread_id not in halted]
        asked = {review.thread_id: review for review in pending if review.status is ReviewStatus.OPEN}
        states = self.saver.thread_states(list(asked))
        stopped = [asked[thread_id] for thread_id, state in states.items() if state in _STOPPED]
        unbegun = [asked[thread_id] for thread_id, state in states.items() if state is ThreadState.UNKNOWN]
        ends = {review.thread_id: review for review in applied if review.thread_id not in asked}
        states = self.saver.thread_states(list(ends))
        stopped += [ends[thread_id] for thread_id, state in states.items() if state is ThreadState.GHOST]
        decisions = sum(self._sweep_review(review) for review in decided)
        ghosts = sum(self._sweep_review(review) for review in stopped)
        ghosts += sum(self._sweep_batch(batch) for batch in self._ghosts_of(batches))
        ghosts += sum(self._sweep_acting(thread_id) for thread_id in self._acting())
        ghosts += sum(self._sweep_halted(thread_id) for thread_id in halted if not self._is_stopped(thread_id))
        remember_decisions(self.services)
        begun = sum(self._sweep_review(review) for review in unbegun)
        return Swept(decisions, ghosts, self.open_reviews(), begun)

    def _sweep_review(self, review: Pending) -> bool:
        return self._if_free(
            review.thread_id, lambda: self._drive(review.review_id, review.thread_id, review.decision_id)
        )

    def _acting(self) -> list[str]:
        """The conversations that a crash stopped between two steps of an action that may run."""
        with reading(self.services.engine) as connection:
            threads = unfinished_threads(connection, self.services.tenant)
        states = self.saver.thread_states(threads)
        return [one for one in threads if states[one] in _STOPPED]

    def _sweep_acting(self, thread_id: str) -> bool:
        return self._if_free(thread_id, lambda: self._drive("", thread_id, None))

    def _sweep_halted(self, thread_id: str) -> bool:
        return self._if_free(thread_id, lambda: self._past_the_brake(thread_id))

    def _ghosts_of(self, batches: list[Batch]) -> list[Batch]:
        states = self.saver.thread_states([batch.thread_id for batch in batches])
        return [batch for batch in batches if states[batch.thread_id] is ThreadState.GHOST]

    def _sweep_batch(self, batch: Batch) -> bool:
        def finish() -> bool:
            self._run(self._audit, batch.thread_id, None, None)
            return True

        return self._if_free(batch.thread_id, finish)

    def _if_free(self, thread_id: str, work: Callable[[], bool]) -> bool:
        """Whether there was something to do, and nobody else was doing it."""
        try:
            with thread_lock(self._locks, thread_id, seconds=_AT_ONCE):
                return work()
        except ThreadBusyError:
            return False
        except RemembrancerError as error:
            _log.warning("a thread could not be driven on", thread=thread_id, error=str(error))
            return False

    # Shared

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

    def _known(self, name: str) -> Batch | None:
        with reading(self.services.engine) as connection:
            return find_batch(connection, self.services.tenant, name) if name else None

    def _of_thread(self, thread_id: str) -> Batch:
        with reading(self.services.engine) as connection:
            batches = list_batches(connection, self.services.tenant)
        return next(batch for batch in batches if batch.thread_id == thread_id)

    def _graph_of(self, thread_id: str) -> Graph:
        with reading(self.services.engine) as connection:
            kind = thread_kind(connection, thread_id, self.services.tenant)
        if kind not in self._graphs:
            raise RefusedError(
                f"thread {thread_id} runs in a program of its own: answer there, with Command(resume=...)"
            )
        return self._graphs[kind]()

    def _assistant(self) -> Graph:
        """The assistant, loaded when one of its threads is driven: an audit starts faster without."""
        from graphs.assistant import build_assistant

        return build_assistant(self.services, checkpointer=self.saver)

    def _quarantine(self) -> Graph:
        """What reviews held memories, loaded no earlier than it is needed."""
        from graphs.quarantine_review import build_quarantine_review

        return build_quarantine_review(self.services, checkpointer=self.saver)

    def _config_of(self, thread_id: str) -> RunnableConfig:
        """The thread, and in a conversation whose it is."""
        with reading(self.services.engine) as connection:
            owner = thread_owner(connection, thread_id, self.services.tenant)
        return {"configurable": {"thread_id": thread_id, **({"user_id": owner} if owner else {})}}


def _given(start: AuditInput, name: str) -> AuditInput:
    """The input without what nobody said: each key is one more thing that every checkpoint carries."""
    said: AuditInput = {**start, "batch": name}
    given = {key: value for key, value in said.items() if value}
    return {**given, "ask_in": "threads"}  # type: ignore[typeddict-item] # the keys are those of the input


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


@contextmanager
def open_office(settings: Settings | None = None, *, sweep: bool = True, clock: Clock = utc_now) -> Iterator[Office]:
    """An office for these settings, with whatever a crash left driven on first.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
        StorageError: the database or the checkpoints can't be opened, or aren't durable.
    """
    settings = settings or load_settings()
    services = open_services(settings, clock)
    with ExitStack() as stack:
        saver = stack.enter_context(open_saver(settings.checkpoints, key=settings.sealing_key))
        office = Office(settings, services, saver)
        if sweep:
            swept = office.sweep()
            if swept.after_a_crash:
                _log.warning("went on after a crash", **{name: getattr(swept, name) for name in Swept.__slots__})
        yield office
