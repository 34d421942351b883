"""What earlier invoices say: the port that rules ask, and an adapter that holds them in memory.

A history knows the invoices that count: booked, waiting or held. Rejected, reversed and unreadable ones and duplicates
are not in it. Every query leaves out the invoice that is being examined, so that an edited record can be examined
again. Amounts are signed totals in the policy's currency; days are invoice dates.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Protocol

from invoices.identity import normal_id
from invoices.names import normal_name
from invoices.policy import Policy
from invoices.record import Invoice

_NOTHING = Decimal(0)
_IN_REMARK = re.compile(r"(?:对应|被红冲|原)[^0-9]{0,12}?([0-9]{20}|[0-9]{8})(?![0-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Under which claim an invoice was handed in; what the submitter did not say is empty."""

    submitter: str = ""
    claim_id: str = ""
    trip: str = ""
    category: str = ""
    cost_centre: str = ""
    people: tuple[str, ...] = ()
    """Who travelled or took part, the submitter included."""
    trip_start: date | None = None
    trip_end: date | None = None


NO_CLAIM = Claim()


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One earlier invoice, as far as rules look at it."""

    invoice_id: str
    batch: str = ""
    file: str = ""
    seller_key: str = ""
    seller: str = ""
    seller_tax_id: str = ""
    buyer_tax_id: str = ""
    code: str = ""
    number: str = ""
    day: date | None = None
    total: Decimal | None = None
    account: str = ""
    original_number: str = ""
    """The number of the invoice that this one takes back (a red letter or a credit note)."""
    submitter: str = ""
    trip: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Which invoices a sum goes over: all that fit every part given."""

    person: str | None = None
    trip: str | None = None
    category: str | None = None
    since: date | None = None
    until: date | None = None

    def covers(self, past: Past) -> bool:
        """Whether this invoice belongs to the sum."""
        if self.since or self.until:
            within = past.day is not None and (self.since or past.day) <= past.day <= (self.until or past.day)
        else:
            within = True
        return (
            within
            and self.person in {None, past.submitter}
            and self.trip in {None, past.trip}
            and self.category in {None, past.category}
        )


class History(Protocol):
    """What rules may ask about earlier invoices.

    Each answer needs one look into an index, however many there are; an iterable is read only as far as it is needed.
    """

    def same_amount(self, seller_key: str, total: Decimal, since: date, until: date, *, without: str) -> Iterable[Past]:
        """Invoices of this seller with this signed total, dated within both days, inclusive."""

    def same_seller(self, seller_key: str, submitter: str, since: date, until: date, *, without: str) -> Iterable[Past]:
        """Invoices of this seller that this person handed in, dated within both days, inclusive."""

    def by_numbers(self, numbers: Collection[str], *, without: str) -> Sequence[Past]:
        """Invoices with one of these numbers (in normal form), whoever the seller is."""

    def reversals(self, number: str, *, without: str) -> Sequence[Past]:
        """Invoices that say they take back this number."""

    def spent(self, spending: Spending, *, without: str) -> Decimal:
        """The sum over the invoices that fit all that `spending` gives."""

    def accounts(self, seller_key: str, *, without: str) -> frozenset[str]:
        """The bank accounts (IBANs) that this seller's invoices named."""

    def names(self, tax_id: str, *, without: str) -> frozenset[str]:
        """The seller names that invoices printed beside this tax id."""

    def tax_ids(self, name: str, *, without: str) -> frozenset[str]:
        """The seller tax ids that invoices printed beside this name (in normal form)."""


def seller_key(invoice: Invoice) -> str:
    """Who the seller is: the tax id in normal form, else the name in normal form, "" where neither is stated."""
    return normal_id(invoice.text("seller_tax_id")) or normal_name(invoice.text("seller"))


def original_number(invoice: Invoice) -> str:
    """The number of the invoice that a red letter takes back: from its field, else from the remark, "" for none."""
    stated = normal_id(invoice.text("original_number"))
    found = None if stated else _IN_REMARK.search(invoice.text("remark"))
    return found[1] if found else stated


