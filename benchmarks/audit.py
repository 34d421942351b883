"""How fast an audit is, what its checkpoints weigh, and how long a paused thread takes to go on.

Each number of invoices is measured in turns: the audit, and a bare loop that reads, checks and commits one row for
each invoice, both with commits that survive a power cut. Run `python -m benchmarks.audit [N...]`; nothing is kept.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from langgraph.types import Command

from foundation.clock import utc_now
from foundation.ids import content_hash
from graphs.invoice_audit import build_invoice_audit
from invoices.checks import examine
from invoices.document import Document
from invoices.findings import Context
from invoices.policy import load_policy
from invoices.readers import read
from nodes.weighing import key_of
from oversight.checkpoints import open_saver
from tests.support.house import THREAD, House, build_house

NUMBERS = (50, 500, 5_000)


@dataclass(frozen=True)
class Figures:
    """What was measured for one number of invoices."""

    invoices: int
    audit: float
    """Seconds of the audit by the command's office."""
    bare: float
    """Seconds of the bare loop."""
    checkpoints: int
    """Bytes of the audit thread's checkpoints and writes."""
    resume: float
    """Seconds from opening the paused thread's files to the end of the batch."""


def measure(number: int, root: Path) -> Figures:
    """All figures for so many clean invoices."""
    bare = _seconds(lambda: _bare_loop(build_house(root / "bare", clean=number, doubtful=())))
    house = build_house(root / "audit", clean=number, doubtful=())
    with house.office() as office:
        audit = _seconds(lambda: office.audit(house.start(), name="bench"))
    checkpoints = _checkpoint_bytes(house)
    house.close()
    paused = build_house(root / "paused", clean=number, doubtful=("over_limit",))
    with paused.graph() as (graph, _):
        graph.invoke(paused.start(), THREAD)
    paused.close()
    resume = _seconds(lambda: _resume(paused))
    paused.close()
    return Figures(number, audit, bare, checkpoints, resume)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _bare_loop(house: House) -> None:
    """Read, check, insert, commit: one invoice after the other, nothing else."""
    context = Context(load_policy(house.papers.policy), utc_now().date())
    with closing(sqlite3.connect(house.root / "bare.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL").close()
        connection.execute("PRAGMA synchronous=FULL").close()
        connection.execute("CREATE TABLE ledger (key TEXT PRIMARY KEY, total TEXT, findings INTEGER)").close()
        for path in sorted(house.papers.folder.iterdir()):
            content = path.read_bytes()
            digest = content_hash(content)
            for part, invoice in enumerate(read(Document(path.name, content))):
                found = examine(invoice, context).findings
                row = (key_of(invoice, digest, part), str(invoice.signed_total), len(found))
                connection.execute("INSERT INTO ledger VALUES (?, ?, ?)", row).close()
                connection.commit()


def _checkpoint_bytes(house: House) -> int:
    columns = {
        "checkpoints": ("thread_id", "checkpoint_id", "parent_checkpoint_id", "type", "checkpoint", "metadata"),
        "writes": ("thread_id", "checkpoint_id", "task_id", "task_path", "idx", "channel", "type", "value"),
    }
    total = 0
    for table, names in columns.items():
        weight = " + ".join(f"coalesce(length(cast({name} AS BLOB)), 0)" for name in names)
        total += house.ask_checkpoints(f"SELECT coalesce(sum({weight}), 0) FROM {table}")[0][0]
    return total


def _resume(house: House) -> None:
    with open_saver(house.settings.checkpoints) as saver:
        graph = build_invoice_audit(house.services, checkpointer=saver)
        result = graph.invoke(Command(resume={"type": "approve", "message": "verified"}), THREAD)
    if result["counts"].get("booked") is None or "__interrupt__" in result:
        raise RuntimeError("the paused thread did not go on to its end")


def _warm_up(root: Path) -> None:
    """Imports, migrations and statement caches are paid once, before anything is measured."""
    house = build_house(root, clean=2, doubtful=())
    with house.office() as office:
        office.audit(house.start(), name="warm")
    house.close()


def table(figures: Sequence[Figures]) -> str:
    """The figures as a table in plain text."""
    heads = ("invoices", "audit/s", "bare/s", "ratio", "bytes/inv.", "total bytes", "resume ms")
    rows = [
        (
            f"{one.invoices:,}",
            f"{one.invoices / one.audit:,.0f}",
            f"{one.invoices / one.bare:,.0f}",
            f"{one.audit / one.bare:.2f}",
            f"{one.checkpoints / one.invoices:,.1f}",
            f"{one.checkpoints:,}",
            f"{one.resume * 1000:,.0f}",
        )
        for one in figures
    ]
    return "\n".join("".join(f"{cell:>13}" for cell in row) for row in (heads, *rows))


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    numbers = [int(argument) for argument in arguments] or NUMBERS
    with tempfile.TemporaryDirectory() as folder:
        _warm_up(Path(folder) / "warm")
        print(table([measure(number, Path(folder) / str(number)) for number in numbers]))


if __name__ == "__main__":
    main(sys.argv[1:])
