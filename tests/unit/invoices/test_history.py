"""One conformance suite that every history must pass: alone, and put together from two."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal

import pytest

from invoices.history import Claim, History, MemoryHistory, Past, Spending, Together, past_of, seller_key
from tests.unit.invoices.pairs import POLICY, SELLER, cn, past, red

Make = Callable[[Sequence[Past]], History]


def _split(entries: Sequence[Past]) -> History:
    return Together(MemoryHistory(entries[::2]), MemoryHistory(entries[1::2]))


@pytest.fixture(params=[MemoryHistory, _split], ids=["memory", "together"])
def make(request: pytest.FixtureRequest) -> Make:
    return request.param  # type: ignore[no-any-return]


DAY = date(2026, 5, 6)


def test_an_empty_history_knows_nothing(make: Make) -> None:
    history = make([])
    assert history.by_numbers(["1"], without="") == []
    assert history.spent(Spending(), without="") == 0
    assert history.accounts(SELLER, without="") == frozenset()
    assert list(history.same_seller(SELLER, "lin", DAY, DAY, without="")) == []


def test_no_query_tells_about_the_invoice_that_is_examined(make: Make) -> None:
    history = make([past("this", account="A1", original_number="7", trip="t1")])
    assert list(history.same_amount(SELLER, Decimal("212.00"), DAY, DAY, without="this")) == []
    assert list(history.same_seller(SELLER, "lin", DAY, DAY, without="this")) == []
    assert history.by_numbers(["26991000000000000001"], without="this") == []
    assert history.reversals("7", without="this") == []
    assert history.spent(Spending(person="lin"), without="this") == 0
    assert history.accounts(SELLER, without="this") == frozenset()
    assert history.names(SELLER, without="this") == frozenset()
    assert history.tax_ids("乙方软件有限公司", without="this") == frozenset()


def test_another_invoice_with_the_same_value_still_counts(make: Make) -> None:
    history = make([past("this", account="A1"), past("other", account="A1")])
    assert history.accounts(SELLER, without="this") == {"A1"}
    assert history.names(SELLER, without="this") == {"乙方软件有限公司"}
    assert history.tax_ids("乙方软件有限公司", without="this") == {SELLER}


def test_a_window_includes_both_its_days_and_only_this_seller(make: Make) -> None:
    entries = [past(f"d{n}", day=date(2026, 5, n)) for n in range(1, 10)]
    entries += [past("x", seller_key="else", day=DAY), past("y", submitter="wu", day=DAY)]
    found = make(entries).same_seller(SELLER, "lin", date(2026, 5, 3), DAY, without="")
    assert {one.invoice_id for one in found} == {"d3", "d4", "d5", "d6"}


def test_the_same_amount_means_the_same_seller_total_and_days(make: Make) -> None:
    entries = [
        past("a"),
        past("b", total=Decimal("212.01")),
        past("c", day=date(2026, 5, 7)),
        past("d", seller_key="z"),
    ]
    assert [one.invoice_id for one in make(entries).same_amount(SELLER, Decimal(212), DAY, DAY, without="")] == ["a"]


@pytest.mark.parametrize(
    ("spending", "total"),
    [
        (Spending(), "15"),
        (Spending(person="lin"), "7"),
        (Spending(person="lin", category="meals"), "1"),
        (Spending(trip="t1"), "5"),
        (Spending(person="lin", since=date(2026, 5, 6), until=date(2026, 5, 6)), "3"),
        (Spending(person="lin", since=date(2026, 5, 1), until=date(2026, 5, 31)), "7"),
        (Spending(trip="t1", category="meals"), "1"),
        (Spending(person="nobody"), "0"),
    ],
)
def test_spending_adds_up_what_fits_every_part(make: Make, spending: Spending, total: str) -> None:
    entries = [
        past("a", total=Decimal(1), category="meals", trip="t1"),
        past("b", total=Decimal(2), category="lodging"),
        past("c", total=Decimal(4), day=date(2026, 5, 20), trip="t1"),
        past("d", total=Decimal(8), submitter="wu"),
    ]
    assert make(entries).spent(spending, without="") == Decimal(total)


def test_a_red_letter_is_found_by_the_number_it_takes_back(make: Make) -> None:
    history = make([past("red", original_number="26991000000000000123", total=Decimal(-5))])
    assert [one.invoice_id for one in history.reversals("26991000000000000123", without="")] == ["red"]


def test_an_invoice_is_remembered_with_its_signed_total_and_its_claim() -> None:
    claim = Claim(submitter="lin", trip="t1", category="meals")
    kept = past_of(red(), POLICY, invoice_id="i1", batch="b", file="f.xml", claim=claim)
    assert kept.total == Decimal("-212.00")
    assert (kept.submitter, kept.trip, kept.category) == ("lin", "t1", "meals")
    assert kept.original_number == "26991000000000000123"
    assert kept.seller_key == seller_key(red()) == SELLER
    assert past_of(cn(currency="EUR"), POLICY, invoice_id="i2").total == Decimal("1696.00")
