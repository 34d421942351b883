"""EN 16931, the arithmetic and the conditions: BR-CO-03 to BR-CO-26, each in `Decimal`, each by the file's profile."""

from collections.abc import Iterator
from decimal import Decimal

from invoices.checks.code_lists import COUNTRIES, EXTRA_COUNTRIES
from invoices.checks.en_model import BASIC_WL, FULL, NOTHING, amount, formal, level, total_of
from invoices.findings import Check, CheckFunction, Context, Outcome, Problem
from invoices.identity import normal_id
from invoices.money import cents, money_text
from invoices.record import CREDIT_KINDS, Invoice

_SLACK = Decimal(1)
"""The rule files of CEN allow a category's tax one currency unit either way."""
_PREFIXES = COUNTRIES | EXTRA_COUNTRIES | {"EL"}
_VAT_IDS = ("seller_vat_id", "representative_vat_id", "buyer_vat_id")


def category_tax(base: Decimal, rate: Decimal) -> Decimal:
    """BR-CO-17: base times rate, rounded half up (away from zero) to two decimals."""
    return cents(base * rate / 100)


def beyond_slack(invoice: Invoice, stated: Decimal, computed: Decimal) -> bool:
    """Whether a category's tax is off by more than the rule files allow (CII includes the bound, UBL does not)."""
    difference = abs(abs(stated) - abs(computed))
    return difference > _SLACK or (difference == _SLACK and invoice.form != "cii")


