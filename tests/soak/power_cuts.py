"""Power cuts under the real ledger: its statements are recorded from an audit and its decisions, then run on a disk
that notes everything, with the ledger's own pragmas; each image that a cut may leave is opened and checked.
"""

import hashlib
import random
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import apsw
from sqlalchemy import Connection, Engine, event

from foundation.clock import utc_now
from foundation.database import open_engine
from foundation.journal import Journal
from oversight.action import DecisionKind
from tests.soak.power import NotingFiles, cuts
from tests.support.house import House, build_house

_FILE = "remembrancer.db"
_TABLES = ("bookings", "reviews", "decisions", "audit_log", "audit_content", "audit_heads", "batches", "invoices")
_THOROUGH = 0.05
"""Share of the images whose every page and whole log are checked, too."""
_PRAGMAS = ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON")
_CHECKPOINTS = (1000, 40)
"""Pages after which the log goes into the database: SQLite's own, and often, so that cuts hit that as well."""

_EACH = 2000
"""Images made of one playing of a tape."""
_NOTING = "noting"

Level = Literal["FULL", "NORMAL"]


class LostError(AssertionError):
    """An image lacks what was acknowledged, or holds what never was."""


@dataclass
class Tape:
    """What the ledger asked of its database: statements and commits, and the heads that it kept outside."""

    steps: list[tuple[str, Any, Any]] = field(default_factory=list)

    def commits(self) -> int:
        """How many commits there are."""
        return sum(kind == "commit" for kind, _, _ in self.steps)


@contextmanager
def _recording(engine: Engine, journal: Journal) -> Iterator[Tape]:
    tape, keep = Tape(), journal._keep_head

    def noted(kind: str) -> Any:
        def note(connection: Connection) -> None:
            tape.steps.append((kind, connection.get_execution_options().get("remembrancer_writes"), None))

        return note

    def statement(_c: Any, _cursor: Any, sql: str, values: Any, _context: Any, many: bool) -> None:
        if not sql.startswith(("BEGIN", "PRAGMA")):
            tape.steps.append(("many" if many else "one", sql, values))

    def head(tenant: str, seq: int, digest: str) -> None:
        tape.steps.append(("head", f"{seq} {digest}\n", None))
        keep(tenant, seq, digest)

    handlers = [(name, noted(name)) for name in ("begin", "commit", "rollback")]
    handlers.append(("before_cursor_execute", statement))
    for name, handler in handlers:
        event.listen(engine, name, handler)
    journal._keep_head = head  # type: ignore[method-assign]
    try:
        yield tape
    finally:
        for name, handler in handlers:
            event.remove(engine, name, handler)
        journal._keep_head = keep  # type: ignore[method-assign]


def record(root: Path, seed: int) -> tuple[Tape, Path]:
    """An audit and four decisions as a tape, and the database that it begins with."""
    house = build_house(root / "recorded", clean=4, doubtful=("over_limit", "broken_id", "over_limit"), seed=seed)
    house.services.engine.dispose()
    before = root / "before.db"
    shutil.copy(house.settings.home / _FILE, before)
    with _recording(house.services.engine, house.services.journal) as tape:
        _work(house)
    house.close()
    return tape, before


def _work(house: House) -> None:
    kinds: tuple[DecisionKind, ...] = ("approve", "reject", "respond")
    with house.office() as office:
        office.audit(house.start(), name="one")
        waiting = house.ask("SELECT review_id FROM reviews ORDER BY review_id")
        for (review_id,), kind in zip(waiting, kinds, strict=True):
            office.decide(review_id, kind, by="lin", reason="verified by phone")


@dataclass
class Played:
    """A tape played on a noting disk: what was asked of the disk, and what held after each commit."""

    start: bytes
    requests: list[Any]
    acknowledged: list[tuple[int, str]]
    """For each commit: how many requests came before its acknowledgement, and the database's fingerprint then."""
    heads: list[tuple[int, str]]
    """The lines kept outside, each with the requests before it."""

    def fingerprints_at(self, place: int) -> tuple[set[str], int]:
        """What an image of a cut at this place may hold, and how many commits were acknowledged before it."""
        done = sum(at <= place for at, _ in self.acknowledged)
        allowed = self.acknowledged[max(done - 1, 0) : done + 1]
        return {fingerprint for _, fingerprint in allowed}, done


