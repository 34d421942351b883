"""How many files a second are read and checked, by format, with one process and with two.

    python benchmarks/formats.py [SECONDS]

Each format's samples of examples/mixed (right ones only) are taken in turn until the CPU seconds are used up: opened
from memory, read, and every invoice in them examined by all rules. A CSV, an XLSX and a zip count as one file each,
however many invoices they hold. With two processes, files and seconds of both are added for the CPU figure, and on the
wall both run at once. Pictures are measured where the extra `ocr` is installed.
"""

import json
import multiprocessing
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from foundation.errors import UnreadableError
from invoices.checks import examine
from invoices.document import Document
from invoices.findings import Context
from invoices.folder import members
from invoices.policy import load_policy
from invoices.readers import ocr, read

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FOLDER = EXAMPLES / "mixed"
TODAY = date(2026, 12, 30)
SECONDS = 2.0

FORMATS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("XML (EInvoice)", ("cn-digital*.xml",)),
    ("UBL", ("eu-credit-*.xml",)),
    ("CII", ("eu-cii-*.xml",)),
    ("FatturaPA", ("eu-fatturapa*",)),
    ("XBRL", ("*.xbrl",)),
    ("OFD", ("*.ofd",)),
    ("Chinese PDF", ("cn-*.pdf",)),
    ("Latin PDF", ("eu-printed-*.pdf",)),
    ("Factur-X PDF", ("eu-hybrid-*.pdf",)),
    ("XLSX", ("list-t*.xlsx",)),
    ("CSV", ("list-*.csv",)),
    ("zip", ("folder*.zip",)),
    ("picture (OCR)", ("scan-*",)),
)
"""Format -> which samples are of it."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What one process did."""

    files: int
    cpu: float
    wall: float


def samples(patterns: Sequence[str]) -> list[tuple[str, bytes]]:
    """The samples of these patterns that can be read."""
    truth = json.loads((EXAMPLES / "mixed_truth.json").read_text(encoding="utf-8"))
    paths = sorted({path for pattern in patterns for path in FOLDER.glob(pattern)})
    return [(path.name, path.read_bytes()) for path in paths if path.name in truth and not truth[path.name]["reason"]]


def work(job: tuple[Sequence[str], float]) -> Speed:
    """Read and check these samples in turn for so many CPU seconds."""
    patterns, seconds = job
    files, context = samples(patterns), Context(load_policy(FOLDER / "policy.toml"), TODAY)
    _one(*files[0], context)
    done, cpu, wall = 0, time.process_time(), time.perf_counter()
    while (spent := time.process_time() - cpu) < seconds or done < len(files):
        _one(*files[done % len(files)], context)
        done += 1
    return Speed(done, spent, time.perf_counter() - wall)


def _one(name: str, content: bytes, context: Context) -> None:
    for _, member in members(Document(name, content)):
        if isinstance(member, UnreadableError):
            raise member
        for invoice in read(member):
            examine(invoice, context)


def row(title: str, patterns: Sequence[str], seconds: float) -> str:
    """One line of the table."""
    cells = [f"{len(samples(patterns)):>8}"]
    for processes in (1, 2):
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            speeds = pool.map(work, [(patterns, seconds)] * processes, chunksize=1)
        files = sum(speed.files for speed in speeds)
        cells += [f"{files / sum(speed.cpu for speed in speeds):>12,.0f}"]
        cells += [f"{files / max(speed.wall for speed in speeds):>12,.0f}"]
    return f"{title:<16}{''.join(cells)}"


def main() -> None:
    """Measure and print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    print(f"{'':<16}{'':>8}{'one process, files per':>24}{'two processes, files per':>24}")
    print(f"{'format':<16}{'samples':>8}" + f"{'CPU s':>12}{'wall s':>12}" * 2)
    for title, patterns in FORMATS:
        if patterns == ("scan-*",) and not ocr.is_installed():
            print(f"{title:<16} not measured: the extra `ocr` isn't installed")
        else:
            print(row(title, patterns, seconds), flush=True)


if __name__ == "__main__":
    main()
