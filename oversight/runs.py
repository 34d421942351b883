"""Runs: what each batch did without a person so far, kept in the transaction of the effect, and how it ended."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection, select, update

from foundation.upserts import keep_first
from oversight.budgets import NOTHING_DONE, Tally
from oversight.degrees import Degree, degree_named
from oversight.tables import runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One batch under one degree of oversight."""

    tenant: str
    batch: str
    degree: Degree
    tally: Tally = NOTHING_DONE
    ended_why: str = ""
    """Why a breaker ended it, zh and en on a line each; "" while none did."""
    ended_at: datetime | None = None


def begin_run(connection: Connection, tenant: str, batch: str, degree: Degree) -> None:
    """Note that a batch begins; once more changes nothing."""
    row = _tally_row(Tally()) | {"tenant": tenant, "batch": batch, "degree": degree, "ended_why": ""}
    keep_first(connection, runs, row)


def run_of(connection: Connection, tenant: str, batch: str) -> Run:
    """The batch's run; one that began before runs were kept had a person in the loop."""
    mine = (runs.c.tenant == tenant) & (runs.c.batch == batch)
    row = connection.execute(select(runs).where(mine)).one_or_none()
    if row is None:
        return Run(tenant=tenant, batch=batch, degree="hitl")
    tally = Tally(
        actions=row.actions,
        failures=row.failures,
        count=row.booked,
        money=Decimal(row.money),
        loss=Decimal(row.loss),
    )
    return Run(
        tenant=tenant,
        batch=batch,
        degree=degree_named(row.degree),
        tally=tally,
        ended_why=row.ended_why,
        ended_at=row.ended_at,
    )


def add_to_run(connection: Connection, tenant: str, batch: str, more: Tally) -> Tally:
    """Count what was done, within the transaction of the effect; returns the run's tally."""
    tally = run_of(connection, tenant, batch).tally.plus(more)
    _update(connection, tenant, batch, _tally_row(tally))
    return tally


def end_run(connection: Connection, tenant: str, batch: str, why: str, at: datetime) -> None:
    """Note that a breaker ended the run, and why."""
    _update(connection, tenant, batch, {"ended_why": why, "ended_at": at})


def _update(connection: Connection, tenant: str, batch: str, values: dict[str, object]) -> None:
    connection.execute(update(runs).where(runs.c.tenant == tenant, runs.c.batch == batch).values(values))


def _tally_row(tally: Tally) -> dict[str, object]:
    numbers = {"actions": tally.actions, "failures": tally.failures, "booked": tally.count}
    return numbers | {"money": str(tally.money), "loss": str(tally.loss)}
