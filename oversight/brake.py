"""The brake: a person, or a breached limit, stops what can't be taken back - in any process, before its next step.

Whoever does something irreversible asks `is_on` inside the transaction of the effect. A brake is pulled and released
in transactions of the same kind, which wait for one another: once a pull is committed, nothing more happens until
the release is.
"""

import zlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, text, update

from foundation.errors import RefusedError
from foundation.ids import new_id
from foundation.journal import Transaction
from oversight.feed import Event, publish
from oversight.rights import Deed, require_right
from oversight.tables import brakes

EVERYTHING = ""
"""The scope of a brake on all that the tenant does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brake:
    """One pull of the brake: by whom, why, when, and the same of its release."""

    brake_id: str
    tenant: str
    scope: str
    """The id of the batch or thread that stands; "" for all of the tenant."""
    pulled_by: str
    why: str
    automatic: bool
    """Whether a breached limit pulled it."""
    pulled_at: datetime
    released_by: str | None = None
    released_why: str | None = None
    released_at: datetime | None = None

    @property
    def on(self) -> bool:
        """Whether it still stops."""
        return self.released_at is None


class BrakedError(RefusedError):
    """The brake is on: nothing that can't be taken back is done."""

    def __init__(self, brake: Brake) -> None:
        since = brake.pulled_at.isoformat(timespec="seconds")
        super().__init__(
            f"the brake is on since {since}, pulled by {brake.pulled_by}: {brake.why or 'no reason given'};"
            " `remembrancer brake off` releases it"
        )
        self.brake = brake


def pull(
    transaction: Transaction,
    tenant: str,
    *,
    batch: str = EVERYTHING,
    thread: str = "",
    by: str,
    why: str = "",
    automatic: bool = False,
) -> Brake:
    """Stop one batch or thread, or all of the tenant; pulling what is pulled already changes nothing.

    Raises:
        NotAllowedError: nobody is named, or nobody of the tenant's people.
    """
    connection, scope = transaction.connection, batch or thread
    if not automatic:
        require_right(connection, tenant, by, Deed.PULL_BRAKE)
    _lock(connection, tenant, alone=True)
    standing = _on(connection, tenant, (scope,))
    if standing:
        return standing
    brake = Brake(
        brake_id=new_id("brk"),
        tenant=tenant,
        scope=scope,
        pulled_by=by,
        why=why,
        automatic=automatic,
        pulled_at=transaction.at,
    )
    connection.execute(insert(brakes), {name: getattr(brake, name) for name in Brake.__slots__})
    transaction.log(tenant, by, "brake pulled", scope or tenant, why=why, automatic=automatic)
    _tell(transaction, tenant, "braked", brake, by, why)
    return brake


def release(
    transaction: Transaction, tenant: str, *, batch: str = EVERYTHING, thread: str = "", by: str, why: str = ""
) -> Brake:
    """Let go what was stopped; what waited goes on when it is driven next.

    Raises:
        NotAllowedError: nobody is named, or he may not release it.
        RefusedError: no brake is on there.
    """
    connection, scope = transaction.connection, batch or thread
    require_right(connection, tenant, by, Deed.RELEASE_BRAKE)
    _lock(connection, tenant, alone=True)
    standing = _on(connection, tenant, (scope,))
    if standing is None:
        raise RefusedError("no brake is on there: `remembrancer brake` shows which are")
    connection.execute(
        update(brakes)
        .where(brakes.c.brake_id == standing.brake_id)
        .values(released_by=by, released_why=why, released_at=transaction.at)
    )
    transaction.log(tenant, by, "brake released", scope or tenant, why=why)
    _tell(transaction, tenant, "released", standing, by, why)
    return _one(connection, standing.brake_id)


def is_on(connection: Connection, tenant: str, batch: str = "", thread: str = "") -> Brake | None:
    """The brake that stops this batch or thread, None where none does; asked inside the transaction of the effect."""
    _lock(connection, tenant, alone=False)
    return _on(connection, tenant, tuple({EVERYTHING, batch, thread}))


def require_released(connection: Connection, tenant: str, batch: str = "", thread: str = "") -> None:
    """Make sure that no brake stops this batch or thread; asked inside the transaction of the effect.

    Raises:
        BrakedError: one does; says whose and why.
    """
    standing = is_on(connection, tenant, batch, thread)
    if standing:
        raise BrakedError(standing)


def brakes_of(connection: Connection, tenant: str, scope: str | None = None, *, on_only: bool = False) -> list[Brake]:
    """The tenant's pulls of the brake in order; of one scope and those of all, where `scope` names it."""
    query = select(brakes).where(brakes.c.tenant == tenant)
    if scope is not None:
        query = query.where(brakes.c.scope.in_({EVERYTHING, scope}))
    if on_only:
        query = query.where(brakes.c.released_at.is_(None))
    rows = connection.execute(query.order_by(brakes.c.pulled_at, brakes.c.brake_id))
    return [Brake(**row._mapping) for row in rows]


def _on(connection: Connection, tenant: str, scopes: tuple[str, ...]) -> Brake | None:
    query = select(brakes).where(brakes.c.tenant == tenant, brakes.c.scope.in_(scopes))
    row = connection.execute(query.where(brakes.c.released_at.is_(None)).order_by(brakes.c.pulled_at)).first()
    return Brake(**row._mapping) if row else None


def _one(connection: Connection, brake_id: str) -> Brake:
    return Brake(**connection.execute(select(brakes).where(brakes.c.brake_id == brake_id)).one()._mapping)


def _tell(transaction: Transaction, tenant: str, kind: str, brake: Brake, by: str, why: str) -> None:
    facts = {"by": by, "why": why, "scope": brake.scope or "*", "automatic": brake.automatic}
    event = Event(kind=kind, subject=brake.brake_id, batch=brake.scope, facts=facts)
    publish(transaction.connection, tenant, transaction.at, event)


def _lock(connection: Connection, tenant: str, *, alone: bool) -> None:
    """Effects share the lock, a pull waits for those under way. SQLite has one writer at a time and needs none."""
    if connection.dialect.name == "postgresql":
        lock = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        key = {"key": zlib.crc32(f"brake:{tenant}".encode("utf-8", "surrogatepass"))}
        connection.execute(text(f"SELECT {lock}(:key)"), key)
