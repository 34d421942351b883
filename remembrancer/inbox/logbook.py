"""The audit log as it is read on a page: newest first, by subject, actor or event."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from foundation.journal import audit_content, audit_log

PAGE = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log; `content` is empty where it was deleted."""

    seq: int
    at: datetime
    actor: str
    event: str
    subject: str
    hash: str
    content: Mapping[str, Any]


def lines(
    connection: Connection,
    tenant: str,
    *,
    subjects: Sequence[str] = (),
    q: str = "",
    event: str = "",
    page: int = 1,
    limit: int = PAGE,
) -> list[Line]:
    """One page of the log, newest first."""
    joined = (audit_content.c.tenant == audit_log.c.tenant) & (audit_content.c.seq == audit_log.c.seq)
    query = select(audit_log, audit_content.c.content).outerjoin(audit_content, joined)
    # Of few subjects the lines are found first and sorted then: sorted by the bare number, all the log is gone through.
    place = audit_log.c.seq + 0 if subjects else audit_log.c.seq
    rows = query.where(_where(tenant, subjects, q, event)).order_by(place.desc())
    found = connection.execute(rows.limit(limit).offset(limit * (page - 1)))
    return [
        Line(row.seq, row.at, row.actor, row.event, row.subject, row.hash, json.loads(row.content or "{}"))
        for row in found
    ]


def count_lines(connection: Connection, tenant: str, *, q: str = "", event: str = "") -> int:
    """How many lines there are of that kind."""
    query = select(func.count()).select_from(audit_log).where(_where(tenant, (), q, event))
    return connection.execute(query).scalar_one()


def events(connection: Connection, tenant: str) -> list[str]:
    """The kinds of events that the log tells of."""
    query = select(audit_log.c.event).where(audit_log.c.tenant == tenant).distinct()
    return list(connection.execute(query.order_by(audit_log.c.event)).scalars())


def _where(tenant: str, subjects: Sequence[str], q: str, event: str) -> ColumnElement[bool]:
    t = audit_log.c
    tests: list[ColumnElement[bool]] = [t.tenant == tenant]
    if subjects:
        tests.append(t.subject.in_(subjects))
    if event:
        tests.append(t.event == event)
    if q:
        tests.append(or_(t.subject.contains(q, autoescape=True), t.actor.contains(q, autoescape=True)))
    return and_(*tests)
