"""Codes and numbers: their shapes, what they say by themselves, and whether the company knows the code."""

import re
from collections.abc import Iterator

from invoices.checks.china import decode, is_chinese, is_digital, ticket
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.identity import normal_id
from invoices.money import parse_money
from invoices.record import NEEDED_FIELDS, Invoice

_CODE = re.compile(r"0[0-9]{11}|[1-9][0-9]{9}")
_TICKET_CODE = re.compile(r"[01][0-9]{11}|[1-9][0-9]{9}")
_WITHOUT_SELLER = frozenset({"rail", "taxi", "bus", "ship"})
_OLD_NUMBER = re.compile(r"[0-9]{8}")
_DIGITAL_NUMBER = re.compile(r"[0-9]{20}")
_CHECK_CODE = re.compile(r"[0-9]{20}")
_KINDS = {
    "04": "paper ordinary",
    "05": "paper ordinary",
    "06": "roll",
    "07": "roll",
    "11": "electronic ordinary",
    "12": "toll road",
    "13": "electronic special",
}
_PROVINCES = frozenset(
    str(number) for tens in ((11, 16), (21, 24), (31, 38), (41, 47), (50, 55), (61, 66)) for number in range(*tens)
)
_QR_PARTS = 8


def needed_fields(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Every field without which nothing is booked was read (rail and taxi tickets print no seller)."""
    unprinted = {"seller"} if ticket(invoice) in _WITHOUT_SELLER else set()
    for name in NEEDED_FIELDS:
        if name not in unprinted and not invoice.text(name):
            yield Problem(name)


def code_shape(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """An invoice code has 12 digits beginning with 0 (a printed ticket's with 1), or 10 digits."""
    code = invoice.text("code")
    shape = _TICKET_CODE if ticket(invoice) else _CODE
    if code and not shape.fullmatch(code):
        yield Problem("code", code)


def number_shape(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """A number has 8 digits beside a code, 20 digits without one; a digital number begins with its year."""
    number = invoice.text("number")
    if not number or not is_chinese(invoice, context):
        return
    shape = _OLD_NUMBER if invoice.text("code") else _DIGITAL_NUMBER
    day = invoice.day()
    if not shape.fullmatch(number):
        yield Problem("number", number, "8" if invoice.text("code") else "20")
    elif is_digital(invoice) and day and number[:2] != f"{day.year % 100:02d}":
        yield Problem("number", number, f"{day.year % 100:02d}…")


def known_code(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The invoice code stands in the register of codes (fully digitalised invoices have none)."""
    register = context.policy.known
    code = invoice.text("code")
    if code and register is None:
        yield NotExecuted("没有配置名录", "no register is configured")
    elif code and register and code not in register.known_codes:
        yield Problem("code", code)


def code_year(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """No invoice is dated before the year in which its code was made."""
    code, day = decode(invoice.text("code")), invoice.day()
    if code and day and code.year > day.year:
        yield Problem("code", invoice.text("code"), str(day.year), {"year": str(code.year)})


def code_kind(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The last two of twelve digits name a kind of invoice that exists."""
    code = decode(invoice.text("code"))
    if code and code.kind and code.kind not in _KINDS:
        yield Problem("code", invoice.text("code"), ", ".join(_KINDS), {"kind": code.kind})


def code_region(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The code names a region that exists, or the seller's own."""
    code, seller = decode(invoice.text("code")), normal_id(invoice.text("seller_tax_id"))
    if code and code.region[:2] not in _PROVINCES | {seller[2:4]}:
        yield Problem("code", invoice.text("code"), "", {"region": code.region})


def number_region(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Digits 3 and 4 of a digital number name the region of the seller's tax bureau."""
    number, seller = invoice.text("number"), normal_id(invoice.text("seller_tax_id"))
    if not is_digital(invoice) or len(seller) != 18:
        return
    if number[2:4] != seller[2:4]:
        yield Problem("number", number, seller[2:4], {"region": number[2:4]})


def check_code_shape(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A check code has 20 digits, and a digital invoice has none."""
    check_code = normal_id(invoice.text("check_code"))
    if check_code and (is_digital(invoice) or not _CHECK_CODE.fullmatch(check_code)):
        yield Problem("check_code", check_code, "0" if is_digital(invoice) else "20")


def qr_text(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The QR text (01, kind, code, number, amount without tax, date, check code, sum) says what is printed."""
    text = invoice.text("qr_text")
    parts = [part.strip() for part in text.split(",")]
    if not text or len(parts) < _QR_PARTS:
        return
    printed = {
        "code": (normal_id(invoice.text("code")), parts[2]),
        "number": (normal_id(invoice.text("number")), parts[3]),
        "date": (invoice.text("date").replace("-", ""), parts[5]),
        "check_code": (normal_id(invoice.text("check_code")), parts[6]),
    }
    for name, (read, coded) in printed.items():
        if read and coded and read != coded:
            yield Problem(name, read, coded)
    amounts = {invoice.money("net"), invoice.money("total")}
    if amounts != {None} and parts[4] and parse_money(parts[4]) not in amounts:
        yield Problem("net", invoice.text("net"), parts[4])


CHECKS = (
    Check(
        id="needed_field",
        severity="review",
        source="policy",
        zh="没有读到必需的字段“{field}”（{where}）",
        en="The needed field “{field}” could not be read ({where})",
        run=needed_fields,
        trigger="low_confidence",
    ),
    Check(
        id="code_shape",
        severity="hard",
        source="invoice code rules of the State Taxation Administration",
        zh="发票代码“{read}”应为以 0 开头的 12 位数字或 10 位数字（{where}）",
        en="The invoice code “{read}” must have 12 digits beginning with 0, or 10 digits ({where})",
        run=code_shape,
    ),
    Check(
        id="number_shape",
        severity="hard",
        source="State Taxation Administration notice 2024 no. 11",
        zh="发票号码“{read}”的位数或年份不对，应为 {expected}（{where}）",
        en="The invoice number “{read}” has the wrong length or year; expected {expected} ({where})",
        run=number_shape,
    ),
    Check(
        id="known_code",
        severity="review",
        source="policy: register",
        zh="发票代码“{read}”在名录中查不到（{where}）",
        en="The invoice code “{read}” can't be found in the register ({where})",
        run=known_code,
    ),
    Check(
        id="code_year",
        severity="review",
        source="invoice code rules of the State Taxation Administration",
        zh="发票代码“{read}”属于 {year} 年，晚于开票年份 {expected}（{where}）",
        en="The invoice code “{read}” was made in {year}, after the invoice's year {expected} ({where})",
        run=code_year,
        scope="cn",
    ),
    Check(
        id="code_kind",
        severity="review",
        source="invoice code rules of the State Taxation Administration",
        zh="发票代码“{read}”末两位“{kind}”不是已知票种（{expected}）（{where}）",
        en="The invoice code “{read}” ends in “{kind}”, which is no known kind ({expected}) ({where})",
        run=code_kind,
        scope="cn",
    ),
    Check(
        id="code_region",
        severity="hint",
        source="invoice code rules of the State Taxation Administration",
        zh="发票代码“{read}”中的地区“{region}”不存在（{where}）",
        en="The invoice code “{read}” names the region “{region}”, which does not exist ({where})",
        run=code_region,
        scope="cn",
    ),
    Check(
        id="number_region",
        severity="hint",
        source="State Taxation Administration notice 2024 no. 11",
        zh="数电票号码“{read}”的地区“{region}”与销售方税号的地区“{expected}”不一致（{where}）",
        en="The number “{read}” names the region “{region}”, the seller's tax id “{expected}” ({where})",
        run=number_region,
        scope="cn",
    ),
    Check(
        id="check_code_shape",
        severity="review",
        source="invoice layout of the State Taxation Administration",
        zh="校验码“{read}”的位数不对，应为 {expected} 位（{where}）",
        en="The check code “{read}” has the wrong length; expected {expected} digits ({where})",
        run=check_code_shape,
        scope="cn",
    ),
    Check(
        id="qr_text",
        severity="review",
        source="QR code of the Chinese VAT invoice",
        zh="票面“{field}”为“{read}”，二维码中为“{expected}”（{where}）",
        en="“{field}” is printed as “{read}”, but the QR code says “{expected}” ({where})",
        run=qr_text,
        scope="cn",
    ),
)
