"""What makes an invoice a Chinese one, and what its code, number and words say by themselves."""

import re
from dataclasses import dataclass
from decimal import Decimal

from invoices.findings import Context
from invoices.identity import is_digits
from invoices.money import parse_money
from invoices.record import Invoice

DIGITAL_NUMBER = 20
OLD_NUMBER = 8
TICKETS = frozenset({"rail", "air", "taxi", "toll", "bus", "ship"})
_TICKET_WORDS = {"铁路": "rail", "航空": "air", "机票": "air", "出租": "taxi", "通行费": "toll", "客运": "bus"}
_LIST_WORDS = re.compile("清单|详见|见附")
_DEDUCTION = re.compile(r"差额征税\s*[:：]\s*([\d,]+(?:\.\d+)?)")


def is_chinese(invoice: Invoice, context: Context) -> bool:
    """Whether Chinese rules apply: a Chinese form, a code, or the national currency with a Chinese kind of number."""
    if invoice.form.startswith("cn_") or invoice.text("code"):
        return True
    currency = invoice.text("currency") or context.policy.limits.currency
    number = invoice.text("number")
    return currency == "CNY" and (is_digits(number) and len(number) in {OLD_NUMBER, DIGITAL_NUMBER})


def is_digital(invoice: Invoice) -> bool:
    """Whether this is a fully digitalised e-invoice: no code and a 20-digit number."""
    return not invoice.text("code") and len(invoice.text("number")) == DIGITAL_NUMBER


def is_red(invoice: Invoice) -> bool:
    """Whether this is a red letter: a negative total, or a flag or words that say so."""
    total = invoice.money("total")
    return (
        (total is not None and total < 0) or invoice.text("blue_flag") == "N" or "负数" in invoice.text("capital_total")
    )


def is_special(invoice: Invoice) -> bool:
    """Whether this is a special VAT invoice (专用发票), whose tax the buyer may deduct."""
    code, kinds = invoice.text("code"), [invoice.text(name) for name in ("vat_kind", "document_kind", "kind")]
    if any(kinds):
        return "01" in kinds or any("专用" in kind for kind in kinds)
    return len(code) == 10 or (len(code) == 12 and code.endswith("13"))


def ticket(invoice: Invoice) -> str:
    """The kind of travel ticket ("rail", "air", "taxi", "toll", "bus", "ship"), "" where it is none."""
    stated = invoice.text("kind")
    if stated in TICKETS or not invoice.lines:
        return stated if stated in TICKETS else ""
    classes = " ".join(line.category or "" for line in invoice.lines)
    return next((kind for word, kind in _TICKET_WORDS.items() if word in classes), "")


def goods_classes(invoice: Invoice) -> tuple[str, ...]:
    """The tax goods classes of the lines (the words between asterisks), else the lines' names."""
    return tuple(line.category or line.name or "" for line in invoice.lines)


def category_of(invoice: Invoice, context: Context) -> str:
    """The category of expense: what the claim says, else what the goods classes say, "" where neither does."""
    if context.claim and context.claim.category:
        return context.claim.category
    return next(iter(categories_of(invoice, context)), "")


def categories_of(invoice: Invoice, context: Context) -> tuple[str, ...]:
    """All categories of expense that the goods classes belong to."""
    words = " ".join(goods_classes(invoice))
    return context.policy.categories_in(words) if words.strip() else ()


def has_separate_list(invoice: Invoice) -> bool:
    """Whether the goods stand on a separate list, so that the lines here are not all."""
    return any(_LIST_WORDS.search(line.name or "") for line in invoice.lines)


def deduction(invoice: Invoice) -> Decimal | None:
    """What was deducted before tax under differential taxation (差额征税), None where the remark names nothing."""
    found = _DEDUCTION.search(invoice.text("remark"))
    return parse_money(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Code:
    """What an invoice code says: the year of its batch, the region, and for 12 digits the kind (else "")."""

    year: int
    region: str
    kind: str


def decode(code: str) -> Code | None:
    """The parts of a code of 12 digits (0, region, year, batch, kind) or 10 (region, year, batch, version)."""
    if not is_digits(code):
        return None
    if len(code) == 12 and code.startswith("0"):
        return Code(2000 + int(code[5:7]), code[1:5], code[10:12])
    return Code(2000 + int(code[4:6]), code[:4], "") if len(code) == 10 else None
