"""An audit of very many XML invoices with faults planted at known places, by one process.

    python -m benchmarks.hundred_thousand [N] [--profile]

Every planted finding must be found and none invented: each file's end, its rules that ask, its reason and, for a
duplicate, the file that was first are compared with what was planted. Time is CPU time of the process and time on the
wall; memory is the resident size after each tenth of the files. Nothing is kept.
"""

import cProfile
import json
import pstats
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from datetime import time as day_time
from pathlib import Path

from sqlalchemy import select

from benchmarks.planted import CLEAN, FAULTS, TODAY, Planted, write, write_policy
from foundation.database import reading
from invoices.tables import invoices
from oversight.checkpoints import open_saver
from remembrancer.office import Office
from remembrancer.settings import Settings
from remembrancer.wiring import open_services

BATCH = "planted"
_NOON = datetime.combine(TODAY, day_time(12), UTC)
_MB = 2**20
_OURS = r"/(nodes|graphs|remembrancer|invoices|oversight|foundation)/"


@dataclass
class Memory:
    """Resident megabytes after each tenth of the files."""

    at: dict[int, int] = field(default_factory=dict)

    def sample(self, done: int, files: int) -> None:
        """Keep the first sample of each tenth."""
        tenth = done * 10 // max(files, 1)
        if tenth not in self.at:
            self.at[tenth] = resident()
            print(f"  {done:8,} files, {self.at[tenth]} MB, {time.process_time():.0f} s CPU", flush=True)


def resident() -> int:
    """Megabytes that this process holds now; where the system doesn't tell, the most it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return peak()
    return pages * resource.getpagesize() // _MB


def peak() -> int:
    """The most megabytes that this process ever held (the system counts kilobytes, on macOS bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // _MB


@dataclass(frozen=True)
class Found:
    """What became of one file."""

    file: str
    end: str
    rules: frozenset[str]
    hints: frozenset[str]
    reason: str
    first: str

    def agrees(self, planted: Planted) -> bool:
        """Whether this is what was planted, no less and no more."""
        return (self.end, self.rules, self.reason, self.first) == (
            planted.end,
            planted.rules,
            planted.reason,
            planted.first,
        )


def ends(office: Office) -> Iterator[Found]:
    """The end of every file, in pages."""
    t = invoices.c
    columns = (t.invoice_id, t.file, t.status, t.findings, t.reason, t.first_id)
    with reading(office.services.engine) as connection:
        rows = connection.execution_options(yield_per=1000).execute(select(*columns).order_by(t.file_seq))
        files: dict[str, str] = {}
        for row in rows:
            files[row.invoice_id] = row.file
            said = json.loads(row.findings)
            rules = frozenset(one["rule"] for one in said if one["trigger"])
            hints = frozenset(one["rule"] for one in said if not one["trigger"])
            yield Found(row.file, row.status, rules, hints, row.reason, files.get(row.first_id, ""))


def audit(office: Office, folder: Path, policy: Path, memory: Memory) -> tuple[float, float]:
    """(CPU seconds, seconds on the wall) of the whole audit, the threads of the doubtful ones included."""
    wall, cpu = time.perf_counter(), time.process_time()
    office.audit({"paths": [str(folder)], "policy": str(policy)}, name=BATCH, progress=memory.sample)
    return time.process_time() - cpu, time.perf_counter() - wall


def compare(found: Iterator[Found], planted: dict[str, tuple[str, Planted]]) -> tuple[str, int]:
    """What was found of each fault, and how many files ended otherwise than planted."""
    right, hints, wrong = Counter[str](), Counter[str](), []
    for one in found:
        kind, expected = planted.get(one.file, ("clean", CLEAN))
        hints.update(one.hints)
        if one.agrees(expected):
            right[kind] += 1
        else:
            wrong.append(f"  {one.file} ({kind}): expected {expected}, found {one}")
    many = Counter(kind for kind, _ in planted.values())
    lines = [f"  {right[kind]:6} of {many[kind]:6}  {kind}" for kind in FAULTS if many[kind]]
    lines += [f"  {right['clean']:6} booked without a finding that asks", f"  hints beside: {dict(hints)}"]
    return "\n".join([*lines, *wrong[:20]]), len(wrong)


def run(count: int, root: Path, *, profile: bool) -> int:
    """Generate, audit, compare, print; returns how many files ended otherwise than planted."""
    start = time.perf_counter()
    planted = write(root / "papers", count)
    policy = write_policy(root, count)
    print(f"{count:,} files written in {time.perf_counter() - start:.0f} s, {len(planted)} of them planted", flush=True)
    settings = Settings(_env_file=None, home=root / "home", policy=str(policy), lang="en", time_zone="UTC")
    services = replace(open_services(settings), clock=lambda: _NOON)
    memory, profiler = Memory(), cProfile.Profile()
    with open_saver(settings.checkpoints) as saver:
        office = Office(settings, services, saver)
        before = resident()
        if profile:
            profiler.enable()
        cpu, wall = audit(office, root / "papers", policy, memory)
        profiler.disable()
        said, wrong = compare(ends(office), planted)
    services.engine.dispose()
    print(
        f"audited in {wall:.1f} s ({wall / count * 1e6:.0f} µs an invoice), {cpu:.1f} s CPU ({cpu / count * 1e6:.0f} µs)"
    )
    print(f"resident MB: {before} before, then by tenths {list(memory.at.values())}; peak {peak()}")
    print(said)
    print(f"{wrong} files ended otherwise than planted")
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(_OURS, 60)
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Run with the numbers of the command line."""
    numbers = [int(argument) for argument in arguments if argument.isdigit()] or [100_000]
    with tempfile.TemporaryDirectory() as folder:
        wrong = [run(n, Path(folder) / str(n), profile="--profile" in arguments) for n in numbers]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
