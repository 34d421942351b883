"""Server-sent events: one look at the database a moment for all who watch, told to each as it changes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

LIFE = 600.0
"""Seconds after which a browser connects anew, and shows again who it is."""
_BEAT = 15.0
_MOST_UNREAD = 50


class Pulse:
    """Looks at versions of things while anybody watches, and tells which changed."""

    def __init__(self, look: Callable[[], Mapping[str, str]], *, seconds: float = 0.7) -> None:
        """`look` returns topic -> version; it may block and is run in a thread, every `seconds`."""
        self._look, self._seconds = look, seconds
        self._watchers: set[asyncio.Queue[str | None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def events(self) -> AsyncIterator[str]:
        """The stream for one browser, as text of the event-stream format."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MOST_UNREAD)
        self._watchers.add(queue)
        self._start()
        try:
            yield "retry: 2000\n\n"
            async for topic in _until_old(queue):
                yield f"event: {topic}\ndata: {topic}\n\n" if topic else ": still here\n\n"
        finally:
            self._watchers.discard(queue)

    def close(self) -> None:
        """Let everybody go."""
        for queue in list(self._watchers):
            _tell(queue, None)
        if self._task:
            self._task.cancel()
            self._task = None

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        known = await asyncio.to_thread(self._look)
        while self._watchers:
            await asyncio.sleep(self._seconds)
            seen = await asyncio.to_thread(self._look)
            for topic in [name for name, version in seen.items() if known.get(name) != version]:
                for queue in list(self._watchers):
                    _tell(queue, topic)
            known = seen


def _tell(queue: asyncio.Queue[str | None], topic: str | None) -> None:
    """A browser that doesn't read misses repeats, not topics: what it shows is fetched anew anyway."""
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(topic)


async def _until_old(queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
    """Topics as they come, "" now and then so that a dead connection is noticed; ends when it has lived long enough."""
    loop = asyncio.get_running_loop()
    end = loop.time() + LIFE
    while loop.time() < end:
        try:
            topic = await asyncio.wait_for(queue.get(), _BEAT)
        except TimeoutError:
            yield ""
            continue
        if topic is None:
            return
        yield topic
