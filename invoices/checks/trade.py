"""Rules for invoices of any country: VAT ids, bank accounts, currencies, credit notes, and what readers noticed."""

import re
from collections.abc import Iterator

from stdnum import get_cc_module, iban
from stdnum.eu import vat as eu_vat

from invoices.checks.code_lists import CURRENCIES, DECIMALS
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem, Severity
from invoices.history import seller_key
from invoices.identity import normal_id
from invoices.money import cents, money_text
from invoices.record import CREDIT_KINDS, MONEY_FIELDS, Invoice

_VAT_ID = re.compile(r"[A-Z]{2}[0-9A-Z]{2,13}")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{1,30}")
_EU = frozenset(state.upper() for state in eu_vat.MEMBER_STATES) | {"EL"}
_SEVERE_REMARKS = frozenset({"sources_differ", "lost_digits", "ambiguous_date", "amounts_differ"})
_NOTES = frozenset({"derived_net", "derived_total"})
_PLAIN_INVOICE = frozenset({"380", "TD01"})


def vat_ids(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """Every VAT id has the format and check digits of its country (Northern Ireland is XI; GB is not in VIES)."""
    for name in ("seller_vat_id", "seller_tax_id", "buyer_vat_id", "buyer_tax_id"):
        read = normal_id(invoice.text(name))
        country = read[:2]
        if (
            not country.isalpha()
            or not _VAT_ID.fullmatch(read)
            or (name.endswith("tax_id") and invoice.text(name.replace("tax", "vat")))
        ):
            continue
        valid = _valid(country, read)
        if valid is None:
            yield NotExecuted(f"没有 {country} 的增值税号规则", f"no rule for VAT ids of {country} is known")
        elif not valid:
            vat = context.policy.vat
            severity: Severity = "hint" if vat.demo else vat.countries.get(country, vat.severity)
            yield Problem(name, read, country, severity=severity)


def _valid(country: str, read: str) -> bool | None:
    if country in _EU:
        return bool(eu_vat.is_valid(read))
    module = get_cc_module(country.lower(), "vat")
    return bool(module.is_valid(read) or module.is_valid(read[2:])) if module else None


def account_number(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """An account that looks like an IBAN has its country's length and passes mod 97."""
    read = normal_id(invoice.text("seller_account"))
    if _IBAN.fullmatch(read) and not iban.is_valid(read):
        yield Problem("seller_account", read)


def account_known(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """A seller with known accounts is paid to one of them: another one is how invoice fraud works."""
    read, seller = normal_id(invoice.text("seller_account")), seller_key(invoice)
    if not read or not seller:
        return
    if context.history is None:
        yield NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")
        return
    known = context.history.accounts(seller, without=context.invoice_id)
    if known and read not in known:
        yield Problem("seller_account", read, " / ".join(sorted(known)[:3]))


def currency_code(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The currency is one of ISO 4217."""
    read = invoice.text("currency")
    if read and read not in CURRENCIES:
        yield Problem("currency", read, "ISO 4217")


def minor_units(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """No amount has more decimals than its currency has minor units."""
    currency = invoice.text("currency")
    places = DECIMALS.get(currency, 2)
    for name in MONEY_FIELDS:
        amount = invoice.money(name)
        if amount is not None and -int(amount.as_tuple().exponent) > places and amount != round(amount, places):
            yield Problem(name, invoice.text(name), str(places), {"currency": currency or "-"})


def credit_sign(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A credit note carries positive amounts; a plain invoice with a negative total is a credit in disguise."""
    kind, total = invoice.text("kind"), invoice.money("total")
    if total is None or total >= 0:
        return
    if kind in CREDIT_KINDS or kind in _PLAIN_INVOICE:
        yield Problem("total", money_text(total), "> 0", {"kind": kind})


def payable(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """What is to be paid is the total less what was prepaid or withheld, plus rounding."""
    total, stated = invoice.money("total"), invoice.money("payable")
    if total is None or stated is None or invoice.form in {"ubl", "cii"}:
        return
    parts = {name: invoice.money(name) or 0 for name in ("prepaid", "withheld", "rounding")}
    without = total - parts["prepaid"] - parts["withheld"]
    if cents(stated) not in {cents(without), cents(without + parts["rounding"])}:
        yield Problem("payable", money_text(stated), money_text(without), {"total": money_text(total)})


def sources_differ(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The sources of one invoice (embedded XML, printed text, tags) say the same, and nothing was lost in reading."""
    for remark in invoice.remarks:
        if remark.kind in _SEVERE_REMARKS:
            yield Problem(None, remark.kind, "", {"zh": remark.zh, "en": remark.en})


def reader_remark(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The reader noticed nothing else that a person should know."""
    for remark in invoice.remarks:
        if remark.kind not in _SEVERE_REMARKS:
            severity: Severity | None = "hint" if remark.kind in _NOTES else None
            yield Problem(None, remark.kind, "", {"zh": remark.zh, "en": remark.en}, severity=severity)


CHECKS = (
    Check(
        id="vat_id",
        severity="review",
        source="VAT id formats of the member states (python-stdnum); policy: vat",
        zh="增值税号“{read}”不符合 {expected} 的格式或校验位（{where}）",
        en="The VAT id “{read}” has not the format or check digits of {expected} ({where})",
        run=vat_ids,
    ),
    Check(
        id="iban",
        severity="review",
        source="ISO 13616",
        zh="银行账号“{read}”的 IBAN 长度或校验位不符（{where}）",
        en="The account “{read}” has not the length or check digits of an IBAN ({where})",
        run=account_number,
    ),
    Check(
        id="account_changed",
        severity="review",
        source="payment fraud: a known seller's account changed",
        zh="该销售方此前的账号为 {expected}，本票为 {read}（{where}）",
        en="This seller was paid to {expected} before; the invoice now names {read} ({where})",
        run=account_known,
        trigger="high_stakes",
    ),
    Check(
        id="currency_code",
        severity="review",
        source="ISO 4217",
        zh="币种“{read}”不在 {expected} 中（{where}）",
        en="The currency “{read}” is not in {expected} ({where})",
        run=currency_code,
    ),
    Check(
        id="minor_units",
        severity="hint",
        source="ISO 4217 minor units",
        zh="“{field}”{read} 的小数位多于 {currency} 的 {expected} 位（{where}）",
        en="“{field}” {read} has more decimals than the {expected} of {currency} ({where})",
        run=minor_units,
    ),
    Check(
        id="credit_sign",
        severity="review",
        source="UNTDID 1001: 381 carries positive amounts",
        zh="单据类型 {kind} 的合计为 {read}，应为 {expected}（{where}）",
        en="A document of kind {kind} with the total {read}; expected {expected} ({where})",
        run=credit_sign,
    ),
    Check(
        id="payable",
        severity="review",
        source="arithmetic",
        zh="应付 {read}，按价税合计 {total} 减预付、代扣应为 {expected}（{where}）",
        en="{read} is to be paid, but the total {total} less prepayment and withholding is {expected} ({where})",
        run=payable,
    ),
    Check(
        id="sources_differ",
        severity="review",
        source="comparison of the sources of one invoice",
        zh="{zh}",
        en="{en}",
        run=sources_differ,
    ),
    Check(
        id="reader_remark",
        severity="review",
        source="reader",
        zh="{zh}",
        en="{en}",
        run=reader_remark,
    ),
)
