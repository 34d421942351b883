"""Capital numerals: all printed forms are read, and what is written is read back."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from invoices.capitals import parse_capitals, write_capitals
from invoices.money import cents, money_text, parse_money

amounts = st.decimals(min_value=Decimal("-999999999999.99"), max_value=Decimal("999999999999.99"), places=2)

PRINTED = {
    "壹佰玖拾元零壹角玖分": "190.19",
    "壹佰圆零伍分": "100.05",
    "壹佰元零伍分": "100.05",
    "伍角": "0.50",
    "伍分": "0.05",
    "（负数）壹佰圆整": "-100",
    "(负数)壹佰圆整": "-100",
    "负壹佰元正": "-100",
    "玖仟陆佰陆拾伍圆壹角捌分": "9665.18",
    "壹拾万零叁仟肆佰伍拾叁圆整": "103453",
    "拾万圆整": "100000",
    "壹亿零壹圆整": "100000001",
    "壹万零伍拾元整": "10050",
    "零圆整": "0",
    "⊗ 贰佰壹拾贰圆整": "212",
    "人民币叁仟零伍圆叁角正": "3005.30",
    "壹佰圓": "100",
}


@pytest.mark.parametrize(("text", "amount"), PRINTED.items())
def test_every_printed_form_is_read(text: str, amount: str) -> None:
    assert parse_capitals(text) == Decimal(amount)


@given(amounts)
def test_what_is_written_is_read_back(amount: Decimal) -> None:
    assert parse_capitals(write_capitals(amount)) == amount


@pytest.mark.parametrize("text", ["", "整", "壹", "壹壹圆", "拾佰圆", "壹佰圆圆", "壹百abc圆", "100圆", "圆"])
def test_what_states_no_amount_is_not_guessed_at(text: str) -> None:
    assert parse_capitals(text) is None


@pytest.mark.parametrize("amount", ["0.001", "1000000000000", "-1000000000000.00"])
def test_what_has_no_writing_is_refused(amount: str) -> None:
    with pytest.raises(ValueError, match="no writing"):
        write_capitals(Decimal(amount))


@given(amounts)
def test_money_text_states_the_same_amount(amount: Decimal) -> None:
    assert parse_money(money_text(amount)) == amount
    assert parse_money(f"￥{amount:,.2f}") == amount


@given(st.integers(-(10**9), 10**9))
def test_a_half_cent_is_rounded_away_from_zero(thousandths: int) -> None:
    amount = Decimal(thousandths) / 1000
    rounded = cents(amount)
    assert abs(rounded - amount) <= Decimal("0.005")
    if abs(rounded - amount) == Decimal("0.005"):
        assert abs(rounded) > abs(amount)
