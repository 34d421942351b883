"""What becomes of decisions."""

from dataclasses import dataclass

from invoices.ledger import InvoiceStatus
from nodes.quarantine_matter import HeldStatus
from oversight.actions import ActionStatus
from oversight.reviews import Review


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a decision: the review, how the thing it is about stands, and why it still waits."""

    review: Review
    status: InvoiceStatus | ActionStatus | HeldStatus
    still_open: str = ""
