"""Audits that were started on the page: run in threads of this process, their progress read from the ledger."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait

import structlog

from foundation.database import reading
from foundation.errors import RemembrancerError
from graphs.state import AuditInput
from invoices.ledger import list_batches
from remembrancer.office import Office

_log = structlog.get_logger(__name__)
_AT_ONCE = 2
UPLOADS = "uploads"
"""Folder, in the home, that holds a folder of files for each batch that was uploaded."""


class Runs:
    """Starts audits and remembers why one could not begin; a crash is made good by `go_on` at the next start."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="audit")
        self._lock = threading.Lock()
        self._running: set[str] = set()
        self._futures: set[Future[None]] = set()
        self._faults: dict[str, str] = {}

    def start(self, office: Office, name: str, given: AuditInput) -> None:
        """Audit in the background; the batch of this name goes on where it stood."""
        with self._lock:
            if name in self._running:
                return
            self._running.add(name)
            self._faults.pop(name, None)
        future = self._pool.submit(self._run, office, name, given)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)

    def go_on(self, office: Office) -> int:
        """Start again what a crash stopped among the batches that were uploaded here; returns how many."""
        with reading(office.services.engine) as connection:
            stopped = list_batches(connection, office.services.tenant, finished=False)
        folder = office.settings.home.absolute() / UPLOADS
        uploaded = [batch for batch in stopped if not batch.asks_here and (folder / batch.name).is_dir()]
        for batch in uploaded:
            self.start(office, batch.name, {})
        return len(uploaded)

    def wait(self) -> None:
        """Return once all that was started has ended."""
        wait(list(self._futures))

    def running(self) -> set[str]:
        """Names of the batches that run in this process."""
        with self._lock:
            return set(self._running)

    def fault(self, name: str) -> str:
        """Why the audit of this name stopped, "" when it didn't."""
        with self._lock:
            return self._faults.get(name, "")

    def faults(self) -> dict[str, str]:
        """Name -> why its audit stopped."""
        with self._lock:
            return dict(self._faults)

    def version(self) -> str:
        """Changes whenever an audit begins, ends or fails."""
        with self._lock:
            return f"{sorted(self._running)} {sorted(self._faults)}"

    def close(self) -> None:
        """Wait for what runs."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, office: Office, name: str, given: AuditInput) -> None:
        fault = ""
        try:
            office.audit(given, name=name)
        except RemembrancerError as error:
            fault = str(error)
            _log.warning("an audit stopped", batch=name, error=fault)
        except Exception:
            fault = "the audit stopped unexpectedly: see the program's log; starting it again goes on"
            _log.exception("an audit stopped", batch=name)
        with self._lock:
            self._running.discard(name)
            if fault:
                self._faults[name] = fault
