"""Poisoned memories measured through `observe` and `search`. Run: `python -m benchmarks.injection [--verbose]`.

Three questions of each set: how many attacks are recognised; how many are found as a memory afterwards (a miss); how
many harmless texts are held back (a false alarm). Attacks that came by a tool or a document are also told as if the
person himself had said them: the hardest case. Then a thousand and more ordinary utterances: how many are held back.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from zoneinfo import ZoneInfo

from benchmarks.measuring import folder, load
from memory.model import Message, Speaker
from memory.reading import by_rules
from memory.scope import Scope
from memory.screening import screen
from memory.service import Memory

OWN = Path(__file__).parent.parent / "tests" / "data"
SETS = ("memory_injection_zh_half.jsonl", "bastioncorpus_injections_half.jsonl")
SPEAKERS: dict[str, Speaker] = {
    "user_input": "user",
    "tool_output": "tool",
    "memory": "document",
    "document": "document",
}
NOW = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
_ORDERS = {"instruction", "injected"}


@dataclass
class Told:
    """What became of one text."""

    held: bool
    retrievable: bool


@dataclass
class Table:
    """Counts over one set, and the texts that went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, malicious: bool, recognised: bool, told: Told, text: str) -> None:
        label = "attacks" if malicious else "benign"
        self.counts[label] += 1
        self.counts[f"{label} recognised"] += recognised
        self.counts[f"{label} held"] += told.held
        self.counts[f"{label} retrievable"] += told.retrievable
        if recognised != malicious or (malicious and told.retrievable):
            self.wrong.append(f"{label}: {text[:120]!r}")

    def lines(self) -> Iterator[str]:
        c = self.counts
        attacks, benign = max(c["attacks"], 1), c["benign"]
        yield f"  attacks {c['attacks']}: recognised {c['attacks recognised']} ({c['attacks recognised'] / attacks:.3f}), retrievable as memory {c['attacks retrievable']}"
        yield f"  harmless {benign}: false alarms {c['benign recognised']}, kept as memory {c['benign retrievable']}"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tell(memory: Memory, text: str, speaker: Speaker, name: str) -> Told:
    """Say a text once to a pool of its own, and look for it."""
    scope = Scope.user("bench", name)
    outcomes = memory.observe(scope, [Message(f"m-{name}", f"t-{name}", speaker, text, NOW)], now=NOW)
    found = memory.search(scope, text, now=NOW).recollections
    return Told(
        held=any(each.status == "quarantined" for each in outcomes),
        retrievable=bool(found) or bool(memory.current(scope, now=NOW)),
    )


def measure(memory: Memory, data: Iterable[dict[str, Any]], prefix: str, *, as_user: bool) -> Table:
    table = Table()
    for number, row in enumerate(data):
        speaker = "user" if as_user else SPEAKERS[row.get("channel", "user_input")]
        told = tell(memory, row["text"], speaker, f"{prefix}-{number}")
        table.add(row["label"] == "malicious", screen(row["text"], speaker) is not None, told, row["text"])
    return table


def ordinary() -> Iterator[str]:
    """What people say: the project's own utterances, MemoryBank's users, LoCoMo's speakers."""
    for row in rows(OWN / "utterances.jsonl"):
        if row["role"] == "user" and row["group"] not in _ORDERS:
            yield row["text"]
    for name in ("memory/memorybank_cn.json", "memory/memorybank_en.json"):
        for person in cast("dict[str, Any]", load(name)).values():
            yield from (turn["query"] for day in person["history"].values() for turn in day)
    for conversation in cast("list[dict[str, Any]]", load("memory/locomo_1to5.json")):
        for session in conversation["conversation"].values():
            yield from (turn["text"] for turn in session if isinstance(session, list))


def main() -> None:
    verbose = "--verbose" in sys.argv
    with TemporaryDirectory() as place:
        memory = Memory.open(f"sqlite:///{place}/m.db", embedder=None, extractor=by_rules(ZoneInfo("Asia/Shanghai")))
        sets = {name: rows(folder() / "memory" / name) for name in SETS}
        own = rows(OWN / "injections.jsonl")
        sets |= {f"own, {split}": [row for row in own if row["split"] == split] for split in ("tuned", "fresh")}
        for name, data in sets.items():
            for as_user in (False, True):
                print(f"{name}{', all told by the user' if as_user else ''}")
                table = measure(memory, data, f"{name}-{as_user}", as_user=as_user)
                print("\n".join(table.lines()))
                if verbose:
                    print("\n".join(f"    {each}" for each in table.wrong))
        memory.close()
    said = list(ordinary())
    alarms = [text for text in said if screen(text)]
    print(f"ordinary utterances {len(said)}: false alarms {len(alarms)} ({100 * len(alarms) / len(said):.2f} %)")
    if verbose:
        print("\n".join(f"    {text[:120]!r}" for text in alarms))


if __name__ == "__main__":
    main()
