"""Case 55 of the field: eight threads and three processes write and search one database at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.telling import LIN, WordVectors, at, open_memory, tell

ROOT = Path(__file__).parents[2]
EACH = 3
PROGRAM = """
import sys
from pathlib import Path
from tests.telling import LIN, WordVectors, at, open_memory, tell
folder, name, each = sys.argv[1:]
memory = open_memory(Path(folder), WordVectors())
for number in range(int(each)):
    assert tell(memory, f"{name} saw whale {number}", when=at(number)).status == "stored"
    tell(memory, "everybody saw the lighthouse", message_id=f"{name}{number}", when=at(number))
    assert any(name in r.memory.content for r in memory.search(LIN, f"{name} whale", k=50, budget=10**6).recollections)
memory.close()
"""


def test_a_crowd_of_writers_loses_doubles_and_locks_nothing(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, WordVectors())
    names = [f"process{number}" for number in range(3)]
    others = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path), name, str(EACH)], cwd=ROOT) for name in names
    ]

    def work(thread: int) -> None:
        for number in range(EACH):
            text = f"thread{thread} saw whale {number}"
            assert tell(memory, text, when=at(number)).status == "stored"
            tell(memory, "everybody saw the lighthouse", message_id=f"t{thread}-{number}", when=at(number))
            memory.search(LIN, f"thread{thread} whale")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert [process.wait(timeout=120) for process in others] == [0, 0, 0]
    kept = memory.current(LIN)
    assert len({each.content for each in kept}) == len(kept) == 11 * EACH + 1
    shared = next(each for each in kept if "lighthouse" in each.content)
    assert len(shared.sources) == 11 * EACH
    assert memory.examine(LIN).healthy
