"""EN 16931, the rules of each VAT category: BR-S-nn, BR-Z-nn, ... made from one row a category."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from invoices.checks.en_model import BASIC_WL, FULL, NOTHING, Item, amount, in_category, items, level, parts_of
from invoices.checks.en_totals import beyond_slack, category_tax
from invoices.findings import Check, CheckFunction, Context, Outcome, Problem
from invoices.money import cents, money_text
from invoices.record import Invoice, TaxPart

_SLACK = Decimal(1)
_REGISTERED = ("seller_vat_id", "seller_tax_registration", "representative_vat_id")
_WITH_VAT_ID = ("seller_vat_id", "representative_vat_id")
_BUYER = ("buyer_vat_id", "buyer_register_id")

Rate = Literal["positive", "zero", "any", "none"]


@dataclass(frozen=True, slots=True)
class Category:
    """One VAT category: its letters in the rules' names, its code, and what it demands."""

    letters: str
    code: str
    name: str
    sellers: tuple[str, ...]
    """One of these must identify the seller; for "not subject to VAT" none may."""
    buyers: tuple[str, ...]
    rate: Rate
    by_rate: bool
    """Whether the breakdown has a row for each rate, and tax; else one row, and none."""
    reason: bool
    """Whether the breakdown must say why no tax is due; else it must not."""


CATEGORIES = (
    Category("S", "S", "Standard rated", _REGISTERED, (), "positive", by_rate=True, reason=False),
    Category("Z", "Z", "Zero rated", _REGISTERED, (), "zero", by_rate=False, reason=False),
    Category("E", "E", "Exempt from VAT", _REGISTERED, (), "zero", by_rate=False, reason=True),
    Category("AE", "AE", "Reverse charge", _REGISTERED, _BUYER, "zero", by_rate=False, reason=True),
    Category("IC", "K", "Intra-community supply", _WITH_VAT_ID, ("buyer_vat_id",), "zero", by_rate=False, reason=True),
    Category("G", "G", "Export outside the EU", _WITH_VAT_ID, (), "zero", by_rate=False, reason=True),
    Category("O", "O", "Not subject to VAT", (), (), "none", by_rate=False, reason=True),
    Category("AF", "L", "IGIC (Canary Islands)", _REGISTERED, (), "any", by_rate=True, reason=False),
    Category("AG", "M", "IPSI (Ceuta and Melilla)", _REGISTERED, (), "any", by_rate=True, reason=False),
)
"""The rule files name the last two families BR-AF (earlier BR-IG) and BR-AG (earlier BR-IP)."""

_KINDS = ("lines", "allowances", "charges")


def breakdown_row(category: Category) -> CheckFunction:
    """-01: a category that is used has its row in the breakdown; only where rates differ more than one."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        used, rows = bool(in_category(invoice, category.code)), len(parts_of(invoice, category.code))
        if level(invoice) < BASIC_WL or not (used or rows):
            return
        missing = used and rows == 0
        too_many = not category.by_rate and rows > 1
        unused = rows > 0 and not used and level(invoice) >= FULL and bool(list(items(invoice)))
        if missing or too_many or unused:
            yield Problem("taxes", str(rows), "1" if used else "0", {"name": category.name})

    return run


def identified(category: Category, kind: str) -> CheckFunction:
    """-02, -03, -04: seller (and buyer) carry the ids that the category needs; none at all outside VAT."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        if level(invoice) < BASIC_WL or not _of_kind(invoice, category, kind):
            return
        if category.code == "O":
            stated = [name for name in (*_WITH_VAT_ID, "buyer_vat_id") if invoice.text(name)]
            if stated:
                yield Problem(stated[0], invoice.text(stated[0]), "-", {"name": category.name})
            return
        for wanted in (category.sellers, category.buyers):
            if wanted and not any(invoice.text(name) for name in wanted):
                yield Problem(wanted[0], "-", ", ".join(wanted), {"name": category.name})

    return run


def rate_fits(category: Category, kind: str) -> CheckFunction:
    """-05, -06, -07: the rate is positive, zero, not negative, or not stated, as the category demands."""
    fits: dict[Rate, Callable[[Decimal | None], bool]] = {
        "positive": lambda rate: rate is not None and rate > 0,
        "zero": lambda rate: rate == 0,
        "any": lambda rate: rate is not None and rate >= 0,
        "none": lambda rate: rate is None,
    }

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        for item in _of_kind(invoice, category, kind):
            if not fits[category.rate](amount(item.rate)):
                yield Problem(item.field, item.rate or "-", category.rate, {"name": category.name})

    return run


