"""EN 16931, the parts that must be there: BR-01 to BR-65 as far as the record carries them, one row a rule."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from invoices.checks.en_model import BASIC_WL, FULL, MINIMUM, amount, formal, level
from invoices.findings import Check, CheckFunction, Context, Outcome, Problem
from invoices.record import Adjustment, Invoice

_ZH = "缺少{zh_term}（{term}，{expected}）（{where}）"
_EN = "The {en_term} ({term}, {expected}) is missing ({where})"


@dataclass(frozen=True, slots=True)
class Part:
    """One mandatory part: the rule, its business term, its words, and from which profile on it is required."""

    rule: str
    term: str
    zh: str
    en: str
    missing: Callable[[Invoice], Iterable[str]]
    """Where the part is missing: names of fields or lines, nothing where all is there."""
    since: int = MINIMUM


def _field(name: str, *instead: str) -> Callable[[Invoice], Iterable[str]]:
    return lambda invoice: () if any(invoice.text(option) for option in (name, *instead)) else (name,)


def _field_if(condition: str, name: str, *others: str) -> Callable[[Invoice], Iterable[str]]:
    def missing(invoice: Invoice) -> Iterable[str]:
        stated = any(invoice.text(field) for field in (condition, *others))
        return (name,) if stated and not invoice.text(name) else ()

    return missing


def _line(name: str) -> Callable[[Invoice], Iterable[str]]:
    return lambda invoice: [f"lines {n}" for n, line in enumerate(invoice.lines, 1) if not getattr(line, name)]


def _adjustment(charge: bool, *names: str, line: bool = False) -> Callable[[Invoice], Iterable[str]]:
    def missing(invoice: Invoice) -> Iterable[str]:
        parts: Iterable[Adjustment] = invoice.adjustments
        if line:
            parts = [part for one in invoice.lines for part in one.adjustments]
        wanted = [part for part in parts if part.charge == charge]
        return ["adjustments" for part in wanted if not any(getattr(part, name) for name in names)]

    return missing


def _tax_part(name: str) -> Callable[[Invoice], Iterable[str]]:
    def missing(invoice: Invoice) -> Iterable[str]:
        parts = (part for part in invoice.taxes if name != "rate" or part.category != "O")
        return ["taxes" for part in parts if not getattr(part, name)]

    return missing


def _no_lines(invoice: Invoice) -> Iterable[str]:
    return () if invoice.lines else ("lines",)


def _account(invoice: Invoice) -> Iterable[str]:
    transfer = invoice.text("payment_means") in {"30", "58"}
    return ("seller_account",) if transfer and not invoice.text("seller_account") else ()


def _tax_in_accounting_currency(invoice: Invoice) -> Iterable[str]:
    other = invoice.text("tax_currency") not in {"", invoice.text("currency")}
    return ("accounting_tax",) if other and not invoice.text("accounting_tax") else ()


def _counted(name: str) -> Callable[[Invoice], Iterable[str]]:
    """A part that the reader counted as incomplete, because the record doesn't carry it."""
    return lambda invoice: (name,) if invoice.text(name) else ()


_AGENT = ("representative", "representative_address", "representative_vat_id", "representative_country")

