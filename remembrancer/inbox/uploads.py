"""Files that are handed in on the page: kept under names of our own making, zips never unpacked on the disk.

A name that a browser sends is a name for people; it becomes a file's name only after all that could lead elsewhere is
gone. What is inside a zip is read in memory, member by member, within the limits of `invoices.archive`.
"""

import re
import shutil
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from foundation.errors import UsageError
from invoices.document import LARGEST_FILE

LONGEST_NAME = 100
MOST_FILES = 1_000
_UNSAFE = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*\u202a-\u202e\u2066-\u2069]")
_LABEL = re.compile(r"[^\w.-]+")
_COPY = 2**20


def safe_name(sent: str) -> str:
    """The last part of a sent path without what could lead elsewhere; "file" where nothing is left."""
    last = unicodedata.normalize("NFC", sent).replace("\\", "/").rpartition("/")[2]
    plain = _UNSAFE.sub("_", last).strip(" .")
    stem, dot, ending = plain.rpartition(".")
    kept = f"{stem[: LONGEST_NAME - 12]}.{ending[:10]}" if dot else plain[:LONGEST_NAME]
    return kept.strip(" .") or "file"


def safe_label(label: str) -> str:
    """What a batch may be called: letters of any language, digits, dots, dashes."""
    return _LABEL.sub("-", unicodedata.normalize("NFC", label)).strip("-.")[:40]


def keep_files(folder: Path, files: Iterable[tuple[str, BinaryIO]]) -> int:
    """Copy the files into a new folder; returns how many. Where one can't be taken, nothing is left.

    Raises:
        UsageError: there is none, there are too many, or one is larger than any invoice.
    """
    listed = list(files)
    if not 0 < len(listed) <= MOST_FILES:
        raise UsageError(f"{len(listed)} files: choose 1 to {MOST_FILES} invoices, or send them as a zip")
    folder.mkdir(parents=True, mode=0o700)
    try:
        for name, content in listed:
            _copy(content, _free(folder, safe_name(name)))
    except UsageError:
        shutil.rmtree(folder)
        raise
    return len(listed)


def _free(folder: Path, name: str) -> Path:
    """A path that isn't taken: files of the same name from two folders are two files."""
    path, number = folder / name, 2
    while path.exists():
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        number += 1
    return path


def _copy(content: BinaryIO, path: Path) -> None:
    size = 0
    with path.open("xb") as file:
        while piece := content.read(_COPY):
            size += len(piece)
            if size > LARGEST_FILE:
                raise UsageError(f"{path.name} has over {LARGEST_FILE // 2**20} MB: split it")
            file.write(piece)
