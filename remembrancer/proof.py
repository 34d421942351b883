"""The proof of a deletion: every file of the installation is looked through for the forgotten texts.

What lies outside of all rows of a database is overwritten on the way (`foundation.slack`), so each file is read once.
What is found in rows is asked for its owner: rows of other people who said the same stay, withheld rows stay by their
hold, accounting records stay by law, a backup stays until it is deleted (a restore forgets again). Anything else is
said to remain.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.engine import make_url

from foundation.database import metadata, reading
from foundation.looking import Looked, look
from foundation.needles import Needles
from foundation.slack import Seen
from foundation.sqlite_files import EVERYBODY, Holder, compact, companions, holders
from memory import forgetting, holds
from memory.scope import Scope
from nodes.services import Services
from oversight.people import name_key
from oversight.tables import reviews, threads
from remembrancer import paperwork, places
from remembrancer.inbox.runs import UPLOADS
from remembrancer.places import personal_threads
from remembrancer.settings import Settings


class Owner(NamedTuple):
    """Whose a row is, and for what is kept: on what ground, in which table."""

    kind: Literal["his", "held", "kept", "others"]
    ground: str = ""
    table: str = ""


_HIS, _OTHERS = Owner("his"), Owner("others")
_OF_THREADS = ("thread_id", "thread", "review_id")
_IN_BACKUP = "stays until the backup is deleted; a restore applies the deletion list"
_IMPORTED = "it was read in from there and is yours: delete it, or what he said in it"


@dataclass(frozen=True, slots=True)
class Proof:
    """What looking through all files found, by place: a file below the home folder, or a path."""

    proved: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    retained: Mapping[str, str] = field(default_factory=dict)
    remaining: Mapping[str, int] = field(default_factory=dict)
    shared: int = 0

    def joined(self, other: "Proof") -> "Proof":
        """Both, for a deletion that concerned several pools."""
        return Proof(
            tuple(dict.fromkeys((*self.proved, *other.proved))),
            (*self.requested, *other.requested),
            {**self.retained, **other.retained},
            {**self.remaining, **other.remaining},
            self.shared + other.shared,
        )


def prove(settings: Settings, services: Services, pool: str, texts: Sequence[str], *, whole: bool = False) -> Proof:
    """Clear the files of what was freed in them, and look through all of them for the texts.

    Args:
        settings: where the files lie.
        services: the parts of the installation.
        pool: whose words they were.
        texts: the words.
        whole: everything of the person was forgotten: what names him elsewhere is told, too.
    """
    return _Search(settings, services, pool, texts).proof(whole=whole)


class _Search:
    def __init__(self, settings: Settings, services: Services, pool: str, texts: Sequence[str]) -> None:
        self._settings = settings
        self._services = services
        self._pool = pool
        self._scope = Scope.of_pool(pool)
        self._home = settings.home.absolute()
        self._texts = list(texts)
        self._shared: set[str] = set()
        self._retained: dict[str, str] = {}
        self._remaining: Counter[str] = Counter()
        self._requested: dict[str, str] = {}
        with reading(services.engine) as connection:
            self._threads = set(personal_threads(connection, self._scope))
            self._orders = forgetting.holds_text(holds.active(connection, pool, services.clock()))
            self._backups = set(paperwork.known(connection, "backup"))
            self._imports = {file for of in ("", pool) for file in paperwork.known(connection, "import", of)}
            self._outside = {*self._backups, *self._imports, *paperwork.known(connection, "export", pool)}

    def proof(self, *, whole: bool) -> Proof:
        """Look through every file once; a database that long rows leave in doubt is written anew and read again."""
        databases = [path for path in _databases(self._settings) if path.exists()]
        seen = {file for path in databases for file in companions(path)}
        others = [file for file in self._files() if file not in seen]
        looked = look(databases, others, self._texts)
        for path, found in looked.databases.items():
            self._look_into(path, found)
        for file, texts in looked.files.items():
            self._look_at(file, texts - self._shared)
        self._requested.update({self._name(path): why for path, why in looked.unreadable.items()})
        if whole:
            self._ask_for_names()
        if self._services.engine.dialect.name != "sqlite":
            self._requested["the files of the database server"] = "VACUUM is its administrator's"
        return self._proof(looked)

    def _proof(self, looked: Looked) -> Proof:
        found = {*self._retained, *self._remaining, *self._requested}
        names = [self._name(path) for path in (*looked.databases, *looked.files)] if self._texts else []
        return Proof(
            proved=tuple(each for each in names if each not in found),
            requested=tuple(f"{place}: {why}" for place, why in self._requested.items()),
            retained=self._retained,
            remaining=self._remaining,
            shared=len(self._shared),
        )

    def _look_into(self, path: Path, seen: Seen) -> None:
        """Say of the texts that were seen in a database whose they are."""
        owners = self._owners(path, seen)
        if any(not owner for owner in owners.values()) and compact(path):
            seen = look([path], (), self._texts).databases.get(path, seen)
            owners = self._owners(path, seen)
        if seen.log_in_use:
            self._requested[self._name(path)] = "its write-ahead log is in use"
        grounds: dict[str, set[str]] = defaultdict(set)
        for text, whose in owners.items():
            if _HIS in whose or not whose:
                self._remaining[self._name(path)] += 1
            elif kept := whose - {_OTHERS}:
                for owner in kept:
                    grounds[owner.ground].add(owner.table)
            else:
                self._shared.add(text)
        if grounds:
            told = (f"{ground} ({', '.join(sorted(tables))})" for ground, tables in sorted(grounds.items()))
            self._retained[self._name(path)] = "; ".join(told)

    def _owners(self, path: Path, seen: Seen) -> dict[str, set[Owner]]:
        """Whose rows hold each of these texts; nobody's is slack in the file.

        A text that stands in a row, and in none of his, of those that are withheld or of those kept by law, is somebody
        else's: not all rows are read for that.
        """
        in_checkpoints = path == self._settings.checkpoints
        told = {**EVERYBODY, "pool": (self._pool, holds.held_pool(self._pool)), "namespace": ()}
        found = self._held_by(path, seen.rows, {"thread_id": self._threads} if in_checkpoints else told)
        for text in seen.rows:
            found.setdefault(text, {_OTHERS})
        doubtful = seen.beyond | seen.freed
        everywhere = self._held_by(path, doubtful, EVERYBODY)
        return {text: found.get(text, set()) | everywhere.get(text, set()) for text in seen.rows | doubtful}

    def _held_by(
        self, path: Path, texts: set[str], owners: Mapping[str, Collection[str] | None]
    ) -> dict[str, set[Owner]]:
        found = holders(path, Needles(texts), owners) if texts else {}
        return {text: {self._owner(holder) for holder in some} for text, some in found.items()}

    def _owner(self, holder: Holder) -> Owner:
        if holder.column == "pool":
            held = Owner("held", self._orders, holder.table)
            return {self._pool: _HIS, holds.held_pool(self._pool): held}.get(holder.owner, _OTHERS)
        if holder.column in _OF_THREADS:
            whose = self._whose_thread(holder)
            if whose is not None:
                return whose
        ground = places.KEPT.get(holder.table)
        return Owner("kept", ground, holder.table) if ground else _OTHERS

    def _whose_thread(self, holder: Holder) -> Owner | None:
        """Whose the thread or review is that a row belongs to; None for what is about nobody's conversation."""
        with reading(self._services.engine) as connection:
            thread = holder.owner
            if holder.column == "review_id":
                query = select(reviews.c.thread_id).where(reviews.c.review_id == holder.owner)
                thread = connection.execute(query).scalar_one_or_none() or ""
            if thread in self._threads:
                return _HIS
            query = select(threads.c.kind).where(threads.c.thread_id == thread)
            return _OTHERS if connection.execute(query).scalar_one_or_none() in places.PERSONAL else None

    def _look_at(self, file: Path, found: set[str]) -> None:
        if not found:
            return
        if file in self._backups:
            self._retained[self._name(file)] = _IN_BACKUP
        elif file in self._imports:
            self._requested[self._name(file)] = _IMPORTED
        elif file.is_relative_to(self._home / UPLOADS):
            self._retained[self._name(file)] = places.BY_LAW
        elif places.SERVER_FOLDER in file.parts:
            self._requested[self._name(file)] = "stop the development server and delete it"
        else:
            self._remaining[self._name(file)] += len(found)

    def _files(self) -> Iterator[Path]:
        """Every file that may carry words, each once."""
        folders = [self._home, Path.cwd() / places.SERVER_FOLDER]
        if self._settings.qdrant_url and "://" not in self._settings.qdrant_url:
            folders.append(Path(self._settings.qdrant_url))
        listed = [file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()]
        locks = self._home / "locks"
        yield from dict.fromkeys(file for file in (*listed, *sorted(self._outside)) if file.parent != locks)

    def _ask_for_names(self) -> None:
        """Say which kept rows name the person, and whether he still has an account."""
        name = self._scope.user_id
        if not name:
            return
        named = {table: self._count(table, column, name) for table, column in places.NAMED.items()}
        if any(named.values()):
            told = ", ".join(f"{count} {table}" for table, count in named.items() if count)
            self._retained["bookkeeping"] = f"{told} name this person: {places.BY_LAW}"
        if any(self._count(table, column, name_key(name)) for table, column in places.ACCOUNT.items()):
            self._retained["account"] = places.UNTIL_REMOVED

    def _count(self, table: str, column: str, name: str) -> int:
        rows = metadata.tables[table]
        mine = (rows.c.tenant == self._scope.tenant_id) & (rows.c[column] == name)
        with reading(self._services.engine) as connection:
            return int(connection.execute(select(func.count()).select_from(rows).where(mine)).scalar_one())

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._home)) if path.is_relative_to(self._home) else str(path)


def _databases(settings: Settings) -> list[Path]:
    """The SQLite files that the program writes."""
    url = make_url(settings.url)
    ledger = [Path(url.database)] if url.get_backend_name() == "sqlite" and url.database else []
    return [*ledger, settings.checkpoints]
