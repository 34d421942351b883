"""Book what nobody has anything against, as far as the brake and the run's limits let it. Idempotent."""

from collections.abc import Sequence
from typing import Any

from foundation.database import reading
from foundation.journal import Transaction
from invoices.bookings import Bookable, Booking, BookingKind, clean_of
from invoices.bookings import book as enter
from invoices.ledger import (
    Batch,
    InvoiceStatus,
    as_duplicate,
    find_examined,
    policy_of,
    require_batch,
    set_status,
    update_examined,
)
from invoices.past import withdraw
from invoices.policy import Policy
from nodes.halting import AGENT, end, halted_at
from nodes.services import Services
from nodes.watching import booked_event, budgets_of, degree_of, policy_in_force, why_in_both, worth_of
from oversight.action import Fired
from oversight.brake import is_on, pull
from oversight.budgets import Tally, breach
from oversight.feed import Event, publish_all
from oversight.runs import add_to_run, run_of
from oversight.sampling import take_samples

_ALL = None


def book(state: dict[str, Any], *, services: Services) -> dict[str, Any]:
    """Enter the batch's clean invoices; a brake stops it with a question, a breaker ends the run."""
    with reading(services.engine) as connection:
        batch = require_batch(connection, services.tenant, state["batch_id"])
        degree = degree_of(policy_of(connection, batch.policy))
    at_once = 1 if degree == "hotl" else _ALL
    more_files = state["file"] < state["files"]
    told = _book_some(services, batch, at_once, more_files)
    while told is None:
        told = _book_some(services, batch, at_once, more_files)
    return told


def _book_some(services: Services, batch: Batch, at_once: int | None, more_files: bool) -> dict[str, Any] | None:
    """One transaction's bookings: what the step ends with, None while there is more to book."""
    with services.journal.transaction() as transaction:
        connection = transaction.connection
        clean = clean_of(connection, batch.batch_id, at_once)
        if not clean and not more_files:
            return {}
        brake = is_on(connection, batch.tenant, batch.batch_id, batch.thread_id)
        if brake and clean:
            return halted_at(transaction, batch, brake)
        policy = policy_in_force(connection, batch)
        allowed, stop = _within_limits(clean, run_of(connection, batch.tenant, batch.batch_id).tally, policy)
        if allowed:
            _enter_clean(transaction, batch, policy, allowed)
        if stop:
            return _stopped(transaction, batch, policy, stop)
        return None if clean and at_once else {}


def _within_limits(clean: Sequence[Bookable], tally: Tally, policy: Policy) -> tuple[Sequence[Bookable], Fired | None]:
    """What may be booked now, and the limit of the run that stops the rest."""
    if degree_of(policy) not in {"hotl", "hootl"}:
        return clean, None
    budgets = budgets_of(policy)
    if stop := breach(tally, budgets):
        return (), stop
    for place, one in enumerate(clean):
        tally = tally.after(worth_of(one, policy))
        if stop := breach(tally, budgets):
            return clean[:place], stop
    return clean, None


def _stopped(transaction: Transaction, batch: Batch, policy: Policy, stop: Fired) -> dict[str, Any]:
    """A person on the loop finds the brake pulled; where there is none, the run ends and holds what is left."""
    if degree_of(policy) == "hotl":
        why = stop.message["zh"] + " / " + stop.message["en"]
        brake = pull(transaction, batch.tenant, batch=batch.batch_id, by=AGENT, why=why, automatic=True)
        return halted_at(transaction, batch, brake)
    return end(transaction, batch, why=why_in_both(stop.message), by=AGENT)


def _enter_clean(transaction: Transaction, batch: Batch, policy: Policy, clean: Sequence[Bookable]) -> None:
    """Book, count it in the run's tally, tell it, and draw the samples, in one transaction."""
    connection, currency = transaction.connection, policy.limits.currency
    owners = enter_all(transaction, clean, kind=BookingKind.REGULAR, by=AGENT, currency=currency)
    booked = [one for one in clean if one.invoice_id not in owners]
    tally = Tally()
    for one in booked:
        tally = tally.after(worth_of(one, policy))
    add_to_run(connection, batch.tenant, batch.batch_id, tally)
    events = [booked_event(one, currency, batch=batch.batch_id) for one in booked]
    publish_all(connection, batch.tenant, transaction.at, [*events, *_sampled(transaction, batch, policy, booked)])


def _sampled(transaction: Transaction, batch: Batch, policy: Policy, booked: Sequence[Bookable]) -> list[Event]:
    watched = policy.oversight
    if watched.sample_one_in is None:
        return []
    ids, seed = [one.invoice_id for one in booked], f"{watched.seed}:{batch.batch_id}"
    connection, one_in = transaction.connection, watched.sample_one_in
    drawn = take_samples(connection, batch.tenant, batch.batch_id, ids, one_in, seed, transaction.at)
    for invoice_id in drawn:
        transaction.log(batch.tenant, AGENT, "sampled", invoice_id, one_in=one_in)
    labels = {one.invoice_id: booked_event(one, "", batch=batch.batch_id).facts["label"] for one in booked}
    return [
        Event(kind="sampled", subject=invoice_id, batch=batch.batch_id, facts={"label": labels[invoice_id]})
        for invoice_id in drawn
    ]


def enter_all(
    transaction: Transaction,
    clean: Sequence[Bookable],
    *,
    kind: BookingKind,
    by: str,
    currency: str,
    decision_id: str | None = None,
) -> dict[str, str]:
    """Book the invoices of one tenant; those whose key somebody else had first become duplicates.

    `currency` is the policy's, for invoices that name none. Returns duplicate's id -> id of the one that was first.
    """
    entries = [
        Booking(
            tenant=one.tenant,
            invoice_key=one.invoice_key,
            invoice_id=one.invoice_id,
            batch_id=one.batch_id,
            amount=one.amount,
            currency=one.currency or currency,
            kind=kind,
            booked_by=by,
            decision_id=decision_id,
            booked_at=transaction.at,
        )
        for one in clean
    ]
    owners = enter(transaction.connection, entries)
    booked = [one.invoice_id for one in clean if one.invoice_id not in owners]
    set_status(transaction.connection, clean[0].tenant, booked, InvoiceStatus.BOOKED)
    for entry in entries:
        event = "duplicate" if entry.invoice_id in owners else "booked"
        facts = {"key": entry.invoice_key, "amount": str(entry.amount), "currency": entry.currency, "kind": kind}
        transaction.log(entry.tenant, by, event, entry.invoice_id, **facts, first=owners.get(entry.invoice_id))
    for invoice_id, owner in owners.items():
        examined = find_examined(transaction.connection, clean[0].tenant, invoice_id)
        update_examined(transaction.connection, as_duplicate(examined, owner))
        withdraw(transaction.connection, examined.tenant, [invoice_id])
    return owners
