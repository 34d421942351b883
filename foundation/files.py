"""Writing files so that a crash leaves the old one or the new one, never half of one."""

import os
from pathlib import Path


def replace_text(path: Path, text: str) -> None:
    """Put a text in a file's place, on the disk before this returns."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
