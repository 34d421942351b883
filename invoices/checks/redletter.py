"""Red letters (红字发票): what marks one, the invoice it takes back, and that the pair nets to zero."""

import re
from collections.abc import Iterator
from decimal import Decimal

from invoices.checks.china import is_red
from invoices.checks.limits import worth
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.history import original_number
from invoices.identity import normal_id
from invoices.money import money_text
from invoices.record import Invoice

_CONFIRMATION = re.compile(r"(?<![0-9])[0-9]{20}(?![0-9])")
_NOTHING = Decimal(0)
_NO_HISTORY = NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")


def red_signs(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """Sign, words and flag agree that this is a red letter, or that it is none."""
    total = invoice.money("total")
    if total is None or total == 0:
        return
    words, flag = invoice.text("capital_total"), invoice.text("blue_flag")
    says = {"total": "red" if total < 0 else "blue"}
    if words:
        says["capital_total"] = "red" if "负" in words else "blue"
    if flag in {"Y", "N"}:
        says["blue_flag"] = "red" if flag == "N" else "blue"
    if len(set(says.values())) > 1:
        told = ", ".join(f"{name}: {color}" for name, color in says.items())
        yield Problem("total", money_text(total), "", {"told": told})


def red_letter(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A red letter names the invoice it takes back; it is no expense by itself."""
    if not is_red(invoice):
        return
    original = original_number(invoice)
    surely_missing = not original and invoice.confidence("total") >= 1
    yield Problem("total", invoice.text("total"), original or "?", severity="hard" if surely_missing else None)


def red_confirmation(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The confirmation number of a digital red letter has 20 digits."""
    number = invoice.text("credit_note_number")
    if number and not _CONFIRMATION.fullmatch(number):
        yield Problem("credit_note_number", number, "20")


def red_pair(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The invoice that is taken back is known, is this seller's, and is not taken back for more than it was."""
    original, total = original_number(invoice), worth(invoice, context)
    if not is_red(invoice) or not original or total is None:
        return
    if context.history is None:
        yield _NO_HISTORY
        return
    blue = context.history.by_numbers((original,), without=context.invoice_id)
    if not blue:
        yield Problem("original_number", original, "", {"sum": "?"})
        return
    reversals = context.history.reversals(original, without=context.invoice_id)
    rest = sum((past.total or _NOTHING for past in (*blue, *reversals)), _NOTHING) + total
    seller = normal_id(invoice.text("seller_tax_id"))
    if rest < 0 or (seller and all(past.seller_tax_id not in {"", seller} for past in blue)):
        yield Problem("original_number", original, "", {"sum": money_text(rest)})


def taken_back(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """No earlier red letter or credit note takes this invoice back."""
    number = normal_id(invoice.text("number"))
    if not number or is_red(invoice):
        return
    if context.history is None:
        yield _NO_HISTORY
        return
    for past in context.history.reversals(number, without=context.invoice_id)[:1]:
        amount = money_text(past.total) if past.total is not None else "?"
        yield Problem("number", number, "", {"red": past.number, "amount": amount, "id": past.invoice_id})


CHECKS = (
    Check(
        id="red_signs",
        severity="hard",
        source="layout of the red-letter invoice",
        zh="价税合计 {read} 与红蓝标记不一致：{told}（{where}）",
        en="The total {read} and the marks of a red letter contradict each other: {told} ({where})",
        run=red_signs,
        scope="cn",
    ),
    Check(
        id="red_letter",
        severity="review",
        source="red-letter invoices; not reimbursable alone",
        zh="红字发票 {read}，对应蓝字发票“{expected}”：不能单独报销（{where}）",
        en="A red letter over {read} for the invoice “{expected}”: not reimbursable by itself ({where})",
        run=red_letter,
        scope="cn",
    ),
    Check(
        id="red_confirmation",
        severity="review",
        source="red-letter confirmation sheet",
        zh="红字确认单编号“{read}”应为 {expected} 位（{where}）",
        en="The red-letter confirmation number “{read}” must have {expected} digits ({where})",
        run=red_confirmation,
        scope="cn",
    ),
    Check(
        id="red_pair",
        severity="review",
        source="a red letter and its blue invoice net to zero",
        zh="红字发票对应的蓝字发票“{read}”未入账、属于别的销售方，或冲销超额（合计 {sum}）（{where}）",
        en="The invoice “{read}” that this red letter takes back is unknown, another seller's, or taken back for more "
        "than it was (sum {sum}) ({where})",
        run=red_pair,
        scope="cn",
    ),
    Check(
        id="taken_back",
        severity="review",
        source="red letters and credit notes seen earlier",
        zh="发票“{read}”已被“{red}”（{id}）红冲 {amount}（{where}）",
        en="The invoice “{read}” is taken back by “{red}” ({id}) over {amount} ({where})",
        run=taken_back,
    ),
)
