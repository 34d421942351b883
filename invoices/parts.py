"""Files and the invoices in them: finding the files, and reading part by part from wherever a crash left off."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog

from foundation.errors import UnreadableError, UsageError
from foundation.ids import content_hash
from invoices.document import Document
from invoices.folder import members
from invoices.ledger import BatchFile
from invoices.readers import read
from invoices.readers.rescue import Rescue
from invoices.record import Invoice

_log = structlog.get_logger(__name__)

_NO_INVOICES = {".toml", ".md", ".py", ".log"}
_REGISTER = "register"


@dataclass(frozen=True, slots=True)
class Part:
    """One invoice of a file, or the reason why the file could not be read."""

    file: BatchFile
    part: int
    name: str
    """The file's name, or the name of the document in it where it is a zip folder."""
    sha256: str
    """Of the document."""
    nth: int
    """The invoice's place within the document."""
    invoice: Invoice | None
    unreadable: str = ""
    reason: str = ""
    content: bytes = b""
    """The document's bytes, for rules that look at the file itself; not kept."""


def find_files(paths: Sequence[str]) -> list[BatchFile]:
    """All files under the paths in a fixed order; hidden ones, policies and registers are left out.

    Raises:
        UsageError: a path doesn't exist, or there is no file under any.
    """
    found: list[tuple[str, Path]] = []
    for text in paths:
        path = Path(text).absolute()
        if path.is_dir():
            found += [(str(file.relative_to(path)), file) for file in _walk(path)]
        elif path.exists():
            found.append((path.name, path))
        else:
            raise UsageError(f"{text} doesn't exist: name a file or a folder of invoices")
    if not found:
        raise UsageError(
            f"there is no invoice under {', '.join(paths) or 'no path'}: name a file or a folder of invoices"
        )
    return [BatchFile(seq, name, str(path)) for seq, (name, path) in enumerate(found)]


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(root, name)
            if not name.startswith(".") and path.suffix.lower() not in _NO_INVOICES and path.stem != _REGISTER:
                yield path


class PartReader:
    """Reads parts in order; a long list stays open between two steps, so that it isn't read again for each."""

    def __init__(self, rescue: Rescue | None = None) -> None:
        """`rescue` reads with a model what no reader knows, where one is configured."""
        self._rescue = rescue
        self._open: dict[tuple[str, int, int], Iterator[Part]] = {}

    def read_from(
        self, batch_id: str, files: Sequence[BatchFile], part: int, limit: int
    ) -> tuple[list[Part], int, int]:
        """Up to `limit` parts from part `part` of the first file on; and the file and part to go on with."""
        parts: list[Part] = []
        for file in files:
            iterator = self._open.pop((batch_id, file.seq, part), None) or _skip(read_parts(file, self._rescue), part)
            for one in iterator:
                parts.append(one)
                part = one.part + 1
                if len(parts) == limit:
                    self._open[batch_id, file.seq, part] = iterator
                    return parts, file.seq, part
            part = 0
        return parts, files[-1].seq + 1 if files else 0, 0


def read_parts(file: BatchFile, rescue: Rescue | None = None) -> Iterator[Part]:
    """Every invoice of a file, or of each document in a zip folder.

    What can't be read is one part with its reason; nothing is raised.
    """
    number = 0
    for name, document in _documents(file):
        sha256 = "" if isinstance(document, UnreadableError) else content_hash(document.content)
        for nth, found in enumerate(_invoices(name, document, rescue)):
            if isinstance(found, UnreadableError):
                yield Part(file, number, name, sha256, nth, None, str(found), found.reason)
            else:
                content = b"" if isinstance(document, UnreadableError) else document.content
                yield Part(file, number, name, sha256, nth, found, content=content)
            number += 1


def differs_now(file: BatchFile, sha256: str) -> str:
    """The SHA-256 of the file as it lies there now, if no document in it has this hash; "" if one has, or it is gone.

    A file that was moved away after it was read changes nothing about what was read.
    """
    try:
        stat = Path(file.path).stat()
    except OSError:
        return ""
    whole, within = _hashes(file.path, stat.st_mtime_ns, stat.st_size)
    return "" if sha256 in within else whole


@lru_cache(maxsize=8)
def _hashes(path: str, changed_at: int, size: int) -> tuple[str, frozenset[str]]:  # noqa: ARG001 - read anew if changed
    """The hash of the file, and those of the documents in it (its own where it is no folder)."""
    try:
        content = Path(path).read_bytes()
        found = [document for _, document in members(Document(Path(path).name, content))]
    except (OSError, UnreadableError):
        return "unreadable", frozenset()
    inner = (content_hash(document.content) for document in found if isinstance(document, Document))
    return content_hash(content), frozenset(inner)


def _documents(file: BatchFile) -> Iterator[tuple[str, Document | UnreadableError]]:
    try:
        document = Document(file.name, Path(file.path).read_bytes())
    except UnreadableError as error:
        yield file.name, error
    except OSError as error:
        yield file.name, UnreadableError(f"{file.name} can't be opened ({error.strerror})", "cannot_open")
    else:
        yield from members(document)


def _invoices(
    name: str, document: Document | UnreadableError, rescue: Rescue | None
) -> Iterator[Invoice | UnreadableError]:
    if isinstance(document, UnreadableError):
        yield document
        return
    try:
        yield from _read(document, rescue)
    except UnreadableError as error:
        yield error
    except Exception as error:
        _log.warning("reader failed", file=name, error=type(error).__name__)
        yield UnreadableError(f"{name} could not be read ({type(error).__name__})", "reader_failed")


def _read(document: Document, rescue: Rescue | None) -> Iterator[Invoice]:
    try:
        yield from read(document)
    except UnreadableError as error:
        if rescue is None:
            raise
        yield from rescue.read(document, error)


def _skip(parts: Iterator[Part], number: int) -> Iterator[Part]:
    return (part for part in parts if part.part >= number)
