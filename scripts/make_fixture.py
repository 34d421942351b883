"""Write the fixture database of this version: paused threads of each graph, which every later version must resume.

    python -m scripts.make_fixture

Run it once for a release, when its tables and graphs are settled; the files of older versions stay as they are.
"""

import gzip
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from graphs.assistant import build_assistant
from graphs.invoice_audit import build_invoice_audit
from oversight.checkpoints import GuardedSqliteSaver, open_saver
from remembrancer.office import open_office
from remembrancer.settings import Settings
from remembrancer.wiring import open_services
from tests.support.papers import Doubt, Papers, make_papers

FIXTURES = Path(__file__).parents[1] / "tests" / "data" / "fixtures"
AUDIT, TALK, PERSON = "fixture-audit", "fixture-talk", "lin"
_DATABASES = ("remembrancer.db", "checkpoints.db")
_PATHS = (("batch_files", "path"), ("batches", "policy_file"))


def main() -> None:
    """Write it beside those of older versions."""
    target = FIXTURES / version("remembrancer")
    with tempfile.TemporaryDirectory() as made, _inside(Path(made)):
        _write()
        shutil.rmtree(target, ignore_errors=True)
        (target / "heads").mkdir(parents=True)
        for head in Path("home", "heads").iterdir():
            shutil.copy(head, target / "heads")
        for name in _DATABASES:
            _pack(Path("home", name), target / f"{name}.gz", forget=made)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Work there, so that paths are relative and name no machine."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _write() -> None:
    asked_here = make_papers(Path("here"), clean=1, doubtful=("broken_id", "over_limit"), seed=1)
    doubtful: tuple[Doubt, ...] = ("over_limit", "over_limit", "broken_id", "broken_id")
    in_threads = make_papers(Path("threads"), clean=1, doubtful=doubtful, seed=2)
    settings = Settings(
        _env_file=None, home=Path("home"), policy=str(asked_here.policy), embedder="none", time_zone="UTC", lang="en"
    )
    with open_saver(settings.checkpoints) as saver:
        _audit(settings, saver, asked_here)
        _talk(settings, saver)
    with open_office(settings) as office:
        office.audit({"paths": [str(in_threads.folder)], "policy": str(in_threads.policy)}, name="threads")
        office.services.engine.dispose()


def _audit(settings: Settings, saver: GuardedSqliteSaver, papers: Papers) -> None:
    graph = build_invoice_audit(open_services(settings), checkpointer=saver)
    given = {"paths": [str(papers.folder)], "policy": str(papers.policy), "batch": "here"}
    graph.invoke(given, {"configurable": {"thread_id": AUDIT}})


def _talk(settings: Settings, saver: GuardedSqliteSaver) -> None:
    graph = build_assistant(replace(open_services(settings), ask_by="interrupt"), checkpointer=saver)
    config = {"configurable": {"thread_id": TALK, "user_id": PERSON}}
    for text in ("我坐飞机喜欢靠窗", "我坐飞机喜欢过道"):
        graph.invoke({"messages": [("user", text)]}, config)


def _pack(database: Path, target: Path, *, forget: str) -> None:
    """The database alone, without free pages and without the folder it was made in."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        if database.name == _DATABASES[0]:
            for table, column in _PATHS:
                connection.execute(f"UPDATE {table} SET {column} = replace({column}, ?, '')", (f"{forget}/",))  # noqa: S608
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        connection.execute("VACUUM").close()
    content = database.read_bytes()
    if forget.encode() in content:
        raise RuntimeError(f"{database.name} still names {forget}")
    target.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main()
