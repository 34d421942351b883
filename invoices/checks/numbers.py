"""Codes, numbers and dates: their shapes, and whether the company knows the code."""

import re
from collections.abc import Iterator

from invoices.checks.china import is_chinese, is_digital
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.record import NEEDED_FIELDS, Invoice

_CODE = re.compile(r"0\d{11}|[1-9]\d{9}")
_OLD_NUMBER = re.compile(r"\d{8}")
_DIGITAL_NUMBER = re.compile(r"\d{20}")


def needed_fields(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Every field without which nothing is booked was read."""
    for name in NEEDED_FIELDS:
        if not invoice.text(name):
            yield Problem(name)


def code_shape(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """An invoice code has 12 digits beginning with 0, or 10 digits."""
    code = invoice.text("code")
    if code and not _CODE.fullmatch(code):
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


def real_date(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The date is a day of the calendar."""
    if invoice.text("date") and invoice.day() is None:
        yield Problem("date", invoice.text("date"), "YYYY-MM-DD")


def not_future(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The date is not after today."""
    day = invoice.day()
    if day and day > context.today:
        yield Problem("date", day.isoformat(), context.today.isoformat())


def not_too_old(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The invoice is not older than the policy allows."""
    day = invoice.day()
    age = (context.today - day).days if day else 0
    if day and age > context.policy.limits.max_age_days:
        yield Problem("date", day.isoformat(), str(context.policy.limits.max_age_days), {"age": str(age)})


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
        id="date_real",
        severity="hard",
        source="calendar",
        zh="开票日期“{read}”不是有效日期（{where}）",
        en="The invoice date “{read}” is no date of the calendar ({where})",
        run=real_date,
    ),
    Check(
        id="date_future",
        severity="hard",
        source="calendar",
        zh="开票日期 {read} 晚于今天 {expected}（{where}）",
        en="The invoice date {read} is after today, {expected} ({where})",
        run=not_future,
    ),
    Check(
        id="date_old",
        severity="review",
        source="policy: limits.max_age_days",
        zh="开票日期 {read} 距今 {age} 天，超过 {expected} 天（{where}）",
        en="The invoice of {read} is {age} days old; the policy allows {expected} ({where})",
        run=not_too_old,
    ),
)
