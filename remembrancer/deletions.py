"""The deletion list: what was forgotten since a backup was made, so that a restore forgets it again.

It holds no content: ids of memories (random), and salted hashes of whose everything was forgotten and which message.
One copy lies in the home folder, outside the database that a restore replaces; one beside each known backup.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.erasures import Erasure, What

NAME = "deletions.jsonl"


@dataclass(frozen=True, slots=True)
class Deletion:
    """One line: what kind of deletion, when, and which (ids of memories, or a salted hash)."""

    what: What
    at: datetime
    ids: tuple[str, ...] = ()
    salt: str = ""
    digest: str = ""

    def means(self, *parts: str) -> bool:
        """Whether the hash is that of these parts: the pool, or pool, thread and message."""
        return self.digest == _digest(self.salt, parts)

    @property
    def key(self) -> tuple[str, ...]:
        """What two copies of the same line share."""
        return (self.what, self.at.isoformat(), *self.ids, self.digest)


def beside(backup: Path) -> Path:
    """Where the list that belongs to a backup lies."""
    return backup.with_name(f"{backup.name}.{NAME}")


def of_erasure(erasure: Erasure) -> Deletion:
    """The line for a deletion."""
    if erasure.what == "memory":
        return Deletion("memory", erasure.asked_at, erasure.subjects)
    salt = secrets.token_hex(16)
    return Deletion(erasure.what, erasure.asked_at, (), salt, _digest(salt, (erasure.pool, *erasure.subjects)))


def append(files: Iterable[Path], deletions: Sequence[Deletion]) -> list[Path]:
    """Add lines to the lists, on the disk before this returns; returns the lists that could not be written."""
    text = "".join(json.dumps(_line(each)) + "\n" for each in deletions)
    failed: list[Path] = []
    for file in files:
        try:
            with file.open("a", encoding="ascii") as opened:
                opened.write(text)
                opened.flush()
                os.fsync(opened.fileno())
        except OSError:
            failed.append(file)
    return failed


def read(files: Iterable[Path], *, since: datetime) -> list[Deletion]:
    """The lines of all lists from a moment on, each once, oldest first; a line that a crash cut is passed over."""
    found = {each.key: each for file in files for each in _lines(file) if each.at >= since}
    return sorted(found.values(), key=lambda each: each.at)


def _lines(file: Path) -> Iterator[Deletion]:
    if not file.exists():
        return
    for text in file.read_text("ascii").splitlines():
        try:
            line = json.loads(text)
            at = datetime.fromisoformat(line["at"])
            yield Deletion(line["what"], at, tuple(line["ids"]), line["salt"], line["digest"])
        except (ValueError, KeyError, TypeError):
            continue


def _line(each: Deletion) -> dict[str, object]:
    return {
        "what": each.what,
        "at": each.at.isoformat(),
        "ids": list(each.ids),
        "salt": each.salt,
        "digest": each.digest,
    }


def _digest(salt: str, parts: Sequence[str]) -> str:
    joined = salt + "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
