"""Close the batch and count what became of its invoices."""

from typing import Any

from foundation.journal import Transaction
from invoices.ledger import counts, finish_batch, require_batch
from nodes.services import Services
from oversight.feed import Event, prune, publish


def report(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Status -> number of invoices; the batch is finished when no question of this thread is open."""
    with services.journal.transaction() as transaction:
        finish_batch(transaction.connection, state["batch_id"], transaction.at)
        numbers = counts(transaction.connection, state["batch_id"])
        told = {str(status): number for status, number in sorted(numbers.items())}
        transaction.log(services.tenant, "agent", "batch finished", state["batch_id"], **told)
        _tell(transaction, services.tenant, state["batch_id"], told)
    return {"counts": told, "invoice_id": None}


def _tell(transaction: Transaction, tenant: str, batch_id: str, told: dict[str, int]) -> None:
    """Let watchers know, and let go of what nobody watches any more."""
    connection = transaction.connection
    facts = {"name": require_batch(connection, tenant, batch_id).name, **told}
    publish(
        connection,
        tenant,
        transaction.at,
        Event(kind="batch_finished", subject=batch_id, batch=batch_id, facts=facts),
    )
    prune(connection, tenant)
