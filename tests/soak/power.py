"""Power cuts: what a disk may hold when the current fails, made from what SQLite asked of it.

SQLite runs on a file layer of ours that notes each write, each sync and each truncation. Synced writes are on the
disk; of those after the last sync a cut leaves any subset, in any order, and some of them torn between sectors.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import apsw

SECTOR = 512
_TORN = 0.2
"""Share of the surviving unsynced writes of which only some sectors survive."""


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that SQLite asked of the disk."""

    file: str
    kind: Literal["write", "sync", "truncate", "delete"]
    at: int = 0
    """Offset of a write, size of a truncation."""
    data: bytes = b""


class NotingFiles(apsw.VFS):
    """The system's files, with every change noted in `requests`."""

    def __init__(self, name: str) -> None:
        """`name`: under which connections ask for it."""
        self.requests: list[Request] = []
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _NotingFile(self.requests, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        self.requests.append(Request(Path(name).name, "delete"))
        super().xDelete(name, syncdir)


class _NotingFile(apsw.VFSFile):
    def __init__(self, requests: list[Request], name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._requests = requests
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path or "temporary").name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._requests.append(Request(self._name, "write", offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._requests.append(Request(self._name, "truncate", size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._requests.append(Request(self._name, "sync"))


@dataclass
class Disk:
    """What is on the disk for certain, and what was asked of it since."""

    files: dict[str, bytearray]
    unsynced: dict[str, list[Request]] = field(default_factory=dict)

    def take(self, request: Request) -> None:
        """Take the next request."""
        waiting = self.unsynced.setdefault(request.file, [])
        if request.kind != "sync":
            waiting.append(request)
            return
        content = self.files.setdefault(request.file, bytearray())
        for one in waiting:
            _apply(content, one)
        waiting.clear()

    def after_a_cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files as a cut at this moment may leave them."""
        share = chance.choice((0.0, 0.5, 1.0, chance.random()))
        return {name: bytes(self._survived(name, share, chance)) for name in {*self.files, *self.unsynced}}

    def _survived(self, name: str, share: float, chance: random.Random) -> bytearray:
        waiting = self.unsynced.get(name, ())
        content = self.files.get(name, bytearray())
        if not waiting:
            return content
        content = bytearray(content)
        kept = [one for one in waiting if chance.random() < share]
        chance.shuffle(kept)
        for request in kept:
            for part in _torn(request, chance):
                _apply(content, part)
        return content


def cuts(
    files: dict[str, bytes], requests: Sequence[Request], at: Sequence[int], chance: random.Random
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """For each place in `at` (ascending): how many requests were made before the cut, and what the disk then holds."""
    disk = Disk({name: bytearray(content) for name, content in files.items()})
    done = 0
    for place in at:
        for request in requests[done:place]:
            disk.take(request)
        done = place
        yield place, disk.after_a_cut(chance)


def _apply(content: bytearray, request: Request) -> None:
    if request.kind == "delete":
        content.clear()
    elif request.kind == "truncate":
        del content[request.at :]
    else:
        if len(content) < request.at:
            content.extend(bytes(request.at - len(content)))
        content[request.at : request.at + len(request.data)] = request.data


def _torn(request: Request, chance: random.Random) -> list[Request]:
    if request.kind != "write" or chance.random() >= _TORN:
        return [request]
    parts = range(0, len(request.data), SECTOR)
    return [
        Request(request.file, "write", request.at + part, request.data[part : part + SECTOR])
        for part in parts
        if chance.random() < 0.5
    ]
