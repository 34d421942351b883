"""A made document and what a right reader gets out of it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Made:
    """One file, the fields of each invoice in it, and its faults.

    `reason` is the code of the UnreadableError where it can't be read; `remarks` are the kinds of remarks it must
    have; `faults` say in words what a check must find; `unsure` are fields that must stay below booking confidence.
    """

    name: str
    content: bytes
    invoices: tuple[dict[str, str], ...] = ()
    reason: str | None = None
    remarks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    unsure: tuple[str, ...] = field(default=())

    def entry(self) -> dict[str, Any]:
        """The row of the truth table."""
        return {
            "invoices": list(self.invoices),
            "reason": self.reason,
            "remarks": list(self.remarks),
            "faults": list(self.faults),
            "unsure": list(self.unsure),
        }
