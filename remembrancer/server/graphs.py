"""The graphs without saver and store, which the server brings itself.

The server asks for a graph at every run, on its event loop: the services are opened off it, once.
"""

import asyncio
from functools import lru_cache

from graphs.asking import Graph
from graphs.assistant import build_assistant
from graphs.invoice_audit import build_invoice_audit
from graphs.invoice_review import build_invoice_review
from remembrancer.wiring import open_services

_GRAPHS = {
    "assistant": build_assistant,
    "invoice_audit": build_invoice_audit,
    "invoice_review": build_invoice_review,
}


@lru_cache(maxsize=len(_GRAPHS))
def _built(name: str) -> Graph:
    return _GRAPHS[name](open_services())


async def assistant() -> Graph:
    """Talk with somebody and remember what he says, across his threads."""
    return await asyncio.to_thread(_built, "assistant")


async def invoice_audit() -> Graph:
    """Audit a batch of invoices, asking about the doubtful ones in the thread itself."""
    return await asyncio.to_thread(_built, "invoice_audit")


async def invoice_review() -> Graph:
    """Review one doubtful invoice in a thread of its own."""
    return await asyncio.to_thread(_built, "invoice_review")
