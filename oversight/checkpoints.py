"""Checkpoints in SQLite: langgraph's own savers, thinly guarded.

The guard refuses new input on a thread that waits for a person (it would silently drop the question) or whose answer
is saved but not yet gone on with (it would silently drop the decision), and a second answer to a checkpoint of the
past (langgraph would silently keep the first). Commits survive a power cut.
"""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from foundation.errors import StorageError, ThreadAnsweredError, ThreadPausedError
from foundation.sequences import chunks
from oversight.sealing import (
    NEWEST_ROW,
    Place,
    reading_places,
    require_fitting_key,
    require_in_place,
    sealing,
    still_sealing,
    writing_at,
)

_FULL = 2
_BUSY_SECONDS = 30
_MANY = 500

_PENDING = (
    "SELECT channel FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
    " AND channel NOT IN ('__resume__', '__error__', '__no_writes__', '__scheduled__')"
    # Input that a crash cut off before any node saw it holds no decision: it may be sent again.
    " AND task_path != '~__pregel_pull, __start__' LIMIT 1"
)


_ANSWERED = (
    "SELECT 1 FROM checkpoints c WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id > ?"
    " AND parent_checkpoint_id = ? AND checkpoint_id != ? AND EXISTS (SELECT 1 FROM writes w WHERE"
    " w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns AND w.checkpoint_id = c.parent_checkpoint_id"
    " AND w.channel = '__resume__' AND w.task_id LIKE ?) LIMIT 1"
)
_NOBODY = "00000000-0000-0000-0000-000000000000"
"""The task under which langgraph keeps an answer until its question's task takes it."""
_RESUME = "__resume__"

_FORGET_WRITES = "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"


class ThreadState(StrEnum):
    """How a thread stands, as its newest checkpoint tells."""

    WAITS = "waits"
    """A question is open."""
    GHOST = "ghost"
    """An answer or a result is saved and nobody went on with it: looks finished, isn't."""
    AT_REST = "at rest"
    """Finished, or stopped between two steps."""
    UNKNOWN = "unknown"
    """There is no checkpoint."""


def _refuse(thread_id: object) -> ThreadPausedError:
    return ThreadPausedError(
        f"thread {thread_id} waits for a person's decision: answer with Command(resume=...), or use another thread_id"
    )


def _answered(thread_id: object) -> ThreadAnsweredError:
    return ThreadAnsweredError(
        f"this question of thread {thread_id} was answered and gone on from: `remembrancer reopen` asks once more"
    )


def _next_version(current: Any) -> int | None:
    """Plain numbers: langgraph's SqliteSaver spends 50 characters a channel and checkpoint on a version."""
    if current is None:
        return 1
    return current + 1 if isinstance(current, int) else None


def _texts(versions: Mapping[str, Any]) -> dict[str, Any]:
    return {name: f"{one:032}.{0:016}" if isinstance(one, int) else one for name, one in versions.items()}


class _Sealing(BaseCheckpointSaver[Any]):
    """What both savers need where a key is set: a derived saver seals as this one does."""

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> "BaseCheckpointSaver[Any]":
        """The saver that langgraph works with: its serializer knows the state's types."""
        derived = super().with_allowlist(extra_allowlist)
        derived.serde = still_sealing(derived.serde)
        return derived


