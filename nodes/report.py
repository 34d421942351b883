"""Close the batch and count what became of its invoices."""

from typing import Any

from invoices.ledger import counts, finish_batch
from nodes.services import Services


def report(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Status -> number of invoices; the batch is finished when no question of this thread is open."""
    with services.journal.transaction() as transaction:
        finish_batch(transaction.connection, state["batch_id"], transaction.at)
        numbers = counts(transaction.connection, state["batch_id"])
        told = {str(status): number for status, number in sorted(numbers.items())}
        transaction.log(services.tenant, "agent", "batch finished", state["batch_id"], **told)
    return {"counts": told, "invoice_id": None}
