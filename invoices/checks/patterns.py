"""Patterns and passenger transport: signals that rank an invoice, and what changes its booking."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from invoices.checks.amounts import BESIDE_VAT
from invoices.checks.china import categories_of, category_of, is_red, is_special, ticket
from invoices.checks.days_off import is_day_off
from invoices.checks.input_tax import input_tax, passenger_base
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.history import seller_key
from invoices.identity import is_digits, normal_id
from invoices.money import CENT, cents, money_text
from invoices.record import Invoice

_NO_HISTORY = NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")
_WINDOW = timedelta(days=7)
_GAP = 2
_LONGEST = 30
_TAIL = 6
"""Numbers that hang together differ in their last digits only."""
_RUN = 3
_NOTHING = Decimal(0)
_AIR_RATE = Decimal("0.09")


def consecutive_numbers(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller's numbers within a week do not follow one another (toll and red invoices aside)."""
    number, day = normal_id(invoice.text("number")), invoice.day()
    if not _is_number(number) or day is None or is_red(invoice) or ticket(invoice) == "toll":
        return
    if context.history is None:
        yield _NO_HISTORY
        return
    code, seller = invoice.text("code"), seller_key(invoice)
    found = context.history.by_numbers(neighbours(number), without=context.invoice_id)
    same = [past for past in found if past.seller_key == seller and past.code == code and _blue(past.total)]
    near = {int(past.number) for past in same if past.day and abs(past.day - day) <= _WINDOW}
    run = _run(int(number), near)
    if len(run) >= _RUN:
        yield Problem("number", number, "", {"count": str(len(run)), "numbers": ", ".join(map(str, run[:5]))})


def neighbours(number: str) -> list[str]:
    """The numbers that make a run of three with this one, each at most two from the next; none for no number."""
    if not _is_number(number):
        return []
    reach = _GAP * (_RUN - 1)
    around = (int(number) + step for step in range(-reach, reach + 1) if step)
    return [str(other).zfill(len(number)) for other in around if other >= 0]


def _is_number(text: str) -> bool:
    return is_digits(text) and len(text) <= _LONGEST


def _blue(total: Decimal | None) -> bool:
    return total is None or total > 0


def _run(number: int, others: set[int]) -> list[int]:
    """The numbers that hang together with `number` by gaps of at most two."""
    run = [number]
    for step in (1, -1):
        last = number
        while (
            following := next((last + step * gap for gap in (1, _GAP) if last + step * gap in others), None)
        ) is not None:
            run.append(following)
            last = following
    return sorted(run)


