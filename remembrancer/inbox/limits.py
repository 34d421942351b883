"""A limit on attempts: so many within a window for each key, and then none until the window has passed."""

import threading
from collections import deque
from collections.abc import Callable

_MOST_KEYS = 10_000


class Attempts:
    """Counts failed attempts in this process; time is passed in as seconds that only grow."""

    def __init__(self, most: int, seconds: float, monotonic: Callable[[], float]) -> None:
        """At most `most` failures in `seconds` for each key."""
        self._most, self._seconds, self._now = most, seconds, monotonic
        self._failures: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, *keys: str) -> float:
        """Seconds until another attempt is allowed for all of these keys; 0 when it is now."""
        with self._lock:
            return max((self._wait(key) for key in keys), default=0.0)

    def failed(self, *keys: str) -> None:
        """Count one failure for each key."""
        with self._lock:
            if len(self._failures) > _MOST_KEYS:
                self._failures = {key: times for key, times in self._failures.items() if self._wait(key)}
            for key in keys:
                self._failures.setdefault(key, deque(maxlen=self._most)).append(self._now())

    def _wait(self, key: str) -> float:
        times = self._failures.get(key, deque())
        while times and times[0] <= self._now() - self._seconds:
            times.popleft()
        return times[0] + self._seconds - self._now() if len(times) >= self._most else 0.0
