"""One invoice read from several sources of one file: the most trusted one stands, differences are remarks.

Nothing is repaired here: a difference names both values, and a person sees it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from invoices.money import parse_money
from invoices.record import MONEY_FIELDS, PUBLIC_FIELDS, Invoice, Reading, Remark

COMPARED = ("number", "code", "date", "net", "tax", "total", "seller_tax_id", "buyer_tax_id")
FIELD_NAMES = {
    "number": ("发票号码", "number"),
    "code": ("发票代码", "code"),
    "date": ("开票日期", "date"),
    "net": ("金额", "net amount"),
    "tax": ("税额", "tax"),
    "total": ("价税合计", "total"),
    "seller_tax_id": ("销售方税号", "seller's tax id"),
    "buyer_tax_id": ("购买方税号", "buyer's tax id"),
}
LOW_TRUST = 0.6
"""Below this a reading is too unsure to accuse a surer one of being different."""


def combined(sources: Sequence[Invoice], *, fill: bool = True) -> Invoice:
    """The first source, with what it lacks taken from the later ones, and a remark for each difference.

    Args:
        sources: readings of one invoice, the most trusted first; at least one.
        fill: whether public fields that the first source lacks are taken from the others.
    """
    first = sources[0]
    fields = dict(first.fields)
    remarks = list(first.remarks)
    for other in sources[1:]:
        remarks += differences(first, other)
        if fill:
            known = {*PUBLIC_FIELDS, "check_code", "kind", "document_kind"}
            fields |= {name: reading for name, reading in other.fields.items() if name in known and name not in fields}
    lines = next((source.lines for source in sources if source.lines), ())
    return replace(first, fields=fields, lines=lines, remarks=tuple(dict.fromkeys(remarks)))


def differences(first: Invoice, other: Invoice, names: Iterable[str] = COMPARED) -> list[Remark]:
    """A remark `sources_differ` for each field that both state, surely enough, and state differently."""
    pairs = [(name, first.fields.get(name), other.fields.get(name)) for name in names]
    return [
        differs(name, one, two)
        for name, one, two in pairs
        if one and two and two.confidence >= LOW_TRUST and not same(name, one.value, two.value)
    ]


def differs(name: str, one: Reading, two: Reading) -> Remark:
    """The remark that names both values and where each stands."""
    zh, en = FIELD_NAMES.get(name, (name, name))
    return Remark(
        "sources_differ",
        f"{zh}在两处不一致：{one.reader} 为 {one.value}（{one.where}），{two.reader} 为 {two.value}（{two.where}）",
        f"{en} differs: {one.reader} says {one.value} ({one.where}), {two.reader} says {two.value} ({two.where})",
    )


def same(name: str, one: str, two: str) -> bool:
    """Whether two values mean the same: amounts by value, ids and numbers without blanks and case."""
    if name in MONEY_FIELDS:
        amounts = parse_money(one), parse_money(two)
        if None not in amounts:
            return amounts[0] == amounts[1]
    return _plain(one) == _plain(two)


def _plain(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())
