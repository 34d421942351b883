"""Go on after the brake: somebody released it meanwhile, or the answer releases it or ends the run."""

from typing import Any

from langchain_core.runnables import RunnableConfig

from foundation.errors import NotAllowedError, UsageError
from foundation.journal import Transaction
from invoices.ledger import require_batch
from nodes.halting import end
from nodes.services import Services
from oversight.answer import parse_answer
from oversight.brake import is_on, release
from oversight.question import both_languages, refused
from oversight.rights import Deed, require_right

_GOES_ON: dict[str, Any] = {"halted": None, "answer": None}


def go_on(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """Let the stopped step run again, end the batch, or ask once more; never raises over an answer."""
    question, raw, person = state["halted"], state.get("answer"), services.person(config)
    batch_id = question["brake"]["batch"]
    with services.journal.transaction() as transaction:
        standing = is_on(transaction.connection, services.tenant, batch_id, services.thread(config))
        if standing is None:
            return _GOES_ON
        try:
            answer = parse_answer(raw, question)
            deed = Deed.END_RUN if answer.kind == "reject" else Deed.RELEASE_BRAKE
            require_right(transaction.connection, services.tenant, person, deed)
        except (UsageError, NotAllowedError) as error:
            return {"halted": refused(question, str(error)), "answer": None}
        if answer.kind == "reject":
            return _GOES_ON | _ended(transaction, batch_id, person, answer.reason, services)
        release(transaction, services.tenant, batch=standing.scope, by=person, why=answer.reason)
    return _GOES_ON


def _ended(transaction: Transaction, batch_id: str, person: str, reason: str, services: Services) -> dict[str, Any]:
    batch = require_batch(transaction.connection, services.tenant, batch_id)
    why = both_languages((f"{person} 终止了运行：{reason}", f"{person} ended the run: {reason}"))
    return end(transaction, batch, why=why, by=person)
