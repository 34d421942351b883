"""Examine the batch's next invoices: read, check, weigh. A repeated step (after a crash) skips what is there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from foundation.database import reading
from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.findings import Context, Earlier
from invoices.history import MemoryHistory, Together
from invoices.ledger import (
    COUNTS_AS_PAST,
    Batch,
    Examined,
    InvoiceStatus,
    examined_parts,
    files_from,
    first_by_hash,
    first_by_key,
    require_batch,
    save_examined,
)
from invoices.parts import Part
from invoices.past import LedgerHistory, remember
from invoices.policy import Policy
from nodes.accepted import NOTHING_ACCEPTED, accepted_rules
from nodes.services import Services
from nodes.watching import degree_of, events_of, examined_tally, policy_in_force, without_run_limits
from nodes.weighing import Weighed, applied, by_schematron, for_invoice, key_of, past_as_examined, weigh
from oversight.degrees import Course, course_of
from oversight.feed import publish_all
from oversight.runs import add_to_run

A_STEP = 50

_SEEN_IN_THE_STEP = COUNTS_AS_PAST | {InvoiceStatus.ADVISED}
_STATUSES: Mapping[Course, InvoiceStatus] = {
    "do": InvoiceStatus.CLEAN,
    "ask": InvoiceStatus.WAITING,
    "hold": InvoiceStatus.HELD,
    "advise": InvoiceStatus.ADVISED,
}


def examine(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Examine up to fifty invoices and keep them in the database; the state gets the cursor."""
    with reading(services.engine) as connection:
        batch = require_batch(connection, services.tenant, state["batch_id"])
        policy = policy_in_force(connection, batch)
        step_size = policy.oversight.at_once if degree_of(policy) == "hotl" else A_STEP
        files = files_from(connection, batch.batch_id, state["file"], step_size)
        done = examined_parts(connection, batch.batch_id, [file.seq for file in files])
    parts, file, part = services.parts.read_from(batch.batch_id, files, state["part"], step_size)
    context = Context(without_run_limits(policy), services.today())
    with services.journal.transaction() as transaction:
        fresh = [one for one in parts if (one.file.seq, one.part) not in done]
        step = _Step(batch, context, Decimal(state["spent"]), transaction.at)
        examined = step.examine(transaction.connection, fresh)
        save_examined(transaction.connection, examined)
        _tell(transaction, batch, policy, examined)
    return {"file": file, "part": part, "spent": str(step.spent)}


def _tell(transaction: Transaction, batch: Batch, policy: Policy, examined: Sequence[Examined]) -> None:
    """Count the step in the run's tally, and let watchers see it."""
    connection, advises = transaction.connection, degree_of(policy) == "shadow"
    add_to_run(connection, batch.tenant, batch.batch_id, examined_tally(examined, policy))
    publish_all(connection, batch.tenant, transaction.at, events_of(examined, advises=advises))


class _Step:
    """One step's parts under one policy, with what was seen within the step itself."""

    def __init__(self, batch: Batch, context: Context, spent: Decimal, at: datetime) -> None:
        self._batch = batch
        self._context = context
        self._at = at
        self._seen = MemoryHistory()
        self._accepted = NOTHING_ACCEPTED
        self._degree = degree_of(context.policy)
        self.spent = spent

    def examine(self, connection: Connection, parts: Sequence[Part]) -> list[Examined]:
        tenant, policy = self._batch.tenant, self._context.policy
        keys = {id(part): key_of(part.invoice, part.sha256, part.nth) for part in parts if part.invoice}
        by_key = first_by_key(connection, tenant, list(set(keys.values())), within=self._batch.batch_id)
        self._accepted = accepted_rules(connection, tenant)
        by_hash = first_by_hash(connection, tenant, list({part.sha256 for part in parts}))
        ledger = LedgerHistory(connection, tenant, policy, [part.invoice for part in parts if part.invoice])
        self._context = replace(self._context, history=Together(ledger, self._seen))
        found, pasts = [], []
        for part in parts:
            key = keys.get(id(part), "")
            examined = self._one(part, key, by_key, by_hash.get((part.sha256, part.nth)))
            if examined.status in _SEEN_IN_THE_STEP and examined.record:
                by_key.setdefault(key, Earlier(examined.invoice_id, self._batch.name, examined.file, examined.status))
                past = past_as_examined(examined, self._batch, policy)
                self._seen.add(past)
                pasts += [past] if examined.status in COUNTS_AS_PAST else []
            found.append(examined)
        remember(connection, tenant, pasts)
        return found

    def _one(self, part: Part, key: str, by_key: Mapping[str, Earlier], same_file: Earlier | None) -> Examined:
        examined = self._row(part, key)
        if part.invoice is None:
            return replace(examined, status=InvoiceStatus.UNREADABLE, unreadable=part.unreadable, reason=part.reason)
        if same_file and same_file.batch != self._batch.name:
            again = replace(examined, status=InvoiceStatus.ALREADY_AUDITED, record=part.invoice)
            return replace(again, first_id=same_file.invoice_id)
        earlier = by_key.get(key)
        context = for_invoice(self._context, part.invoice, examined.claim, earlier)
        beside = by_schematron(context.policy, part.invoice, part.content, part.name)
        weighed = weigh(part.invoice, context, spent=self.spent, beside=beside, accepted=self._accepted)
        self._spend(weighed)
        status = self._status(weighed)
        first = earlier.invoice_id if earlier and status is InvoiceStatus.DUPLICATE else None
        return replace(applied(examined, part.invoice, weighed), status=status, first_id=first)

    def _status(self, weighed: Weighed) -> InvoiceStatus:
        """Where the invoice goes under the batch's degree of oversight; a duplicate is one in every degree."""
        if weighed.status is InvoiceStatus.DUPLICATE:
            return weighed.status
        return _STATUSES[course_of(weighed.verdict, self._degree)]

    def _spend(self, weighed: Weighed) -> None:
        if weighed.status is InvoiceStatus.CLEAN and weighed.action.amount is not None:
            self.spent += weighed.action.amount

    def _row(self, part: Part, key: str) -> Examined:
        return Examined(
            invoice_id=derived_id("inv", self._batch.batch_id, str(part.file.seq), str(part.part)),
            tenant=self._batch.tenant,
            batch_id=self._batch.batch_id,
            file_seq=part.file.seq,
            part=part.part,
            file=part.name,
            sha256=part.sha256,
            nth=part.nth,
            status=InvoiceStatus.CLEAN,
            invoice_key=key,
            claim=part.file.claim,
            examined_at=self._at,
        )
