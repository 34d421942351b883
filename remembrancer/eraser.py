"""The eraser: forgets in all parts of the installation, and proves it.

`memory` deletes its own rows. What else carries the words - checkpoints, reviews, exports, logs, slack in files, lists
for restores - only the application knows. Each deletion leaves a note in the same transaction; the eraser works the
notes off, now or after a crash, and then looks at every file for the forgotten texts.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from foundation.database import reading, writing
from foundation.errors import ThreadBusyError
from foundation.locks import thread_lock
from memory import erasures, transcript
from memory.base_store import MemoryStore
from memory.defaults import Forgetting
from memory.erasures import Erasure
from memory.model import Receipt
from memory.scope import Scope
from memory.service import Memory
from nodes.services import Services
from oversight.checkpoints import GuardedSqliteSaver, ThreadState, open_saver
from oversight.erasing import rewrite_thread
from remembrancer import deletions, paperwork, places
from remembrancer.proof import Proof, prove
from remembrancer.restating import restated
from remembrancer.settings import Settings
from remembrancer.wiring import open_services

_A_WHILE = 10.0


@dataclass(frozen=True, slots=True)
class Finished:
    """What was done outside the rows of memory: the proof, and what could not be reached yet."""

    proof: Proof = field(default_factory=Proof)
    requested: tuple[str, ...] = ()


class Eraser:
    """Forgets in every part of one installation."""

    def __init__(self, settings: Settings, services: Services, saver: GuardedSqliteSaver) -> None:
        """Work on these parts; `open_eraser` is the usual way to get one."""
        self.settings = settings
        self.services = services
        self._saver = saver
        self._locks = settings.home.absolute() / "locks"

    @property
    def memory(self) -> Memory:
        """The memory that is erased from."""
        return self.services.memory()

    def forget(self, scope: Scope, memory_id: str, *, by: str = "user", reason: str = "asked for") -> Receipt:
        """Delete a memory with the versions it replaced, in every part.

        Raises:
            NotFoundError: no such memory in this scope.
        """
        return self._carried_out(scope, lambda: self.memory.forget(scope, memory_id, actor=by, reason=reason))

    def forget_message(self, scope: Scope, thread_id: str, message_id: str, *, by: str = "user") -> Receipt:
        """Delete a message with what only it supports, in every part."""
        return self._carried_out(scope, lambda: self.memory.forget_message(scope, thread_id, message_id, actor=by))

    def forget_me(self, scope: Scope, *, confirm: str) -> Receipt:
        """Delete everything of a pool, in every part.

        Raises:
            RefusedError: `confirm` isn't the present token of `Memory.forget_me_token`; nothing was changed.
        """
        return self._carried_out(scope, lambda: self.memory.forget_me(scope, confirm=confirm))

    def lift_hold(self, scope: Scope, hold_id: str, *, by: str) -> Finished:
        """End a legal hold; what it alone kept is erased now.

        Raises:
            NotFoundError: this pool has no such hold in force.
        """
        self.memory.lift_hold(scope, hold_id)
        self._log(by, "legal hold lifted", hold_id)
        return self.finish()

    def hold(self, scope: Scope, *, reason: str, by: str, until: datetime | None = None) -> str:
        """Put a legal hold on a pool; returns its id.

        Raises:
            UsageError: no reason, nobody is named, or it would be over already.
        """
        hold = self.memory.hold(scope, reason=reason, by=by, until=until)
        self._log(by, "legal hold placed", hold.hold_id)
        return hold.hold_id

    def _log(self, by: str, event: str, subject: str) -> None:
        with self.services.journal.transaction() as transaction:
            transaction.log(self.services.tenant, by, event, subject)

    def _carried_out(self, scope: Scope, deed: Callable[[], Receipt]) -> Receipt:
        receipt = deed()
        return completed(receipt, self.finish(scope.pool))

    def sweep(self, *, settings: Forgetting | None = None) -> dict[str, int]:
        """Forget what is over, unused, or too much, and finish what deletions still owe; for the worker and the CLI.

        Returns:
            How many memories each rule took, how many items of the store expired, how many deletions were finished.
        """
        taken = self.memory.sweep(self.services.tenant, settings=settings)
        taken["store items"] = MemoryStore(self.services.engine, clock=self.services.clock).sweep()
        with reading(self.services.engine) as connection:
            owed = len(erasures.pending(connection))
        self.finish()
        return {**taken, "deletions": owed}

    # What a deletion still owes

    def owes(self, pool: str | None = None) -> bool:
        """Whether a deletion is still to be finished."""
        with reading(self.services.engine) as connection:
            return bool(erasures.pending(connection, pool))

    def finish(self, pool: str | None = None, *, holding: Collection[str] = ()) -> Finished:
        """Work off what deletions still owe; safe to run again, and after a crash.

        Args:
            pool: only those of this pool.
            holding: threads whose lock the caller has.
        """
        with reading(self.services.engine) as connection:
            pending = erasures.pending(connection, pool)
        finished = Finished()
        for name in dict.fromkeys(each.pool for each in pending):
            mine = [each for each in pending if each.pool == name]
            finished = _joined(finished, self._finish(name.removeprefix("held:"), mine, holding))
        return finished

    def _finish(self, pool: str, pending: Sequence[Erasure], holding: Collection[str]) -> Finished:
        scope = Scope.of_pool(pool)
        ids = [each.erasure_id for each in pending]
        texts = sorted({text for each in pending for text in each.texts or ()}, key=len, reverse=True)
        busy: list[str] = []
        if any(each.texts is not None for each in pending):
            busy = self._clear(scope, pending, texts, holding)
        if busy:
            return Finished(requested=tuple(f"thread {thread}" for thread in busy))
        with writing(self.services.engine) as connection:
            erasures.words_are_out(connection, ids)
        whole = any(each.what == "person" for each in pending)
        proof = prove(self.settings, self.services, pool, texts, whole=whole)
        with writing(self.services.engine) as connection:
            erasures.finish(connection, ids)
            if whole:
                paperwork.forget_files(connection, pool)
        return Finished(proof)

    def _clear(
        self, scope: Scope, pending: Sequence[Erasure], texts: Sequence[str], holding: Collection[str]
    ) -> list[str]:
        """Take the words out of everything that carries them; returns the threads that somebody is running."""
        with reading(self.services.engine) as connection:
            backups = paperwork.known(connection, "backup")
            threads = places.personal_threads(connection, scope)
        lists = [self.settings.home.absolute() / deletions.NAME, *(deletions.beside(each) for each in backups)]
        deletions.append(lists, [deletions.of_erasure(each) for each in pending])
        whole = any(each.what == "person" for each in pending)
        busy = [each for each in threads if not self._clear_thread(scope, each, texts, whole, each in holding)]
        with self.services.journal.transaction() as transaction:
            paperwork.clear_rows(transaction.connection, scope.tenant_id, threads, texts, whole=whole)
            exports = paperwork.known(transaction.connection, "export", scope.pool)
        paperwork.clear_exports(exports, texts, whole=whole)
        paperwork.clear_logs(self.settings.home.absolute(), texts)
        return busy

    def _clear_thread(self, scope: Scope, thread: str, texts: Sequence[str], whole: bool, held: bool) -> bool:
        if held:
            self._rewrite(scope, thread, texts, whole)
            return True
        try:
            with thread_lock(self._locks, thread, seconds=_A_WHILE):
                self._rewrite(scope, thread, texts, whole)
        except ThreadBusyError:
            return False
        return True

    def _rewrite(self, scope: Scope, thread: str, texts: Sequence[str], whole: bool) -> None:
        """Drop the thread's checkpoints when everything goes and nobody is waited for; else rewrite the newest."""
        state = self._saver.thread_states([thread])[thread]
        if whole and state not in (ThreadState.WAITS, ThreadState.GHOST):
            self._saver.delete_thread(thread)
            return
        with reading(self.services.engine) as connection:
            said = transcript.thread(connection, scope.pool, thread)
        rewrite_thread(
            self._saver, thread, lambda text: transcript.blanked(text, texts), lambda values: restated(values, said)
        )


def completed(receipt: Receipt, finished: Finished) -> Receipt:
    """A receipt of memory with what was done and proved outside it."""
    proof = finished.proof
    return replace(
        receipt,
        proved=(*(each for each in receipt.proved if each not in proof.remaining), *proof.proved),
        requested=(*receipt.requested, *finished.requested, *proof.requested),
        retained={**receipt.retained, **proof.retained},
        remaining=dict(proof.remaining),
        shared=proof.shared,
    )


def _joined(one: Finished, other: Finished) -> Finished:
    return Finished(one.proof.joined(other.proof), (*one.requested, *other.requested))


@contextmanager
def open_eraser(settings: Settings) -> Iterator[Eraser]:
    """The eraser of an installation, with whatever a crash left unfinished finished first.

    Raises:
        SettingsError: a setting has a value that isn't allowed.
        StorageError: the database or the checkpoints can't be opened.
    """
    services = open_services(settings)
    with open_saver(settings.checkpoints, key=settings.sealing_key) as saver:
        eraser = Eraser(settings, services, saver)
        if eraser.owes():
            eraser.finish()
        yield eraser
