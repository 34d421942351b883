"""What becomes of decisions."""

from dataclasses import dataclass

from invoices.ledger import InvoiceStatus
from oversight.actions import ActionStatus
from oversight.reviews import Review


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a decision: the review, how the invoice or action stands, and why it still waits where it does."""

    review: Review
    status: InvoiceStatus | ActionStatus
    still_open: str = ""
