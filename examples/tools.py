"""Tools to try the assistant with: money that moves, records that go, a signature, and a look-up that always fails.

    REMEMBRANCER_TOOLS=examples/tools.py:TOOLS remembrancer chat

Everything happens in a small SQLite file (`DEMO_LEDGER`, else `demo-ledger.db` in `REMEMBRANCER_HOME`). `guarded` says
what each tool risks; the limits are settings (`REMEMBRANCER_ACTIONS__AMOUNT=500`).
"""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from oversight.guarded import guarded


def _ledger() -> sqlite3.Connection:
    home = Path(os.environ.get("REMEMBRANCER_HOME", ".remembrancer"))
    path = Path(os.environ.get("DEMO_LEDGER") or home / "demo-ledger.db")
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=30)
    connection.execute("CREATE TABLE IF NOT EXISTS deeds (at TEXT, deed TEXT, what TEXT)")
    return connection


def _enter(deed: str, what: str) -> str:
    with closing(_ledger()) as ledger, ledger:
        ledger.execute("INSERT INTO deeds VALUES (?, ?, ?)", (datetime.now(UTC).isoformat(), deed, what))
    return f"{deed}: {what}"


def transfer(to: str, amount: float, note: str = "") -> str:
    """Transfer money to somebody."""
    return _enter("transferred", f"{amount:.2f} to {to} {note}".strip())


def delete_records(table: str, older_than_days: int) -> str:
    """Delete old records of a table for good."""
    return _enter("deleted", f"{table} older than {older_than_days} days")


def sign(document: str) -> str:
    """Sign a document in the company's name."""
    return _enter("signed", document)


def look_up_rate(currency: str) -> str:
    """Look up today's exchange rate of a currency."""
    raise ConnectionError(f"the exchange does not answer for {currency}")


TOOLS = [
    guarded(transfer, risk="transfer", amount="amount", recipient="to"),
    guarded(delete_records, risk="deletion"),
    guarded(sign, risk="signing"),
    look_up_rate,
]
