"""Batches: start an audit by dropping files, watch it, see what became of each invoice, take the report along."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, File, Form, UploadFile
from fastapi.responses import Response
from sqlalchemy import Connection, func, select

from foundation.database import reading
from foundation.errors import NotFoundError
from graphs.state import AuditInput
from invoices.ledger import Batch, counts, find_examined, list_batches, policy_of, require_batch
from invoices.tables import invoices
from oversight.degrees import DEGREES, Degree, is_looser
from oversight.people import Role, same_person
from oversight.reviews import Decision, decisions_on, reviews_about
from remembrancer.inbox.frame import NO_FORGERY, Reviewing, Visit, Visiting, query
from remembrancer.inbox.runs import UPLOADS
from remembrancer.inbox.uploads import keep_files, safe_label
from remembrancer.inbox.watching import Watch, asked_for, watch_of
from remembrancer.reports import FORMATS, gather, render
from remembrancer.reports.data import shown_fields
from remembrancer.texts import Speech

router = APIRouter(include_in_schema=False)
PER_PAGE = 100
_SHOWN = 50
_KINDS = {
    "html": "text/html; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One batch as the list shows it."""

    batch: Batch
    counts: dict[str, int]
    done: int
    """Files examined so far."""
    fault: str

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self.batch.finished_at is None


@router.get("/batches")
def batches_page(visit: Visiting) -> Response:
    """The batches, or only their list where the page asks for it again."""
    with reading(visit.office.services.engine) as connection:
        shown = [batch for batch in list_batches(connection, visit.tenant) if _may_see(visit, batch)][:_SHOWN]
        lines = [_line(visit, connection, batch) for batch in shown]
    known = {line.batch.name for line in lines}
    starting = sorted(name for name in visit.frame.runs.running() if name not in known)
    faults = {name: fault for name, fault in visit.frame.runs.faults().items() if name not in known}
    only_list = visit.request.headers.get("hx-target") == "batches"
    watch = None if only_list else watch_of(visit)
    return visit.page(
        "_batches.html" if only_list else "batches.html",
        lines=lines,
        starting=starting,
        faults=faults,
        most_mb=visit.frame.settings.inbox_upload_mb,
        watch=watch,
        degrees=_degrees(visit, watch),
    )


Short = Annotated[str, Form(max_length=200)]


def claim_of(claim: Short = "", trip: Short = "", category: Short = "", cost_centre: Short = "") -> dict[str, str]:
    """Under which claim the files are brought in, as far as the form says."""
    named = {"claim_id": claim, "trip": trip, "category": category, "cost_centre": cost_centre}
    return {key: value for key, value in named.items() if value}


def watched_as(visit: Visiting, oversight: Short = "", sample: Short = "") -> AuditInput:
    """How closely the audit is watched, as far as this person may say so."""
    return asked_for(visit, oversight, sample)


@router.post("/batches", dependencies=NO_FORGERY)
def upload(
    visit: Visiting,
    files: Annotated[list[UploadFile], File()],
    claim: Annotated[dict[str, str], Depends(claim_of)],
    watched: Annotated[AuditInput, Depends(watched_as)],
    label: Short = "",
    submitter: Short = "",
) -> Response:
    """Keep the files and audit them in the background."""
    day = visit.office.services.today()
    name = f"{safe_label(label) or day.isoformat()}-{secrets.token_hex(3)}"
    folder = visit.frame.settings.home.absolute() / UPLOADS / name
    keep_files(folder, ((file.filename or "file", file.file) for file in files))
    given: AuditInput = {
        "paths": [str(folder)],
        "policy": visit.frame.settings.policy,
        "submitter": _submitter(visit, submitter),
        "claim": claim,
        **watched,
    }
    visit.frame.runs.start(visit.office, name, given)
    return visit.go("/batches")


@router.get("/batches/{batch_id}")
def batch_page(visit: Visiting, batch_id: str, status: str = "", page: int = 1) -> Response:
    """One batch: how it stands, and its invoices."""
    page = max(page, 1)
    with reading(visit.office.services.engine) as connection:
        batch = _batch(visit, connection, batch_id)
        line = _line(visit, connection, batch)
        currency = policy_of(connection, batch.policy).limits.currency
        sums = _sums(connection, batch.batch_id, currency)
        ids = _page_of_ids(connection, batch.batch_id, status, page)
        found = [find_examined(connection, visit.tenant, invoice_id) for invoice_id in ids]
        review_ids = reviews_about(connection, visit.tenant, ids)
        said = _said(connection, visit.tenant, review_ids)
    return visit.page(
        "_batch.html" if visit.request.headers.get("hx-target") == "batch" else "batch.html",
        line=line,
        batch=batch,
        sums=sums,
        found=found,
        review_ids=review_ids,
        said=said,
        mine=same_person(batch.submitter, visit.name),
        fields=shown_fields,
        link_to=lambda status_: lambda page_: {"status": status_, "page": page_},
        currency=currency,
        chosen=status,
        page=page,
        per_page=PER_PAGE,
        query=query,
    )


