"""The same invoice twice: by its key, whatever file it came in."""

from collections.abc import Iterator

from invoices.checks.china import DIGITAL_NUMBER, OLD_NUMBER
from invoices.checks.parties import normal_name
from invoices.findings import Check, Context, Outcome, Problem
from invoices.identity import normal_id
from invoices.record import Invoice

DUPLICATE = "duplicate"


def invoice_key(invoice: Invoice) -> str | None:
    """What makes an invoice the same one in every form, None where it states too little to tell.

    China: code and number, or the 20-digit number alone. Elsewhere: seller, number and year, because sellers start
    their numbers again each year and two sellers may use the same number.
    """
    number, code = normal_id(invoice.text("number")), normal_id(invoice.text("code"))
    if not number:
        return None
    if number.isdigit() and len(number) == DIGITAL_NUMBER:
        return f"cn:{number}"
    if code and number.isdigit() and len(number) == OLD_NUMBER:
        return f"cn:{code}:{number}"
    seller = normal_id(invoice.text("seller_tax_id")) or normal_name(invoice.text("seller"))
    day = invoice.day()
    return f"{seller}:{number}:{day.year}" if seller and day else None


def seen_before(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """No other file already brought this invoice."""
    earlier = context.earlier
    if earlier:
        words = {"file": earlier.file, "batch": earlier.batch, "status": earlier.status, "id": earlier.invoice_id}
        yield Problem("number", invoice.text("number"), "", words)


CHECKS = (
    Check(
        id=DUPLICATE,
        severity="hard",
        source="Ministry of Finance, Caikuai 2020 no. 6",
        zh="发票“{read}”重复：批次 {batch} 的 {file} 已经提交过（{id}，{status}）",
        en="Invoice “{read}” is a duplicate: {file} of batch {batch} brought it first ({id}, {status})",
        run=seen_before,
    ),
)
