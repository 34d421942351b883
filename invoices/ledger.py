"""The ledger: batches, invoices as examined, and what was booked. A booking happens once: its key is unique."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, func, select, update

from foundation.errors import NotFoundError
from foundation.sequences import chunks
from foundation.upserts import keep_first, keep_first_of_many
from invoices.findings import Earlier, Finding, NotExecuted
from invoices.history import NO_CLAIM, Claim
from invoices.manifest import claim_from_json, claim_to_json
from invoices.past import withdraw
from invoices.policy import Policy
from invoices.record import Invoice
from invoices.tables import batch_files, batches, invoices, policies

MANY = 500


class InvoiceStatus(StrEnum):
    """Where an invoice stands."""

    CLEAN = "clean"
    """Examined, nothing asks for a person; booked in the next step."""
    WAITING = "waiting"
    """A person is needed."""
    HELD = "held"
    """A person would be needed, and this batch asks nobody."""
    ADVISED = "advised"
    """Examined by a batch that only advises: nothing was booked, nobody asked, and no later batch sees it."""
    BOOKED = "booked"
    REVERSED = "reversed"
    """Booked, and taken back by a person with a second entry."""
    REJECTED = "rejected"
    UNREADABLE = "unreadable"
    DUPLICATE = "duplicate"
    """Another file brought the same invoice first."""
    ALREADY_AUDITED = "already_audited"
    """The same file was audited in an earlier batch; it stands as it stood there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One audit: some files under one policy."""

    batch_id: str
    tenant: str
    name: str
    thread_id: str
    policy: str
    """Digest of the policy in force."""
    policy_file: str = ""
    """Where that policy was read: what it says today may be stricter. "" where nobody knows."""
    rules: str = ""
    """Version of the rule set in force."""
    submitter: str
    asks_here: bool
    """Whether its doubtful invoices are asked about in its own thread; else each has a thread of its own."""
    files: int
    created_at: datetime
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BatchFile:
    """One file of a batch: its place in the order, its name for people, and where it lies."""

    seq: int
    name: str
    path: str
    claim: Claim = NO_CLAIM
    """Who hands it in, and for what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One invoice as examined. `record` is None where nothing could be read."""

    invoice_id: str
    tenant: str
    batch_id: str
    file_seq: int
    part: int
    file: str
    sha256: str
    nth: int = 0
    """The invoice's place within the bytes that `sha256` names."""
    status: InvoiceStatus
    invoice_key: str
    first_id: str | None = None
    """The invoice that was there first, for a duplicate or an already audited one."""
    record: Invoice | None = None
    findings: tuple[Finding, ...] = ()
    not_executed: Mapping[str, NotExecuted] = field(default_factory=dict)
    unreadable: str = ""
    """Why nothing could be read; "" where something was."""
    reason: str = ""
    """The reason as a code (`invoices.readers.reasons`)."""
    claim: Claim = NO_CLAIM
    examined_at: datetime


def open_batch(connection: Connection, batch: Batch, files: Iterable[BatchFile], policy: Policy) -> None:
    """Register a batch, its files and its policy; once more changes nothing."""
    keep_policy(connection, policy)
    keep_first(connection, batches, {name: getattr(batch, name) for name in Batch.__slots__})
    for some in chunks(files, MANY):
        keep_first_of_many(connection, batch_files, [_file_row(batch.batch_id, file) for file in some])


def find_batch(connection: Connection, tenant: str, name_or_id: str) -> Batch | None:
    """The tenant's batch of this name or id, None where there is none."""
    named = (batches.c.name == name_or_id) | (batches.c.batch_id == name_or_id)
    row = connection.execute(select(batches).where(batches.c.tenant == tenant, named)).first()
    return Batch(**row._mapping) if row else None


def require_batch(connection: Connection, tenant: str, name_or_id: str) -> Batch:
    """The tenant's batch of this name or id.

    Raises:
        NotFoundError: this tenant has none of that name.
    """
    batch = find_batch(connection, tenant, name_or_id)
    if batch is None:
        raise NotFoundError(f"there is no batch {name_or_id}")
    return batch


def list_batches(connection: Connection, tenant: str, *, finished: bool | None = None) -> list[Batch]:
    """The tenant's batches, newest first; only (un)finished ones where `finished` says so."""
    query = select(batches).where(batches.c.tenant == tenant)
    if finished is not None:
        query = query.where(batches.c.finished_at.is_not(None) if finished else batches.c.finished_at.is_(None))
    rows = connection.execute(query.order_by(batches.c.created_at.desc(), batches.c.batch_id))
    return [Batch(**row._mapping) for row in rows]


def finished_last(connection: Connection, tenant: str, limit: int) -> list[Batch]:
    """The tenant's batches that were finished last, newest first."""
    query = select(batches).where(batches.c.tenant == tenant, batches.c.finished_at.is_not(None))
    rows = connection.execute(query.order_by(batches.c.finished_at.desc(), batches.c.batch_id).limit(limit))
    return [Batch(**row._mapping) for row in rows]