class GuardedSqliteSaver(_Sealing, SqliteSaver):
    """`SqliteSaver` that refuses new input on a paused thread and commits durably."""

    def __init__(self, conn: sqlite3.Connection, *, serde: SerializerProtocol | None = None) -> None:
        """A saver on this connection."""
        super().__init__(conn, serde=serde)
        self._refused: set[str] = set()
        self._refusing = threading.Lock()

    def setup(self) -> None:
        """Create the tables and make commits durable."""
        if not self.is_setup:
            self.conn.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}").close()
            super().setup()
            self.conn.execute("PRAGMA synchronous=FULL").close()
            self.conn.execute("PRAGMA secure_delete=ON").close()

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint.

        Raises:
            ThreadPausedError: it starts new input on a thread that waits.
            ThreadAnsweredError: it goes on from an answered question that was gone on from already.
        """
        if metadata.get("source") == "input" and self._is_pending(config):
            with self._refusing, self.cursor() as cursor:
                self._refused.add(checkpoint["id"])
                cursor.execute(_FORGET_WRITES, (*_parent(config)[:2], checkpoint["id"]))
            raise _refuse(config["configurable"]["thread_id"])
        if metadata.get("source") == "loop" and self._is_answered(config, checkpoint["id"]):
            raise _answered(config["configurable"]["thread_id"])
        with writing_at([_place(config, checkpoint["id"])]):
            return super().put(config, checkpoint, metadata, new_versions)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save a task's results, but none that follow from refused input: langgraph saves those side by side."""
        if _answers(writes, task_id) and self._is_answered(config, "", _NOBODY):
            # The checkpoint that would follow is refused with an error; the old answer stays as it was.
            return
        with self._refusing, writing_at(_result_places(config, writes, task_id)):
            if _parent(config)[2] not in self._refused:
                super().put_writes(config, writes, task_id, task_path)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint, and the results of its tasks so far.

        Raises:
            StorageError: a key is set, and a row is plain, was changed or moved, or needs another key.
        """
        with reading_places() as places:
            found = super().get_tuple(config)
        if found:
            require_in_place(found, places)
        return found

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """The checkpoints, newest first; raises as `get_tuple` does."""
        each = super().list(config, filter=filter, before=before, limit=limit)
        while True:
            with reading_places() as places:
                found = next(each, None)
            if found is None:
                return
            require_in_place(found, places)
            yield found

    def get_next_version(self, current: Any, channel: None) -> Any:
        """The version after `current`."""
        return _next_version(current) or super().get_next_version(current, channel)

    def thread_states(self, thread_ids: Sequence[str]) -> dict[str, ThreadState]:
        """How these threads stand, by their newest checkpoints."""
        states = dict.fromkeys(thread_ids, ThreadState.UNKNOWN)
        for some in chunks(thread_ids, _MANY):
            marks = ", ".join("?" * len(some))
            query = (
                "SELECT c.thread_id, MAX(w.channel = '__interrupt__'), MAX(w.channel NOT LIKE '\\_\\_%' ESCAPE '\\')"  # noqa: S608
                " FROM (SELECT thread_id, MAX(checkpoint_id) AS checkpoint_id FROM checkpoints"
                f" WHERE checkpoint_ns = '' AND thread_id IN ({marks}) GROUP BY thread_id) c"
                " LEFT JOIN writes w ON w.thread_id = c.thread_id AND w.checkpoint_ns = ''"
                " AND w.checkpoint_id = c.checkpoint_id GROUP BY c.thread_id"
            )
            with self.cursor(transaction=False) as cursor:
                for thread_id, asks, results in cursor.execute(query, some):
                    states[thread_id] = _state(bool(asks), bool(results))
        return states

    def pending_interrupts(self, thread_id: str) -> Sequence[str]:
        """The ids of the questions that the thread waits with; a resume names the one that it answers."""
        latest = self.get_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
        writes = (latest.pending_writes or []) if latest else []
        answered = {task for task, channel, _ in writes if channel == "__resume__"}
        asked = [(task, value) for task, channel, value in writes if channel == "__interrupt__"]
        return [one.id for task, questions in asked if task not in answered for one in questions]

    def synchronous(self) -> int:
        """SQLite's `synchronous` level of this connection: 2 is FULL."""
        with self.cursor(transaction=False) as cursor:
            return int(cursor.execute("PRAGMA synchronous").fetchone()[0])

    def _is_pending(self, config: RunnableConfig) -> bool:
        with self.cursor(transaction=False) as cursor:
            return cursor.execute(_PENDING, _parent(config)).fetchone() is not None

    def _is_answered(self, config: RunnableConfig, but: str, task_id: str = "%") -> bool:
        with self.cursor(transaction=False) as cursor:
            return cursor.execute(_ANSWERED, (*_asked_at(config, but), task_id)).fetchone() is not None


