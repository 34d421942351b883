"""Thousands of damaged files through every reader: crashes, the slowest, the peak of memory, and each one's reason.

The slowest are told in CPU seconds, which a busy machine doesn't stretch, and in seconds on the wall beside them.

    python benchmarks/fuzz_readers.py [COUNT] [SEED]

Seeds are the files of examples/mixed. Each file is changed in one way: cut, bytes swapped, chunks moved or repeated,
blown up, wrapped in a DOCTYPE, set in a wrong encoding, its zip members or PDF streams damaged and packed again. Only
UnreadableError with a reason, or an invoice, is an answer; anything else is a crash. Pictures are left out (the extra
`ocr` has its own decoder). Batches run in a process of their own, so that a crash of a library would be seen, too.
"""

import io
import multiprocessing
import random
import resource
import sys
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from examples.forms.ofd import zipped
from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.folder import members
from invoices.readers import ocr, read

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "mixed"
SLOWEST_ALLOWED = 5.0
"""CPU seconds for one file."""
MOST_MEMORY_MB = 500
BATCH = 250
LARGEST_MADE = 2**25
"""Bytes; a change makes nothing larger, so that the memory measured is the readers' own."""

Change = Callable[[bytes, random.Random], bytes]


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def swap_bytes(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 40)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def move_chunk(content: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    target = chance.randrange(len(content) + 1)
    chunk = content[start:end]
    rest = content[:start] + content[end:]
    return rest[:target] + chunk + rest[target:]


def repeat_chunk(content: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    times = min(chance.randrange(2, 200), LARGEST_MADE // max(end - start, 1) + 1)
    return content[:start] + content[start:end] * times + content[end:]


def blow_up(content: bytes, chance: random.Random) -> bytes:
    return content + bytes([chance.randrange(256)]) * chance.choice((2**16, 2**20, 2**23))


def add_doctype(content: bytes, chance: random.Random) -> bytes:  # noqa: ARG001
    bomb = b'<!DOCTYPE a [<!ENTITY b "xx"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    at = content.find(b"?>") + 2 if b"?>" in content[:100] else 0
    return content[:at] + bomb + content[at:]


def wrong_encoding(content: bytes, chance: random.Random) -> bytes:
    declared = chance.choice((b"utf-8", b"utf-16", b"gb18030", b"ebcdic-cp-us", b"no-such"))
    text = content.replace(b'encoding="utf-8"', b'encoding="' + declared + b'"').replace(b"UTF-8", declared)
    return text.decode("utf-8", "replace").encode(chance.choice(("utf-16", "gb18030", "utf-8-sig")), "replace")


def repack(content: bytes, chance: random.Random) -> bytes:
    """Damage one member of a zip (or one stream of a PDF) and pack it again, so that the damage gets past checksums."""
    if content.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                files = {name: archive.read(name) for name in archive.namelist()}
        except (zipfile.BadZipFile, zlib.error):
            return swap_bytes(content, chance)
        name = chance.choice(list(files))
        files[name] = chance.choice(INNER)(files[name], chance)
        return zipped(files)
    start = content.find(b"stream\n", chance.randrange(max(len(content), 1)))
    end = content.find(b"endstream", start)
    if start < 0 or end < 0:
        return swap_bytes(content, chance)
    inner = chance.choice(INNER)(content[start + 7 : end], chance)
    return content[: start + 7] + inner + content[end:]


def bomb(content: bytes, chance: random.Random) -> bytes:
    """A stream or a member that unpacks to very much."""
    size = chance.choice((2**22, 2**26, 2**28))
    if content.startswith(b"PK"):
        return zipped({"OFD.xml": b" " * min(size, 2**26), "a.xml": content})
    packed = zlib.compress(bytes(min(size, 2**27)))
    start = content.find(b"stream\n")
    end = content.find(b"endstream", start)
    return content[: start + 7] + packed + content[end:] if 0 <= start < end else content + packed


INNER: tuple[Change, ...] = (cut, swap_bytes, move_chunk, repeat_chunk, add_doctype)
CHANGES: tuple[Change, ...] = (*INNER, blow_up, wrong_encoding, repack, repack, repack)
RARE: tuple[Change, ...] = (bomb,)


def seeds() -> dict[str, bytes]:
    files = (file for file in sorted(FOLDER.iterdir()) if not file.name.startswith("scan-"))
    return {file.name: file.read_bytes() for file in files}


def mutated(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(seed)
    files = list(seeds().items())
    for number in range(count):
        name, content = chance.choice(files)
        change = chance.choice(RARE if chance.random() < 0.01 else CHANGES)
        yield f"{number}-{change.__name__}-{name}", change(content, chance)


def ends(name: str, content: bytes) -> Iterator[str]:
    """How reading it ends: `read`, or a reason, for each document in it."""
    try:
        for _, member in members(Document(name, content)):
            if isinstance(member, UnreadableError):
                yield member.reason
                continue
            try:
                for _ in read(member):
                    yield "read"
            except UnreadableError as error:
                yield error.reason
    except UnreadableError as error:
        yield error.reason


@dataclass(frozen=True, slots=True, order=True)
class Spent:
    """What one file cost; compared by CPU time."""

    cpu: float
    wall: float
    file: str


def batch(job: tuple[int, int]) -> tuple[Counter[str], list[str], list[Spent], int]:
    count, seed = job
    ocr.is_installed = lambda: False
    reasons, crashes, times = Counter[str](), [], []
    for name, content in mutated(count, seed):
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            reasons.update(ends(name, content))
        except Exception as error:
            crashes.append(f"seed {seed} {name}: {type(error).__name__}: {error}")
        times.append(Spent(time.process_time() - cpu, time.perf_counter() - wall, f"seed {seed} {name}"))
    return reasons, crashes, _slowest(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _slowest(times: list[Spent]) -> list[Spent]:
    """The three that cost the most CPU time, and the one that took the longest on the wall."""
    return sorted({*sorted(times)[-3:], max(times, key=lambda one: one.wall)})


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    jobs = [(min(BATCH, count - done), first + done // BATCH) for done in range(0, count, BATCH)]
    reasons, crashes, times, peak = Counter[str](), [], [], 0
    start = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    for job in jobs:
        with context.Pool(1) as pool:
            try:
                found = pool.apply_async(batch, (job,)).get(timeout=600)
            except multiprocessing.TimeoutError:
                crashes.append(f"seed {job[1]}: the process hung or died")
                continue
        reasons += found[0]
        crashes += found[1]
        times += found[2]
        peak = max(peak, found[3])
    slowest = _slowest(times)
    print(f"{count} files in {time.perf_counter() - start:.0f} s, {len(crashes)} crashes, peak memory {peak} MB")
    print("slowest:", *(f"  {one.cpu:.2f} s CPU, {one.wall:.2f} s {one.file}" for one in reversed(slowest)), sep="\n")
    print("ends:", *(f"  {number:6} {reason}" for reason, number in reasons.most_common()), sep="\n")
    print(*crashes[:40], sep="\n")
    if crashes or peak > MOST_MEMORY_MB or slowest[-1].cpu > SLOWEST_ALLOWED:
        sys.exit(1)


if __name__ == "__main__":
    main()
