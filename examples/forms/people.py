"""The made-up companies and a way to make invoices between them."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from examples.forms.ids import credit_code, digital_number, vat_id
from examples.forms.sample import Item, Sample

BUYER, BUYER_ID = "测试集团有限公司", credit_code(10_000_001)
SELLERS = (
    ("示例餐饮管理有限公司", credit_code(20_000_001)),
    ("示例办公用品商行", credit_code(20_000_002, "92")),
    ("示例软件技术（虚构）有限公司", credit_code(20_000_003)),
    ("示例物流股份有限公司北方分公司", credit_code(20_000_004)),
    ("示例高速公路有限公司", credit_code(20_000_005)),
)
DAY = date(2026, 3, 16)
EU_BUYER, EU_BUYER_ID = "Beispiel Handels GmbH", vat_id("DE", 21_000_001)
EU_SELLERS = {
    "en": ("Sample Tools Ltd", "GB123456789", "GBP"),
    "us": ("Example Supplies Inc.", "US12-3456789", "USD"),
    "de": ("Muster Werkzeug GmbH", vat_id("DE", 22_000_001), "EUR"),
    "fr": ("Exemple Outils SARL", vat_id("FR", 200_000_002), "EUR"),
    "nl": ("Voorbeeld Gereedschap B.V.", vat_id("NL", 20_000_003), "EUR"),
    "it": ("Esempio Utensili S.r.l.", vat_id("IT", 2_000_004), "EUR"),
    "es": ("Ejemplo Herramientas S.L.", vat_id("ES", 2_000_005), "EUR"),
}


@dataclass
class Numbers:
    """Counts up, so that no two made invoices share a number unless they mean to."""

    next: int = 1

    def take(self) -> int:
        """The next serial."""
        self.next += 1
        return self.next - 1


def day_of(serial: int) -> date:
    """A day for this serial, so that samples don't all look like one invoice handed in again."""
    return DAY + timedelta(days=serial * 7 % 40)


def net_of(serial: int, base: str = "200.00") -> str:
    """A net amount for this serial."""
    return f"{Decimal(base) + Decimal('1.37') * (serial % 400):.2f}"


def item(name: str = "*餐饮服务*餐费", net: str = "200.00", rate: str = "6", **more: str) -> Item:
    """A line."""
    return Item(name, Decimal(net), rate, **more)


def digital(serial: int, *items: Item, seller: int = 0, day: date | None = None, **more: object) -> Sample:
    """A digital invoice (20-digit number, no code)."""
    name, tax_id = SELLERS[seller]
    lines = items or (item(net=net_of(serial)),)
    day = day or day_of(serial)
    return Sample(digital_number(day.year, serial), day, name, tax_id, BUYER, BUYER_ID, lines, **more)  # type: ignore[arg-type]


def older(serial: int, *items: Item, seller: int = 0, code: str = "099002600111", **more: object) -> Sample:
    """An older electronic invoice (12-digit code, 8-digit number)."""
    name, tax_id = SELLERS[seller]
    lines = items or (item(net=net_of(serial)),)
    return Sample(f"{serial:08d}", day_of(serial), name, tax_id, BUYER, BUYER_ID, lines, code=code, **more)  # type: ignore[arg-type]


def european(serial: int, language: str = "de", rate: str = "19", net: str = "", **more: object) -> Sample:
    """An invoice to the European buyer."""
    name, tax_id, currency = EU_SELLERS[language]
    lines = (Item("Hammer", Decimal(net or net_of(serial, "1200.00")), rate),)
    number = f"R-2026-{serial:04d}"
    return Sample(number, day_of(serial), name, tax_id, EU_BUYER, EU_BUYER_ID, lines, currency=currency, **more)  # type: ignore[arg-type]
