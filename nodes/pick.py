"""Pick the next doubtful (or sampled) invoice of a batch that asks in its own thread."""

from typing import Any

from foundation.database import reading
from invoices.ledger import InvoiceStatus, examined_of
from nodes.services import Services
from oversight.sampling import samples_of


def pick(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """The first invoice that waits; None when none does, or when each waits in a thread of its own."""
    if state.get("ask_in", "here") == "threads":
        return {"invoice_id": None}
    with reading(services.engine) as connection:
        waiting = examined_of(connection, state["batch_id"], InvoiceStatus.WAITING, limit=1)
        drawn = [] if waiting else samples_of(connection, services.tenant, state["batch_id"], open_only=True)
    ids = [one.invoice_id for one in waiting] + [one.subject for one in drawn]
    return {"invoice_id": ids[0] if ids else None}
