"""The append-only audit log, and the write transaction that carries it.

Each tenant's log is one chain: every row's hash covers the row before it, who did what to which thing and when, and a
salted digest of the content. The content itself lies beside the chain, so that it can be deleted (forget-me) and the
chain still verifies. Each head is also written to a file outside the database: a log whose last rows were cut off, or
cut off and written anew, would otherwise verify clean.
"""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, Index, Integer, Table, Text, insert, select

from foundation.clock import Clock
from foundation.database import UtcDateTime, metadata, reading, writing
from foundation.ids import derived_id
from foundation.upserts import keep_first, replace_rows

audit_log = Table(
    "audit_log",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("actor", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("ix_audit_log_subject", "tenant", "subject", "seq"),
)

audit_content = Table(
    "audit_content",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)

audit_heads = Table(
    "audit_heads",
    metadata,
    Column("tenant", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("hash", Text, nullable=False),
)

_START = "0" * 64
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log before it gets its place in the chain."""

    tenant: str
    actor: str
    event: str
    subject: str
    content: Mapping[str, object]


@dataclass(slots=True)
class Transaction:
    """A write transaction; what is logged in it is committed with it or not at all."""

    connection: Connection
    at: datetime
    entries: list[Entry] = field(default_factory=list)

    def log(self, tenant: str, actor: str, event: str, subject: str, **content: object) -> None:
        """Put one line into the tenant's audit log."""
        self.entries.append(Entry(tenant, actor, event, subject, content))


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking a tenant's chain found: rows read, and the first thing that is wrong ("" when nothing is)."""

    rows: int
    fault: str = ""


class Journal:
    """Opens write transactions that keep the audit log, and verifies the log."""

    def __init__(self, engine: Engine, head_folder: Path, clock: Clock) -> None:
        """`head_folder` holds the heads outside the database, a file for each tenant."""
        self._engine = engine
        self._folder = head_folder
        self._clock = clock

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """One write transaction with its log lines; the head file is written after the commit."""
        with writing(self._engine) as connection:
            transaction = Transaction(connection, self._clock())
            yield transaction
            heads = _append(connection, transaction)
        for tenant, (seq, digest) in heads.items():
            self._keep_head(tenant, seq, digest)

    def verify(self, tenant: str) -> Verification:
        """Walk the tenant's chain from its first row to the head kept outside the database."""
        with reading(self._engine) as connection:
            rows, previous, fault = 0, _START, ""
            hashes: dict[int, str] = {}
            for row in connection.execute(
                select(audit_log, audit_content.c.content)
                .outerjoin(
                    audit_content,
                    (audit_content.c.tenant == audit_log.c.tenant) & (audit_content.c.seq == audit_log.c.seq),
                )
                .where(audit_log.c.tenant == tenant)
                .order_by(audit_log.c.seq)
            ):
                fault = fault or _fault(row, rows + 1, previous)
                rows, previous = rows + 1, row.hash
                hashes[row.seq] = row.hash
            head = connection.execute(select(audit_heads).where(audit_heads.c.tenant == tenant)).one_or_none()
        fault = fault or _tail_fault(hashes, (head.seq, head.hash) if head else (0, _START), "the database's head")
        for kept in self._kept_heads(tenant):
            fault = fault or _tail_fault(hashes, kept, "the head kept outside the database")
        return Verification(rows, fault)

    def _head_file(self, tenant: str) -> Path:
        return self._folder / f"{derived_id('audit', tenant)}.head"

    def _keep_head(self, tenant: str, seq: int, digest: str) -> None:
        """Append the head: a torn last line after a crash is ignored, so no older head is ever lost."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._head_file(tenant).open("a", encoding="ascii") as file:
            file.write(f"{seq} {digest}\n")

    def _kept_heads(self, tenant: str) -> list[tuple[int, str]]:
        """All heads there ever were, the newest first: rows cut off and written anew differ from one of them."""
        file = self._head_file(tenant)
        lines = file.read_text("ascii").splitlines() if file.exists() else []
        heads = [
            (int(parts[0]), parts[1]) for parts in map(str.split, lines) if len(parts) == 2 and len(parts[1]) == 64
        ]
        return sorted(heads, reverse=True)


def _append(connection: Connection, transaction: Transaction) -> dict[str, tuple[int, str]]:
    heads: dict[str, tuple[int, str]] = {}
    rows, contents = [], []
    for entry in transaction.entries:
        seq, previous = heads.get(entry.tenant) or _lock_head(connection, entry.tenant)
        content = json.dumps(entry.content, ensure_ascii=False, sort_keys=True, default=str)
        row = {
            "tenant": entry.tenant,
            "seq": seq + 1,
            "at": transaction.at,
            "actor": entry.actor,
            "event": entry.event,
            "subject": entry.subject,
            "salt": secrets.token_hex(8),
        }
        row["digest"] = _digest(str(row["salt"]), content)
        row["hash"] = _chain(previous, row)
        rows.append(row)
        contents.append({"tenant": entry.tenant, "seq": seq + 1, "content": content})
        heads[entry.tenant] = (seq + 1, str(row["hash"]))
    if rows:
        connection.execute(insert(audit_log), rows)
        connection.execute(insert(audit_content), contents)
        _save_heads(connection, heads)
    return heads


def _lock_head(connection: Connection, tenant: str) -> tuple[int, str]:
    """The tenant's head, locked until the commit (SQLite's write lock is held already)."""
    keep_first(connection, audit_heads, {"tenant": tenant, "seq": 0, "hash": _START}, key=["tenant"])
    query = select(audit_heads).where(audit_heads.c.tenant == tenant).with_for_update()
    head = connection.execute(query).one()
    return head.seq, head.hash


def _save_heads(connection: Connection, heads: Mapping[str, tuple[int, str]]) -> None:
    rows = [{"tenant": tenant, "seq": seq, "hash": digest} for tenant, (seq, digest) in heads.items()]
    replace_rows(connection, audit_heads, rows, key=["tenant"])


def _digest(salt: str, content: str) -> str:
    return hashlib.sha256(f"{salt}{_SEPARATOR}{content}".encode("utf-8", "surrogatepass")).hexdigest()


def _chain(previous: str, row: Mapping[str, object]) -> str:
    at = row["at"]
    moment = at.isoformat() if isinstance(at, datetime) else str(at)
    parts = (
        previous,
        str(row["seq"]),
        moment,
        *(str(row[name]) for name in ("actor", "event", "subject", "salt", "digest")),
    )
    return hashlib.sha256(_SEPARATOR.join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _fault(row: object, expected_seq: int, previous: str) -> str:
    values: Mapping[str, object] = row._mapping  # type: ignore[attr-defined]
    seq = values["seq"]
    if seq != expected_seq:
        return f"row {expected_seq} is missing"
    if _chain(previous, values) != values["hash"]:
        return f"row {seq} was changed or moved"
    content = values["content"]
    if content is not None and _digest(str(values["salt"]), str(content)) != values["digest"]:
        return f"the content of row {seq} was changed"
    return ""


def _tail_fault(hashes: Mapping[int, str], head: tuple[int, str], which: str) -> str:
    seq, digest = head
    if seq and seq not in hashes:
        return f"rows {max(hashes, default=0) + 1} to {seq} were cut off: {which} names row {seq}"
    if seq and hashes[seq] != digest:
        return f"row {seq} is not the one that {which} names"
    return ""
