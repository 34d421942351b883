"""Arithmetic, in `Decimal` and exact to the cent."""

from collections.abc import Iterator
from decimal import Decimal

from invoices.capitals import parse_capitals, write_capitals
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.money import cents, money_text
from invoices.record import MONEY_FIELDS, Invoice

BESIDE_VAT = ("air_fund", "other_taxes")
"""Parts of the total that stand beside net and tax."""
_NOTHING = Decimal(0)
_EXACT = 1.0
_TEXT_LAYER_SLACK = Decimal("0.01")


def readable_amounts(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Every amount that is stated is an amount."""
    for name in MONEY_FIELDS:
        if invoice.text(name) and invoice.money(name) is None:
            yield Problem(name, invoice.text(name))


def head_sum(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Net plus tax (and what carries no VAT, such as the aviation fund) is the total, as many cents as were read."""
    net, tax, total = (invoice.money(name) for name in ("net", "tax", "total"))
    if net is None or total is None:
        if total is not None:
            yield NotExecuted("没有不含税金额，无法核对", "no net amount is stated")
        return
    sure = min(invoice.confidence(name) for name in ("net", "total"))
    slack = _NOTHING if sure >= _EXACT else _TEXT_LAYER_SLACK
    beside = sum((invoice.money(name) or _NOTHING for name in BESIDE_VAT if name in invoice.fields), _NOTHING)
    expected = cents(net + (tax or _NOTHING) + beside)
    if abs(expected - cents(total)) > slack:
        words = {"net": money_text(net), "tax": money_text(tax or _NOTHING)}
        yield Problem("total", money_text(total), money_text(expected), words)


def capital_total(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The total in capital numerals says the same amount as the digits."""
    words, total = invoice.text("capital_total"), invoice.money("total")
    if not words or total is None:
        return
    stated = parse_capitals(words)
    if stated is None:
        yield Problem("capital_total", words, _written(total), severity="review")
    elif abs(stated) != abs(cents(total)) or (stated < 0 < total):
        yield Problem("capital_total", words, _written(total))


def _written(total: Decimal) -> str:
    try:
        return write_capitals(cents(total))
    except ValueError:
        return money_text(total)


def tax_sign(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Tax and net of a Chinese invoice point the same way, and the tax is less than the net."""
    net, tax = invoice.money("net"), invoice.money("tax")
    if net and tax and (net * tax < 0 or abs(tax) > abs(net)):
        yield Problem("tax", money_text(tax), "", {"net": money_text(net)})


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
    Check(
        id="capital_total",
        severity="hard",
        source="head of the Chinese VAT invoice",
        zh="大写金额“{read}”与价税合计不符，应为“{expected}”（{where}）",
        en="The amount in capital numerals “{read}” is not the total, which is “{expected}” ({where})",
        run=capital_total,
        scope="cn",
    ),
    Check(
        id="tax_sign",
        severity="review",
        source="head of the Chinese VAT invoice",
        zh="税额 {read} 与金额 {net} 的正负或大小不合常理（{where}）",
        en="The tax {read} does not go with the net amount {net}, in sign or in size ({where})",
        run=tax_sign,
        scope="cn",
    ),
)
