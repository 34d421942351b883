"""What rules ask about earlier invoices, answered from the ledger.

A step asks for all its invoices at once: what has their numbers or amounts is read in a few queries, and what grows
with a seller's invoices (names, ids, accounts) is kept counted, so that an answer costs the same after a million.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, Row, Select, and_, bindparam, delete, func, select

from foundation.sequences import chunks
from foundation.upserts import add_up_many
from invoices.checks.patterns import neighbours
from invoices.history import MemoryHistory, Past, Spending, past_of
from invoices.money import cents
from invoices.names import normal_name
from invoices.policy import Policy
from invoices.record import Invoice
from invoices.tables import past_invoices, sellers_seen

_MANY = 500
_HUNDRED = 100
_Known = Mapping[str, Counter[str]]


_SAME_SELLER = (
    select(past_invoices)
    .where(
        past_invoices.c.tenant == bindparam("tenant"),
        past_invoices.c.seller_key == bindparam("seller_key"),
        past_invoices.c.submitter == bindparam("submitter"),
        past_invoices.c.day.between(bindparam("since"), bindparam("until")),
        past_invoices.c.invoice_id != bindparam("without"),
    )
    .order_by(past_invoices.c.day)
)
"""Asked for every invoice that names a submitter, so built once."""

_OF_TENANT = select(past_invoices).where(past_invoices.c.tenant == bindparam("tenant"))
_SOME: BindParameter[str] = bindparam("some", expanding=True)
_BY_NUMBER = _OF_TENANT.where(past_invoices.c.number.in_(_SOME))
_BY_ORIGINAL = _OF_TENANT.where(past_invoices.c.original_number.in_(_SOME))
_BY_AMOUNT = _OF_TENANT.where(
    past_invoices.c.seller_key.in_(_SOME), past_invoices.c.cents.in_(bindparam("amounts", expanding=True))
)
_SEEN = select(sellers_seen.c.key, sellers_seen.c.value, sellers_seen.c.times).where(
    sellers_seen.c.tenant == bindparam("tenant"),
    sellers_seen.c.kind == bindparam("kind"),
    sellers_seen.c.key.in_(_SOME),
    sellers_seen.c.times > 0,
)
"""Asked in every step with hundreds of values, so built once."""


class LedgerHistory:
    """The ledger's history as these invoices need it; see `invoices.history.History`."""

    def __init__(self, connection: Connection, tenant: str, policy: Policy, invoices: Sequence[Invoice]) -> None:
        """Read what the rules will ask about these invoices."""
        self._connection = connection
        self._tenant = tenant
        asked = [past_of(invoice, policy, invoice_id="") for invoice in invoices]
        self._alike = MemoryHistory(self._read(asked))
        self._accounts = self._seen("account", {past.seller_key for past in asked})
        self._names = self._seen("name", {past.seller_tax_id for past in asked})
        self._tax_ids = self._seen("tax_id", {normal_name(past.seller) for past in asked})
        self._own: dict[str, Past | None] = {}

    def same_amount(self, seller_key: str, total: Decimal, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        return self._alike.same_amount(seller_key, cents(total), since, until, without=without)

    def same_seller(self, seller_key: str, submitter: str, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        wanted = {"tenant": self._tenant, "seller_key": seller_key, "submitter": submitter}
        rows = self._connection.execute(_SAME_SELLER, {**wanted, "since": since, "until": until, "without": without})
        return (_past(row) for row in rows)

    def by_numbers(self, numbers: Collection[str], *, without: str) -> Sequence[Past]:
        """See History."""
        return self._alike.by_numbers(numbers, without=without)

    def reversals(self, number: str, *, without: str) -> Sequence[Past]:
        """See History."""
        return self._alike.reversals(number, without=without)

    def spent(self, spending: Spending, *, without: str) -> Decimal:
        """See History."""
        t = past_invoices.c
        parts: list[ColumnElement[bool]] = [t.tenant == self._tenant, t.invoice_id != without]
        given = ((t.submitter, spending.person), (t.trip, spending.trip), (t.category, spending.category))
        parts += [column == value for column, value in given if value is not None]
        parts += [t.day >= spending.since] if spending.since else []
        parts += [t.day <= spending.until] if spending.until else []
        total = self._connection.execute(select(func.coalesce(func.sum(t.cents), 0)).where(and_(*parts))).scalar_one()
        return Decimal(total) / _HUNDRED

    def accounts(self, seller_key: str, *, without: str) -> frozenset[str]:
        """See History."""
        own = self._excluded(without)
        return _others(self._accounts, seller_key, own.account if own and own.seller_key == seller_key else None)

    def names(self, tax_id: str, *, without: str) -> frozenset[str]:
        """See History."""
        own = self._excluded(without)
        return _others(self._names, tax_id, own.seller if own and own.seller_tax_id == tax_id else None)

    def tax_ids(self, name: str, *, without: str) -> frozenset[str]:
        """See History."""
        own = self._excluded(without)
        return _others(self._tax_ids, name, own.seller_tax_id if own and normal_name(own.seller) == name else None)

    def _read(self, asked: Sequence[Past]) -> Iterator[Past]:
        """Every past invoice with a number or an amount that the rules may ask for, each once."""
        numbers = {number for past in asked if past.number for number in (past.number, *neighbours(past.number))}
        originals = {past.original_number for past in asked if past.original_number}
        taken_back = {past.number for past in asked if past.number} | originals
        amounts = {(past.seller_key, _minor(past.total)) for past in asked if past.total is not None}
        asking: list[tuple[Select[Any], dict[str, Sequence[str | int]]]] = [
            (_BY_NUMBER, {"some": some}) for some in chunks(sorted(numbers | originals), _MANY)
        ]
        asking += [(_BY_ORIGINAL, {"some": some}) for some in chunks(sorted(taken_back), _MANY)]
        for some in chunks(sorted(amounts, key=str), _MANY):
            totals = {amount for _, amount in some}
            asking.append((_BY_AMOUNT, {"some": [key for key, _ in some], "amounts": list(totals)}))
        read: set[str] = set()
        for statement, asked_for in asking:
            for row in self._connection.execute(statement, {"tenant": self._tenant, **asked_for}):
                if row.invoice_id not in read:
                    read.add(row.invoice_id)
                    yield _past(row)

    def _select(self) -> Select[Any]:
        return select(past_invoices).where(past_invoices.c.tenant == self._tenant)

    def _seen(self, kind: str, keys: Collection[str]) -> _Known:
        """Key -> how often which value stood beside it."""
        found: dict[str, Counter[str]] = {}
        for some in chunks(sorted(keys), _MANY):
            wanted = {"tenant": self._tenant, "kind": kind, "some": some}
            for row in self._connection.execute(_SEEN, wanted):
                found.setdefault(row.key, Counter())[row.value] = row.times
        return found

    def _excluded(self, invoice_id: str) -> Past | None:
        """The invoice's own earlier row, so that it isn't held against itself."""
        if invoice_id and invoice_id not in self._own:
            row = self._connection.execute(self._select().where(past_invoices.c.invoice_id == invoice_id)).one_or_none()
            self._own[invoice_id] = _past(row) if row else None
        return self._own.get(invoice_id)


def remember(connection: Connection, tenant: str, pasts: Sequence[Past]) -> None:
    """Let later rules see these invoices."""
    if not pasts:
        return
    connection.execute(past_invoices.insert(), [_row(tenant, past) for past in pasts])
    _count(connection, tenant, Counter(pair for past in pasts for pair in _pairs(past)))


def withdraw(connection: Connection, tenant: str, invoice_ids: Sequence[str]) -> None:
    """Let later rules no longer see these invoices: rejected, reversed, duplicates, or about to be seen anew."""
    for some in chunks(invoice_ids, _MANY):
        mine = (past_invoices.c.tenant == tenant, past_invoices.c.invoice_id.in_(some))
        gone = [_past(row) for row in connection.execute(select(past_invoices).where(*mine))]
        connection.execute(delete(past_invoices).where(*mine))
        _count(connection, tenant, Counter(pair for past in gone for pair in _pairs(past)), sign=-1)


def _count(connection: Connection, tenant: str, pairs: Mapping[tuple[str, str, str], int], sign: int = 1) -> None:
    rows = [
        {"tenant": tenant, "kind": kind, "key": key, "value": value, "times": sign * number}
        for (kind, key, value), number in pairs.items()
    ]
    add_up_many(connection, sellers_seen, rows, key=["tenant", "kind", "key", "value"], column="times")


def _pairs(past: Past) -> Iterator[tuple[str, str, str]]:
    """What stood beside what: account, name and tax id of the seller."""
    if past.account:
        yield "account", past.seller_key, past.account
    if past.seller and past.seller_tax_id:
        yield "name", past.seller_tax_id, past.seller
        yield "tax_id", normal_name(past.seller), past.seller_tax_id


def _row(tenant: str, past: Past) -> dict[str, Any]:
    names = ("invoice_id", "batch", "file", "seller_key", "seller", "seller_tax_id", "buyer_tax_id", "code", "day")
    return {
        **{name: getattr(past, name) for name in names},
        "tenant": tenant,
        "number": past.number or None,
        "original_number": past.original_number or None,
        "cents": None if past.total is None else _minor(past.total),
        "account": past.account,
        "submitter": past.submitter or None,
        "trip": past.trip or None,
        "category": past.category,
    }


def _past(row: Row[Any]) -> Past:
    values = dict(row._mapping)
    values.pop("tenant")
    minor = values.pop("cents")
    texts = {name: values[name] or "" for name in ("number", "original_number", "submitter", "trip")}
    return Past(**{**values, **texts, "total": None if minor is None else Decimal(minor) / _HUNDRED})


def _minor(total: Decimal | None) -> int:
    return int(cents(total or Decimal(0)) * _HUNDRED)


def _others(known: _Known, key: str, own: str | None) -> frozenset[str]:
    counts = known.get(key, Counter())
    return frozenset(value for value, times in counts.items() if value and times > (value == own))


def sellers_of(connection: Connection, tenant: str, invoice_ids: Collection[str]) -> dict[str, str]:
    """Invoice -> its seller by name, for those of these ids that name one."""
    t = past_invoices.c
    found: dict[str, str] = {}
    for some in chunks(sorted(invoice_ids), _MANY):
        query = select(t.invoice_id, t.seller).where(t.tenant == tenant, t.invoice_id.in_(some), t.seller != "")
        found.update((row.invoice_id, row.seller) for row in connection.execute(query))
    return found
