"""A saver that fails where a crash hurts most: results are saved, the checkpoint that follows from them is not."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from oversight.checkpoints import GuardedSqliteSaver


class PowerCutError(Exception):
    """The process would be gone here."""


class CutSaver(GuardedSqliteSaver):
    """Saves results, and fails where it is told to; langgraph works on a copy of it, so the count is shared."""

    def __init__(self, conn: sqlite3.Connection, **more: Any) -> None:
        super().__init__(conn, **more)
        self._left = [0]

    def cut_at(self, checkpoints: int) -> None:
        """Fail at the n-th checkpoint from now on."""
        self._left[0] = checkpoints

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> Any:
        self._left[0] -= 1
        if self._left[0] == 0:
            raise PowerCutError
        return super().put(config, checkpoint, metadata, new_versions)


@contextmanager
def open_cut_saver(path: Path) -> Iterator[CutSaver]:
    """The checkpoint file at `path` with a saver that can be told to fail."""
    with closing(sqlite3.connect(path, check_same_thread=False, timeout=30)) as connection:
        yield CutSaver(connection)
