"""Limits of the policy beside the one per invoice: caps per invoice, day, month and trip; splits; odd amounts.

Every limit is inclusive: a total of the limit itself is at the limit and asks. Totals include tax.
"""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from itertools import islice

from invoices.checks.china import category_of, is_red
from invoices.findings import Check, CheckFunction, Context, NotExecuted, Outcome, Problem
from invoices.history import Claim, Spending, seller_key
from invoices.identity import normal_id
from invoices.money import money_text
from invoices.policy import Cap
from invoices.record import Invoice

_NOTHING = Decimal(0)
_NO_HISTORY = NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")
_NO_PERSON = NotExecuted("没有报销人", "the claim names no submitter")
_NO_TRIP = NotExecuted("没有出差信息", "the claim names no trip")
_REPEATED_AT_LEAST = 3


def worth(invoice: Invoice, context: Context) -> Decimal | None:
    """The signed total in the policy's currency."""
    total = invoice.signed_total
    return None if total is None else context.policy.worth(total, invoice.text("currency"))


def cap(per: str) -> CheckFunction:
    """The check of the policy's caps of one kind."""

    def run(invoice: Invoice, context: Context) -> Iterator[Outcome]:
        caps = [entry for entry in context.policy.caps if entry.per == per]
        if caps:
            yield from _caps(caps, invoice, context)

    return run


def _caps(caps: list[Cap], invoice: Invoice, context: Context) -> Iterator[Outcome]:
    total, day, claim = worth(invoice, context), invoice.day(), context.claim or Claim()
    if total is None or day is None:
        return
    category = category_of(invoice, context)
    for entry in caps:
        if entry.category not in {None, category} or entry.person not in {None, claim.submitter}:
            continue
        missing = _missing(entry, context, claim)
        if missing:
            yield missing
            continue
        spent = total if entry.per == "invoice" else total + _spent(entry, context, claim, day)
        limit = entry.amount * (max(len(claim.people), 1) if entry.per_head else 1)
        if total > 0 and spent >= limit:
            words = {"who": claim.submitter or "-", "category": entry.category or "*", "trip": claim.trip}
            yield Problem("total", money_text(spent), money_text(limit), words)


def _missing(entry: Cap, context: Context, claim: Claim) -> NotExecuted | None:
    if entry.per == "invoice":
        return None
    if context.history is None:
        return _NO_HISTORY
    if entry.per == "trip":
        return None if claim.trip else _NO_TRIP
    return None if claim.submitter else _NO_PERSON


def _spent(entry: Cap, context: Context, claim: Claim, day: date) -> Decimal:
    if context.history is None:
        return _NOTHING
    if entry.per == "trip":
        spending = Spending(trip=claim.trip, category=entry.category)
    else:
        since, until = (day, day) if entry.per == "day" else _month(day)
        spending = Spending(person=claim.submitter, category=entry.category, since=since, until=until)
    return context.history.spent(spending, without=context.invoice_id)


