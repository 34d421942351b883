"""Sampling: one in N of what passed by itself is looked at by a person afterwards. Who is drawn, nobody can steer.

The draw follows from the subject's id and the run's seed alone: the same run draws the same ones, however often it
is repeated, and nobody who brings something in knows beforehand.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from foundation.upserts import keep_first_of_many
from oversight.tables import samples

_SPACE = 1 << 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One thing that passed and was drawn."""

    subject: str
    batch: str
    one_in: int
    taken_at: datetime
    settled: bool
    """Whether a person has looked."""


def is_drawn(subject: str, seed: str, one_in: int) -> bool:
    """Whether this subject is one of the one in N."""
    digest = hashlib.sha256(f"{seed}\x1f{subject}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") * one_in < _SPACE


def take_samples(
    connection: Connection, tenant: str, batch: str, subjects: Iterable[str], one_in: int, seed: str, at: datetime
) -> list[str]:
    """Draw from what passed and keep the draw, within the transaction in which it passed; returns who was drawn."""
    drawn = [subject for subject in subjects if is_drawn(subject, seed, one_in)]
    common = {"tenant": tenant, "batch": batch, "one_in": one_in, "taken_at": at, "settled": False}
    keep_first_of_many(connection, samples, [common | {"subject": subject} for subject in drawn])
    return drawn


def samples_of(
    connection: Connection, tenant: str, batch: str | None = None, *, open_only: bool = False
) -> list[Sample]:
    """The tenant's samples, oldest first; one batch's, and only those that nobody looked at yet, where it is said."""
    query = select(samples).where(samples.c.tenant == tenant)
    if batch is not None:
        query = query.where(samples.c.batch == batch)
    if open_only:
        query = query.where(samples.c.settled.is_(False))
    rows = connection.execute(query.order_by(samples.c.taken_at, samples.c.subject))
    return [Sample(**{name: row._mapping[name] for name in Sample.__slots__}) for row in rows]


def sample_of(connection: Connection, tenant: str, subject: str) -> Sample | None:
    """The sample of this subject, None where it was not drawn."""
    query = select(samples).where(samples.c.tenant == tenant, samples.c.subject == subject)
    row = connection.execute(query).one_or_none()
    return Sample(**{name: row._mapping[name] for name in Sample.__slots__}) if row else None


def settle_samples(connection: Connection, tenant: str, subjects: Sequence[str]) -> None:
    """Note that a person has looked at these."""
    mine = (samples.c.tenant == tenant) & samples.c.subject.in_(subjects)
    connection.execute(update(samples).where(mine).values(settled=True))
