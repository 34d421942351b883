"""What the server keeps things in: our checkpoint file and our store, opened off its event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.store.base import BaseStore

from memory.base_store import MemoryStore
from memory.rooted_store import RootedStore, label
from oversight.checkpoints import GuardedAsyncSqliteSaver, open_async_saver
from remembrancer.models import embedder
from remembrancer.settings import load_settings
from remembrancer.wiring import open_services


@asynccontextmanager
async def checkpointer() -> AsyncIterator[GuardedAsyncSqliteSaver]:
    """The checkpoint file of the settings: what waits there is found by server, command line and inbox alike."""
    settings = await asyncio.to_thread(load_settings)
    async with open_async_saver(settings.checkpoints, key=settings.sealing_key) as saver:
        yield saver


@asynccontextmanager
async def store() -> AsyncIterator[BaseStore]:
    """The store over the memory database, as far as it is this tenant's."""
    yield await asyncio.to_thread(_open_store)


def _open_store() -> BaseStore:
    settings = load_settings()
    services = open_services(settings)
    whole = MemoryStore(services.engine, embedder=embedder(settings), clock=services.clock)
    return RootedStore(whole, (label(services.tenant),))