def tax_point(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-03: a tax point date or a tax point code, not both."""
    if invoice.text("tax_point_date") and invoice.text("tax_point_code"):
        yield Problem("tax_point_date", invoice.text("tax_point_date"), invoice.text("tax_point_code"))


def line_category(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-04: every line names its VAT category."""
    for number, line in enumerate(invoice.lines, start=1):
        if level(invoice) >= FULL and not line.category:
            yield Problem("lines", str(number))


def country_prefix(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-09: VAT ids begin with a country's code (Greece may write EL)."""
    for name in _VAT_IDS:
        read = normal_id(invoice.text(name))
        if read and read[:2] not in _PREFIXES:
            yield Problem(name, invoice.text(name))


def line_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-10: the lines' net amounts add up to BT-106."""
    stated = invoice.money("line_total")
    if stated is not None and level(invoice) >= FULL:
        yield from _unequal("line_total", stated, total_of(line.net for line in invoice.lines))


def adjustment_total(name: str, *, charge: bool) -> CheckFunction:
    """BR-CO-11, BR-CO-12: document level allowances and charges add up to their totals."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        parts = [part.amount for part in invoice.adjustments if part.charge == charge]
        stated = invoice.money(name)
        if level(invoice) >= BASIC_WL and (parts or stated is not None):
            yield from _unequal(name, stated or NOTHING, total_of(parts))

    return run


def net_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-13: BT-109 is the lines less allowances plus charges."""
    lines, stated = invoice.money("line_total"), invoice.money("net")
    if lines is None or stated is None or level(invoice) < BASIC_WL:
        return
    allowances, charges = (invoice.money(name) or NOTHING for name in ("allowance_total", "charge_total"))
    yield from _unequal("net", stated, lines - allowances + charges)


def tax_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-14: BT-110 is the sum of the categories' tax."""
    stated = invoice.money("tax")
    if stated is not None and invoice.taxes and level(invoice) >= BASIC_WL:
        yield from _unequal("tax", stated, total_of(part.tax for part in invoice.taxes))


def one_tax_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-15: exactly one VAT total is in the document's currency (the sum itself is the rule net_tax_total)."""
    if invoice.text("tax_totals"):
        yield Problem("tax", invoice.text("tax_totals"), "1")


def payable_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-16: what is due is the total less what was paid, plus rounding."""
    total, stated = invoice.money("total"), invoice.money("payable")
    if total is None or stated is None or level(invoice) < BASIC_WL:
        return
    paid, rounding = (invoice.money(name) or NOTHING for name in ("prepaid", "rounding"))
    yield from _unequal("payable", stated, total - paid + rounding)


def _unequal(name: str, stated: Decimal, computed: Decimal) -> Iterator[Outcome]:
    if cents(stated) != cents(computed):
        yield Problem(name, money_text(stated), money_text(cents(computed)))


def category_taxes(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-17: each category's tax is its base times its rate."""
    for part in invoice.taxes:
        base, rate, tax = amount(part.base), amount(part.rate), amount(part.tax)
        if base is None or tax is None:
            continue
        computed = category_tax(base, rate or NOTHING)
        if beyond_slack(invoice, tax, computed):
            yield Problem("taxes", money_text(tax), money_text(computed), {"category": part.category or "-"})


def has_breakdown(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-18: there is at least one row of a VAT breakdown."""
    if level(invoice) >= BASIC_WL and not invoice.taxes:
        yield Problem("taxes", severity=formal(invoice))


def payment_due(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-25: where something is due by an invoice (not by a credit note), a due date or terms say when."""
    due = invoice.money("payable")
    stated = invoice.text("due_date") or invoice.text("terms") or invoice.text("kind") in CREDIT_KINDS
    if due is not None and due > 0 and not stated and level(invoice) >= BASIC_WL:
        yield Problem("due_date", "", money_text(due), severity=formal(invoice))


def seller_identified(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-CO-26: an identifier, a legal registration or a VAT id tells who the seller is."""
    names = ("seller_id", "seller_register_id", "seller_vat_id")
    if not any(invoice.text(name) for name in names):
        yield Problem("seller_id", "", "BT-29, BT-30, BT-31", severity=formal(invoice))


def _sum_check(number: int, zh: str, en: str, run: CheckFunction) -> Check:
    return Check(
        id=f"BR-CO-{number}",
        severity="review",
        source=f"EN 16931 BR-CO-{number}",
        zh=f"{zh}应为 {{expected}}，票面为 {{read}}（{{where}}）",
        en=f"{en} must be {{expected}}, but reads {{read}} ({{where}})",
        run=run,
        scope="en16931",
    )


def _condition(number: str, zh: str, en: str, run: CheckFunction) -> Check:
    return Check(
        id=f"BR-CO-{number}",
        severity="review",
        source=f"EN 16931 BR-CO-{number}",
        zh=f"{zh}（{{where}}）",
        en=f"{en} ({{where}})",
        run=run,
        scope="en16931",
    )


CHECKS = (
    _condition(
        "03",
        "纳税义务发生日 {read} 与其代码 {expected} 不能同时出现",
        "A tax point date {read} and a tax point code {expected} can't both be stated",
        tax_point,
    ),
    _condition("04", "第 {read} 行没有增值税类别", "Line {read} names no VAT category", line_category),
    _condition(
        "09", "税号“{read}”没有国家代码前缀", "The VAT id “{read}” does not begin with a country's code", country_prefix
    ),
    _sum_check(10, "各行净额合计（BT-106）", "The sum of the lines (BT-106)", line_total),
    _sum_check(
        11, "折让合计（BT-107）", "The sum of allowances (BT-107)", adjustment_total("allowance_total", charge=False)
    ),
    _sum_check(
        12, "附加费合计（BT-108）", "The sum of charges (BT-108)", adjustment_total("charge_total", charge=True)
    ),
    _sum_check(13, "不含税总额（BT-109）", "The total without VAT (BT-109)", net_total),
    _sum_check(14, "税额合计（BT-110）", "The VAT total (BT-110)", tax_total),
    _condition(
        "15",
        "以单据币种表示的税额合计有 {read} 个，应为 {expected} 个",
        "There are {read} VAT totals in the document's currency; there must be {expected}",
        one_tax_total,
    ),
    _sum_check(16, "应付金额（BT-115）", "The amount due (BT-115)", payable_total),
    _sum_check(17, "类别 {category} 的税额（BT-117）", "The tax of category {category} (BT-117)", category_taxes),
    _condition("18", "没有税额明细（BG-23）", "There is no VAT breakdown (BG-23)", has_breakdown),
    _condition(
        "25",
        "应付 {expected}，却没有到期日或付款条件",
        "{expected} is due, but neither a due date nor payment terms say when",
        payment_due,
    ),
    _condition(
        "26",
        "销售方没有任何标识（{expected}）",
        "Nothing identifies the seller ({expected})",
        seller_identified,
    ),
)
