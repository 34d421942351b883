"""Pick the next doubtful invoice of a batch that asks in its own thread."""

from typing import Any

from foundation.database import reading
from invoices.ledger import InvoiceStatus, examined_of
from nodes.services import Services


def pick(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """The first invoice that waits; None when none does, or when each waits in a thread of its own."""
    if state.get("ask_in", "here") == "threads":
        return {"invoice_id": None}
    with reading(services.engine) as connection:
        waiting = examined_of(connection, state["batch_id"], InvoiceStatus.WAITING, limit=1)
    return {"invoice_id": waiting[0].invoice_id if waiting else None}
