"""Let a quarantined memory into use, or delete it, as a reviewer decided; done twice it is done once."""

from typing import Any

from foundation.errors import NotFoundError, RefusedError
from nodes.quarantine_matter import HeldStatus, scope_of
from nodes.services import Services
from oversight.reviews import mark_applied


def release(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Carry out the decision on the memory itself, then say that it is applied."""
    last = state.get("last")
    if not last:
        return {}
    scope, memory = scope_of(services, state["person"]), services.memory()
    why, by = last["reason"] or last["status"], last["decided_by"]
    try:
        if last["decision"] == "approve" and memory.show(scope, last["memory_id"]).status == "quarantined":
            memory.restore(scope, last["memory_id"], reason=why, actor=by)
        elif last["decision"] == "reject":
            memory.forget(scope, last["memory_id"], actor=by, reason=why)
    except RefusedError:
        # Its words are remembered already: there is nothing to release.
        memory.forget(scope, last["memory_id"], actor=by, reason=why)
    except NotFoundError:
        # The person had it forgotten while it waited, or a crash came after the deletion.
        last = {**last, "status": str(HeldStatus.GONE)} if last["decision"] == "approve" else last
    with services.journal.transaction() as transaction:
        mark_applied(transaction.connection, services.tenant, last["review_id"], transaction.at)
        transaction.log(services.tenant, by, f"memory {last['status']}", last["memory_id"], reason=last["reason"])
    return {"last": last}
