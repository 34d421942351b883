"""Whose memory it is. Every function that touches rows takes a scope (or several) first; there is no "all users"."""

from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import ColumnElement, or_

from foundation.errors import UsageError

ScopeKind = Literal["user", "tenant"]

_LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Scope:
    """A pool of memory: one person's, or what a tenant (company) knows; optionally narrowed by a topic.

    Ids are compared letter by letter: `u_1` is not `u_10`, `U1` is not `u1`, and `*` or `%` are ordinary characters.
    """

    kind: ScopeKind
    tenant_id: str
    user_id: str = ""
    topic: str | None = None
    """A project or theme inside the pool; None means the whole pool."""

    def __post_init__(self) -> None:
        _require(self.tenant_id, "tenant")
        if self.kind == "user":
            _require(self.user_id, "user")
        elif self.user_id:
            raise UsageError("a tenant's pool has no user: use Scope.user(tenant, user)")
        if self.topic is not None:
            _require(self.topic, "topic")

    @classmethod
    def user(cls, tenant: str, user: str, topic: str | None = None) -> "Scope":
        """The pool of one person."""
        return cls("user", tenant, user, topic)

    @classmethod
    def tenant(cls, tenant: str, topic: str | None = None) -> "Scope":
        """What the company knows: decisions, domain knowledge."""
        return cls("tenant", tenant, "", topic)

    @property
    def pool(self) -> str:
        """The key that rows of this pool carry: unambiguous, whatever characters the ids hold."""
        return f"{self.kind}:{len(self.tenant_id)}:{self.tenant_id}:{self.user_id}"

    @classmethod
    def of_pool(cls, pool: str) -> "Scope":
        """The scope whose pool this is.

        Raises:
            UsageError: it is no pool of a person or a tenant.
        """
        kind, _, rest = pool.partition(":")
        length, _, ids = rest.partition(":")
        size = int(length) if length.isdigit() else -1
        if kind not in ("user", "tenant") or size < 0 or ids[size : size + 1] != ":":
            raise UsageError(f"{pool!r} is no pool of a person or a tenant")
        return cls("user" if kind == "user" else "tenant", ids[:size], ids[size + 1 :])

    def about(self, topic: str | None) -> "Scope":
        """The same pool, narrowed to a topic (or to none)."""
        return replace(self, topic=topic)


def pool_prefixes(pool: ColumnElement[str], tenant: str) -> ColumnElement[bool]:
    """A condition: the pool is one of this tenant's, his people's or its own. For upkeep only, which has no one scope.

    Raises:
        UsageError: no tenant is named.
    """
    return or_(*((pool >= start) & (pool < end) for start, end in prefix_ranges(tenant)))


def prefix_ranges(tenant: str) -> list[tuple[str, str]]:
    """Between which keys a tenant's pools lie, first included, last not: his people's, and his own.

    Raises:
        UsageError: no tenant is named.
    """
    _require(tenant, "tenant")
    starts = [f"{kind}:{len(tenant)}:{tenant}:" for kind in ("user", "tenant")]
    # A range, so that the index is used and no character is a pattern; ";" follows ":".
    return [(start, f"{start[:-1]};") for start in starts]


def _require(value: object, what: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"a scope needs a {what} id that is a non-empty text")
    if "\x00" in value:
        # PostgreSQL keeps no such text, and leaving the byte out would make two ids one.
        raise UsageError(f"a {what} id holds a zero byte: leave it out")
    if len(value) > _LONGEST_ID:
        raise UsageError(f"a {what} id has at most {_LONGEST_ID} characters")
