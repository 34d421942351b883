"""Passwords of local users, kept as Argon2id hashes; a person without one can't sign in by password."""

from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, select

from foundation.errors import UsageError
from foundation.journal import Transaction
from foundation.upserts import replace_row
from oversight.people import name_key
from remembrancer.inbox.tables import credentials

LEAST_LENGTH = 10
LONGEST = 200

_hasher = PasswordHasher()


def set_password(transaction: Transaction, tenant: str, person: str, password: str, *, by: str) -> None:
    """Give a person this password in place of any earlier one; who is signed in with the old one is signed out.

    Raises:
        UsageError: it is too short, too long, or the person's own name.
    """
    if not LEAST_LENGTH <= len(password) <= LONGEST:
        raise UsageError(f"a password has {LEAST_LENGTH} to {LONGEST} characters")
    if name_key(password) == name_key(person):
        raise UsageError("a password is something else than the name")
    key = {"tenant": tenant, "person": name_key(person)}
    row = key | {"password": _hasher.hash(password), "changed_at": transaction.at}
    replace_row(transaction.connection, credentials, row, key=list(key))
    transaction.log(tenant, by, "password set", person)


def drop_password(transaction: Transaction, tenant: str, person: str) -> None:
    """Take the password away; the person can't sign in by one any more."""
    mine = (credentials.c.tenant == tenant) & (credentials.c.person == name_key(person))
    transaction.connection.execute(delete(credentials).where(mine))


def password_fits(connection: Connection, tenant: str, person: str, password: str) -> bool:
    """Whether this is the person's password; takes as long for somebody who doesn't exist."""
    kept = _kept(connection, tenant, person)
    try:
        return _hasher.verify(kept or _nobodys(), password[:LONGEST]) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def mark_of(connection: Connection, tenant: str, person: str) -> str:
    """What a session carries of the password: another password has another mark, so the session ends with it."""
    kept = _kept(connection, tenant, person)
    return kept[-12:] if kept else ""


def _kept(connection: Connection, tenant: str, person: str) -> str | None:
    query = select(credentials.c.password).where(
        credentials.c.tenant == tenant, credentials.c.person == name_key(person)
    )
    return connection.execute(query).scalar_one_or_none()


@lru_cache(maxsize=1)
def _nobodys() -> str:
    return _hasher.hash("nobody has this password")
