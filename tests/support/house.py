"""A whole installation in a folder: data, papers, policy - and what must always be true of it."""

import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from foundation.database import reading
from graphs.asking import Graph
from graphs.invoice_audit import build_invoice_audit
from invoices.bookings import unbalanced
from nodes.services import Services
from oversight.checkpoints import GuardedSqliteSaver, ThreadState, open_saver
from oversight.reviews import ReviewStatus, pending_reviews
from remembrancer.office import Office, Swept, open_office
from remembrancer.settings import Settings
from remembrancer.wiring import open_services
from tests.support.databases import SERVER, copy_database, database_at, rows
from tests.support.papers import Doubt, Papers, make_papers

THREAD = {"configurable": {"thread_id": "september"}}


@dataclass(frozen=True)
class House:
    """Settings, papers and a way into the data that does not go through the program."""

    root: Path
    papers: Papers
    more_environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        """The path that its database belongs to."""
        return self.root / "home" / "remembrancer.db"

    @property
    def settings(self) -> Settings:
        return Settings(
            _env_file=None,
            home=self.root / "home",
            database_url=database_at(self.database) if SERVER else "",
            policy=str(self.papers.policy),
            lang="en",
            time_zone="UTC",
        )

    @property
    def environment(self) -> dict[str, str]:
        """What a process of this house finds in its environment."""
        settings = self.settings
        return {
            "REMEMBRANCER_HOME": str(settings.home),
            "REMEMBRANCER_DATABASE_URL": settings.database_url,
            "REMEMBRANCER_POLICY": settings.policy,
            "REMEMBRANCER_LANG": "en",
            "REMEMBRANCER_TIME_ZONE": "UTC",
            **self.more_environment,
        }

    def with_environment(self, **more: str) -> "House":
        """The same house, whose processes find more in their environment."""
        return replace(self, more_environment=more)

    @property
    def services(self) -> Services:
        return open_services(self.settings)

    @contextmanager
    def office(self, *, sweep: bool = False) -> Iterator[Office]:
        with open_office(self.settings, sweep=sweep) as office:
            yield office

    @contextmanager
    def graph(self) -> Iterator[tuple[Graph, GuardedSqliteSaver]]:
        """The audit graph as a script has it: services, saver, nothing else."""
        with open_saver(self.settings.checkpoints) as saver:
            yield build_invoice_audit(self.services, checkpointer=saver), saver

    def start(self, **more: Any) -> dict[str, Any]:
        """The input of an audit of all papers."""
        return {"paths": [str(self.papers.folder)], "policy": str(self.papers.policy), **more}

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the ledger's database, read past the program."""
        return rows(self.database, query, values)

    def ask_checkpoints(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the checkpoint file, read past the program."""
        with closing(sqlite3.connect(self.settings.checkpoints, timeout=30)) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, query: str, *values: object) -> None:
        """Change the ledger's database past the program, as an intruder would."""
        rows(self.database, query, values, change=True)

    def statuses(self) -> dict[str, int]:
        """Status -> number of invoices."""
        return dict(self.ask("SELECT status, count(*) FROM invoices GROUP BY status"))

    def bookings(self) -> int:
        """Rows of the ledger."""
        return int(self.ask("SELECT count(*) FROM bookings")[0][0])

    def log_lines(self, event: str) -> int:
        """Lines of the audit log that tell of such an event."""
        return int(self.ask("SELECT count(*) FROM audit_log WHERE event = ?", event)[0][0])

    def copy(self, root: Path) -> "House":
        """The same house once more, with data and papers of its own kind; this one stays as it is."""
        root.mkdir(parents=True)
        copied = House(root, self.papers)
        shutil.copytree(self.root / "home", root / "home")
        copy_database(self.database, copied.database)
        return copied

    def close(self) -> None:
        """Give the files back."""
        self.services.engine.dispose()


def build_house(
    root: Path,
    *,
    clean: int = 3,
    doubtful: tuple[Doubt, ...] = ("over_limit",),
    **more: Any,
) -> House:
    """A house with generated papers and nothing audited yet."""
    root.mkdir(parents=True, exist_ok=True)
    house = House(root, make_papers(root, clean=clean, doubtful=doubtful, **more))
    database_at(house.database)
    return house


def assert_booked_once(house: House) -> None:
    """No key twice, no invoice twice, and each invoice that says booked has exactly one booking."""
    twice = house.ask("SELECT invoice_key FROM bookings GROUP BY tenant, invoice_key, entry HAVING count(*) > 1")
    assert twice == [], f"booked twice: {twice}"
    again = house.ask("SELECT invoice_id FROM bookings GROUP BY invoice_id, entry HAVING count(*) > 1")
    assert again == [], f"booked twice: {again}"
    with reading(house.services.engine) as connection:
        assert unbalanced(connection, house.services.tenant) == []


def assert_log_whole(house: House) -> None:
    """The chain verifies, and tells of each booking exactly once."""
    verification = house.services.journal.verify(house.services.tenant)
    assert verification.fault == ""
    entries = dict(house.ask("SELECT entry, count(*) FROM bookings GROUP BY entry"))
    assert house.log_lines("booked") == entries.get("booking", 0)
    assert house.log_lines("reversed") == entries.get("reversal", 0)


def assert_nothing_lies_about(house: House) -> None:
    """After one sweep there is no ghost and no decision without effect, and a second sweep finds nothing."""
    with house.office() as office:
        office.sweep()
        assert office.sweep() == Swept()
        with reading(office.services.engine) as connection:
            pending = pending_reviews(connection, office.services.tenant)
        assert [one for one in pending if one.status is ReviewStatus.DECIDED] == []
        threads = [row[0] for row in house.ask("SELECT thread_id FROM threads")]
        ghosts = [name for name, state in office.saver.thread_states(threads).items() if state is ThreadState.GHOST]
        assert ghosts == []
        states = office.saver.thread_states([one.thread_id for one in pending])
        assert set(states.values()) <= {ThreadState.WAITS}


def assert_whole(house: House) -> None:
    """All that must be true of a house at rest."""
    assert_nothing_lies_about(house)
    assert_booked_once(house)
    assert_log_whole(house)
