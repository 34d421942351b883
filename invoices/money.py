"""Amounts of money: `Decimal` inside, text at every border, never a float."""

import re
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache

CENT = Decimal("0.01")
_WIDE = Context(prec=100)
"""Wide enough for the product of any two amounts that `parse_money` reads."""
_SHAPE = re.compile(r"[+-]?(\d{1,16}(\.\d{1,12})?|\.\d{1,12})")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(\D|$))")
_DECORATION = re.compile(r"[\s\u00a0\u202f'¥￥€$£]|CNY|RMB|EUR|USD|元")
_MEANS_ZERO = frozenset({"***", "*", "免税", "不征税", "普通零税率"})


@lru_cache(maxsize=8192)
def parse_money(text: str) -> Decimal | None:
    """The amount that `text` states ("1,234.50", "￥-12.00", "***" for tax-free), or None when it states none.

    A comma is read as a thousands separator only where three digits follow; a lone decimal comma is not guessed at.
    """
    plain = _DECORATION.sub("", text.translate(_FULL_WIDTH))
    if plain in _MEANS_ZERO:
        return Decimal("0.00")
    plain = _GROUPED.sub("", plain)
    if not _SHAPE.fullmatch(plain):
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}


def cents(amount: Decimal) -> Decimal:
    """`amount` rounded half up to the cent, as invoices round (not to even)."""
    return amount.quantize(CENT, ROUND_HALF_UP, _WIDE)


def money_text(amount: Decimal) -> str:
    """The amount as text with at least two decimals and no exponent."""
    return f"{amount:f}" if -int(amount.as_tuple().exponent) > 2 else f"{amount:.2f}"
