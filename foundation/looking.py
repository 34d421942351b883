"""Having another process look through files for texts, and clear databases of what lies outside of their rows.

POSIX takes all locks on a file from a process that closes any handle of it. A process that read its own database's file
would so let go of SQLite's locks without SQLite knowing; then the next program that closes the database removes the
write-ahead log from under it, and what is committed afterwards is lost. So the reading is done by a process that has
nothing else to do with these files, and ends with it.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foundation.errors import StorageError
from foundation.needles import Needles
from foundation.residue import found_in
from foundation.slack import Seen, cleared


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, file by file."""

    databases: dict[Path, Seen]
    files: dict[Path, set[str]]
    """The texts in each of the other files."""
    unreadable: dict[Path, str]
    """Files that could not be looked through, and why."""


def look(databases: Iterable[Path], files: Iterable[Path], texts: Sequence[str]) -> Looked:
    """Look through files for texts; databases are cleared of what stands outside of their rows.

    Args:
        databases: SQLite files that may be in use.
        files: all kinds of files.
        texts: what is looked for.

    Raises:
        StorageError: the process that looks couldn't be started, or was killed.
    """
    asked = {"databases": [str(each) for each in databases], "files": [str(each) for each in files], "texts": texts}
    # Whatever the program was started with, its own packages are found where this module was.
    known = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-m", "foundation.looking"]
    environment = {**os.environ, "PYTHONPATH": known, "OMP_NUM_THREADS": "1"}
    question = json.dumps(asked).encode()
    done = subprocess.run(command, input=question, capture_output=True, env=environment, check=False)  # noqa: S603
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().rpartition("\n")[2] or f"it ended with {done.returncode}"
        raise StorageError(f"the files could not be looked through ({why}): run `memory sweep` to try again")
    told = json.loads(done.stdout)
    return Looked(
        {Path(path): _seen(each) for path, each in told["databases"].items()},
        {Path(path): set(each) for path, each in told["files"].items()},
        {Path(path): why for path, why in told["unreadable"].items()},
    )


def _seen(told: dict[str, list[str]]) -> Seen:
    return Seen(set(told["rows"]), set(told["beyond"]), set(told["freed"]), bool(told["log_in_use"]))


def _told(seen: Seen) -> dict[str, object]:
    return {
        "rows": sorted(seen.rows),
        "beyond": sorted(seen.beyond),
        "freed": sorted(seen.freed),
        "log_in_use": seen.log_in_use,
    }


def main() -> None:
    """Look for what standard input asks for, and answer on standard output, both in JSON."""
    asked = json.load(sys.stdin)
    needles = Needles(asked["texts"])
    databases: dict[str, object] = {}
    files: dict[str, list[str]] = {}
    unreadable: dict[str, str] = {}
    for path in asked["databases"]:
        try:
            databases[path] = _told(cleared(Path(path), needles))
        except (OSError, sqlite3.Error, StorageError) as error:
            unreadable[path] = str(error)
    for path in asked["files"]:
        try:
            files[path] = sorted(found_in(Path(path), needles))
        except OSError as error:
            unreadable[path] = str(error)
    json.dump({"databases": databases, "files": files, "unreadable": unreadable}, sys.stdout)


if __name__ == "__main__":
    main()
