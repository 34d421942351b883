"""EN 16931, code lists and decimals: BR-CL-nn and BR-DEC-nn, one row a rule."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from invoices.checks import code_lists
from invoices.checks.en_model import all_adjustments, amount, places
from invoices.findings import Check, CheckFunction, Context, Outcome, Problem
from invoices.record import Adjustment, Invoice

Values = Callable[[Invoice], Iterable[tuple[str, str | None]]]
"""Gives the field and the text of every value that a rule looks at."""

_REASONS = "41 42 60 62 63 64 65 66 67 68 70 71 88 95 100 102 103 104 105"
_ALLOWANCE_REASONS = frozenset(_REASONS.split())
_VATEX = re.compile(r"VATEX-[A-Z]{2}-[0-9A-Z-]+", re.IGNORECASE)
_SHORT_CODE = re.compile(r"[0-9A-Z]{1,3}")
_COUNTRY_FIELDS = ("seller_country", "buyer_country", "representative_country", "delivery_country")
_MOST_DECIMALS = 2


@dataclass(frozen=True, slots=True)
class Listed:
    """One rule on codes: where they stand, and which are allowed."""

    rule: str
    list: str
    values: Values
    allowed: Callable[[str], bool]


def _fields(*names: str) -> Values:
    return lambda invoice: [(name, invoice.text(name)) for name in names if name in invoice.fields]


def _words(name: str) -> Values:
    return lambda invoice: [(name, word) for word in invoice.text(name).split()]


def _line_values(name: str) -> Values:
    return lambda invoice: [("lines", getattr(line, name)) for line in invoice.lines]


def _tax_values(name: str) -> Values:
    return lambda invoice: [("taxes", getattr(part, name)) for part in invoice.taxes]


def _document(charge: bool, name: str) -> Values:
    return lambda invoice: [("adjustments", getattr(p, name)) for p in invoice.adjustments if p.charge == charge]


def _of_lines(charge: bool, name: str) -> Values:
    def values(invoice: Invoice) -> Iterable[tuple[str, str | None]]:
        return [("lines", getattr(p, name)) for line in invoice.lines for p in line.adjustments if p.charge == charge]

    return values


def _reasons(charge: bool) -> Values:
    def wanted(part: Adjustment) -> bool:
        return part.charge == charge

    def values(invoice: Invoice) -> Iterable[tuple[str, str | None]]:
        if "extended" in invoice.text("profile"):
            return ()
        return [("adjustments", part.reason_code) for _, part in all_adjustments(invoice) if wanted(part)]

    return values


_COUNTRIES = code_lists.COUNTRIES | code_lists.EXTRA_COUNTRIES
LISTS = (
    Listed("BR-CL-01", "UNTDID 1001", _fields("kind"), lambda code: code in code_lists.DOCUMENT_KINDS | {"CreditNote"}),
    Listed("BR-CL-03", "ISO 4217", _words("amount_currencies"), code_lists.CURRENCIES.__contains__),
    Listed("BR-CL-05", "ISO 4217", _fields("tax_currency"), code_lists.CURRENCIES.__contains__),
    Listed("BR-CL-06", "UNTDID 2005, 2475", _fields("tax_point_code"), code_lists.TAX_POINT_CODES.__contains__),
    Listed("BR-CL-14", "ISO 3166-1", _fields(*_COUNTRY_FIELDS), _COUNTRIES.__contains__),
    Listed("BR-CL-16", "UNTDID 4461", _fields("payment_means"), code_lists.PAYMENT_MEANS.__contains__),
    Listed("BR-CL-17", "UNTDID 5305", _tax_values("category"), code_lists.VAT_CATEGORIES.__contains__),
    Listed("BR-CL-18", "UNTDID 5305", _line_values("category"), code_lists.VAT_CATEGORIES.__contains__),
    Listed("BR-CL-19", "UNTDID 5189", _reasons(charge=False), _ALLOWANCE_REASONS.__contains__),
    Listed("BR-CL-20", "UNTDID 7161", _reasons(charge=True), lambda code: bool(_SHORT_CODE.fullmatch(code))),
    Listed("BR-CL-22", "VATEX", _tax_values("reason_code"), lambda code: bool(_VATEX.fullmatch(code))),
    Listed("BR-CL-23", "UN/ECE 20, 21", _line_values("unit"), lambda code: bool(_SHORT_CODE.fullmatch(code))),
)
"""Charge reasons and units are judged by their shape only: their lists hold thousands of codes. An EXTENDED profile
brings reasons of its own, which are not judged."""

DECIMALS: tuple[tuple[str, str, Values], ...] = (
    ("BR-DEC-01", "BT-92", _document(False, "amount")),
    ("BR-DEC-02", "BT-93", _document(False, "base")),
    ("BR-DEC-05", "BT-99", _document(True, "amount")),
    ("BR-DEC-06", "BT-100", _document(True, "base")),
    ("BR-DEC-09", "BT-106", _fields("line_total")),
    ("BR-DEC-10", "BT-107", _fields("allowance_total")),
    ("BR-DEC-11", "BT-108", _fields("charge_total")),
    ("BR-DEC-12", "BT-109", _fields("net")),
    ("BR-DEC-13", "BT-110", _fields("tax")),
    ("BR-DEC-14", "BT-112", _fields("total")),
    ("BR-DEC-15", "BT-111", _fields("accounting_tax")),
    ("BR-DEC-16", "BT-113", _fields("prepaid")),
    ("BR-DEC-17", "BT-114", _fields("rounding")),
    ("BR-DEC-18", "BT-115", _fields("payable")),
    ("BR-DEC-19", "BT-116", _tax_values("base")),
    ("BR-DEC-20", "BT-117", _tax_values("tax")),
    ("BR-DEC-23", "BT-131", _line_values("net")),
    ("BR-DEC-24", "BT-136", _of_lines(False, "amount")),
    ("BR-DEC-25", "BT-137", _of_lines(False, "base")),
    ("BR-DEC-27", "BT-141", _of_lines(True, "amount")),
    ("BR-DEC-28", "BT-142", _of_lines(True, "base")),
)


def _in_list(entry: Listed) -> CheckFunction:
    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        for field, value in entry.values(invoice):
            if value and not entry.allowed(value):
                yield Problem(field, value, entry.list)

    return run


def _few_decimals(term: str, values: Values) -> CheckFunction:
    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
        most = max(places(invoice), _MOST_DECIMALS)
        for field, value in values(invoice):
            read = amount(value)
            if read is not None and _decimals(read) > most:
                yield Problem(field, value or "", str(most), {"term": term})

    return run


def _decimals(value: Decimal) -> int:
    return max(-int(value.as_tuple().exponent), 0)


CHECKS = (
    *(
        Check(
            id=entry.rule,
            severity="review",
            source=f"EN 16931 {entry.rule}",
            zh="“{read}”不在代码表 {expected} 中（{where}）",
            en="“{read}” is not in the code list {expected} ({where})",
            run=_in_list(entry),
            scope="en16931",
        )
        for entry in LISTS
    ),
    *(
        Check(
            id=rule,
            severity="hint",
            source=f"EN 16931 {rule}",
            zh="{term} 的金额 {read} 多于 {expected} 位小数（{where}）",
            en="The amount {read} of {term} has more than {expected} decimals ({where})",
            run=_few_decimals(term, values),
            scope="en16931",
        )
        for rule, term, values in DECIMALS
    ),
)
