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
    rules: tuple[str, ...] = ()
    """Rules that must ask when it is audited with all the others; without any it is booked."""
    again: bool = False
    """Whether another document brought its invoice first."""

    @property
    def end(self) -> str:
        """How its invoices stand after an audit of the whole folder."""
        if self.reason:
            return "unreadable"
        return "duplicate" if self.again else "waiting" if self.rules else "booked"

    def entry(self) -> dict[str, Any]:
        """The row of the truth table."""
        return {
            "invoices": list(self.invoices),
            "reason": self.reason,
            "remarks": list(self.remarks),
            "faults": list(self.faults),
            "unsure": list(self.unsure),
            "end": self.end,
            "rules": list(self.rules),
        }