PARTS = (
    Part("BR-01", "BT-24", "规范标识", "specification identifier", _field("profile")),
    Part("BR-02", "BT-1", "发票号码", "invoice number", _field("number")),
    Part("BR-03", "BT-2", "开票日期", "issue date", _field("date")),
    Part("BR-04", "BT-3", "发票类型代码", "invoice type code", _field("kind")),
    Part("BR-05", "BT-5", "币种", "currency code", _field("currency")),
    Part("BR-06", "BT-27", "销售方名称", "seller's name", _field("seller")),
    Part("BR-07", "BT-44", "购买方名称", "buyer's name", _field("buyer")),
    Part("BR-08", "BG-5", "销售方地址", "seller's postal address", _field("seller_address")),
    Part("BR-09", "BT-40", "销售方国家代码", "seller's country code", _field("seller_country")),
    Part("BR-10", "BG-8", "购买方地址", "buyer's postal address", _field("buyer_address"), BASIC_WL),
    Part("BR-11", "BT-55", "购买方国家代码", "buyer's country code", _field("buyer_country"), BASIC_WL),
    Part("BR-12", "BT-106", "各行净额合计", "sum of line net amounts", _field("line_total"), BASIC_WL),
    Part("BR-13", "BT-109", "不含税总额", "total without VAT", _field("net")),
    Part("BR-14", "BT-112", "含税总额", "total with VAT", _field("total")),
    Part("BR-15", "BT-115", "应付金额", "amount due", _field("payable")),
    Part("BR-16", "BG-25", "发票行", "invoice line", _no_lines, FULL),
    Part("BR-17", "BT-59", "收款方名称", "payee's name", _field_if("payee_id", "payee"), BASIC_WL),
    Part("BR-18", "BT-62", "税务代表名称", "tax representative's name", _field_if(_AGENT[1], *_AGENT), BASIC_WL),
    Part(
        "BR-19",
        "BG-12",
        "税务代表地址",
        "tax representative's address",
        _field_if("representative", "representative_address", "representative_vat_id"),
        BASIC_WL,
    ),
    Part(
        "BR-20",
        "BT-69",
        "税务代表国家代码",
        "tax representative's country code",
        _field_if("representative_address", "representative_country"),
        BASIC_WL,
    ),
    Part("BR-21", "BT-126", "行号", "line identifier", _line("id"), FULL),
    Part("BR-22", "BT-129", "数量", "invoiced quantity", _line("quantity"), FULL),
    Part("BR-23", "BT-130", "计量单位", "unit of measure", _line("unit"), FULL),
    Part("BR-24", "BT-131", "行净额", "line net amount", _line("net"), FULL),
    Part("BR-25", "BT-153", "商品名称", "item name", _line("name"), FULL),
    Part("BR-26", "BT-146", "净单价", "item net price", _line("unit_price"), FULL),
    Part("BR-31", "BT-92", "折让金额", "allowance amount", _adjustment(False, "amount"), BASIC_WL),
    Part("BR-32", "BT-95", "折让的税类", "allowance VAT category", _adjustment(False, "category"), BASIC_WL),
    Part(
        "BR-33",
        "BT-97, BT-98",
        "折让原因",
        "allowance reason",
        _adjustment(False, "reason", "reason_code"),
        BASIC_WL,
    ),
    Part("BR-36", "BT-99", "附加费金额", "charge amount", _adjustment(True, "amount"), BASIC_WL),
    Part("BR-37", "BT-102", "附加费的税类", "charge VAT category", _adjustment(True, "category"), BASIC_WL),
    Part(
        "BR-38",
        "BT-104, BT-105",
        "附加费原因",
        "charge reason",
        _adjustment(True, "reason", "reason_code"),
        BASIC_WL,
    ),
    Part("BR-41", "BT-136", "行折让金额", "line allowance amount", _adjustment(False, "amount", line=True), FULL),
    Part(
        "BR-42",
        "BT-139, BT-140",
        "行折让原因",
        "line allowance reason",
        _adjustment(False, "reason", "reason_code", line=True),
        FULL,
    ),
    Part("BR-43", "BT-141", "行附加费金额", "line charge amount", _adjustment(True, "amount", line=True), FULL),
    Part(
        "BR-44",
        "BT-144, BT-145",
        "行附加费原因",
        "line charge reason",
        _adjustment(True, "reason", "reason_code", line=True),
        FULL,
    ),
    Part("BR-45", "BT-116", "税额明细的税基", "VAT category taxable amount", _tax_part("base"), BASIC_WL),
    Part("BR-46", "BT-117", "税额明细的税额", "VAT category tax amount", _tax_part("tax"), BASIC_WL),
    Part("BR-47", "BT-118", "税额明细的税类", "VAT category code", _tax_part("category"), BASIC_WL),
    Part("BR-48", "BT-119", "税额明细的税率", "VAT category rate", _tax_part("rate"), BASIC_WL),
    Part(
        "BR-49", "BT-81", "付款方式代码", "payment means code", _field_if("seller_account", "payment_means"), BASIC_WL
    ),
    Part("BR-52", "BT-122", "附件编号", "supporting document reference", _counted("documents_without_id"), FULL),
    Part("BR-53", "BT-111", "记账币种税额", "VAT total in accounting currency", _tax_in_accounting_currency, BASIC_WL),
    Part(
        "BR-54", "BT-160, BT-161", "商品属性", "item attribute's name or value", _counted("attributes_incomplete"), FULL
    ),
    Part("BR-55", "BT-25", "前一发票号码", "preceding invoice reference", _counted("references_without_id"), BASIC_WL),
    Part(
        "BR-56",
        "BT-63",
        "税务代表税号",
        "tax representative's VAT identifier",
        _field_if("representative", "representative_vat_id"),
        BASIC_WL,
    ),
    Part(
        "BR-57",
        "BT-80",
        "收货国家代码",
        "deliver-to country code",
        _field_if("delivery_address", "delivery_country"),
        BASIC_WL,
    ),
    Part("BR-61", "BT-84", "收款账号", "payment account", _account, BASIC_WL),
    Part(
        "BR-62",
        "BT-34",
        "销售方电子地址的类别",
        "scheme of the seller's address",
        _counted("seller_endpoint_bare"),
        FULL,
    ),
    Part(
        "BR-63", "BT-49", "购买方电子地址的类别", "scheme of the buyer's address", _counted("buyer_endpoint_bare"), FULL
    ),
    Part("BR-64", "BT-157", "商品标准编号的类别", "scheme of the item identifier", _counted("item_ids_bare"), FULL),
    Part("BR-65", "BT-158", "商品分类的类别", "scheme of the item classification", _counted("item_classes_bare"), FULL),
)


