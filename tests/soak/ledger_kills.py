"""Kills of the ledger alone: bookings with their log lines, committed and acknowledged one by one until SIGKILL."""

import gc
import os
import random
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from sqlalchemy import Engine

from foundation.clock import utc_now
from foundation.database import open_engine
from foundation.journal import Journal
from foundation.schema import upgrade
from invoices.bookings import Booking, BookingKind, book

TENANT = "default"
_KILLS_A_LEDGER = 500
_LAST_AGAIN = 1
"""Each life books the last one of the life before once more: whoever was killed doesn't know what was committed."""
_LONGEST = 0.012
"""Seconds from the first acknowledgement within which a life is killed: some bookings long."""
_MOMENT = datetime(2026, 9, 1, tzinfo=UTC)
_ACK = 4


def booking(number: int) -> Booking:
    """The n-th booking; the same number is the same invoice."""
    return Booking(
        tenant=TENANT,
        invoice_key=f"key:{number:08d}",
        invoice_id=f"inv_{number:08d}",
        batch_id="bat_soak",
        amount=Decimal(number % 10_000) + Decimal("0.25"),
        currency="CNY",
        kind=BookingKind.REGULAR,
        booked_by="agent",
        booked_at=_MOMENT,
    )


def enter(journal: Journal, number: int) -> None:
    """Book in one transaction with its log line, unless it is booked."""
    entry = booking(number)
    with journal.transaction() as transaction:
        query = "SELECT count(*) FROM bookings WHERE booking_id = ?"
        known = transaction.connection.exec_driver_sql(query, (entry.booking_id,)).scalar_one()
        book(transaction.connection, [entry])
        if not known:
            transaction.log(TENANT, "agent", "booked", entry.invoice_id, amount=str(entry.amount))


@dataclass
class Ledger:
    """A ledger in a folder of its own, and what it acknowledged."""

    folder: Path
    next_number: int = 0
    acknowledged: set[int] = field(default_factory=set)

    @property
    def file(self) -> Path:
        return self.folder / "remembrancer.db"

    @cached_property
    def engine(self) -> Engine:
        """As every process of ours opens it; forked lives take it over with its compiled statements."""
        return open_engine(f"sqlite:///{self.file}")

    @property
    def journal(self) -> Journal:
        return Journal(self.engine, self.folder / "heads", utc_now)

    def create(self, empty: Path) -> None:
        """Begin with one booking, so that the statements are compiled, and hold nothing open."""
        self.folder.mkdir(parents=True)
        shutil.copy(empty, self.file)
        enter(self.journal, 0)
        self.acknowledged.add(0)
        self.engine.dispose()


@dataclass(frozen=True)
class Tally:
    """What a run of kills came to."""

    kills: int
    bookings: int
    unacknowledged: int
    """Bookings that were committed when the kill came before the acknowledgement."""
    ledgers: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.bookings} bookings ({self.unacknowledged} committed, not yet acknowledged) in"
            f" {self.ledgers} ledgers, {self.seconds:.0f} s"
        )


def kill_the_ledger(root: Path, kills: int, seed: int) -> Tally:
    """Kill until so many kills have hit; what was acknowledged is looked up after each."""
    chance, begun = random.Random(seed), time.monotonic()
    empty = _empty(root)
    hits = bookings = silent = ledgers = 0
    while hits < kills:
        ledgers += 1
        ledger = Ledger(root / f"ledger-{ledgers}")
        ledger.create(empty)
        for _ in range(min(_KILLS_A_LEDGER, kills - hits)):
            _one_life(ledger, chance)
            hits += 1
            _check(ledger)
        _verify(ledger)
        found = _count(ledger)
        bookings, silent = bookings + found, silent + found - len(ledger.acknowledged)
        shutil.rmtree(ledger.folder)
        if ledgers % 20 == 0:
            print(f"{hits} kills, {bookings} bookings, {time.monotonic() - begun:.0f} s", flush=True)
    return Tally(hits, bookings, silent, ledgers, time.monotonic() - begun)


def _empty(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    file = root / "empty.db"
    engine = open_engine(f"sqlite:///{file}")
    upgrade(engine)
    engine.dispose()
    return file


def _one_life(ledger: Ledger, chance: random.Random) -> None:
    """Book from where the last life was, acknowledging each commit through a pipe, until SIGKILL."""
    first = max(0, ledger.next_number - _LAST_AGAIN)
    reader, writer = os.pipe()
    gc.freeze()
    child = os.fork()
    if child == 0:
        _book_for_ever(ledger, first, writer)
    os.close(writer)
    # The first acknowledgement proves that it runs; the kill comes at any moment after it.
    heard = os.read(reader, _ACK)
    time.sleep(chance.uniform(0, _LONGEST))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        heard += pipe.read()
    numbers = [int.from_bytes(heard[at : at + _ACK]) for at in range(0, len(heard) - len(heard) % _ACK, _ACK)]
    assert numbers, "a life never booked anything"
    ledger.acknowledged |= set(numbers)
    ledger.next_number = max(numbers) + 1


def _book_for_ever(ledger: Ledger, number: int, writer: int) -> None:
    try:
        while True:
            enter(ledger.journal, number)
            os.write(writer, number.to_bytes(_ACK))
            number += 1
    finally:
        os._exit(1)


def _check(ledger: Ledger) -> None:
    """Nothing acknowledged is lost, nothing is there twice, each has its one log line."""
    with closing(sqlite3.connect(ledger.file)) as connection:
        keys = [key for (key,) in connection.execute("SELECT invoice_key FROM bookings")]
        lines = connection.execute("SELECT count(*), count(DISTINCT subject) FROM audit_log").fetchone()
    found = {int(key.rpartition(":")[2]) for key in keys}
    assert ledger.acknowledged <= found, f"lost: {sorted(ledger.acknowledged - found)}"
    assert len(keys) == len(found), "booked twice"
    assert lines == (len(keys), len(keys)), f"{len(keys)} bookings, log lines and their subjects: {lines}"


def _verify(ledger: Ledger) -> None:
    verification = ledger.journal.verify(TENANT)
    ledger.engine.dispose()
    assert verification.fault == ""


def _count(ledger: Ledger) -> int:
    with closing(sqlite3.connect(ledger.file)) as connection:
        return int(connection.execute("SELECT count(*) FROM bookings").fetchone()[0])


def run_ledger_kills(root: Path, kills: int, seed: int) -> None:
    """For a process of its own: kill, and print the figures."""
    print(kill_the_ledger(root, kills, seed), flush=True)
