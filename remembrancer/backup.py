"""Backup and restore of an installation: both databases, the audit log's heads, the deletion list, in one archive.

A backup is taken while the program runs. The parts are copied in an order that is safe to restore: the heads first (a
head that is older than its log verifies), then the threads, then the ledger - a thread that is behind the ledger runs
its last step again, and the ledger's keys make that harmless; one that was ahead would have lost what it did.

A restore checks everything before it touches anything, forgets again whatever was forgotten since the backup was made,
and only then takes the place of what is there.
"""

import hashlib
import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.engine import make_url

from foundation.database import open_engine, reading, writing
from foundation.errors import RefusedError, StorageError, UsageError
from foundation.journal import Journal, audit_heads
from foundation.schema import is_known, revision_of
from foundation.sqlite_files import companions, truncate_log
from remembrancer import deletions
from remembrancer.paperwork import note_file
from remembrancer.reforgetting import forget_again, orders_in
from remembrancer.settings import Settings
from remembrancer.wiring import open_services

FORMAT = 1
LEDGER, THREADS, HEADS, MANIFEST = "remembrancer.db", "checkpoints.db", "heads", "manifest.json"
_PIECE = 2**20


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive says of itself."""

    made_at: datetime
    program: str
    schema: str
    files: Mapping[str, str]
    """Member -> SHA-256 of its content."""

    def to_json(self) -> str:
        """As it stands in the archive."""
        told = {"format": FORMAT, "made_at": self.made_at.isoformat(), "program": self.program, "schema": self.schema}
        return json.dumps({**told, "files": dict(self.files)}, indent=2)


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore brought back, and how many deletions it carried out again."""

    manifest: Manifest
    deletions: int


def back_up(settings: Settings, file: Path, *, replace: bool = False) -> Manifest:
    """Write the installation to an archive, consistent while others work on.

    Raises:
        UsageError: the file exists and may not be replaced, or the database isn't SQLite.
        StorageError: a database or the audit log is damaged, or the file can't be written.
    """
    ledger = _ledger(settings)
    if file.exists() and not replace:
        raise UsageError(f"{file} exists: name another file, or add --replace")
    services = open_services(settings)
    made_at = services.clock()
    with _workshop(file.absolute().parent) as folder:
        _copy_files(settings.home.absolute(), folder)
        for source, name in ((settings.checkpoints, THREADS), (ledger, LEDGER)):
            if source.exists():
                _copy_database(source, folder / name)
        _verify(folder)
        manifest = Manifest(made_at, version("remembrancer"), _schema(folder), _hashes(folder))
        _pack(folder, manifest, file)
    with writing(services.engine) as connection:
        note_file(connection, file, "backup", at=made_at)
    return manifest


def restore(settings: Settings, file: Path, *, replace: bool = False, by: str = "") -> Restored:
    """Bring an installation back, without what was forgotten since.

    Raises:
        UsageError: the file is no backup, or the home folder holds data and may not be replaced.
        StorageError: the archive is damaged or of a newer version, or its audit log doesn't verify.
        RefusedError: another process works on what would be replaced.
    """
    ledger, home = _ledger(settings), settings.home.absolute()
    manifest = read_manifest(file)
    there = [path for path in (ledger, settings.checkpoints) if path.exists()]
    if there and not replace:
        raise UsageError(f"{there[0]} exists: choose an empty REMEMBRANCER_HOME, or add --replace")
    home.mkdir(parents=True, exist_ok=True)
    with _workshop(home) as folder:
        _unpack(file, manifest, folder)
        _verify(folder)
        lists, orders = _lists(file, folder, home), orders_in(ledger)
        again = forget_again(_settings_of(settings, folder), lists, manifest.made_at, orders)
        _note_restore(settings, folder, file, manifest, by)
        for path in there:
            _require_alone(path)
        _move_in(folder, home, {LEDGER: ledger, THREADS: settings.checkpoints})
    return Restored(manifest, again)


