"""What makes an invoice a Chinese one, for the rules that only those must pass."""

from invoices.findings import Context
from invoices.record import Invoice

DIGITAL_NUMBER = 20
OLD_NUMBER = 8


def is_chinese(invoice: Invoice, context: Context) -> bool:
    """Whether Chinese rules apply: a Chinese form, a code, or the national currency with a Chinese kind of number."""
    if invoice.form.startswith("cn_") or invoice.text("code"):
        return True
    currency = invoice.text("currency") or context.policy.limits.currency
    number = invoice.text("number")
    return currency == "CNY" and (number.isdigit() and len(number) in {OLD_NUMBER, DIGITAL_NUMBER})


def is_digital(invoice: Invoice) -> bool:
    """Whether this is a fully digitalised e-invoice: no code and a 20-digit number."""
    return not invoice.text("code") and len(invoice.text("number")) == DIGITAL_NUMBER
