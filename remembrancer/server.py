"""What `langgraph.json` names: the graphs without saver and store, which the server brings itself."""

from functools import lru_cache

from graphs.asking import Graph
from graphs.assistant import build_assistant
from graphs.invoice_audit import build_invoice_audit
from graphs.invoice_review import build_invoice_review
from remembrancer.wiring import open_services


@lru_cache(maxsize=1)
def invoice_audit() -> Graph:
    """Audit a batch of invoices, asking about the doubtful ones in the thread itself."""
    return build_invoice_audit(open_services())


@lru_cache(maxsize=1)
def invoice_review() -> Graph:
    """Review one doubtful invoice in a thread of its own."""
    return build_invoice_review(open_services())


@lru_cache(maxsize=1)
def assistant() -> Graph:
    """Talk with somebody and remember what he says, across his threads."""
    return build_assistant(open_services())
