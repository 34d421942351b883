"""Dates: a real day, not in the future, not too old, inside the window of its fiscal year."""

from collections.abc import Iterator
from datetime import date

from invoices.findings import Check, Context, Outcome, Problem
from invoices.record import Invoice


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


def fiscal_year(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The invoice belongs to the fiscal year of today, or to the one before while its window is open."""
    day, today = invoice.day(), context.today
    if not day:
        return
    start = _fiscal_start(today, context.policy.dates.fiscal_year_start)
    window = _on(start.year, context.policy.dates.window_ends)
    window = window if window >= start else _on(start.year + 1, context.policy.dates.window_ends)
    opened = _on(start.year - 1, context.policy.dates.fiscal_year_start) if today <= window else start
    if day < opened:
        yield Problem("date", day.isoformat(), opened.isoformat())


def _fiscal_start(today: date, start: str) -> date:
    this_year = _on(today.year, start)
    return this_year if today >= this_year else _on(today.year - 1, start)


def _on(year: int, month_day: str) -> date:
    return date.fromisoformat(f"{year}-{month_day}")


def times_agree(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The two dates of a digital invoice (issue and request) name the same day."""
    issued = invoice.text("issue_time")[:10].replace("/", "-")
    if issued and invoice.day() and issued != invoice.text("date"):
        yield Problem("date", invoice.text("date"), issued)


CHECKS = (
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
    Check(
        id="date_fiscal_year",
        severity="review",
        source="policy: dates; State Taxation Administration notice 2018 no. 28",
        zh="开票日期 {read} 早于仍可入账的最早日期 {expected}（{where}）",
        en="The invoice of {read} is from before {expected}, the first day still open for booking ({where})",
        run=fiscal_year,
    ),
    Check(
        id="date_times",
        severity="hint",
        source="Ministry of Finance data standard for digital invoices",
        zh="请求开票日期 {read} 与开票时间 {expected} 不是同一天（{where}）",
        en="The invoice was requested on {read} but issued on {expected} ({where})",
        run=times_agree,
        scope="cn",
    ),
)
