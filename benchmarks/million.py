"""A million memories of ten thousand people: sweep, capacity and forgetting in bounded memory, search unchanged.

The rows are those that an import writes (`benchmarks/filling.py`); vectors are synthetic. While memories are swept,
another process tries all the time to begin a write transaction. Run it with

    python -m benchmarks.million [--people 10000] [--folder DIR] [--keep]

With `--keep` the filled file stays in the folder, and is copied instead of filled the next time.
"""

import argparse
import multiprocessing
import random
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.filling import EACH, NOW, TENANT, WORDS, Synthetic, fill, scope_of
from foundation.looking import look
from foundation.sqlite_files import truncate_log
from memory.defaults import Forgetting
from memory.service import Memory
from remembrancer.eraser import open_eraser
from remembrancer.settings import Settings

FEW = 100
"""People of the small database that searches are compared with: ten thousand memories."""
SEARCHES = 60
NAME = "remembrancer.db"


def opened(path: Path) -> Memory:
    return Memory.open(f"sqlite:///{path}", embedder=Synthetic(), clock=lambda: NOW)


def filled(path: Path, people: int) -> None:
    memory = opened(path)
    fill(memory, people)
    memory.close()
    truncate_log(path)


def timed(call: Callable[..., Any], *given: Any, **named: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call(*given, **named)
    return time.perf_counter() - start, result


def resident() -> float:
    """The most megabytes that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def tell(what: str, seconds: float, more: object = "") -> None:
    print(f"{what:<44}{seconds:>9.2f} s   {more}   (peak {resident():,.0f} MB)", flush=True)


def compare(small: Path, large: Path) -> None:
    before, after = search_times(small), search_times(large)
    for name, one, other in zip(("first question", "next question"), before, after, strict=True):
        print(f"{name:<44}{one:>9.2f} ms with 10,000 memories, {other:.2f} ms with all: ratio {other / one:.2f}")


def search_times(path: Path) -> tuple[float, float]:
    """Median milliseconds of a first question to a pool, and of one to a pool that was asked before."""
    memory = opened(path)
    chance = random.Random(5)
    cold, warm = [], []
    for number in chance.sample(range(20, FEW), SEARCHES):
        scope = scope_of(number)
        asked = [" ".join(chance.sample(WORDS, 2)) for _ in range(4)]
        cold.append(timed(memory.search, scope, asked[0])[0])
        warm += [timed(memory.search, scope, each)[0] for each in asked[1:]]
    memory.engine.dispose()
    return 1000 * statistics.median(cold), 1000 * statistics.median(warm)


def forget(path: Path) -> None:
    memory = opened(path)
    one = memory.current(scope_of(3))[5]
    seconds, _ = timed(memory.forget, scope_of(3), one.memory_id)
    tell("one memory forgotten, its rows", seconds)
    texts = [each.content for each in memory.current(scope_of(3))]
    seconds, receipt = timed(memory.forget_me, scope_of(3), confirm=memory.forget_me_token(scope_of(3)))
    tell("one person forgotten, the rows", seconds, f"{receipt.counts['memories'][0]} memories")
    truncate_log(path)
    for some in (texts[:1], texts):
        seconds, left = timed(looked_through, path, some)
        tell(f"every byte looked through for {len(some)} texts", seconds, f"found {left}")
    memory.engine.dispose()


def looked_through(path: Path, texts: Sequence[str]) -> int:
    seen = look([path], (), texts).databases[path]
    return len(seen.rows | seen.beyond | seen.freed)


def forget_with_receipt(home: Path) -> None:
    settings = Settings(home=home, tenant=TENANT, embedder="none", lang="en")
    with open_eraser(settings) as eraser:
        token = eraser.memory.forget_me_token(scope_of(4))
        seconds, receipt = timed(eraser.forget_me, scope_of(4), confirm=token)
    tell("one person forgotten, with the receipt", seconds, f"remaining {receipt.remaining}, shared {receipt.shared}")
    reader = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = f"{reader.ru_utime + reader.ru_stime:.0f} s of CPU, peak {reader.ru_maxrss / 1024:,.0f} MB"
    print(f"{'  the process that reads the files, so far':<44}{used}")


def sweep(path: Path, people: int) -> None:
    memory = opened(path)
    memory.search(scope_of(50), "harbour lantern")
    before = resident()
    tight = Forgetting(pause_seconds=0.01, capacity=int(people * EACH * 0.97))
    for name, settings in (
        ("sweep: expired, unused, seldom", Forgetting(pause_seconds=0.01, capacity=10**9)),
        ("capacity: 97 % of what was filled in", tight),
    ):
        with rival(path) as waits:
            seconds, taken = timed(memory.sweep, TENANT, settings=settings)
        tell(name, seconds, taken)
        median, most, nearly_all, longest = (np.percentile(waits, share) for share in (50, 95, 99, 100))
        told = f"median {median:.3f} s, 95 % {most:.3f} s, 99 % {nearly_all:.3f} s of {len(waits)} times"
        print(f"{'  locked for another writer, at most':<44}{longest:>9.2f} s   {told}", flush=True)
    print(f"{'memory that sweeping added':<44}{resident() - before:>9.0f} MB")
    memory.engine.dispose()


@contextmanager
def rival(path: Path) -> Iterator[list[float]]:
    """Another process that writes all the time; afterwards: how long it waited, each time that it had to."""
    waits: list[float] = []
    context = multiprocessing.get_context("spawn")
    over, (here, there) = context.Event(), context.Pipe()
    process = context.Process(target=write_until, args=(path, over, there))
    process.start()
    here.recv()
    yield waits
    over.set()
    waits += here.recv()
    process.join()


def write_until(path: Path, over: Event, told: Any) -> None:
    """Begin a write transaction again and again; tell how long the database was locked."""
    waits = [0.0]
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        told.send("ready")
        while not over.is_set():
            waited = _waited(connection)
            waits += [waited] if waited else []
            time.sleep(0.005)
    told.send(waits)


def _waited(connection: sqlite3.Connection) -> float:
    start = time.perf_counter()
    tried = 0
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            tried += 1
            time.sleep(0.0005)
        else:
            connection.execute("COMMIT")
            return time.perf_counter() - start if tried else 0.0


def measure(folder: Path, people: int, kept: Path | None) -> None:
    small, large = folder / "small.db", folder / "home" / NAME
    large.parent.mkdir()
    filled(small, FEW)
    if kept is not None and kept.exists():
        shutil.copy(kept, large)
    else:
        cpu = time.process_time()
        seconds, _ = timed(filled, large, people)
        tell(f"{people * EACH:,} memories filled in", seconds, f"{time.process_time() - cpu:.0f} s of CPU")
        if kept is not None:
            shutil.copy(large, kept)
    print(f"{'size of the database':<44}{large.stat().st_size / 1e9:>9.2f} GB")
    compare(small, large)
    forget(large)
    forget_with_receipt(large.parent)
    sweep(large, people)
    compare(small, large)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    people = max(chosen.people, FEW)
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        kept = chosen.folder / f"{people}.db" if chosen.keep and chosen.folder else None
        measure(Path(folder), people, kept)


if __name__ == "__main__":
    main()