def read_manifest(file: Path) -> Manifest:
    """What the archive says of itself.

    Raises:
        UsageError: it is no backup.
        StorageError: it was made by a newer version.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            told = json.loads(archive.read(MANIFEST))
        if told["format"] > FORMAT or not is_known(told["schema"]):
            raise StorageError(f"{file} was made by a newer version ({told['program']}): update remembrancer first")
        made_at = datetime.fromisoformat(told["made_at"])
        return Manifest(made_at, told["program"], told["schema"], dict(told["files"]))
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError):
        raise UsageError(f"{file} is no backup: name a file that `remembrancer backup` wrote") from None


def _ledger(settings: Settings) -> Path:
    url = make_url(settings.url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise UsageError("this backup is for SQLite: back PostgreSQL up with pg_dump, and the heads folder with it")
    return Path(url.database)


@contextmanager
def _workshop(parent: Path) -> Iterator[Path]:
    """A folder on the same disk, gone afterwards whatever happens."""
    try:
        with tempfile.TemporaryDirectory(dir=parent, prefix=".remembrancer-") as name:
            yield Path(name)
    except OSError as error:
        raise StorageError(f"{parent} can't be written ({error.strerror or error}): check the disk") from error


def _copy_files(home: Path, folder: Path) -> None:
    if (home / HEADS).is_dir():
        shutil.copytree(home / HEADS, folder / HEADS)
    if (home / deletions.NAME).exists():
        shutil.copy(home / deletions.NAME, folder)


def _copy_database(source: Path, target: Path) -> None:
    """SQLite's online backup in one step: the state of one moment, and no writer waits."""
    with closing(sqlite3.connect(source, timeout=30)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new, pages=-1)
        fault = new.execute("PRAGMA quick_check").fetchone()[0]
        new.execute("PRAGMA journal_mode=DELETE").close()
    if fault != "ok":
        raise StorageError(f"{source} is damaged ({fault}): nothing was backed up")


def _verify(folder: Path) -> None:
    """The audit logs of all tenants, against the heads that lie beside them."""
    engine = open_engine(f"sqlite:///{folder / LEDGER}")
    try:
        with reading(engine) as connection:
            tenants = connection.execute(select(audit_heads.c.tenant)).scalars().all()
        journal = Journal(engine, folder / HEADS, datetime.now)
        faults = [f"{tenant}: {fault}" for tenant in tenants if (fault := journal.verify(tenant).fault)]
    finally:
        engine.dispose()
        truncate_log(folder / LEDGER)
    if faults:
        raise StorageError(f"the audit log doesn't verify ({faults[0]}): look into that first")


def _schema(folder: Path) -> str:
    engine = open_engine(f"sqlite:///{folder / LEDGER}")
    try:
        return revision_of(engine) or ""
    finally:
        engine.dispose()


def _members(folder: Path) -> list[Path]:
    ends = ("-wal", "-shm", "-journal")
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(ends))


def _hashes(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): _hash(path) for path in _members(folder)}


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _pack(folder: Path, manifest: Manifest, file: Path) -> None:
    beside = folder / "archive"
    with zipfile.ZipFile(beside, "x", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(MANIFEST, manifest.to_json())
        for name in manifest.files:
            archive.write(folder / name, name)
    beside.replace(file)


def _unpack(file: Path, manifest: Manifest, folder: Path) -> None:
    """Only the members that the manifest names, each with its hash; nothing leaves the folder."""
    with zipfile.ZipFile(file) as archive:
        for name, digest in manifest.files.items():
            target = (folder / name).resolve()
            if not target.is_relative_to(folder.resolve()):
                raise StorageError(f"{file} names a member outside its folder: it isn't used")
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(name) as packed, target.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, _PIECE)
            except (KeyError, zipfile.BadZipFile, OSError) as error:
                raise StorageError(f"{name} in {file} is damaged ({error}): use another backup") from None
            if _hash(target) != digest:
                raise StorageError(f"{name} in {file} was changed: its hash isn't the manifest's; use another backup")


def _settings_of(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"home": folder, "database_url": ""})


def _lists(file: Path, folder: Path, home: Path) -> list[Path]:
    return [folder / deletions.NAME, deletions.beside(file), home / deletions.NAME]


def _note_restore(settings: Settings, folder: Path, file: Path, manifest: Manifest, by: str) -> None:
    """The log says that it was set back: what came after the backup is missing for that reason."""
    services = open_services(_settings_of(settings, folder))
    with services.journal.transaction() as transaction:
        who = by or services.account
        transaction.log(services.tenant, who, "restored", file.name, made_at=manifest.made_at.isoformat())
        note_file(transaction.connection, file, "backup", at=manifest.made_at)
    services.engine.dispose()
    for name in (LEDGER, THREADS):
        if (folder / name).exists():
            truncate_log(folder / name)


def _require_alone(path: Path) -> None:
    try:
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE").close()
            connection.execute("BEGIN EXCLUSIVE").close()
            connection.execute("ROLLBACK").close()
    except sqlite3.OperationalError:
        raise RefusedError(f"another process works on {path}: stop it, then restore") from None


def _move_in(folder: Path, home: Path, databases: Mapping[str, Path]) -> None:
    for name, target in databases.items():
        if (folder / name).exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            _clear(companions(target)[1:])
            (folder / name).replace(target)
    if (folder / HEADS).exists():
        shutil.rmtree(home / HEADS, ignore_errors=True)
        (folder / HEADS).replace(home / HEADS)
    (folder / deletions.NAME).replace(home / deletions.NAME)


def _clear(files: Sequence[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)
