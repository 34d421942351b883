"""What may be done to a thread over the server's interface, and by whom."""

import atexit
import re
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from typing import Any

from foundation.database import reading
from foundation.errors import NotFoundError, RefusedError, ThreadPausedError, UsageError
from nodes.services import Services
from oversight.checkpoints import GuardedSqliteSaver, ThreadState, open_saver
from oversight.threads import is_foreign_thread
from remembrancer.settings import load_settings
from remembrancer.wiring import open_services

_INTERRUPT_ID = re.compile(r"[0-9a-f]{32}")
_STANDS_STILL = {ThreadState.WAITS, ThreadState.GHOST}


class Gate:
    """Looks at the ledger and the checkpoints before a request reaches a thread."""

    def __init__(self, services: Services, saver: GuardedSqliteSaver) -> None:
        """`saver` is read only."""
        self._services = services
        self._saver = saver

    def require_own(self, thread_id: str, person: str) -> None:
        """Refuse a thread that was first used by somebody else, whatever the server remembers of it.

        Raises:
            NotFoundError: it is another person's or another tenant's.
        """
        with reading(self._services.engine) as connection:
            if is_foreign_thread(connection, thread_id, self._services.tenant, person):
                raise NotFoundError(f"there is no thread {thread_id}")

    def require_at_rest(self, thread_id: str) -> None:
        """Refuse what would drop an open question, or a decision that isn't applied yet.

        Raises:
            ThreadPausedError: the thread waits for a person.
        """
        if self._saver.thread_states([thread_id])[thread_id] in _STANDS_STILL:
            raise ThreadPausedError(
                f"thread {thread_id} waits for a person's decision: answer with command={{'resume': ...}},"
                " or use another thread"
            )

    def addressed(self, thread_id: str, answer: Any) -> Mapping[str, Any]:
        """The answer with the id of the question it answers: sent twice, it never answers the next question.

        Raises:
            UsageError: there is no answer, or it doesn't say which of several questions it answers.
            RefusedError: nothing waits in the thread, or the question it names was answered already.
        """
        if answer is None or answer == {}:
            raise UsageError("the answer is empty: send command={'resume': {'decisions': [...]}}")
        waiting = self._saver.pending_interrupts(thread_id)
        if not waiting:
            raise RefusedError(f"nothing waits in thread {thread_id}: it was answered already, or it never asked")
        if isinstance(answer, Mapping) and all(_INTERRUPT_ID.fullmatch(str(key)) for key in answer):
            if unknown := [key for key in answer if key not in waiting]:
                raise RefusedError(f"question {unknown[0]} of thread {thread_id} was answered already")
            return answer
        if len(waiting) > 1:
            raise UsageError(f"thread {thread_id} has {len(waiting)} questions: send {{interrupt id: answer}}")
        return {waiting[0]: answer}


@cache
def open_gate() -> Gate:
    """The gate of this process; its connection lives as long as the process."""
    settings = load_settings()
    kept = ExitStack()
    atexit.register(kept.close)
    return Gate(open_services(settings), kept.enter_context(open_saver(settings.checkpoints, key=settings.sealing_key)))
