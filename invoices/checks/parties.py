"""Who sells and who buys: names, tax ids, the register of sellers."""

import re
from collections.abc import Iterator

from invoices.checks.china import is_chinese
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.identity import candidates, is_old_tax_id, is_uscc, normal_id
from invoices.record import Invoice

_LETTERS = re.compile(r"[\s()（）\[\]【】.,，。·'\"]")


def normal_name(name: str) -> str:
    """A company's name for comparing: width, case, brackets and blanks don't matter."""
    narrow = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in name)
    return _LETTERS.sub("", narrow).casefold()


def buyer_tax_id(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The buyer's tax id is one of the company's."""
    read = invoice.text("buyer_tax_id")
    if normal_id(read) not in context.policy.company_ids:
        yield Problem("buyer_tax_id", read, " / ".join(context.policy.company.tax_ids))


def buyer_name(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The buyer's name is one of the company's."""
    read = invoice.text("buyer")
    if normal_name(read) not in {normal_name(name) for name in context.policy.company.names}:
        yield Problem("buyer", read, " / ".join(context.policy.company.names))


def seller_tax_id(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller's tax id has the right length and both check characters; candidates are offered, never filled in."""
    read = normal_id(invoice.text("seller_tax_id"))
    if not is_chinese(invoice, context) or not read or is_uscc(read) or is_old_tax_id(read):
        return
    register = context.policy.known
    yield Problem(
        "seller_tax_id",
        read,
        "18",
        {"length": str(len(read))},
        candidates(read, register.seller_ids if register else ()),
    )


def known_seller(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller stands in the register."""
    register = context.policy.known
    if register is None:
        yield NotExecuted("没有配置名录", "no register is configured")
    elif normal_id(invoice.text("seller_tax_id")) not in register.seller_ids:
        yield Problem("seller_tax_id", invoice.text("seller_tax_id"))


CHECKS = (
    Check(
        id="buyer_tax_id",
        severity="hard",
        source="State Taxation Administration notice 2017 no. 16",
        zh="购买方税号为“{read}”，应为本公司税号 {expected}（{where}）",
        en="The buyer's tax id is “{read}”; it must be the company's: {expected} ({where})",
        run=buyer_tax_id,
    ),
    Check(
        id="buyer_name",
        severity="review",
        source="State Taxation Administration notice 2017 no. 16",
        zh="购买方名称为“{read}”，应为 {expected}（{where}）",
        en="The buyer's name is “{read}”; expected {expected} ({where})",
        run=buyer_name,
    ),
    Check(
        id="seller_tax_id",
        severity="hard",
        source="GB 32100-2015, GB 11714-1997",
        zh="销售方税号“{read}”有 {length} 位，不是有效的 18 位统一社会信用代码（校验位不符）（{where}）",
        en="The seller's tax id “{read}” has {length} characters and is no valid 18-character credit code ({where})",
        run=seller_tax_id,
    ),
    Check(
        id="known_seller",
        severity="review",
        source="policy: register",
        zh="销售方税号“{read}”不在供应商名录中（{where}）",
        en="The seller's tax id “{read}” is not in the register of sellers ({where})",
        run=known_seller,
    ),
)
