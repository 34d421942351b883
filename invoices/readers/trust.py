"""How far values read from a page are trusted, and how the invoice's own arithmetic moves that.

On the public text layers of benchmarks/corpus.py, 46 of 47 values that these figures put at 0.8 or above are right, and
the one that isn't is half of a buyer's name. Amounts stay there only where net + tax = total holds or can't be tried.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from invoices.record import Invoice, Remark

AMOUNTS = ("net", "tax", "total")
ONE_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Trust:
    """The confidence of one way of reading."""

    labelled: float
    """Beside or below its label."""
    confirmed: float
    """An amount where net + tax = total holds."""
    unlabelled: float
    """By shape or place only, and amounts that contradict one another: always a person's to confirm."""


TEXT = Trust(labelled=0.9, confirmed=0.95, unlabelled=0.6)
OCR = Trust(labelled=0.7, confirmed=0.78, unlabelled=0.5)
"""Never at 0.8, from which on an invoice may be booked unseen."""


def weighed(invoice: Invoice, trust: Trust) -> Invoice:
    """The record with the amounts' confidence set by whether they add up."""
    net, tax, total = (invoice.money(name) for name in AMOUNTS)
    if net is None or total is None:
        return invoice
    # An air itinerary's fund is in the total, but carries no VAT.
    extra = (invoice.money("air_fund") or 0) + (invoice.money("other_taxes") or 0)
    holds = abs(net + (tax or 0) + extra - total) <= ONE_CENT
    limit = trust.confirmed if holds else trust.unlabelled
    fields = dict(invoice.fields)
    for name in AMOUNTS:
        if name in fields:
            derived = name in {remark.kind.removeprefix("derived_") for remark in invoice.remarks}
            fields[name] = replace(fields[name], confidence=min(limit, 0.85) if derived else limit)
    remarks = () if holds else (_unequal(net, tax, total),)
    return replace(invoice, fields=fields, remarks=(*invoice.remarks, *remarks))


def _unequal(net: Decimal, tax: Decimal | None, total: Decimal) -> Remark:
    return Remark(
        "amounts_differ",
        f"读出的金额 {net} 加税额 {tax or 0} 不等于价税合计 {total}，可能读错",
        f"as read, net {net} plus tax {tax or 0} is not the total {total}: perhaps misread",
    )
