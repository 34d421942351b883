"""Whether the page is well, and numbers for Prometheus; no name, no amount of any one invoice, no text."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, func, select

from foundation.database import reading
from foundation.errors import RemembrancerError
from foundation.journal import audit_heads
from invoices.tables import batches, invoices
from oversight.tables import decisions, reviews
from remembrancer.inbox.frame import Frame, frame_of

router = APIRouter()
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/healthz", tags=["health"])
def healthz(request: Request) -> JSONResponse:
    """200 when the database answers and what is due was taken; 503 otherwise."""
    frame = frame_of(request)
    try:
        with reading(frame.office.services.engine) as connection:
            connection.execute(select(func.count()).select_from(audit_heads))
    except RemembrancerError as error:
        return JSONResponse({"status": "down", "why": str(error)}, 503)
    return JSONResponse({"status": "up"})


@router.get("/metrics", include_in_schema=False)
def metrics(request: Request) -> Response:
    """Counts of this tenant's work, as Prometheus reads them."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Counts(frame_of(request)))
    return Response(generate_latest(registry), media_type=_TEXT)


class _Counts(Collector):
    """Looks at the database when it is asked."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        with reading(self._frame.office.services.engine) as connection:
            yield from _by_label(connection, self._frame.tenant)
            yield from _plain(connection, self._frame.tenant)


def _by_label(connection: Connection, tenant: str) -> Iterator[Metric]:
    tables = (
        ("remembrancer_invoices", "Invoices by status", invoices.c.status, invoices.c.tenant),
        ("remembrancer_reviews", "Reviews by status", reviews.c.status, reviews.c.tenant),
        ("remembrancer_decisions", "Decisions by kind", decisions.c.kind, decisions.c.tenant),
    )
    for name, words, label, owner in tables:
        family = GaugeMetricFamily(name, words, labels=[label.name])
        for value, count in connection.execute(select(label, func.count()).where(owner == tenant).group_by(label)):
            family.add_metric([value], count)
        yield family


def _plain(connection: Connection, tenant: str) -> Iterator[Metric]:
    running = select(func.count()).where(batches.c.tenant == tenant, batches.c.finished_at.is_(None))
    rows = select(audit_heads.c.seq).where(audit_heads.c.tenant == tenant)
    oldest = select(func.min(reviews.c.opened_at)).where(reviews.c.tenant == tenant, reviews.c.status == "open")
    yield _gauge("remembrancer_batches_running", "Batches under way", connection.execute(running).scalar_one())
    yield _gauge("remembrancer_audit_log_rows", "Rows of the audit log", connection.execute(rows).scalar() or 0)
    since = connection.execute(oldest).scalar()
    yield _gauge(
        "remembrancer_oldest_open_review_timestamp_seconds",
        "When the oldest open review was put",
        since.timestamp() if since else 0,
    )


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, words, value=value)
