"""One made-up invoice, before it is written in any form."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_UNITS = ("", "拾", "佰", "仟")


@dataclass(frozen=True)
class Item:
    """One line: net amount, rate in percent ("13", "免税" or "***")."""

    name: str
    net: Decimal
    rate: str = "13"
    quantity: str = "1"
    specification: str = ""
    unit: str = "项"

    @property
    def price(self) -> Decimal:
        """Of one unit."""
        return self.net / Decimal(self.quantity)

    @property
    def tax(self) -> Decimal:
        """Rounded half up to the cent; 0 for tax-free."""
        return cents(self.net * Decimal(self.rate) / 100) if self.rate.isdigit() else Decimal("0.00")

    @property
    def tax_text(self) -> str:
        """As printed: `***` for tax-free."""
        return f"{self.tax:.2f}" if self.rate.isdigit() else "***"


@dataclass(frozen=True)
class Sample:
    """The invoice; amounts follow from its items unless `stated_total` makes it wrong on purpose."""

    number: str
    day: date
    seller: str
    seller_tax_id: str
    buyer: str
    buyer_tax_id: str
    items: tuple[Item, ...]
    code: str = ""
    currency: str = "CNY"
    remark: str = ""
    stated_total: Decimal | None = None

    @property
    def net(self) -> Decimal:
        """The items' sum."""
        return sum((item.net for item in self.items), Decimal("0.00"))

    @property
    def tax(self) -> Decimal:
        """The items' taxes' sum."""
        return sum((item.tax for item in self.items), Decimal("0.00"))

    @property
    def total(self) -> Decimal:
        """Net plus tax, or what it states wrongly."""
        return self.net + self.tax if self.stated_total is None else self.stated_total

    @property
    def tax_text(self) -> str:
        """As printed: `***` where all is tax-free."""
        return f"{self.tax:.2f}" if any(item.rate.isdigit() for item in self.items) else "***"

    @property
    def chinese_day(self) -> str:
        """2025年03月08日."""
        return f"{self.day:%Y}年{self.day:%m}月{self.day:%d}日"

    def truth(self, *left_out: str) -> dict[str, str]:
        """What a reader must get from any form of it, without the fields that a form can't state."""
        fields = {
            "seller": self.seller,
            "seller_tax_id": self.seller_tax_id,
            "buyer": self.buyer,
            "buyer_tax_id": self.buyer_tax_id,
            "code": self.code,
            "number": self.number,
            "date": self.day.isoformat(),
            "currency": self.currency,
            "net": f"{self.net:.2f}",
            "tax": f"{self.tax:.2f}",
            "total": f"{self.total:.2f}",
        }
        return {name: value for name, value in fields.items() if value and name not in left_out}


def cents(amount: Decimal) -> Decimal:
    """Rounded half up to the cent."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def capitals(amount: Decimal) -> str:
    """An amount below 100 million in capital numerals: 壹佰玖拾元零壹角玖分."""
    sign = "（负数）" if amount < 0 else ""
    whole, fraction = divmod(int(abs(amount) * 100), 100)
    words = _whole(whole) + "圆" if whole else ""
    jiao, fen = divmod(fraction, 10)
    if not fraction:
        return f"{sign}{words or '零圆'}整"
    words += f"{_DIGITS[jiao]}角" if jiao else ("零" if words else "")
    return f"{sign}{words}{_DIGITS[fen]}分" if fen else f"{sign}{words}整"


def _whole(number: int) -> str:
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        gap = "零" if low and low < 1000 else ""
        return f"{_whole(high)}万{gap}{_whole(low) if low else ''}"
    text, zero = "", False
    for place in range(3, -1, -1):
        digit = number // 10**place % 10
        if digit:
            text += ("零" if zero and text else "") + _DIGITS[digit] + _UNITS[place]
        zero = digit == 0
    return text
