"""The same invoice twice: by its key, whatever file it came in; and one that is nearly the same."""

from collections.abc import Iterator

from invoices.checks.china import DIGITAL_NUMBER, OLD_NUMBER
from invoices.checks.limits import worth
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.history import seller_key
from invoices.identity import is_digits, normal_id
from invoices.names import normal_name
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
    if is_digits(number) and len(number) == DIGITAL_NUMBER:
        return f"cn:{number}"
    if code and is_digits(number) and len(number) == OLD_NUMBER:
        return f"cn:{code}:{number}"
    seller = normal_id(invoice.text("seller_tax_id")) or normal_name(invoice.text("seller"))
    day = invoice.day()
    return f"{seller}:{number}:{day.year}" if seller and day else None


def seen_before(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """No other file already brought this invoice; one that can't be told apart is never approved unseen."""
    earlier = context.earlier
    if earlier:
        words = {"file": earlier.file, "batch": earlier.batch, "status": earlier.status, "id": earlier.invoice_id}
        yield Problem("number", invoice.text("number"), "", words)
    elif invoice_key(invoice) is None:
        yield NotExecuted("缺少号码、销售方或日期，无法查重", "number, seller or date is missing", blocks=True)


def near_duplicate(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """No other invoice of this seller has the same date and total under another number."""
    day, total, seller = invoice.day(), worth(invoice, context), seller_key(invoice)
    if day is None or not total or not seller:
        return
    if context.history is None:
        yield NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")
        return
    number = normal_id(invoice.text("number"))
    for past in context.history.same_amount(seller, total, day, day, without=context.invoice_id):
        if (past.number, past.code) != (number, invoice.text("code")):
            words = {"file": past.file or "-", "batch": past.batch or "-", "id": past.invoice_id}
            yield Problem("number", invoice.text("number"), past.number, words)
            return


CHECKS = (
    Check(
        id=DUPLICATE,
        severity="hard",
        source="Ministry of Finance, Caikuai 2020 no. 6",
        zh="发票“{read}”重复：批次 {batch} 的 {file} 已经提交过（{id}，{status}）",
        en="Invoice “{read}” is a duplicate: {file} of batch {batch} brought it first ({id}, {status})",
        run=seen_before,
    ),
    Check(
        id="near_duplicate",
        severity="review",
        source="pattern: same seller, date and total",
        zh="与发票“{expected}”（批次 {batch} 的 {file}，{id}）同一销售方、同日、同额，号码为“{read}”（{where}）",
        en="Same seller, date and total as invoice “{expected}” ({file} of batch {batch}, {id}), "
        "but the number is “{read}” ({where})",
        run=near_duplicate,
    ),
)
