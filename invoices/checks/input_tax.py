"""Which part of a Chinese invoice is cost and which is deductible input tax: for the booking, not for the refund."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from invoices.checks.china import categories_of, is_digital, is_red, is_special, ticket
from invoices.findings import Context
from invoices.money import cents
from invoices.record import Invoice

_NOTHING = Decimal(0)
_NEVER = ("meals", "entertainment", "daily", "welfare", "loan")
_BY_FORMULA = {"rail": 9, "air": 9, "bus": 3, "ship": 3}

Basis = Literal["ordinary", "special", "passenger", "not_deductible"]


@dataclass(frozen=True, slots=True)
class InputTax:
    """How the total is booked."""

    cost: Decimal
    deductible: Decimal
    basis: Basis
    """ordinary: all is cost; special: cost is net, if ticked on the platform; passenger: by notice 2019 no. 39."""
    why: str = ""
    """The category that forbids the deduction (VAT Law art. 22)."""


def input_tax(invoice: Invoice, context: Context) -> InputTax | None:
    """The split of the total, None where the total isn't stated."""
    total = invoice.money("total")
    if total is None:
        return None
    forbidden = next((name for name in categories_of(invoice, context) if name in _NEVER), "")
    if forbidden:
        return InputTax(total, _NOTHING, "not_deductible", forbidden)
    passenger = passenger_tax(invoice)
    if passenger is not None:
        return InputTax(total - passenger, passenger, "passenger")
    tax = invoice.money("tax") or _NOTHING
    return InputTax(total - tax, tax, "special") if is_special(invoice) else InputTax(total, _NOTHING, "ordinary")


def passenger_tax(invoice: Invoice) -> Decimal | None:
    """The deductible tax of passenger transport, None where this is none or the ticket is no basis for it.

    Electronic invoices state it; rail and air tickets give (fare + fuel) / 1.09 x 9 %, road and water fare / 1.03 x 3 %
    (State Taxation Administration notice 2019 no. 39).
    """
    kind = ticket(invoice)
    rate = _BY_FORMULA.get(kind)
    stated, base = invoice.money("tax"), passenger_base(invoice)
    if rate is None or base is None or is_red(invoice):
        return None
    return stated if stated and is_digital(invoice) else cents(base * rate / (100 + rate))


def passenger_base(invoice: Invoice) -> Decimal | None:
    """What the tax is in: fare and fuel surcharge where they are stated, else the total without what bears no VAT."""
    fare, fuel, total = (invoice.money(name) for name in ("fare", "fuel_surcharge", "total"))
    if fare is not None:
        return fare + (fuel or _NOTHING)
    beside = sum((invoice.money(name) or _NOTHING for name in ("air_fund", "other_taxes")), _NOTHING)
    return None if total is None else total - beside
