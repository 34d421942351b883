"""What becomes of decisions."""

from dataclasses import dataclass

from oversight.reviews import Review


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a decision: the review, how the invoice or memory stands, and why it still waits where it does."""

    review: Review
    status: str
    still_open: str = ""
