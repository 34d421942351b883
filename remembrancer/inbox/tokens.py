"""API tokens for scripts: shown once, kept as a hash, valid until they expire or are revoked."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, Row, select, update

from foundation.clock import utc_now
from foundation.errors import NotFoundError, UsageError
from foundation.ids import new_id
from foundation.journal import Transaction
from oversight.people import Person, find_person, same_person
from remembrancer.inbox.tables import api_tokens

PREFIX = "rmb_"
_LETTERS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """One token, as far as it may be shown: whose, for what, until when. The secret itself isn't kept."""

    token_id: str
    person: str
    label: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


def add_token(
    transaction: Transaction, tenant: str, person: str, *, label: str = "", days: int | None = None, by: str
) -> tuple[ApiToken, str]:
    """A new token for a person, and its secret, which nobody can be shown again.

    Raises:
        NotFoundError: this tenant has no such person.
        UsageError: `days` is no positive number.
    """
    find_person(transaction.connection, tenant, person)
    if days is not None and days < 1:
        raise UsageError("a token lives for at least one day")
    secret = PREFIX + secrets.token_urlsafe(_LETTERS)
    token = ApiToken(
        token_id=new_id("tok"),
        person=person,
        label=label,
        created_at=transaction.at,
        expires_at=transaction.at + timedelta(days=days) if days else None,
        revoked_at=None,
    )
    row = {name: getattr(token, name) for name in ApiToken.__slots__}
    transaction.connection.execute(api_tokens.insert(), {**row, "tenant": tenant, "digest": _digest(secret)})
    transaction.log(tenant, by, "token added", token.token_id, person=person, label=label)
    return token, secret


def list_tokens(connection: Connection, tenant: str) -> list[ApiToken]:
    """The tenant's tokens, newest first, revoked ones too."""
    query = select(api_tokens).where(api_tokens.c.tenant == tenant)
    return [_token(row) for row in connection.execute(query.order_by(api_tokens.c.created_at.desc()))]


def revoke_token(transaction: Transaction, tenant: str, token_id: str, *, by: str) -> None:
    """End a token at once.

    Raises:
        NotFoundError: this tenant has no such token, or it was revoked before.
    """
    standing = (api_tokens.c.tenant == tenant) & (api_tokens.c.token_id == token_id)
    ended = transaction.connection.execute(
        update(api_tokens).where(standing, api_tokens.c.revoked_at.is_(None)).values(revoked_at=transaction.at)
    )
    if ended.rowcount == 0:
        raise NotFoundError(f"there is no token {token_id} in force: `remembrancer tokens list` shows them")
    transaction.log(tenant, by, "token revoked", token_id)


def revoke_all(transaction: Transaction, tenant: str, person: str, *, by: str) -> None:
    """End all tokens of a person: one that comes back later begins without any."""
    for token in list_tokens(transaction.connection, tenant):
        if token.revoked_at is None and same_person(token.person, person):
            revoke_token(transaction, tenant, token.token_id, by=by)


def find_token(connection: Connection, tenant: str, token_id: str) -> ApiToken:
    """The tenant's token of this id, as far as it may be shown.

    Raises:
        NotFoundError: there is none.
    """
    query = select(api_tokens).where(api_tokens.c.tenant == tenant, api_tokens.c.token_id == token_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no token {token_id} in force: `remembrancer tokens list` shows them")
    return _token(row)


def identify(
    connection: Connection, token: str, *, tenant: str | None = None, now: datetime | None = None
) -> Person | None:
    """Whose token this is; None for one that is unknown, expired, revoked or of a person who was removed.

    With `tenant`, tokens of other tenants are unknown, too.
    """
    query = select(api_tokens).where(api_tokens.c.digest == _digest(token), api_tokens.c.revoked_at.is_(None))
    row = connection.execute(query).one_or_none()
    if row is None or tenant not in {None, row.tenant}:
        return None
    if row.expires_at is not None and row.expires_at <= (now or utc_now()):
        return None
    try:
        return find_person(connection, row.tenant, row.person)
    except NotFoundError:
        return None


def _digest(secret: str) -> str:
    """A plain hash is enough: the secret is random, there is nothing to guess."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _token(row: Row[tuple[object, ...]]) -> ApiToken:
    return ApiToken(**{name: row._mapping[name] for name in ApiToken.__slots__})