@router.get("/batches/{batch_id}/report")
def report_page(visit: Reviewing, batch_id: str) -> Response:
    """The report with its charts."""
    report = gather(visit.office.services, batch_id)
    statuses = [(visit.words(f"status.{name}"), count, name) for name, count in report.counts.items()]
    rules = [(visit.words.rule(name), count, "") for name, count in report.rule_counts.items()]
    return visit.page("report.html", report=report, batch=report.batch, statuses=statuses, rules=rules)


@router.get("/batches/{batch_id}/report.{format_name}")
def report_file(visit: Reviewing, batch_id: str, format_name: str) -> Response:
    """The report as a file."""
    if format_name not in FORMATS:
        raise NotFoundError(f"there is no report as {format_name}: choose {', '.join(FORMATS)}")
    report = gather(visit.office.services, batch_id)
    content = render(report, format_name, Speech(visit.words.lang))
    name = quote(f"{report.batch.name}.{format_name}")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=_KINDS[format_name], headers=headers)


def _said(connection: Connection, tenant: str, review_ids: Mapping[str, str]) -> dict[str, Decision]:
    """Invoice -> what whoever brought it in should know: the newest question about it, or why it was rejected."""
    invoice_of = {review_id: invoice_id for invoice_id, review_id in review_ids.items()}
    found = decisions_on(connection, tenant, list(invoice_of))
    return {invoice_of[one.review_id]: one for one in found if one.kind in {"respond", "reject"} and one.reason}


def _degrees(visit: Visit, watch: Watch | None) -> list[Degree]:
    """The degrees of oversight that this person may choose."""
    manages = visit.visitor.manages
    return [degree for degree in DEGREES if manages or (watch and not is_looser(degree, watch.degree))]


def _may_see(visit: Visit, batch: Batch) -> bool:
    """A reviewer sees every batch, a submitter his own."""
    return visit.visitor.reviews or same_person(batch.submitter, visit.name)


def _batch(visit: Visit, connection: Connection, batch_id: str) -> Batch:
    batch = require_batch(connection, visit.tenant, batch_id)
    if not _may_see(visit, batch):
        raise NotFoundError(f"there is no batch {batch_id}")
    return batch


def _submitter(visit: Visit, named: str) -> str:
    """Who brings the files in: whoever sends them, or whom a reviewer names; nobody, for somebody alone."""
    if visit.visitor.may(Role.REVIEWER) and named.strip():
        return named.strip()
    return "" if visit.alone else visit.name


def _line(visit: Visit, connection: Connection, batch: Batch) -> Line:
    last = connection.execute(
        select(func.max(invoices.c.file_seq)).where(invoices.c.batch_id == batch.batch_id)
    ).scalar()
    done = batch.files if batch.finished_at else 0 if last is None else last + 1
    found = {str(status): count for status, count in counts(connection, batch.batch_id).items()}
    return Line(batch, found, done, visit.frame.runs.fault(batch.name))


def _sums(connection: Connection, batch_id: str, otherwise: str) -> dict[str, dict[str, Decimal]]:
    """Status -> currency -> sum; an invoice that names no currency is in the policy's."""
    t = invoices.c
    sums: dict[str, dict[str, Decimal]] = {}
    query = select(t.status, t.currency, t.amount).where(t.batch_id == batch_id, t.amount.is_not(None))
    for status, named, amount in connection.execute(query):
        by_currency, currency = sums.setdefault(status, {}), named or otherwise
        by_currency[currency] = by_currency.get(currency, Decimal(0)) + Decimal(amount)
    return sums


def _page_of_ids(connection: Connection, batch_id: str, status: str, page: int) -> Sequence[str]:
    t = invoices.c
    query = select(t.invoice_id).where(t.batch_id == batch_id)
    query = query.where(t.status == status) if status else query
    rows = connection.execute(query.order_by(t.file_seq, t.part).limit(PER_PAGE).offset(PER_PAGE * (page - 1)))
    return list(rows.scalars())
