"""The office: the graphs with their checkpoints, run under locks. CLI, inbox, server and worker go through it.

It starts audits and reviews, takes decisions, and drives on what a crash left lying: decisions that were taken and
have no effect yet, threads that hold an answer nobody went on with, doubtful invoices without a thread.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import structlog
from sqlalchemy import Connection

from foundation.clock import Clock, utc_now
from foundation.database import reading
from foundation.errors import (
    RefusedError,
)
from foundation.ids import derived_id, new_id
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
from nodes.quarantine_matter import REMEMBER, HeldStatus
from nodes.remembering import remember_decisions
from nodes.services import Services
from oversight.action import DecisionKind
from oversight.actions import ACTION_KEYS, ActionStatus, find_action, unfinished_threads
from oversight.admission import admit, decision_of
from oversight.answer import Answer, parse_answer
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
from remembrancer.bulk import Outcome, decide_each
from remembrancer.reopening import reopen_review
from remembrancer.reversing import reverse
from remembrancer.settings import Settings, load_settings
from remembrancer.settled import Settled
from remembrancer.taking import keep, settled_of
from remembrancer.tending import expire_late
from remembrancer.threads import AT_ONCE, Progress, Threads
from remembrancer.wiring import open_services

_log = structlog.get_logger(__name__)

_LATEST = 100

_STOPPED = frozenset({ThreadState.GHOST, ThreadState.AT_REST})
"""How a thread stands that a crash stopped; one that was never begun was not stopped."""


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
        self.threads = Threads(services, saver, settings.home.absolute() / "locks")
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
        with self.threads.alone(thread_id, seconds=AT_ONCE):
            batch = self._known(name)
            if batch is None or batch.finished_at is None:
                fresh: AuditInput | None = _given(start, name) if batch is None else None
                self.threads.audit(thread_id, fresh, progress)
                self.threads.past_the_brake(thread_id, progress)
            batch = self._of_thread(thread_id)
        self.open_reviews()
        return batch

    # The brake

    def go_on(self) -> int:
        """Drive on what a brake had stopped and none stops any more; returns how many threads went on.

        Waits for a process that is just about to stop, so that a release never falls between two chairs.
        """
        went = 0
        for thread_id in self.threads.at_a_brake():
            with self.threads.alone(thread_id):
                went += self.threads.past_the_brake(thread_id)
        self.open_reviews()
        return went

    def open_reviews(self) -> int:
        """Start the thread of every doubtful or sampled invoice that has none yet; returns how many were started."""
        with reading(self.services.engine) as connection:
            waiting = waiting_in_threads(connection, self.services.tenant)
            waiting += samples_in_threads(connection, self.services.tenant)
            known = {pending.subject for pending in pending_reviews(connection, self.services.tenant)}
        lacking = [invoice_id for invoice_id in waiting if invoice_id not in known]
        return sum(self.threads.ask_about(invoice_id) for invoice_id in lacking)

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
        self.threads.graph_of(review.thread_id)  # A thread of another program is refused before anything is taken.
        self._finish_first(review)
        review = self._review_of(review_id)
        answer = parse_answer({"type": kind, "message": reason, "args": dict(edits or {})}, review.question)
        if seen and seen != review.digest and review.status is ReviewStatus.OPEN:
            raise RefusedError(f"{review_id} has changed since you looked at it: look at it again")
        decision = self._decision(answer, review, by, via)
        kept = keep(self.services, decision, review)
        if not kept.refused:
            with self.threads.alone(review.thread_id):
                self.threads.drive(review_id, review.thread_id, kept.decision_id)
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
        self.threads.if_free(review.thread_id, lambda: self.threads.drive(review.review_id, review.thread_id, None))
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
            with self.threads.alone(review.thread_id):
                self.threads.drive(review.review_id, review.thread_id, None)

    def _status_of(self, connection: Connection, review: Review) -> InvoiceStatus | ActionStatus | HeldStatus:
        if review.action == REMEMBER:
            return self._held(review)
        if review.subject.startswith(ACTION_KEYS):
            return find_action(connection, review.tenant, review.subject).status
        return find_examined(connection, review.tenant, review.subject).status

    def _held(self, review: Review) -> HeldStatus:
        last = self.threads.state(review.thread_id).values.get("last") or {}
        return HeldStatus(last.get("status", HeldStatus.QUARANTINED))

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
        halted = self.threads.at_a_brake()
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
        ghosts += sum(self._sweep_halted(thread_id) for thread_id in halted if not self.threads.is_stopped(thread_id))
        remember_decisions(self.services)
        begun = sum(self._sweep_review(review) for review in unbegun)
        return Swept(decisions, ghosts, self.open_reviews(), begun)

    def _sweep_review(self, review: Pending) -> bool:
        return self.threads.if_free(
            review.thread_id, lambda: self.threads.drive(review.review_id, review.thread_id, review.decision_id)
        )

    def _acting(self) -> list[str]:
        """The conversations that a crash stopped between two steps of an action that may run."""
        with reading(self.services.engine) as connection:
            threads = unfinished_threads(connection, self.services.tenant)
        states = self.saver.thread_states(threads)
        return [one for one in threads if states[one] in _STOPPED]

    def _sweep_acting(self, thread_id: str) -> bool:
        return self.threads.if_free(thread_id, lambda: self.threads.drive("", thread_id, None))

    def _sweep_halted(self, thread_id: str) -> bool:
        return self.threads.if_free(thread_id, lambda: self.threads.past_the_brake(thread_id))

    def _ghosts_of(self, batches: list[Batch]) -> list[Batch]:
        states = self.saver.thread_states([batch.thread_id for batch in batches])
        return [batch for batch in batches if states[batch.thread_id] is ThreadState.GHOST]

    def _sweep_batch(self, batch: Batch) -> bool:
        def finish() -> bool:
            self.threads.audit(batch.thread_id, None)
            return True

        return self.threads.if_free(batch.thread_id, finish)

    # Shared

    def _known(self, name: str) -> Batch | None:
        with reading(self.services.engine) as connection:
            return find_batch(connection, self.services.tenant, name) if name else None

    def _of_thread(self, thread_id: str) -> Batch:
        with reading(self.services.engine) as connection:
            batches = list_batches(connection, self.services.tenant)
        return next(batch for batch in batches if batch.thread_id == thread_id)


def _given(start: AuditInput, name: str) -> AuditInput:
    """The input without what nobody said: each key is one more thing that every checkpoint carries."""
    said: AuditInput = {**start, "batch": name}
    given = {key: value for key, value in said.items() if value}
    return {**given, "ask_in": "threads"}  # type: ignore[typeddict-item] # the keys are those of the input


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
