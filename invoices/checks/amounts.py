"""Arithmetic, in `Decimal` and exact to the cent."""

from collections.abc import Iterator
from decimal import Decimal

from invoices.findings import Check, Context, Outcome, Problem
from invoices.money import cents, money_text
from invoices.record import MONEY_FIELDS, Invoice

_EXACT = 1.0
_TEXT_LAYER_SLACK = Decimal("0.01")


def readable_amounts(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Every amount that is stated is an amount."""
    for name in MONEY_FIELDS:
        if invoice.text(name) and invoice.money(name) is None:
            yield Problem(name, invoice.text(name))


def head_sum(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Net plus tax is the total; a cent of slack only where text was read off a page."""
    net, tax, total = (invoice.money(name) for name in ("net", "tax", "total"))
    if net is None or total is None:
        return
    sure = min(invoice.confidence(name) for name in ("net", "total"))
    slack = Decimal(0) if sure >= _EXACT else _TEXT_LAYER_SLACK
    expected = cents(net + (tax or Decimal(0)))
    if abs(expected - cents(total)) > slack:
        words = {"net": money_text(net), "tax": money_text(tax or Decimal(0))}
        yield Problem("total", money_text(total), money_text(expected), words)


def known_currency(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The amount can be compared with the limit: the policy knows a rate for the invoice's currency."""
    total = invoice.signed_total
    currency = invoice.text("currency")
    if total is not None and context.policy.worth(total, currency) is None:
        yield Problem("currency", currency, context.policy.limits.currency)


CHECKS = (
    Check(
        id="amount_readable",
        severity="hard",
        source="arithmetic",
        zh="“{field}”的值“{read}”不是金额（{where}）",
        en="“{field}” reads “{read}”, which is no amount ({where})",
        run=readable_amounts,
    ),
    Check(
        id="net_tax_total",
        severity="hard",
        source="EN 16931 BR-CO-15; head of the Chinese VAT invoice",
        zh="金额 {net} + 税额 {tax} = {expected}，与价税合计 {read} 不符（{where}）",
        en="Net {net} + tax {tax} = {expected}, but the total reads {read} ({where})",
        run=head_sum,
    ),
    Check(
        id="currency_rate",
        severity="review",
        source="policy: rates",
        zh="政策中没有 {read} 对 {expected} 的汇率，无法与限额比较（{where}）",
        en="The policy has no rate from {read} to {expected}, so the limit can't be compared ({where})",
        run=known_currency,
    ),
)