def play(tape: Tape, before: Path, folder: Path, level: Level, checkpoint: int) -> Played:
    """Play the tape with the ledger's pragmas; `level` is that of `synchronous`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / _FILE
    shutil.copy(before, file)
    files = NotingFiles(_NOTING)
    connection = apsw.Connection(str(file), vfs=_NOTING)
    # A file layer written in Python has no shared memory; one connection alone needs none, and writes the same.
    for pragma in ("locking_mode=EXCLUSIVE", *_PRAGMAS, f"synchronous={level}", f"wal_autocheckpoint={checkpoint}"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    played = Played(before.read_bytes(), files.requests, [(len(files.requests), _fingerprint(connection))], [])
    for kind, what, values in tape.steps:
        _step(connection, kind, what, values)
        if kind == "commit":
            played.acknowledged.append((len(files.requests), _fingerprint(connection)))
        if kind == "head":
            played.heads.append((len(files.requests), what))
    played.requests = list(files.requests)
    connection.close()
    files.unregister()
    return played


def _step(connection: apsw.Connection, kind: str, what: Any, values: Any) -> None:
    if kind == "begin":
        connection.execute("BEGIN IMMEDIATE" if what else "BEGIN")
    elif kind in {"commit", "rollback"}:
        connection.execute(kind.upper())
    elif kind == "one":
        connection.execute(what, values).fetchall()
    elif kind == "many":
        connection.executemany(what, values)


def _fingerprint(connection: Any) -> str:
    digest = hashlib.sha256()
    for table in _TABLES:
        rows = connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
        digest.update(repr([tuple(row) for row in rows]).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Tally:
    """What a run of power cuts came to."""

    images: int
    tapes: int
    requests: int
    """What SQLite asked of the disk, over all tapes."""
    seconds: float

    def __str__(self) -> str:
        return f"{self.images} images from {self.tapes} tapes of {self.requests} requests, {self.seconds:.0f} s"


def cut_the_power(root: Path, images: int, seed: int, *, level: Level = "FULL") -> Tally:
    """Check so many images; each is what some power cut may leave."""
    chance, begun = random.Random(seed), time.monotonic()
    made = tapes = requests = 0
    while made < images:
        tape, before = record(root / f"tape-{tapes}", seed + tapes)
        for checkpoint in _CHECKPOINTS:
            played = play(tape, before, root / f"tape-{tapes}" / "played", level, checkpoint)
            some = min(_EACH, images - made)
            _check_images(played, root / "image", some, chance)
            made, requests = made + some, requests + len(played.requests)
        shutil.rmtree(root / f"tape-{tapes}")
        tapes += 1
        print(f"{made} images, {time.monotonic() - begun:.0f} s", flush=True)
    return Tally(made, tapes, requests, time.monotonic() - begun)


def _check_images(played: Played, folder: Path, images: int, chance: random.Random) -> None:
    first, last = played.acknowledged[0][0], played.acknowledged[-1][0]
    places = sorted(chance.randint(first, last) for _ in range(images))
    for place, files in cuts({_FILE: played.start}, played.requests, places, chance):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in files.items():
            if content:
                (folder / name).write_bytes(content)
        _check(played, place, folder, chance)


def _check(played: Played, place: int, folder: Path, chance: random.Random) -> None:
    allowed, done = played.fingerprints_at(place)
    thorough = chance.random() < _THOROUGH
    with closing(sqlite3.connect(folder / _FILE)) as connection:
        found = _fingerprint(connection)
        if found not in allowed:
            raise LostError(f"after {done} acknowledged commits and a cut at request {place}: {_what(played, found)}")
        if thorough:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    if thorough:
        _verify_log(played, place, folder, chance)


def _what(played: Played, found: str) -> str:
    known = [number for number, (_, fingerprint) in enumerate(played.acknowledged) if fingerprint == found]
    return f"lost, it is the state after commit {known[0]}" if known else "it is no state that there ever was"


def _verify_log(played: Played, place: int, folder: Path, chance: random.Random) -> None:
    """The heads kept outside may be cut off anywhere: the log must verify with what is left of them."""
    kept = "".join(line for at, line in played.heads if at <= place)
    engine = open_engine(f"sqlite:///{folder / _FILE}")
    journal = Journal(engine, folder / "heads", utc_now)
    journal._folder.mkdir()
    journal._head_file("default").write_text(kept[: chance.randint(0, len(kept))], "ascii")
    verification = journal.verify("default")
    engine.dispose()
    assert verification.fault == "", verification.fault


def run_power_cuts(root: Path, images: int, seed: int, level: Level = "FULL") -> None:
    """For a process of its own: cut, and print the figures."""
    print(cut_the_power(root, images, seed, level=level), flush=True)