def _month(day: date) -> tuple[date, date]:
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def split(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """Several invoices of one seller to one buyer from one submitter, each under the limit, reach it together."""
    total, day, limit = worth(invoice, context), invoice.day(), context.policy.limits.amount
    if total is None or day is None or not 0 < total < limit:
        return
    if context.history is None:
        yield _NO_HISTORY
        return
    if not (context.claim and context.claim.submitter):
        yield _NO_PERSON
        return
    count, together = _split_parts(invoice, context, day, limit)
    if count and total + together >= limit:
        words = {"count": str(count + 1), "days": str(context.policy.limits.split_days)}
        yield Problem("total", money_text(total + together), money_text(limit), words)


def _split_parts(invoice: Invoice, context: Context, day: date, limit: Decimal) -> tuple[int, Decimal]:
    """How many others, each under the limit, stand within the window, and their sum (counted until it is reached)."""
    window = timedelta(days=context.policy.limits.split_days - 1)
    buyer, submitter = normal_id(invoice.text("buyer_tax_id")), (context.claim or Claim()).submitter
    count, together = 0, _NOTHING
    if context.history is None:
        return count, together
    for past in context.history.same_seller(
        seller_key(invoice), submitter, day - window, day + window, without=context.invoice_id
    ):
        if past.total is not None and 0 < past.total < limit and past.buyer_tax_id == buyer:
            count, together = count + 1, together + past.total
            if together >= limit:
                break
    return count, together


def band(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The total is not just under the limit."""
    total, limits = worth(invoice, context), context.policy.limits
    if total is not None and limits.amount * limits.band_percent / 100 <= total < limits.amount:
        words = {"percent": str(limits.band_percent)}
        yield Problem("total", money_text(total), money_text(limits.amount), words)


def round_amount(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The total is not a round sum."""
    total = worth(invoice, context)
    if total and not is_red(invoice) and total % context.policy.limits.round_to == 0:
        yield Problem("total", money_text(total), money_text(context.policy.limits.round_to))


def repeated_amount(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller has not billed the same total several times within a month."""
    total, day = worth(invoice, context), invoice.day()
    if not total or day is None or context.history is None:
        return
    month = timedelta(days=30)
    same = context.history.same_amount(seller_key(invoice), total, day - month, day + month, without=context.invoice_id)
    count = sum(1 for _ in islice(same, _REPEATED_AT_LEAST - 1)) + 1
    if count >= _REPEATED_AT_LEAST:
        yield Problem("total", money_text(total), "", {"count": str(count)})


CHECKS = (
    Check(
        id="cap_invoice",
        severity="review",
        source="policy: caps",
        zh="单张发票 {read} 达到类别 {category} 的限额 {expected}（{where}）",
        en="The invoice's {read} reaches the cap of {expected} for category {category} ({where})",
        run=cap("invoice"),
        trigger="high_stakes",
    ),
    Check(
        id="cap_day",
        severity="review",
        source="policy: caps",
        zh="{who} 当日类别 {category} 合计 {read}，达到限额 {expected}（{where}）",
        en="{who} reaches {read} in category {category} on this day; the cap is {expected} ({where})",
        run=cap("day"),
        trigger="high_stakes",
    ),
    Check(
        id="cap_month",
        severity="review",
        source="policy: caps",
        zh="{who} 当月类别 {category} 合计 {read}，达到限额 {expected}（{where}）",
        en="{who} reaches {read} in category {category} in this month; the cap is {expected} ({where})",
        run=cap("month"),
        trigger="high_stakes",
    ),
    Check(
        id="cap_trip",
        severity="review",
        source="policy: caps",
        zh="出差“{trip}”类别 {category} 合计 {read}，达到限额 {expected}（{where}）",
        en="The trip “{trip}” reaches {read} in category {category}; the cap is {expected} ({where})",
        run=cap("trip"),
        trigger="high_stakes",
    ),
    Check(
        id="split",
        severity="review",
        source="policy: limits.split_days",
        zh="同一销售方 {days} 天内 {count} 张发票合计 {read}，达到限额 {expected}，疑似拆单（{where}）",
        en="{count} invoices of this seller within {days} days add up to {read} and reach the limit {expected}: "
        "it may have been split ({where})",
        run=split,
        trigger="high_stakes",
    ),
    Check(
        id="near_limit",
        severity="hint",
        source="policy: limits.band_percent",
        zh="金额 {read} 在限额 {expected} 的 {percent}% 以上（{where}）",
        en="The total {read} is over {percent} % of the limit {expected} ({where})",
        run=band,
    ),
    Check(
        id="round_amount",
        severity="hint",
        source="policy: limits.round_to",
        zh="金额 {read} 是 {expected} 的整数倍（{where}）",
        en="The total {read} is a multiple of {expected} ({where})",
        run=round_amount,
    ),
    Check(
        id="repeated_amount",
        severity="hint",
        source="pattern",
        zh="同一销售方 30 天内至少 {count} 次出现相同金额 {read}（{where}）",
        en="The same total {read} from this seller at least {count} times within 30 days ({where})",
        run=repeated_amount,
    ),
)