class GuardedAsyncSqliteSaver(_Sealing, AsyncSqliteSaver):
    """`AsyncSqliteSaver` with the same guard, for servers."""

    def __init__(self, conn: aiosqlite.Connection, *, serde: SerializerProtocol | None = None) -> None:
        """A saver on this connection; made while the event loop runs."""
        super().__init__(conn, serde=serde)
        self._refused: set[str] = set()

    async def setup(self) -> None:
        """Create the tables and make commits durable."""
        if not self.is_setup:
            await super().setup()
            for pragma in (f"busy_timeout={_BUSY_SECONDS * 1000}", "synchronous=FULL", "secure_delete=ON"):
                await self.conn.execute(f"PRAGMA {pragma}")

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint.

        Raises:
            ThreadPausedError: it starts new input on a thread that waits.
            ThreadAnsweredError: it goes on from an answered question that was gone on from already.
        """
        if metadata.get("source") == "input" and await self._is_pending(config):
            self._refused.add(checkpoint["id"])
            async with self.lock, self.conn.execute(_FORGET_WRITES, (*_parent(config)[:2], checkpoint["id"])):
                await self.conn.commit()
            raise _refuse(config["configurable"]["thread_id"])
        if metadata.get("source") == "loop" and await self._is_answered(config, checkpoint["id"]):
            raise _answered(config["configurable"]["thread_id"])
        with writing_at([_place(config, checkpoint["id"])]):
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save a task's results, but none that follow from refused input."""
        if _answers(writes, task_id) and await self._is_answered(config, "", _NOBODY):
            return
        if _parent(config)[2] not in self._refused:
            with writing_at(_result_places(config, writes, task_id)):
                await super().aput_writes(config, writes, task_id, task_path)

    def get_next_version(self, current: Any, channel: None) -> Any:
        """The version after `current`."""
        return _next_version(current) or super().get_next_version(current, channel)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint, its versions as texts: LangGraph's server writes texts, and compares them with what it read.

        A script's thread that a server goes on with has numbers.
        """
        with reading_places() as places:
            found = await super().aget_tuple(config)
        if found:
            require_in_place(found, places)
            found.checkpoint["channel_versions"] = _texts(found.checkpoint["channel_versions"])
            seen = found.checkpoint["versions_seen"]
            found.checkpoint["versions_seen"] = {node: _texts(versions) for node, versions in seen.items()}
        return found

    async def synchronous(self) -> int:
        """SQLite's `synchronous` level of this connection: 2 is FULL."""
        await self.setup()
        async with self.lock, self.conn.execute("PRAGMA synchronous") as cursor:
            row = await cursor.fetchone()
        return int(row[0]) if row else 0

    async def _is_pending(self, config: RunnableConfig) -> bool:
        await self.setup()
        async with self.lock, self.conn.execute(_PENDING, _parent(config)) as cursor:
            return await cursor.fetchone() is not None

    async def _is_answered(self, config: RunnableConfig, but: str, task_id: str = "%") -> bool:
        await self.setup()
        async with self.lock, self.conn.execute(_ANSWERED, (*_asked_at(config, but), task_id)) as cursor:
            return await cursor.fetchone() is not None


@contextmanager
def open_saver(path: Path, *, key: bytes | None = None) -> Iterator[GuardedSqliteSaver]:
    """The checkpoint file at `path`, opened for one process and its threads; encrypted with `key` where there is one.

    Raises:
        StorageError: the file can't be opened, its commits would not survive a power cut, or the key doesn't fit it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=_BUSY_SECONDS)
        saver = GuardedSqliteSaver(connection, serde=sealing(key) if key else None)
        level = saver.synchronous()
    except (OSError, sqlite3.Error) as error:
        raise _unopened(path, error) from None
    with closing(connection):
        _require_full(level)
        require_fitting_key(connection.execute(NEWEST_ROW).fetchone(), saver.serde, key)
        yield saver


@asynccontextmanager
async def open_async_saver(path: Path, *, key: bytes | None = None) -> AsyncIterator[GuardedAsyncSqliteSaver]:
    """The checkpoint file at `path`, opened for the event loop that runs; encrypted with `key` where there is one.

    Raises:
        StorageError: the file can't be opened, its commits would not survive a power cut, or the key doesn't fit it.
    """
    try:
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        connection = await aiosqlite.connect(path, timeout=_BUSY_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise _unopened(path, error) from None
    try:
        saver = GuardedAsyncSqliteSaver(connection, serde=sealing(key) if key else None)
        _require_full(await saver.synchronous())
        async with connection.execute(NEWEST_ROW) as cursor:
            require_fitting_key(await cursor.fetchone(), saver.serde, key)
        yield saver
    finally:
        await connection.close()


def _unopened(path: Path, error: Exception) -> StorageError:
    return StorageError(f"the checkpoints in {path} can't be opened ({error}): check the path and its rights")


def _require_full(level: int) -> None:
    if level < _FULL:
        raise StorageError(
            f"checkpoints run with synchronous={level}: it must be FULL (2), or a power cut loses decisions"
        )


def _parent(config: RunnableConfig) -> tuple[str, str, str]:
    """Thread, namespace and id of the checkpoint that the new one follows."""
    where = config["configurable"]
    return str(where["thread_id"]), where.get("checkpoint_ns", ""), where.get("checkpoint_id") or ""


def _answers(writes: Sequence[tuple[str, Any]], task_id: str) -> bool:
    return task_id == _NOBODY and any(channel == _RESUME for channel, _ in writes)


def _asked_at(config: RunnableConfig, but: str) -> tuple[str, str, str, str, str]:
    thread_id, namespace, checkpoint_id = _parent(config)
    return thread_id, namespace, checkpoint_id, checkpoint_id, but


def _place(config: RunnableConfig, checkpoint_id: str) -> Place:
    return (*_parent(config)[:2], checkpoint_id)


def _result_places(config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str) -> list[Place]:
    return [(*_parent(config), task_id, channel) for channel, _ in writes]


def _state(asks: bool, results: bool) -> ThreadState:
    if results:
        return ThreadState.GHOST
    return ThreadState.WAITS if asks else ThreadState.AT_REST