def policy_of(connection: Connection, digest: str) -> Policy:
    """The policy with this digest, as it was when the batch began."""
    content = connection.execute(select(policies.c.content).where(policies.c.digest == digest)).scalar_one()
    return _policy(content)


@lru_cache(maxsize=8)
def _policy(content: str) -> Policy:
    """Every step asks for its batch's policy, and a long register takes its time to be read."""
    return Policy.from_text(content)


def keep_policy(connection: Connection, policy: Policy) -> None:
    """Keep a policy by its digest; once more changes nothing."""
    keep_first(connection, policies, {"digest": policy.digest, "content": policy.to_text()})


def finish_batch(connection: Connection, batch_id: str, at: datetime) -> None:
    """Note that all files of the batch are examined and every question of its own thread is answered."""
    connection.execute(
        update(batches).where(batches.c.batch_id == batch_id, batches.c.finished_at.is_(None)).values(finished_at=at)
    )


def ask_in_threads(connection: Connection, batch_id: str) -> None:
    """From now on each doubtful invoice of the batch is asked about in a thread of its own."""
    connection.execute(update(batches).where(batches.c.batch_id == batch_id).values(asks_here=False))


def files_from(connection: Connection, batch_id: str, seq: int, limit: int) -> list[BatchFile]:
    """The batch's next files in order, beginning with number `seq`."""
    query = select(batch_files).where(batch_files.c.batch_id == batch_id, batch_files.c.seq >= seq)
    rows = connection.execute(query.order_by(batch_files.c.seq).limit(limit))
    return [BatchFile(row.seq, row.name, row.path, _claim(row.claim)) for row in rows]


def save_examined(connection: Connection, examined: Sequence[Examined]) -> None:
    """Keep examined invoices; one that is there already stays as it is."""
    keep_first_of_many(connection, invoices, [_invoice_row(one) for one in examined])


def update_examined(connection: Connection, examined: Examined) -> None:
    """Write back an invoice whose status, record or findings changed."""
    row = _invoice_row(examined)
    connection.execute(update(invoices).where(invoices.c.invoice_id == examined.invoice_id).values(row))


def set_status(connection: Connection, tenant: str, invoice_ids: Sequence[str], status: InvoiceStatus) -> None:
    """Move invoices of one tenant to another status; what no longer counts is withdrawn from the rules' history."""
    if status not in COUNTS_AS_PAST:
        withdraw(connection, tenant, invoice_ids)
    for some in chunks(invoice_ids, MANY):
        connection.execute(update(invoices).where(invoices.c.invoice_id.in_(some)).values(status=status))


