"""One process at a time may run a thread. The lock is the operating system's: it goes with a process that is killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from foundation.errors import ThreadBusyError
from foundation.ids import derived_id


@contextmanager
def thread_lock(folder: Path, thread_id: str, *, seconds: float) -> Iterator[None]:
    """Hold the thread for the length of the block, waiting up to `seconds` for whoever holds it.

    Raises:
        ThreadBusyError: somebody else held it all that time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / f"{derived_id('thread', thread_id)}.lock")
    try:
        lock.acquire(timeout=seconds)
    except Timeout:
        raise ThreadBusyError(
            f"thread {thread_id} is being run by another process: try again when it is done"
        ) from None
    try:
        yield
    finally:
        lock.release()
