"""The pages that the server shows beside LangGraph's own interface, and what it does when it starts.

The reviewers' page is one of them; it drives on what a crash left, and tends the reviews as a worker does. Then the
development server is made to list again the paused threads that it forgot: it keeps its list in memory and loses the
last seconds of it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import UUID

import structlog
from fastapi import FastAPI
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIError

from foundation.database import reading
from oversight.checkpoints import ThreadState
from oversight.threads import BoundThread, bound_threads
from remembrancer.inbox.app import create_app
from remembrancer.office import open_office
from remembrancer.server.identity import PAGE

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def _lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with _page.router.lifespan_context(_page):
        listing = asyncio.create_task(_list_again(await asyncio.to_thread(_waiting)))
        yield
        listing.cancel()
        with suppress(asyncio.CancelledError):
            await listing


_page = create_app()
app = FastAPI(title="Remembrancer", lifespan=_lifespan)
app.mount(PAGE, _page)


@app.get("/health")
async def health() -> dict[str, str]:
    """Whether the server answers."""
    return {"status": "ok"}


def _waiting() -> list[BoundThread]:
    """The server's threads that wait for a person."""
    with open_office(sweep=False) as office:
        with reading(office.services.engine) as connection:
            bound = [one for one in bound_threads(connection, office.services.tenant) if _is_servers(one)]
        states = office.saver.thread_states([one.thread_id for one in bound])
    return [one for one in bound if states[one.thread_id] is ThreadState.WAITS]


def _is_servers(thread: BoundThread) -> bool:
    """Whether the id is one that LangGraph's server can have: it takes UUIDs only."""
    try:
        return str(UUID(thread.thread_id)) == thread.thread_id
    except ValueError:
        return False


async def _list_again(waiting: list[BoundThread]) -> None:
    client = get_client()
    for thread in waiting:
        try:
            await _list_thread(client, thread)
        except (APIError, OSError) as error:
            _log.warning("a paused thread could not be listed again", thread=thread.thread_id, error=str(error))


async def _list_thread(client: LangGraphClient, thread: BoundThread) -> None:
    """Create the thread's row where it is lost, and run it without an answer: it stops at its question again."""
    row = await client.threads.create(
        thread_id=thread.thread_id,
        metadata={"owner": thread.owner, "graph_id": thread.kind},
        if_exists="do_nothing",
    )
    if row["status"] != "interrupted":
        await client.runs.create(thread.thread_id, thread.kind, input=None)
