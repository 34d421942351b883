"""What the tax office says about an invoice: a port with honest states, and an adapter that reads answers from a file.

The public look-up needs a person and a captcha; whoever has asked (by hand, or by a paid interface) exports the
answers as CSV. Nothing here ever takes silence for a yes.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from foundation.errors import UsageError
from invoices.identity import normal_id
from invoices.money import parse_money
from invoices.record import Invoice


class State(StrEnum):
    """How far a look-up came."""

    NOT_ASKED = "not_asked"
    """Nobody has asked."""
    GENUINE = "genuine"
    """The tax office knows it, with these values."""
    DIFFERS = "differs"
    """The tax office knows the number, with other values."""
    NOT_FOUND = "not_found"
    """The tax office does not know it; ordinary on the day of issue."""
    TOO_NEW = "too_new"
    """Asked before the tax office answers for this day."""
    OVER_QUOTA = "over_quota"
    """The day's queries were used up."""
    SERVICE_DOWN = "service_down"
    """The service did not answer."""
    NOT_VERIFIABLE = "not_verifiable"
    """This kind of ticket can't be looked up (taxi, old rail): neither passed nor failed."""
    VOID = "void"
    """Cancelled or red-flushed since it was issued."""


@dataclass(frozen=True, slots=True)
class Verification:
    """One answer: the state, when it was given, and by whom or what."""

    state: State = State.NOT_ASKED
    checked_on: date | None = None
    source: str = ""


NOT_ASKED = Verification()


class Verifier(Protocol):
    """Whoever can say what the tax office knows of an invoice."""

    def look_up(self, invoice: Invoice) -> Verification:
        """The newest answer about the invoice; never raises for a service that is down (that is a state)."""


@dataclass(frozen=True, slots=True)
class _Answer:
    verification: Verification
    total: Decimal | None
    day: str


class FileVerifier:
    """Answers from a CSV with the headings `code,number,date,total,state,checked_on` (date and total may be empty)."""

    def __init__(self, answers: Mapping[tuple[str, str], _Answer]) -> None:
        self._answers = answers

    @classmethod
    def load(cls, path: Path) -> "FileVerifier":
        """Read the file.

        Raises:
            UsageError: it can't be read, or a row says something else than the headings promise; names the line.
        """
        try:
            rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: the answers can't be read ({error}): save them as UTF-8 CSV") from None
        return cls(dict(_read(path, rows)))

    def look_up(self, invoice: Invoice) -> Verification:
        """The file's answer; `differs` also where its date or total is another than the invoice's."""
        answer = self._answers.get((normal_id(invoice.text("code")), normal_id(invoice.text("number"))))
        if answer is None:
            return NOT_ASKED
        told = answer.verification
        same_day = answer.day in {"", invoice.text("date")}
        same_total = answer.total in {None, invoice.money("total")}
        if told.state is State.GENUINE and not (same_day and same_total):
            return Verification(State.DIFFERS, told.checked_on, told.source)
        return told


def _read(path: Path, rows: Iterable[Mapping[str, str | None]]) -> Iterable[tuple[tuple[str, str], _Answer]]:
    for line, row in enumerate(rows, start=2):
        cell = {name: (row.get(name) or "").strip() for name in ("code", "number", "date", "total", "state")}
        try:
            checked_on = date.fromisoformat((row.get("checked_on") or "").strip())
            state = State(cell["state"])
        except ValueError:
            raise UsageError(
                f"{path}:{line}: needs a state ({', '.join(State)}) and checked_on as YYYY-MM-DD"
            ) from None
        if not cell["number"]:
            raise UsageError(f"{path}:{line}: needs the invoice's number")
        verification = Verification(state, checked_on, f"{path.name}:{line}")
        key = normal_id(cell["code"]), normal_id(cell["number"])
        yield key, _Answer(verification, parse_money(cell["total"]), cell["date"])