def day_off(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """An expense of an office category was not made on a day off."""
    day, dates = invoice.day(), context.policy.dates
    if day is None or category_of(invoice, context) not in dates.holiday_categories:
        return
    off = is_day_off(day, dates.region)
    if off is None:
        yield NotExecuted(f"没有 {day.year} 年的日历", f"no calendar knows the year {day.year}")
    elif off:
        yield Problem("date", day.isoformat(), "", {"category": category_of(invoice, context)})


def category_fits(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The goods classes belong to the category that the claim names."""
    claimed = context.claim.category if context.claim else ""
    found = categories_of(invoice, context)
    if claimed in context.policy.categories and found and claimed not in found:
        yield Problem("lines", ", ".join(found), claimed)


def trip_dates(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The invoice is dated within its trip, or shortly before or after."""
    claim, day = context.claim, invoice.day()
    if claim is None or day is None or not (claim.trip_start or claim.trip_end):
        return
    slack = timedelta(days=context.policy.dates.trip_days)
    start, end = claim.trip_start or day, claim.trip_end or day
    if not start - slack <= day <= end + slack:
        yield Problem("date", day.isoformat(), f"{start.isoformat()} – {end.isoformat()}", {"trip": claim.trip})


def not_deductible(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """A special invoice is for something whose input tax may be deducted."""
    if not is_special(invoice) or not invoice.money("tax"):
        return
    split = input_tax(invoice, context)
    if split and split.basis == "not_deductible":
        yield Problem("tax", invoice.text("tax"), "0.00", {"category": split.why})


def traveller_named(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A rail or air ticket names its traveller; without one, its tax can't be deducted."""
    if ticket(invoice) in {"rail", "air"} and not invoice.text("traveller"):
        yield Problem("traveller")


def passenger_tax_fits(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The tax that a rail or air ticket states is 9 % inside fare and fuel, give or take a cent a part."""
    if ticket(invoice) not in {"rail", "air"}:
        return
    tax, base = invoice.money("tax"), passenger_base(invoice)
    if not tax or base is None:
        return
    stated_net = [amount for name in ("fare", "fuel_surcharge") if (amount := invoice.money(name)) is not None]
    outside = sum(stated_net, _NOTHING) * _AIR_RATE if stated_net else None
    inside = base * 9 / 109
    if min(abs(tax - cents(expected)) for expected in (inside, outside) if expected is not None) > 2 * CENT:
        yield Problem("tax", money_text(tax), money_text(cents(inside)))


def ticket_sum(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Fare, fuel, tax and what bears no VAT add up to the ticket's total."""
    fare, total = invoice.money("fare"), invoice.money("total")
    if fare is None or total is None:
        return
    others = ("fuel_surcharge", *BESIDE_VAT)
    beside = sum((invoice.money(name) or _NOTHING for name in others), fare)
    sums = {beside, beside + (invoice.money("tax") or _NOTHING)}
    if min(abs(total - found) for found in sums) > CENT:
        yield Problem("total", money_text(total), " / ".join(map(money_text, sorted(sums))))


CHECKS = (
    Check(
        id="consecutive_numbers",
        severity="hint",
        source="pattern",
        zh="同一销售方有 {count} 张连号发票：{numbers}（{where}）",
        en="{count} consecutive numbers from this seller: {numbers} ({where})",
        run=consecutive_numbers,
        scope="cn",
    ),
    Check(
        id="day_off",
        severity="hint",
        source="State Council's holiday calendar; policy: dates.holiday_categories",
        zh="类别 {category} 的发票开在休息日 {read}（{where}）",
        en="An expense of category {category} on a day off, {read} ({where})",
        run=day_off,
    ),
    Check(
        id="category_claimed",
        severity="review",
        source="policy: categories",
        zh="货物分类属于 {read}，报销类别为 {expected}（{where}）",
        en="The goods belong to {read}, but the claim says {expected} ({where})",
        run=category_fits,
    ),
    Check(
        id="trip_dates",
        severity="hint",
        source="policy: dates.trip_days",
        zh="开票日期 {read} 不在出差“{trip}”期间 {expected}（{where}）",
        en="The date {read} lies outside the trip “{trip}” of {expected} ({where})",
        run=trip_dates,
    ),
    Check(
        id="tax_not_deductible",
        severity="hint",
        source="VAT Law art. 22",
        zh="类别 {category} 的进项税额 {read} 不得抵扣（{where}）",
        en="The input tax of {read} can't be deducted in category {category} ({where})",
        run=not_deductible,
        scope="cn",
    ),
    Check(
        id="traveller_named",
        severity="hint",
        source="State Taxation Administration notice 2019 no. 39",
        zh="客票没有旅客姓名，税额不能抵扣（{where}）",
        en="The ticket names no traveller, so its tax can't be deducted ({where})",
        run=traveller_named,
        scope="cn",
    ),
    Check(
        id="passenger_tax",
        severity="review",
        source="State Taxation Administration notice 2019 no. 39",
        zh="客运税额 {read}，按票价应为 {expected}（{where}）",
        en="The ticket's tax reads {read}; the fare gives {expected} ({where})",
        run=passenger_tax_fits,
        scope="cn",
    ),
    Check(
        id="ticket_sum",
        severity="review",
        source="State Taxation Administration notices 2024 no. 8 and 9",
        zh="票价、燃油费、税额与其他费用之和为 {expected}，合计为 {read}（{where}）",
        en="Fare, fuel, tax and fees add up to {expected}, but the total reads {read} ({where})",
        run=ticket_sum,
        scope="cn",
    ),
)
