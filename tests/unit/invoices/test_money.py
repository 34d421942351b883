from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from invoices.money import cents, money_text, parse_money

amounts = st.decimals(min_value=-(10**14), max_value=10**14, places=2)


@given(amounts)
def test_an_amount_survives_text(amount: Decimal):
    assert parse_money(money_text(amount)) == amount


@given(amounts)
def test_an_amount_survives_grouping(amount: Decimal):
    assert parse_money(f"￥{amount:,.2f}") == amount


@pytest.mark.parametrize(
    ("text", "amount"), [("***", "0.00"), ("免税", "0.00"), ("１２．５０", "12.50"), ("-8.79", "-8.79")]
)
def test_what_invoices_print_is_read(text: str, amount: str):
    assert parse_money(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "abc", "1,23", "1.2.3", "1e9", "NaN", "Infinity", "1" * 40])
def test_what_is_no_amount_is_never_guessed(text: str):
    assert parse_money(text) is None


def test_half_a_cent_is_rounded_up_as_invoices_do():
    assert cents(Decimal("34700.045")) == Decimal("34700.05")
    assert cents(Decimal("-0.005")) == Decimal("-0.01")