def _check_of(part: Part) -> CheckFunction:
    words = {"term": part.term, "zh_term": part.zh, "en_term": part.en}

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        if level(invoice) >= part.since:
            for place in part.missing(invoice):
                yield Problem(place, "", place, words, severity=formal(invoice))

    return run


def price_negative(name: str) -> CheckFunction:
    """BR-27, BR-28: a price is not negative (a return has a negative quantity instead)."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        for number, line in enumerate(invoice.lines, start=1):
            price = amount(getattr(line, name))
            if price is not None and price < 0:
                yield Problem("lines", str(price), "≥ 0", {"line": str(number)})

    return run


def period_order(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-29: the invoicing period does not end before it starts."""
    start, end = invoice.text("period_start"), invoice.text("period_end")
    if start and end and end < start:
        yield Problem("period_end", end, start)


def line_period_order(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """BR-30: no line's period ends before it starts."""
    for line in invoice.lines:
        if line.start and line.end and line.end < line.start:
            yield Problem("lines", line.end, line.start)


CHECKS = (
    *(
        Check(
            id=part.rule,
            severity="review",
            source=f"EN 16931 {part.rule}",
            zh=_ZH,
            en=_EN,
            run=_check_of(part),
            scope="en16931",
        )
        for part in PARTS
    ),
    Check(
        id="BR-27",
        severity="review",
        source="EN 16931 BR-27",
        zh="第 {line} 行的净单价 {read} 为负（应 {expected}）",
        en="Line {line} has a negative net price, {read} (must be {expected})",
        run=price_negative("unit_price"),
        scope="en16931",
    ),
    Check(
        id="BR-28",
        severity="review",
        source="EN 16931 BR-28",
        zh="第 {line} 行的毛单价 {read} 为负（应 {expected}）",
        en="Line {line} has a negative gross price, {read} (must be {expected})",
        run=price_negative("gross_price"),
        scope="en16931",
    ),
    Check(
        id="BR-29",
        severity="review",
        source="EN 16931 BR-29",
        zh="开票期间的结束日 {read} 早于开始日 {expected}（{where}）",
        en="The invoicing period ends on {read}, before it starts on {expected} ({where})",
        run=period_order,
        scope="en16931",
    ),
    Check(
        id="BR-30",
        severity="review",
        source="EN 16931 BR-30",
        zh="行期间的结束日 {read} 早于开始日 {expected}",
        en="A line's period ends on {read}, before it starts on {expected}",
        run=line_period_order,
        scope="en16931",
    ),
)
