"""A million memories over ten thousand people: sweep, capacity and forgetting in bounded memory, search unchanged.

The first hundred people's memories come in by `Memory.import_lines`, as any export does; the others are copies of their
rows under other names, made by SQL, so that filling takes minutes. Vectors are synthetic. Run it with

    python -m benchmarks.million [--people 10000] [--folder DIR]
"""

import argparse
import json
import random
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from foundation.residue import Needles, found_in
from foundation.sqlite_files import companions, truncate_log
from memory.defaults import Forgetting
from memory.embedders import Vectors
from memory.scope import Scope
from memory.service import Memory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TENANT = "acme"
FIRST, EACH = 100, 100
SEARCHES = 60
WORDS = [
    "harbour",
    "lantern",
    "orchard",
    "granite",
    "pepper",
    "violin",
    "meadow",
    "cobalt",
    "ferry",
    "walnut",
    "copper",
    "saddle",
    "tundra",
    "quartz",
    "basil",
    "thimble",
    "gravel",
    "juniper",
    "marble",
    "anchor",
    "barley",
    "canyon",
    "ember",
    "falcon",
    "glacier",
    "hazel",
    "island",
    "jasper",
    "kettle",
    "linen",
]
COPIED = ("memories", "memory_sources", "memory_postings", "memory_vectors", "memory_events", "memory_pools")


