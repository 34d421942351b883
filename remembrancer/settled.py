"""What becomes of decisions."""

from dataclasses import dataclass

from invoices.ledger import InvoiceStatus
from oversight.reviews import Review


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a decision: the review, how the invoice stands, and why it still waits where it does."""

    review: Review
    status: InvoiceStatus
    still_open: str = ""
