"""The ledger: what was booked, and taking a booking back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form
from fastapi.responses import Response
from sqlalchemy import ColumnElement, Connection, Join, and_, func, or_, select

from foundation.database import reading
from invoices.ledger import Examined, find_examined
from invoices.tables import batches, bookings, invoices
from remembrancer.inbox.frame import NO_FORGERY, Reviewing, query
from remembrancer.reports.data import shown_fields
from remembrancer.vouchers import to_csv, vouchers_of

router = APIRouter(include_in_schema=False)
PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger."""

    invoice_id: str
    kind: str
    amount: Decimal
    currency: str
    by: str
    reason: str
    at: datetime
    batch: str
    batch_id: str
    examined: Examined
    reversible: bool


@router.get("/ledger")
def ledger_page(visit: Reviewing, q: str = "", kind: str = "", batch: str = "", page: int = 1) -> Response:
    """The bookings, newest first."""
    page = max(page, 1)
    with reading(visit.office.services.engine) as connection:
        where = _where(visit.tenant, q[:200], kind, batch)
        found = _entries(connection, visit.tenant, where, page)
        count = connection.execute(select(func.count()).select_from(_joined()).where(where)).scalar_one()
        sums = _sums(connection, where)
    link = {"q": q, "kind": kind, "batch": batch}
    return visit.page(
        "ledger.html",
        entries=found,
        count=count,
        sums=sums,
        link=link,
        page=page,
        per_page=PER_PAGE,
        fields=shown_fields,
        query=query,
    )


@router.post("/invoices/{invoice_id}/reversal", dependencies=NO_FORGERY)
def reverse(visit: Reviewing, invoice_id: str, reason: Annotated[str, Form(max_length=2000)] = "") -> Response:
    """Take a booking back by a second entry, with a reason."""
    visit.office.reverse(invoice_id, by=visit.name, reason=reason)
    return visit.go("/ledger")


@router.get("/batches/{batch_id}/vouchers.csv")
def vouchers_file(visit: Reviewing, batch_id: str) -> Response:
    """What the batch booked, for a ledger system."""
    with reading(visit.office.services.engine) as connection:
        content = to_csv(vouchers_of(connection, visit.tenant, batch_id))
    headers = {"content-disposition": f"attachment; filename*=UTF-8''vouchers-{quote(batch_id)}.csv"}
    return Response(content.encode("utf-8-sig"), media_type="text/csv; charset=utf-8", headers=headers)


def _joined() -> Join:
    joined = bookings.join(invoices, invoices.c.invoice_id == bookings.c.invoice_id)
    return joined.join(batches, batches.c.batch_id == bookings.c.batch_id)


def _where(tenant: str, q: str, kind: str, batch: str) -> ColumnElement[bool]:
    tests: list[ColumnElement[bool]] = [bookings.c.tenant == tenant]
    if q:
        # The record holds the seller and the number as they were read.
        tests.append(or_(bookings.c.invoice_id == q, invoices.c.record.contains(q, autoescape=True)))
    if kind:
        tests.append(bookings.c.kind == kind)
    if batch:
        tests.append(batches.c.batch_id == batch)
    return and_(*tests)


def _entries(connection: Connection, tenant: str, where: ColumnElement[bool], page: int) -> Sequence[Entry]:
    columns = (bookings, batches.c.name.label("batch"), invoices.c.status)
    query_ = select(*columns).select_from(_joined()).where(where)
    ordered = query_.order_by(bookings.c.booked_at.desc(), bookings.c.booking_id)
    rows = connection.execute(ordered.limit(PER_PAGE).offset(PER_PAGE * (page - 1))).all()
    return [
        Entry(
            row.invoice_id,
            row.kind,
            Decimal(row.amount),
            row.currency,
            row.booked_by,
            row.reason,
            row.booked_at,
            row.batch,
            row.batch_id,
            find_examined(connection, tenant, row.invoice_id),
            row.status == "booked",
        )
        for row in rows
    ]


def _sums(connection: Connection, where: ColumnElement[bool]) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    query_ = select(bookings.c.currency, bookings.c.amount).select_from(_joined()).where(where)
    for currency, amount in connection.execute(query_):
        sums[currency] = sums.get(currency, Decimal(0)) + Decimal(amount)
    return sums
