"""Vouchers: what was booked, in a form that a ledger system imports.

A voucher's id is the booking's, which is derived from the invoice: an export repeated gives the same ids, and an import
that keeps ids unique takes each booking once. Which part of the total is deductible input tax is the word of
`invoices.checks.input_tax`. A reversal is a voucher of its own with the amounts negated. `docs/vouchers.md` describes
both formats.
"""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal

from sqlalchemy import Connection

from invoices.bookings import Booking, bookings_of
from invoices.checks.input_tax import input_tax
from invoices.findings import Context
from invoices.ledger import Examined, examined_of, policy_of, require_batch
from invoices.money import money_text
from invoices.policy import Policy
from remembrancer.reports.formats import harmless


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """One entry for the ledger system; amounts are text with two decimals, ids are text."""

    voucher_id: str
    invoice_id: str
    kind: str
    date: str
    booked_at: str
    booked_by: str
    seller: str
    seller_tax_id: str
    code: str
    number: str
    currency: str
    cost: str
    """Debit of the expense."""
    input_tax: str
    """Debit of the input tax, 0.00 where the tax is part of the cost."""
    basis: str
    """Why: ordinary, special, passenger (notice 2019 no. 39), not_deductible (VAT Law art. 22)."""
    payable: str
    """Credit of the amount owed or paid: cost + input_tax."""


def vouchers_of(connection: Connection, tenant: str, name_or_id: str) -> list[Voucher]:
    """The batch's bookings as vouchers, in the order in which they were booked.

    Raises:
        NotFoundError: this tenant has no such batch.
    """
    batch = require_batch(connection, tenant, name_or_id)
    policy = policy_of(connection, batch.policy)
    examined = {one.invoice_id: one for one in examined_of(connection, batch.batch_id)}
    return [_voucher(entry, examined[entry.invoice_id], policy) for entry in bookings_of(connection, batch.batch_id)]


def to_json(vouchers: Sequence[Voucher]) -> str:
    """The vouchers as one JSON document."""
    return json.dumps({"vouchers": [asdict(one) for one in vouchers]}, ensure_ascii=False, indent=2) + "\n"


def to_csv(vouchers: Sequence[Voucher]) -> str:
    """The vouchers as CSV, one a row, headings first; nothing in it can become a formula."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(Voucher.__slots__), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: harmless(cell) for name, cell in asdict(one).items()} for one in vouchers)
    return out.getvalue()


def _voucher(entry: Booking, examined: Examined, policy: Policy) -> Voucher:
    record = examined.record
    if record is None:
        raise ValueError(f"{examined.invoice_id} is booked without a record")
    split = input_tax(record, Context(policy, examined.examined_at.date(), claim=examined.claim))
    tax = abs(split.deductible).copy_sign(entry.amount) if split else Decimal("0.00")
    return Voucher(
        voucher_id=entry.booking_id,
        invoice_id=entry.invoice_id,
        kind=entry.kind,
        date=record.text("date"),
        booked_at=entry.booked_at.isoformat(timespec="seconds"),
        booked_by=entry.booked_by,
        seller=record.text("seller"),
        seller_tax_id=record.text("seller_tax_id"),
        code=record.text("code"),
        number=record.text("number"),
        currency=entry.currency,
        cost=money_text(entry.amount - tax),
        input_tax=money_text(tax),
        basis=split.basis if split else "ordinary",
        payable=money_text(entry.amount),
    )
