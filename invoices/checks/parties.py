"""Who sells and who buys: names, tax ids, the register of sellers, lists of firms to keep away from."""

from collections.abc import Iterator

from invoices.checks.china import is_chinese, ticket
from invoices.findings import Check, Context, NotExecuted, Outcome, Problem
from invoices.identity import candidates, is_usual_kind, masked_id, normal_id, tax_id_kind
from invoices.names import is_person, normal_name
from invoices.record import Invoice

_NO_REGISTER = NotExecuted("没有配置名录", "no register is configured")
_NO_HISTORY = NotExecuted("没有以往发票的记录", "there is no history of earlier invoices")
_NO_BUYER_PRINTED = NotExecuted("此类票据不印购买方", "this kind of ticket prints no buyer")

_NO_SELLER_PRINTED = NotExecuted("此类票据不印销售方", "this kind of ticket prints no seller")


def _person_buys(invoice: Invoice) -> bool:
    return not invoice.text("buyer_tax_id") and is_person(invoice.text("buyer"))


def _prints_no_buyer(invoice: Invoice) -> bool:
    return bool(ticket(invoice)) and not invoice.text("buyer") and not invoice.text("buyer_tax_id")


def buyer_tax_id(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The buyer's tax id is one of the company's; a Chinese invoice must state it, elsewhere the name may do."""
    read = invoice.text("buyer_tax_id")
    if normal_id(read) in context.policy.company_ids:
        return
    if _prints_no_buyer(invoice):
        yield _NO_BUYER_PRINTED
    elif not _person_buys(invoice) or not is_chinese(invoice, context):
        mild = not read and not is_chinese(invoice, context)
        expected = " / ".join(context.policy.company.tax_ids)
        yield Problem("buyer_tax_id", masked_id(normal_id(read)), expected, severity="review" if mild else None)


def buyer_name(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The buyer's name is one of the company's; with the right tax id, another name is only noticed."""
    read = invoice.text("buyer")
    if _prints_no_buyer(invoice) or (_person_buys(invoice) and is_chinese(invoice, context)):
        return
    if normal_name(read) not in context.policy.company_names:
        same_id = normal_id(invoice.text("buyer_tax_id")) in context.policy.company_ids
        yield Problem("buyer", read, " / ".join(context.policy.company.names), severity="hint" if same_id else None)


def buyer_person(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """A private person is no buyer, unless the policy allows it."""
    if _person_buys(invoice) and not context.policy.company.person_as_buyer:
        yield Problem("buyer", invoice.text("buyer"), " / ".join(context.policy.company.names))


def seller_tax_id(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller's tax id has the right length and both check characters; candidates are offered, never filled in."""
    read = normal_id(invoice.text("seller_tax_id"))
    if not read or not is_chinese(invoice, context) or tax_id_kind(read) != "unknown":
        return
    register = context.policy.known
    known = register.seller_ids if register else frozenset()
    yield Problem("seller_tax_id", masked_id(read), "18", {"length": str(len(read))}, candidates(read, known))


def seller_id_missing(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """A Chinese invoice names the seller's tax id (rail and other tickets have no seller field)."""
    if not invoice.text("seller_tax_id") and not ticket(invoice):
        yield Problem("seller_tax_id")


def seller_id_kind(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The credit code begins with a usual pair of authority and kind of body."""
    read = normal_id(invoice.text("seller_tax_id"))
    if tax_id_kind(read) == "uscc" and not is_usual_kind(read):
        yield Problem("seller_tax_id", read, "91 / 92 / 93", {"pair": read[:2]})


def seller_is_person(invoice: Invoice, context: Context) -> Iterator[Outcome]:  # noqa: ARG001
    """The seller's tax id holds no citizen's number (an individual business; the number is masked)."""
    read = normal_id(invoice.text("seller_tax_id"))
    if tax_id_kind(read) in {"person20", "person17"}:
        yield Problem("seller_tax_id", masked_id(read))


def known_seller(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller stands in the register."""
    register = context.policy.known
    if register is None:
        yield _NO_REGISTER
    elif ticket(invoice) and not invoice.text("seller_tax_id"):
        yield _NO_SELLER_PRINTED
    elif normal_id(invoice.text("seller_tax_id")) not in register.seller_ids:
        yield Problem("seller_tax_id", masked_id(invoice.text("seller_tax_id")))


def self_dealing(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller is neither the buyer nor the company itself."""
    tax_id, name = normal_id(invoice.text("seller_tax_id")), normal_name(invoice.text("seller"))
    same_id = tax_id and tax_id in {normal_id(invoice.text("buyer_tax_id")), *context.policy.company_ids}
    same_name = name and name in {normal_name(invoice.text("buyer")), *context.policy.company_names}
    if same_id or same_name:
        yield Problem("seller", invoice.text("seller"), "", {"tax_id": masked_id(tax_id)})


def related_seller(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller is no firm that is close to the company or an employee."""
    keys = {normal_id(invoice.text("seller_tax_id")), normal_name(invoice.text("seller"))}
    if context.policy.related_keys and keys & context.policy.related_keys:
        yield Problem("seller", invoice.text("seller"))


def blacklisted(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller stands on no imported list of runaway firms or abnormal vouchers."""
    keys = (normal_id(invoice.text("seller_tax_id")), normal_name(invoice.text("seller")))
    for listing in context.policy.blacklists:
        entry = next((listing.by_key[key] for key in keys if key in listing.by_key), None)
        if entry:
            words = {"list": listing.source, "on": listing.on.isoformat(), "reason": entry.reason or "-"}
            yield Problem("seller_tax_id", invoice.text("seller"), "", words)


def _registered(tax_id: str, name: str, context: Context) -> bool:
    """Whether the register knows this name under this id: one odd invoice must not throw doubt on all that follow."""
    register = context.policy.known
    return register is not None and any(normal_name(seller.name) == name for seller in register.sellers_of(tax_id))


def one_name(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller's tax id always stood beside this name: in the register, and on earlier invoices."""
    tax_id, name = normal_id(invoice.text("seller_tax_id")), normal_name(invoice.text("seller"))
    if not tax_id or not name:
        return
    register = context.policy.known
    known = {seller.name for seller in register.sellers_of(tax_id)} if register else set()
    if _registered(tax_id, name, context):
        return
    if context.history is not None:
        known |= context.history.names(tax_id, without=context.invoice_id)
    elif register is None:
        yield _NO_HISTORY
    others = sorted(other for other in known if other and normal_name(other) != name)
    if others:
        yield Problem("seller", invoice.text("seller"), " / ".join(others[:3]), {"tax_id": masked_id(tax_id)})


def one_tax_id(invoice: Invoice, context: Context) -> Iterator[Outcome]:
    """The seller's name always stood beside this tax id on earlier invoices, or stands so in the register."""
    tax_id, name = normal_id(invoice.text("seller_tax_id")), normal_name(invoice.text("seller"))
    if not tax_id or not name:
        return
    if context.history is None:
        yield _NO_HISTORY
        return
    if _registered(tax_id, name, context):
        return
    others = sorted(context.history.tax_ids(name, without=context.invoice_id) - {tax_id})
    if others:
        expected = " / ".join(map(masked_id, others[:3]))
        yield Problem("seller_tax_id", masked_id(tax_id), expected, {"seller": invoice.text("seller")})


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
        id="buyer_person",
        severity="review",
        source="policy: company.person_as_buyer",
        zh="购买方是个人“{read}”，应为 {expected}（{where}）",
        en="The buyer is a private person, “{read}”; expected {expected} ({where})",
        run=buyer_person,
        scope="cn",
    ),
    Check(
        id="seller_tax_id",
        severity="hard",
        source="GB 32100-2015, GB 11714-1997",
        zh="销售方税号“{read}”有 {length} 位，不是有效的 {expected} 位统一社会信用代码（长度或校验位不符）（{where}）",
        en="The seller's tax id “{read}” has {length} characters and is no valid {expected}-character credit code "
        "({where})",
        run=seller_tax_id,
    ),
    Check(
        id="seller_id_missing",
        severity="review",
        source="layout of the Chinese VAT invoice",
        zh="没有销售方税号（{where}）",
        en="The seller's tax id is missing ({where})",
        run=seller_id_missing,
        scope="cn",
    ),
    Check(
        id="seller_id_kind",
        severity="hint",
        source="GB 32100-2015, first two characters",
        zh="销售方税号“{read}”以少见的“{pair}”开头（常见为 {expected}）（{where}）",
        en="The seller's tax id “{read}” begins with the rare pair “{pair}” (usual: {expected}) ({where})",
        run=seller_id_kind,
        scope="cn",
    ),
    Check(
        id="seller_is_person",
        severity="hint",
        source="tax ids of individual businesses",
        zh="销售方税号“{read}”含公民身份号码，为个体经营者（{where}）",
        en="The seller's tax id “{read}” holds a citizen's number: an individual business ({where})",
        run=seller_is_person,
        scope="cn",
    ),
    Check(
        id="known_seller",
        severity="review",
        source="policy: register",
        zh="销售方税号“{read}”不在供应商名录中（{where}）",
        en="The seller's tax id “{read}” is not in the register of sellers ({where})",
        run=known_seller,
    ),
    Check(
        id="self_dealing",
        severity="review",
        source="arm's length",
        zh="销售方“{read}”（{tax_id}）就是购买方或本公司（{where}）",
        en="The seller “{read}” ({tax_id}) is the buyer or the company itself ({where})",
        run=self_dealing,
    ),
    Check(
        id="related_seller",
        severity="review",
        source="policy: company.related",
        zh="销售方“{read}”是关联方（{where}）",
        en="The seller “{read}” is a related party ({where})",
        run=related_seller,
    ),
    Check(
        id="blacklist",
        severity="hard",
        source="State Taxation Administration notices 2016 no. 76, 2019 no. 38; policy: blacklists",
        zh="销售方“{read}”在名单“{list}”（{on}）上：{reason}（{where}）",
        en="The seller “{read}” stands on the list “{list}” of {on}: {reason} ({where})",
        run=blacklisted,
    ),
    Check(
        id="one_name",
        severity="review",
        source="register and earlier invoices",
        zh="税号 {tax_id} 此前对应“{expected}”，本票为“{read}”（{where}）",
        en="The tax id {tax_id} stood beside “{expected}” before; here beside “{read}” ({where})",
        run=one_name,
    ),
    Check(
        id="one_tax_id",
        severity="review",
        source="earlier invoices",
        zh="“{seller}”此前的税号为 {expected}，本票为 {read}（{where}）",
        en="“{seller}” had the tax id {expected} before; here {read} ({where})",
        run=one_tax_id,
    ),
)