class Synthetic:
    """A vector for each text, from its hash: nothing is downloaded and nothing takes long."""

    fingerprint = "synthetic/32"
    dimension = 32

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = np.stack([np.random.default_rng(abs(hash(text)) % 2**32).standard_normal(32) for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def question(self, text: str) -> Vectors:
        return np.asarray(self.passages([text])[0])


def user(number: int) -> str:
    return f"u{number:05}"


def lines(number: int) -> Iterator[str]:
    """One person's hundred memories, a few critical; of every tenth person one in ten unused, one in fifty over."""
    chance = random.Random(number)
    for each in range(EACH):
        days = 200 if number % 10 == each % 10 == 3 else chance.randint(1, 60)
        said = (NOW - timedelta(days=days)).isoformat()
        a, b, c = chance.sample(WORDS, 3)
        yield json.dumps(
            {
                "format": 1, "memory_id": f"mem_{number}_{each}", "kind": "semantic", "category": "preference",
                "content": f"prefers the {a} {b} beside {c} {number * EACH + each}", "slot": None, "value": None,
                "polarity": True, "topic": None, "importance": "critical" if each % 20 == 7 else "normal",
                "confidence": 0.9, "valid_from": None, "valid_to": None, "recorded_at": said,
                "expires_at": (NOW - timedelta(days=1)).isoformat() if number % 10 == 3 and each % 50 == 9 else None,
                "status": "current", "version": 1, "replaced_by": None, "replaces": None, "rule": "imported",
                "episode": None,
                "sources": [{"thread_id": "t", "message_id": f"m{each}", "quote": f"{a} {b}", "speaker": "user", "said_at": said}],
            }
        )  # fmt: skip


def fill(path: Path) -> None:
    """The first people's memories, by import."""
    memory = Memory.open(f"sqlite:///{path}", embedder=Synthetic(), clock=lambda: NOW)
    for number in range(FIRST):
        memory.import_lines(Scope.user(TENANT, user(number)), lines(number), now=NOW)
    memory.close()
    truncate_log(path)


def multiply(path: Path, people: int) -> None:
    """The others, as copies of the first people's rows; the indexes that can wait are made at the end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-400000")
        connection.execute("PRAGMA foreign_keys=OFF")
        late = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN"
            f" ({', '.join('?' * len(COPIED))})",
            COPIED,
        ).fetchall()
        for name, _ in late:
            connection.execute(f"DROP INDEX {name}")
        for copy in range(1, people // FIRST):
            connection.execute("BEGIN")
            for table in COPIED:
                connection.execute(_copying(connection, table), {"mark": f"-{copy}"})
            connection.execute("COMMIT")
        for _, statement in late:
            connection.execute(statement)
        connection.execute("ANALYZE")


def _copying(connection: sqlite3.Connection, table: str) -> str:
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "event_id"]
    marked = ("pool", "memory_id", "document")
    chosen = ", ".join(f"{name} || :mark" if name in marked else name for name in names)
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {chosen} FROM {table} WHERE pool LIKE 'user:4:acme:u_____'"


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def search_times(path: Path) -> tuple[float, float]:
    """Median milliseconds of a first question to a pool, and of one to a pool that was asked before."""
    memory = Memory.open(f"sqlite:///{path}", embedder=Synthetic(), clock=lambda: NOW)
    chance = random.Random(5)
    cold, warm = [], []
    for number in chance.sample(range(FIRST), SEARCHES):
        scope = Scope.user(TENANT, user(number))
        asked = [" ".join(chance.sample(WORDS, 2)) for _ in range(4)]
        cold.append(timed(lambda scope=scope, asked=asked: memory.search(scope, asked[0]))[0])
        warm += [timed(lambda scope=scope, each=each: memory.search(scope, each))[0] for each in asked[1:]]
    memory.engine.dispose()
    return 1000 * statistics.median(cold), 1000 * statistics.median(warm)


def resident() -> float:
    """The most megabytes that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def tell(what: str, seconds: float, more: object = "") -> None:
    print(f"{what:<44}{seconds:>9.2f} s   {more}   (peak {resident():,.0f} MB)", flush=True)


def measure(folder: Path, people: int) -> None:
    small, large = folder / "small.db", folder / "large.db"
    seconds, _ = timed(lambda: fill(small))
    tell(f"{FIRST * EACH:,} memories imported", seconds)
    shutil.copy(small, large)
    seconds, _ = timed(lambda: multiply(large, people))
    tell(f"{people * EACH:,} memories filled in", seconds, f"{large.stat().st_size / 1e9:.2f} GB")
    memory = Memory.open(f"sqlite:///{large}", embedder=Synthetic(), clock=lambda: NOW)
    compare(small, large)
    forget(memory, large)
    sweep(memory, people)
    compare(small, large)
    memory.engine.dispose()


def compare(small: Path, large: Path) -> None:
    before, after = search_times(small), search_times(large)
    for name, one, other in zip(("first question", "next question"), before, after, strict=True):
        print(f"{name:<44}{one:>9.2f} ms with 10,000 memories, {other:.2f} ms with all: ratio {other / one:.2f}")


def forget(memory: Memory, path: Path) -> None:
    scope = Scope.user(TENANT, f"{user(3)}-1")
    one = memory.current(scope)[5]
    seconds, _ = timed(lambda: memory.forget(scope, one.memory_id))
    tell("one memory forgotten", seconds)
    texts = [each.content for each in memory.current(scope)]
    seconds, receipt = timed(lambda: memory.forget_me(scope, confirm=memory.forget_me_token(scope)))
    tell("one person forgotten", seconds, receipt.counts["memories"])
    truncate_log(path)
    seconds, found = timed(lambda: sum(len(found_in(file, Needles([one.content]))) for file in companions(path)))
    tell("every byte looked through for one text", seconds, f"found {found} (its copies are other people's)")
    tell("texts of the person", 0.0, len(texts))


def sweep(memory: Memory, people: int) -> None:
    before = resident()
    quiet = Forgetting(pause_seconds=0, capacity=10**9)
    seconds, taken = timed(lambda: memory.sweep(TENANT, settings=quiet))
    tell("sweep: expired, unused, seldom", seconds, taken)
    held = people * EACH
    tight = Forgetting(pause_seconds=0, capacity=int(held * 0.97))
    seconds, taken = timed(lambda: memory.sweep(TENANT, settings=tight))
    tell("capacity: 97 % of what was filled in", seconds, taken)
    print(f"{'memory that sweeping added':<44}{resident() - before:>9.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        measure(Path(folder), max(chosen.people // FIRST, 1) * FIRST)


if __name__ == "__main__":
    main()