def past_of(
    invoice: Invoice, policy: Policy, *, invoice_id: str, batch: str = "", file: str = "", claim: Claim | None = None
) -> Past:
    """The invoice as later ones will see it."""
    total = invoice.signed_total
    stated = normal_id(invoice.text("original_number"))
    claim = claim or Claim()
    return Past(
        invoice_id=invoice_id,
        batch=batch,
        file=file,
        seller_key=seller_key(invoice),
        seller=invoice.text("seller"),
        seller_tax_id=normal_id(invoice.text("seller_tax_id")),
        buyer_tax_id=normal_id(invoice.text("buyer_tax_id")),
        code=invoice.text("code"),
        number=normal_id(invoice.text("number")),
        day=invoice.day(),
        total=None if total is None else policy.worth(total, invoice.text("currency")),
        account=normal_id(invoice.text("seller_account")),
        original_number=original_number(invoice) if total is not None and total < 0 else stated,
        submitter=claim.submitter,
        trip=claim.trip,
        category=claim.category,
    )


_Days = dict[date, list[Past]]
_SumKey = tuple[str, str, str | None, date | None]
"""Whether over a person or a trip, which one, the category (None: all) and the day (None: all)."""


class MemoryHistory:
    """A history in memory: for tests, and for what a chunk has seen before it reaches the ledger."""

    def __init__(self, entries: Iterable[Past] = ()) -> None:
        self._entries: dict[str, Past] = {}
        self._amounts: dict[tuple[str, Decimal | None], _Days] = defaultdict(lambda: defaultdict(list))
        self._sellers: dict[tuple[str, str], _Days] = defaultdict(lambda: defaultdict(list))
        self._numbers: dict[str, list[Past]] = defaultdict(list)
        self._reversals: dict[str, list[Past]] = defaultdict(list)
        self._sums: dict[_SumKey, Decimal] = defaultdict(Decimal)
        self._accounts: dict[str, Counter[str]] = defaultdict(Counter)
        self._names: dict[str, Counter[str]] = defaultdict(Counter)
        self._tax_ids: dict[str, Counter[str]] = defaultdict(Counter)
        for entry in entries:
            self.add(entry)

    def add(self, entry: Past) -> None:
        """Let later questions see this invoice."""
        self._entries[entry.invoice_id] = entry
        self._numbers[entry.number].append(entry)
        self._reversals[entry.original_number].append(entry)
        self._accounts[entry.seller_key][entry.account] += 1
        self._names[entry.seller_tax_id][entry.seller] += 1
        self._tax_ids[normal_name(entry.seller)][entry.seller_tax_id] += 1
        if entry.day:
            self._sellers[entry.seller_key, entry.submitter][entry.day].append(entry)
            self._amounts[entry.seller_key, entry.total][entry.day].append(entry)
        for key in _sum_keys(entry):
            self._sums[key] += entry.total or _NOTHING

    def same_amount(self, seller_key: str, total: Decimal, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        return _within(self._amounts.get((seller_key, total)), since, until, without)

    def same_seller(self, seller_key: str, submitter: str, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        return _within(self._sellers.get((seller_key, submitter)), since, until, without)

    def by_numbers(self, numbers: Collection[str], *, without: str) -> Sequence[Past]:
        """See History."""
        return [past for number in numbers for past in self._numbers.get(number, ()) if past.invoice_id != without]

    def reversals(self, number: str, *, without: str) -> Sequence[Past]:
        """See History."""
        return [past for past in self._reversals.get(number, ()) if past.invoice_id != without]

    def spent(self, spending: Spending, *, without: str) -> Decimal:
        """See History."""
        keys = _keys_of(spending)
        if keys is None:
            fitting = (past for past in self._entries.values() if past.invoice_id != without and spending.covers(past))
            return sum((past.total or _NOTHING for past in fitting), _NOTHING)
        excluded = self._entries.get(without)
        own = excluded.total or _NOTHING if excluded and spending.covers(excluded) else _NOTHING
        return sum((self._sums[key] for key in keys if key in self._sums), _NOTHING) - own

    def accounts(self, seller_key: str, *, without: str) -> frozenset[str]:
        """See History."""
        excluded = self._entries.get(without)
        same = excluded is not None and excluded.seller_key == seller_key
        return _known(self._accounts.get(seller_key), excluded.account if excluded and same else None)

    def names(self, tax_id: str, *, without: str) -> frozenset[str]:
        """See History."""
        excluded = self._entries.get(without)
        same = excluded is not None and excluded.seller_tax_id == tax_id
        return _known(self._names.get(tax_id), excluded.seller if excluded and same else None)

    def tax_ids(self, name: str, *, without: str) -> frozenset[str]:
        """See History."""
        excluded = self._entries.get(without)
        same = excluded is not None and normal_name(excluded.seller) == name
        return _known(self._tax_ids.get(name), excluded.seller_tax_id if excluded and same else None)


def _within(days: _Days | None, since: date, until: date, without: str) -> Iterator[Past]:
    """The entries of these days, one by one: whoever asks stops when they have seen enough."""
    if not days:
        return
    for day in _days(since, until) if len(days) > (until - since).days else sorted(days):
        if since <= day <= until:
            yield from (past for past in days.get(day, ()) if past.invoice_id != without)


def _days(since: date, until: date) -> Iterator[date]:
    return (since + timedelta(days=offset) for offset in range((until - since).days + 1))


def _sum_keys(entry: Past) -> Iterator[_SumKey]:
    for category in {None, entry.category}:
        yield "trip", entry.trip, category, None
        yield "person", entry.submitter, category, None
        if entry.day:
            yield "person", entry.submitter, category, entry.day


def _keys_of(spending: Spending) -> list[_SumKey] | None:
    """The running sums that answer this question, None where only a look at every invoice does."""
    if spending.trip is not None and spending.person is None and not (spending.since or spending.until):
        return [("trip", spending.trip, spending.category, None)]
    if spending.person is None or spending.trip is not None:
        return None
    if spending.since and spending.until:
        days = _days(spending.since, spending.until)
        return [("person", spending.person, spending.category, day) for day in days]
    return None if spending.since or spending.until else [("person", spending.person, spending.category, None)]


def _known(counts: Counter[str] | None, excluded: str | None) -> frozenset[str]:
    found = counts.items() if counts else ()
    return frozenset(value for value, count in found if value and count > (value == excluded))


class Together:
    """Several histories as one: the ledger's, and what this chunk has seen. No invoice stands in two of them."""

    def __init__(self, *histories: History) -> None:
        self._histories = histories

    def same_amount(self, seller_key: str, total: Decimal, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        for part in self._histories:
            yield from part.same_amount(seller_key, total, since, until, without=without)

    def same_seller(self, seller_key: str, submitter: str, since: date, until: date, *, without: str) -> Iterable[Past]:
        """See History."""
        for part in self._histories:
            yield from part.same_seller(seller_key, submitter, since, until, without=without)

    def by_numbers(self, numbers: Collection[str], *, without: str) -> Sequence[Past]:
        """See History."""
        return [past for part in self._histories for past in part.by_numbers(numbers, without=without)]

    def reversals(self, number: str, *, without: str) -> Sequence[Past]:
        """See History."""
        return [past for part in self._histories for past in part.reversals(number, without=without)]

    def spent(self, spending: Spending, *, without: str) -> Decimal:
        """See History."""
        return sum((part.spent(spending, without=without) for part in self._histories), _NOTHING)

    def accounts(self, seller_key: str, *, without: str) -> frozenset[str]:
        """See History."""
        return frozenset().union(*(part.accounts(seller_key, without=without) for part in self._histories))

    def names(self, tax_id: str, *, without: str) -> frozenset[str]:
        """See History."""
        return frozenset().union(*(part.names(tax_id, without=without) for part in self._histories))

    def tax_ids(self, name: str, *, without: str) -> frozenset[str]:
        """See History."""
        return frozenset().union(*(part.tax_ids(name, without=without) for part in self._histories))