def find_examined(connection: Connection, tenant: str, invoice_id: str) -> Examined:
    """The tenant's invoice of this id.

    Raises:
        NotFoundError: this tenant has none of that id.
    """
    query = select(invoices).where(invoices.c.tenant == tenant, invoices.c.invoice_id == invoice_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no invoice {invoice_id}")
    return _examined(row)


def examined_of(
    connection: Connection, batch_id: str, *statuses: InvoiceStatus, limit: int | None = None
) -> list[Examined]:
    """The batch's invoices in order, of these statuses (all where none is named)."""
    query = select(invoices).where(invoices.c.batch_id == batch_id)
    if statuses:
        query = query.where(invoices.c.status.in_(statuses))
    rows = connection.execute(query.order_by(invoices.c.file_seq, invoices.c.part).limit(limit))
    return [_examined(row) for row in rows]


def each_examined(connection: Connection, tenant: str, page: int) -> Iterator[list[Examined]]:
    """All invoices of the tenant, a page at a time, so that no number of them fills the memory."""
    after = ""
    while True:
        query = select(invoices).where(invoices.c.tenant == tenant, invoices.c.invoice_id > after)
        rows = connection.execute(query.order_by(invoices.c.invoice_id).limit(page)).all()
        if not rows:
            return
        yield [_examined(row) for row in rows]
        after = rows[-1].invoice_id


def waiting_in_threads(connection: Connection, tenant: str) -> list[str]:
    """The tenant's waiting invoices that each have (or need) a thread of their own, by id."""
    query = select(invoices.c.invoice_id).join_from(invoices, batches, batches.c.batch_id == invoices.c.batch_id)
    waiting = query.where(invoices.c.tenant == tenant, invoices.c.status == InvoiceStatus.WAITING)
    ordered = waiting.where(batches.c.asks_here.is_(False)).order_by(batches.c.created_at, invoices.c.file_seq)
    return list(connection.execute(ordered.order_by(invoices.c.part)).scalars())


def examined_parts(connection: Connection, batch_id: str, file_seqs: Sequence[int]) -> set[tuple[int, int]]:
    """(file, part) of what is examined already among these files: a repeated step skips it."""
    query = select(invoices.c.file_seq, invoices.c.part).where(
        invoices.c.batch_id == batch_id, invoices.c.file_seq.in_(file_seqs)
    )
    return {(row.file_seq, row.part) for row in connection.execute(query)}


def counts(connection: Connection, batch_id: str) -> dict[InvoiceStatus, int]:
    """How many invoices of the batch have which status."""
    query = select(invoices.c.status, func.count()).where(invoices.c.batch_id == batch_id).group_by(invoices.c.status)
    return {InvoiceStatus(status): count for status, count in connection.execute(query)}


COUNTS_AS_PAST = frozenset({InvoiceStatus.CLEAN, InvoiceStatus.WAITING, InvoiceStatus.HELD, InvoiceStatus.BOOKED})
"""What later rules see in the history."""

_STANDS_FOR_ITSELF = (
    InvoiceStatus.REVERSED,
    InvoiceStatus.CLEAN,
    InvoiceStatus.WAITING,
    InvoiceStatus.HELD,
    InvoiceStatus.BOOKED,
    InvoiceStatus.REJECTED,
)


def _firsts() -> Select[Any]:
    columns = (invoices.c.invoice_id, invoices.c.invoice_key, invoices.c.sha256, invoices.c.nth, invoices.c.file)
    joined = select(*columns, invoices.c.status, invoices.c.batch_id, batches.c.name.label("batch")).join_from(
        invoices, batches, batches.c.batch_id == invoices.c.batch_id
    )
    ordered = joined.order_by(batches.c.created_at.desc(), invoices.c.file_seq.desc(), invoices.c.part.desc())
    return ordered.where(invoices.c.tenant == bindparam("tenant"))


_SOME: BindParameter[str] = bindparam("some", expanding=True)
_FIRST_BY_KEY = _firsts().where(invoices.c.invoice_key.in_(_SOME), invoices.c.invoice_id != bindparam("but"))
_FIRST_BY_HASH = _firsts().where(invoices.c.sha256.in_(_SOME))
"""Asked in every step, so built once."""


def first_by_key(
    connection: Connection, tenant: str, keys: Sequence[str], but: str = "", *, within: str = ""
) -> dict[str, Earlier]:
    """Invoice key -> the tenant's first invoice that has it (rejected ones too), leaving out the invoice `but`.

    What a batch only advised about is seen by that batch alone (`within`).
    """
    rows = connection.execute(_FIRST_BY_KEY, {"tenant": tenant, "some": keys, "but": but})
    return _first_of(rows, lambda row: row.invoice_key, within)


def first_by_hash(connection: Connection, tenant: str, hashes: Sequence[str]) -> dict[tuple[str, int], Earlier]:
    """(file hash, place within) -> the tenant's first invoice read from the same bytes."""
    rows = connection.execute(_FIRST_BY_HASH, {"tenant": tenant, "some": hashes})
    return _first_of(rows, lambda row: (row.sha256, row.nth))


def as_duplicate(examined: Examined, owner_id: str) -> Examined:
    """The invoice once it is known that another one had its key first."""
    return replace(examined, status=InvoiceStatus.DUPLICATE, first_id=owner_id)


def _first_of(rows: Iterable[Row[Any]], key: Any, within: str = "") -> dict[Any, Earlier]:
    """Rows come newest first, so that the oldest one stays.

    The status is looked at here: as a condition it tempts SQLite into its index, and then every step reads the ledger.
    """
    standing = (row for row in rows if row.status in _STANDS_FOR_ITSELF or _is_advice_of(row, within))
    return {key(row): Earlier(row.invoice_id, row.batch, row.file, row.status) for row in standing}


def _is_advice_of(row: Row[Any], batch_id: str) -> bool:
    return bool(row.status == InvoiceStatus.ADVISED and row.batch_id == batch_id)


def _file_row(batch_id: str, file: BatchFile) -> dict[str, Any]:
    where = {"batch_id": batch_id, "seq": file.seq, "name": file.name, "path": file.path}
    return {**where, "claim": _claim_text(file.claim)}


def _claim(text: str) -> Claim:
    return NO_CLAIM if text == "{}" else claim_from_json(orjson.loads(text))


def _claim_text(claim: Claim) -> str:
    return "{}" if claim == NO_CLAIM else _dumps(claim_to_json(claim))


def _dumps(value: Any) -> str:
    return orjson.dumps(value).decode()


def _invoice_row(examined: Examined) -> dict[str, Any]:
    row = {name: getattr(examined, name) for name in Examined.__slots__}
    record = examined.record
    row["claim"] = _claim_text(examined.claim)
    total = examined.record.signed_total if examined.record else None
    row["amount"] = None if total is None else str(total)
    row["currency"] = examined.record.text("currency") if examined.record else ""
    row["record"] = _dumps(record.to_json()) if record else None
    row["findings"] = _dumps([finding.to_json() for finding in examined.findings])
    row["not_executed"] = _dumps({rule: [n.zh, n.en] for rule, n in examined.not_executed.items()})
    return row


def _examined(row: Row[Any]) -> Examined:
    values = dict(row._mapping)
    values["status"] = InvoiceStatus(values["status"])
    values["claim"] = _claim(values["claim"])
    del values["amount"], values["currency"]
    values["record"] = Invoice.from_json(orjson.loads(values["record"])) if values["record"] else None
    values["findings"] = tuple(Finding.from_json(finding) for finding in orjson.loads(values["findings"]))
    values["not_executed"] = {rule: NotExecuted(*words) for rule, words in orjson.loads(values["not_executed"]).items()}
    return Examined(**values)