def base_fits(category: Category) -> CheckFunction:
    """-08: the row's base is the sum of the lines and charges less the allowances of its category (and rate)."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        found = in_category(invoice, category.code)
        if level(invoice) < FULL or not found:
            return
        for part in parts_of(invoice, category.code):
            base = amount(part.base)
            computed = _sum_of(found, part if category.by_rate else None)
            slack = _SLACK if category.by_rate else Decimal("0.01")
            if base is not None and abs(base - computed) >= slack:
                yield Problem("taxes", money_text(base), money_text(computed), {"name": category.name})

    return run


def _sum_of(found: Iterable[Item], part: TaxPart | None) -> Decimal:
    rate = amount(part.rate) if part else None
    fitting = (item.amount for item in found if part is None or amount(item.rate) == rate)
    return sum((value for value in fitting if value is not None), NOTHING)


def tax_fits(category: Category) -> CheckFunction:
    """-09: the row's tax is base times rate, or zero."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        for part in parts_of(invoice, category.code):
            base, rate, tax = amount(part.base), amount(part.rate), amount(part.tax)
            if tax is None or base is None:
                continue
            computed = category_tax(base, rate or NOTHING) if category.by_rate else NOTHING
            wrong = beyond_slack(invoice, tax, computed) if category.by_rate else cents(tax) != 0
            if wrong:
                yield Problem("taxes", money_text(tax), money_text(computed), {"name": category.name})

    return run


def reason_fits(category: Category) -> CheckFunction:
    """-10: the row says why no tax is due exactly where the category has such a reason."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        for part in parts_of(invoice, category.code) if level(invoice) >= BASIC_WL else ():
            stated = part.reason or part.reason_code
            if bool(stated) != category.reason:
                yield Problem("taxes", stated or "-", "BT-120" if category.reason else "-", {"name": category.name})

    return run


def _of_kind(invoice: Invoice, category: Category, kind: str) -> list[Item]:
    found = in_category(invoice, category.code)
    return [item for item in found if item.field == kind] if found else []


def delivery_stated(*names: str) -> CheckFunction:
    """BR-IC-11, BR-IC-12: an intra-community supply says when, and to which country, it was delivered."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        if level(invoice) >= BASIC_WL and parts_of(invoice, "K") and not any(invoice.text(name) for name in names):
            yield Problem(names[0], "-", ", ".join(names), {"name": "Intra-community supply"})

    return run


def only_outside_vat(kind: str) -> CheckFunction:
    """BR-O-11 to BR-O-14: beside "not subject to VAT" stands no other category."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        if not parts_of(invoice, "O"):
            return
        codes = [part.category for part in invoice.taxes] if kind == "taxes" else _categories(invoice, kind)
        others = sorted({code for code in codes if code and code != "O"})
        if others:
            yield Problem(kind, ", ".join(others), "O", {"name": "Not subject to VAT"})

    return run


def _categories(invoice: Invoice, kind: str) -> list[str | None]:
    return [item.category for item in items(invoice) if item.field == kind]


_WORDS = {
    "row": (
        "税类“{name}”的明细行数为 {read}，应为 {expected}",
        "“{name}” has {read} rows in the VAT breakdown, not {expected}",
    ),
    "ids": ("税类“{name}”所需的税号：{expected}，现为 {read}", "“{name}” needs as ids {expected}, but there is {read}"),
    "rate": ("税类“{name}”的税率 {read} 应为 {expected}", "“{name}” has the rate {read}, which must be {expected}"),
    "base": ("税类“{name}”的税基 {read} 应为 {expected}", "“{name}” has the base {read}, which must be {expected}"),
    "tax": ("税类“{name}”的税额 {read} 应为 {expected}", "“{name}” has the tax {read}, which must be {expected}"),
    "reason": (
        "税类“{name}”的免税原因为“{read}”，应为 {expected}",
        "“{name}” has “{read}” as exemption reason, not {expected}",
    ),
    "delivery": ("“{name}”缺少交付信息：{expected}（{read}）", "“{name}” lacks its delivery: {expected} ({read})"),
    "alone": (
        "“{name}”（{expected}）不能与税类 {read} 并存",
        "“{name}” ({expected}) can't stand beside category {read}",
    ),
}


def _check(rule: str, words: str, code: str, run: CheckFunction) -> Check:
    zh, en = _WORDS[words]
    return Check(
        id=rule,
        severity="review",
        source=f"EN 16931 {rule}",
        zh=f"{zh}（{{where}}）",
        en=f"{en} ({{where}})",
        run=run,
        scope="en16931",
        category=code,
    )


def _family(category: Category) -> Iterator[Check]:
    name = f"BR-{category.letters}-"
    yield _check(f"{name}01", "row", category.code, breakdown_row(category))
    for number, kind in enumerate(_KINDS, start=2):
        yield _check(f"{name}{number:02d}", "ids", category.code, identified(category, kind))
    for number, kind in enumerate(_KINDS, start=5):
        yield _check(f"{name}{number:02d}", "rate", category.code, rate_fits(category, kind))
    yield _check(f"{name}08", "base", category.code, base_fits(category))
    yield _check(f"{name}09", "tax", category.code, tax_fits(category))
    yield _check(f"{name}10", "reason", category.code, reason_fits(category))


CHECKS = (
    *(check for category in CATEGORIES for check in _family(category)),
    _check("BR-IC-11", "delivery", "K", delivery_stated("delivery_date", "period_start", "period_end")),
    _check("BR-IC-12", "delivery", "K", delivery_stated("delivery_country")),
    *(
        _check(f"BR-O-{number}", "alone", "O", only_outside_vat(kind))
        for number, kind in enumerate(("taxes", *_KINDS), start=11)
    ),
)
