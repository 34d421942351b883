"""For every rule one invoice that passes and one that fails, each as a change to a sound invoice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from invoices.checks.en_categories import CATEGORIES, Category
from invoices.findings import Context, Earlier
from invoices.history import Claim, MemoryHistory, Past
from invoices.identity import body_check_character, check_character, made_up_uscc
from invoices.policy import Blacklist, Branch, Cap, Company, Limits, Listed, Lookup, Policy, Register, Related, Seller
from invoices.record import Adjustment, Invoice, Line, Place, Reading, Remark, TaxPart
from invoices.verification import State, Verification

TODAY = date(2026, 6, 15)
COMPANY, SELLER, STRANGER = made_up_uscc(1), made_up_uscc(2), made_up_uscc(3)
NUMBER = "26991000000000000123"
CODE, SERIAL = "099022600211", "04875996"
RARE_FIRST17 = "8999990012345678"
CITIZEN20 = "11010519491231002X01"


def reading(value: str, confidence: float = 1.0) -> Reading:
    return Reading(value, value, Place("sample.xml", path="x"), "test", confidence)


def readings(**values: str | None) -> dict[str, Reading]:
    return {name: reading(value) for name, value in values.items() if value is not None}


CN_FIELDS = {
    "seller": "乙方软件有限公司",
    "seller_tax_id": SELLER,
    "buyer": "甲方（示例）有限公司",
    "buyer_tax_id": COMPANY,
    "number": NUMBER,
    "date": "2026-05-06",
    "currency": "CNY",
    "net": "200.00",
    "tax": "12.00",
    "total": "212.00",
}
CN_LINE = Line(
    name="*信息技术服务*服务费",
    category="信息技术服务",
    quantity="2",
    unit_price="100",
    net="200.00",
    rate="6",
    tax="12.00",
)
POLICY = Policy(
    company=Company(names=("甲方(示例)有限公司",), tax_ids=(COMPANY,)),
    register=Register(
        sellers=(Seller(tax_id=SELLER, name="乙方软件有限公司"),), codes=frozenset({CODE, "011002680026", "9900261130"})
    ),
    rates={"EUR": {"value": "8", "on": "2026-01-01", "source": "test"}},
    blacklists=(Blacklist(source="tax bureau list 3", on=date(2026, 1, 1), entries=(Listed(tax_id=STRANGER),)),),
)


def cn(
    line: Mapping[str, Any] | None = None, *, lines: tuple[Line, ...] | None = None, **changes: str | None
) -> Invoice:
    one = (replace(CN_LINE, **line),) if line else (CN_LINE,)
    return Invoice("cn_einvoice", readings(**{**CN_FIELDS, **changes}), one if lines is None else lines)


def old(**changes: str | None) -> Invoice:
    """An invoice of the older kind, with code, number and check code."""
    return cn(**{"code": CODE, "number": SERIAL, "check_code": "12345678901234567890", **changes})


def red(**changes: str | None) -> Invoice:
    """A red letter that takes back the ordinary sample."""
    values = {
        "net": "-200.00",
        "tax": "-12.00",
        "total": "-212.00",
        "capital_total": "（负数）贰佰壹拾贰圆整",
        "blue_flag": "N",
        "number": "26991000000000000999",
        "original_number": NUMBER,
    }
    line = {"quantity": "-2", "net": "-200.00", "tax": "-12.00"}
    return cn(line, **{**values, **changes})


def air(**changes: str | None) -> Invoice:
    values = {
        "kind": "air",
        "fare": "477.06",
        "fuel_surcharge": "45.87",
        "tax": "47.07",
        "air_fund": "50.00",
        "net": "522.93",
        "total": "620.00",
        "traveller": "某甲",
    }
    return cn(lines=(), **{**values, **changes})


EN_FIELDS = {
    "profile": "urn:cen.eu:en16931:2017",
    "kind": "380",
    "number": "R-17",
    "date": "2026-05-06",
    "currency": "EUR",
    "seller": "Seller SA",
    "seller_id": "4012345000009",
    "seller_register_id": "HRB 1",
    "seller_vat_id": "XI980780684",
    "seller_tax_id": "XI980780684",
    "seller_address": "stated",
    "seller_country": "DE",
    "buyer": "Company GmbH",
    "buyer_vat_id": "DE136695976",
    "buyer_tax_id": "DE136695976",
    "buyer_register_id": "HRB 2",
    "buyer_address": "stated",
    "buyer_country": "DE",
    "seller_account": "DE89370400440532013000",
    "payment_means": "58",
    "due_date": "2026-06-06",
    "delivery_date": "2026-05-01",
    "delivery_address": "stated",
    "delivery_country": "FR",
    "amount_currencies": "EUR",
    "line_total": "100.00",
    "allowance_total": "10.00",
    "charge_total": "5.00",
    "net": "95.00",
    "tax": "18.05",
    "total": "113.05",
    "payable": "113.05",
}
EN_LINE = Line(
    id="1",
    name="Thing",
    quantity="2",
    unit="C62",
    unit_price="50",
    gross_price="55",
    net="100.00",
    rate="19",
    category="S",
)
ALLOWANCE = Adjustment(False, "10.00", "100.00", category="S", rate="19", reason="loyalty", reason_code="95")
CHARGE = Adjustment(True, "5.00", "100.00", category="S", rate="19", reason="freight", reason_code="FC")
TAX = TaxPart("S", "19", "95.00", "18.05")
EN_POLICY = Policy(
    company=Company(names=("Company GmbH",), tax_ids=("DE136695976",)),
    limits=Limits(currency="EUR"),
    register=Register(sellers=(Seller(tax_id="XI980780684", name="Seller SA"),)),
)


def en(
    *,
    line: Mapping[str, Any] | None = None,
    lines: tuple[Line, ...] | None = None,
    allowance: Mapping[str, Any] | None = None,
    charge: Mapping[str, Any] | None = None,
    tax_part: Mapping[str, Any] | None = None,
    taxes: tuple[TaxPart, ...] | None = None,
    **changes: str | None,
) -> Invoice:
    return Invoice(
        "ubl",
        readings(**{**EN_FIELDS, **changes}),
        (replace(EN_LINE, **(line or {})),) if lines is None else lines,
        (replace(TAX, **(tax_part or {})),) if taxes is None else taxes,
        adjustments=(replace(ALLOWANCE, **(allowance or {})), replace(CHARGE, **(charge or {}))),
    )


def in_category(category: Category, **changes: Any) -> Invoice:
    """A sound invoice all of whose parts are in one VAT category."""
    rate = {"positive": "19", "any": "7", "zero": "0", "none": None}[category.rate]
    ids: dict[str, Any] = {}
    if category.code == "O":
        ids = {"seller_vat_id": None, "buyer_vat_id": None}
    tax = {"19": "18.05", "7": "6.65"}.get(rate or "", "0.00")
    total = str(Decimal("95.00") + Decimal(tax))
    of_category = {"category": category.code, "rate": rate}
    row = {**of_category, "tax": tax, "reason": "because" if category.reason else None}
    parts = {
        "line": of_category | changes.pop("line", {}),
        "allowance": of_category | changes.pop("allowance", {}),
        "charge": of_category | changes.pop("charge", {}),
        "tax_part": row | changes.pop("tax_part", {}),
    }
    return en(**parts, **{"tax": tax, "total": total, "payable": total, **ids, **changes})


@dataclass(frozen=True)
class Pair:
    """What passes a rule and what fails it, each with its context."""

    good: Invoice
    bad: Invoice
    good_context: Context
    bad_context: Context


PAIRS: dict[str, Pair] = {}


def past(invoice_id: str, **values: Any) -> Past:
    sound = {
        "seller_key": SELLER,
        "seller": "乙方软件有限公司",
        "seller_tax_id": SELLER,
        "buyer_tax_id": COMPANY,
        "number": "26991000000000000001",
        "day": date(2026, 5, 6),
        "total": Decimal("212.00"),
        "submitter": "lin",
        "batch": "b1",
        "file": f"{invoice_id}.xml",
    }
    return Past(invoice_id=invoice_id, **{**sound, **values})


CLAIM = Claim(submitter="lin", claim_id="c1", category="services", trip="t1", people=("lin",))


def context(policy: Policy = POLICY, *seen: Past, claim: Claim = CLAIM, **values: Any) -> Context:
    return Context(policy, TODAY, history=MemoryHistory(seen), claim=claim, invoice_id="this", **values)


def policy(**parts: Any) -> Policy:
    return Policy(**{**{name: getattr(POLICY, name) for name in Policy.model_fields}, **parts})


def company(**parts: Any) -> Policy:
    return policy(company={**POLICY.company.model_dump(), **parts})


def add(rule: str, bad: Invoice, good: Invoice | None = None, where: Context | None = None, **kw: Context) -> None:
    """A rule's pair; without a good invoice, the sound sample is it."""
    is_en = bad.form in {"ubl", "cii"}
    base = where or context(EN_POLICY if is_en else POLICY)
    PAIRS[rule] = Pair(good or (en() if is_en else cn()), bad, kw.get("good_context", base), base)


def add_context(rule: str, bad: Context, good: Context | None = None, invoice: Invoice | None = None) -> None:
    """A rule's pair of one invoice in two contexts."""
    one = invoice or cn()
    PAIRS[rule] = Pair(one, one, good or context(), bad)


def _parties() -> None:
    add("buyer_tax_id", cn(buyer_tax_id=STRANGER))
    add("buyer_name", cn(buyer="丙方有限公司", buyer_tax_id=STRANGER))
    add("buyer_person", cn(buyer="张三", buyer_tax_id=None))
    add("seller_tax_id", cn(seller_tax_id=SELLER[:7] + SELLER[8:]))
    add("seller_id_missing", cn(seller_tax_id=None))
    body = RARE_FIRST17[8:16]
    rare = f"83999900{body}{body_check_character(body)}"
    add("seller_id_kind", cn(seller_tax_id=rare + check_character(rare)))
    add("seller_is_person", cn(seller_tax_id=CITIZEN20))
    add("known_seller", cn(seller_tax_id=made_up_uscc(9)))
    add("self_dealing", cn(seller_tax_id=COMPANY))
    add(
        "related_seller",
        cn(),
        cn(seller_tax_id=STRANGER, seller="别的公司"),
        context(company(related=(Related(tax_id=SELLER),))),
    )
    add("blacklist", cn(seller_tax_id=STRANGER))
    add("one_name", cn(seller="改名有限公司"))
    add("one_tax_id", cn(seller_tax_id=STRANGER), where=context(POLICY, past("p")))


def _numbers() -> None:
    add("needed_field", cn(date=None))
    add("code_shape", cn(code="12345", number=SERIAL), old())
    add("number_shape", cn(number="2699100000000000012"))
    add("known_code", old(code="099022600311"), old())
    add("code_year", old(code="099022700211"), old())
    add("code_kind", old(code="011002680026"), old())
    add("code_region", old(code="088022600211"), old())
    add("number_region", cn(number="26441000000000000123"))
    add("check_code_shape", old(check_code="1234"), old())
    qr = f"01,10,{CODE},{SERIAL},200.00,20260506,12345678901234567890,A1B2"
    add("qr_text", old(qr_text=qr, net="300.00"), old(qr_text=qr))


def _dates() -> None:
    add("date_real", cn(date="2026-02-30"))
    add("date_future", cn(date="2026-06-16"), cn(date="2026-06-15"))
    add("date_old", cn(date="2025-06-14"), cn(date="2025-06-15"))
    add("date_fiscal_year", cn(date="2025-12-31"), cn(date="2026-01-01"))
    add("date_times", cn(issue_time="2026-05-07 08:00:00"), cn(issue_time="2026-05-06 08:00:00"))


def _amounts() -> None:
    add("amount_readable", cn(total="2l2.00"))
    add("net_tax_total", cn(total="212.01"))
    add("currency_rate", cn(currency="USD"), cn(currency="EUR"))
    add("capital_total", cn(capital_total="贰佰壹拾叁圆整"), cn(capital_total="贰佰壹拾贰圆整"))
    add("tax_sign", cn(tax="-12.00"))
    add("line_price", cn({"quantity": "3003"}))
    add("line_tax", cn({"tax": "12.02"}), cn({"tax": "12.01"}))
    add("head_tax", cn({"tax": None}, tax="12.50"), cn({"tax": None}))
    add("lines_sum", cn({"net": "199.00"}))
    add("rate_allowed", cn({"rate": "17"}))
    add("tax_free", cn({"rate": "免税", "tax": "12.00"}), cn({"rate": "免税", "tax": "***"}))
    differential = {"remark": "差额征税：2.00。", "net": "198.04", "tax": "1.96", "total": "200.00"}
    stars = {"rate": "***", "net": "198.04", "tax": "1.96"}
    add("differential_tax", cn(stars, **{**differential, "tax": "5.00"}), cn(stars, **differential))
    add("goods_class", cn({"name": None, "category": None}))


def _limits() -> None:
    for per in ("invoice", "day", "month", "trip"):
        capped = policy(caps=(Cap(per=per, amount=Decimal("424.00" if per != "invoice" else "212.00")),))
        below = policy(caps=(Cap(per=per, amount=Decimal("424.01")),))
        seen = past("p", trip="t1", category="services")
        add_context(f"cap_{per}", context(capped, seen), context(below, seen))
    tight = policy(limits=Limits(amount=Decimal("400.00")))
    add_context("split", context(tight, past("p")), context(tight, past("p", submitter="else")))
    add_context("near_limit", context(policy(limits=Limits(amount=Decimal("220.00")))))
    add("round_amount", cn(total="3000.00"))
    add_context("repeated_amount", context(POLICY, past("p"), past("q")), context(POLICY, past("p")))


def _red() -> None:
    blue = past("blue", number=NUMBER)
    add("red_signs", red(capital_total="贰佰壹拾贰圆整"), red())
    add("red_letter", red(original_number=None))
    add("red_confirmation", red(credit_note_number="123"), red(credit_note_number="44011234567890123456"))
    add_context("red_pair", context(), context(POLICY, blue), red())
    taken = past("red", number="26991000000000000999", original_number=NUMBER, total=Decimal("-212.00"))
    add_context("taken_back", context(POLICY, taken))


def _others() -> None:
    earlier = Earlier("i1", "b1", "first.xml", "booked")
    add_context("duplicate", context(earlier=earlier))
    add_context("near_duplicate", context(POLICY, past("p")), context(POLICY, past("p", day=date(2026, 5, 7))))
    differs = Verification(State.DIFFERS, date(2026, 6, 1), "portal")
    add_context(
        "tax_office", context(verification=differs), context(verification=replace(differs, state=State.GENUINE))
    )
    run = [past(f"p{n}", number=str(int(NUMBER) + n)) for n in (1, 2)]
    add_context("consecutive_numbers", context(POLICY, *run), context(POLICY, run[0]))
    add("day_off", cn(date="2026-05-01"))
    add("category_claimed", cn({"category": "餐饮服务"}))
    trip = replace(CLAIM, trip_start=date(2026, 5, 1), trip_end=date(2026, 5, 9))
    late = replace(trip, trip_start=date(2026, 1, 1), trip_end=date(2026, 1, 9))
    add_context("trip_dates", context(claim=late), context(claim=trip))
    meals = {"category": "餐饮服务"}
    add("tax_not_deductible", cn(meals, vat_kind="增值税专用发票"), cn(vat_kind="增值税专用发票"))
    add("traveller_named", air(traveller=None), air())
    add("passenger_tax", air(tax="60.00"), air())
    add("ticket_sum", air(total="700.00"), air())


def _trade() -> None:
    add("vat_id", en(seller_vat_id="DE123456789"))
    add("iban", en(seller_account="DE12370400440532013000"))
    known = {"seller_key": "XI980780684", "seller_tax_id": "XI980780684", "seller": "Seller SA"}
    other = past("p", account="GB82WEST12345698765432", **known)
    same = past("p", account="DE89370400440532013000", **known)
    add_context("account_changed", context(EN_POLICY, other), context(EN_POLICY, same), en())
    add("currency_code", en(currency="EURO"))
    add("minor_units", en(currency="JPY"))
    add("credit_sign", en(kind="381", total="-113.05"), en(kind="381"))
    italian = replace(cn(payable="200.00", withheld="12.00"), form="fatturapa")
    add("payable", replace(cn(payable="200.00"), form="fatturapa"), italian)
    differ = Remark("sources_differ", "XML 与票面的价税合计不同", "XML and print state different totals")
    add("sources_differ", replace(cn(), remarks=(differ,)))
    add("reader_remark", replace(cn(), remarks=(replace(differ, kind="odd_attachment"),)))


def _en_parts() -> None:
    fields = {
        "BR-01": "profile",
        "BR-02": "number",
        "BR-03": "date",
        "BR-04": "kind",
        "BR-05": "currency",
        "BR-06": "seller",
        "BR-07": "buyer",
        "BR-08": "seller_address",
        "BR-09": "seller_country",
        "BR-10": "buyer_address",
        "BR-11": "buyer_country",
        "BR-12": "line_total",
        "BR-13": "net",
        "BR-14": "total",
        "BR-15": "payable",
        "BR-49": "payment_means",
        "BR-57": "delivery_country",
        "BR-61": "seller_account",
    }
    for rule, name in fields.items():
        add(rule, en(**{name: None}))
    add("BR-16", en(lines=()))
    add("BR-17", en(payee_id="P1"), en(payee_id="P1", payee="Bank"))
    agent = {
        "representative": "Agent",
        "representative_address": "stated",
        "representative_country": "DE",
        "representative_vat_id": "DE136695976",
    }
    for rule, name in zip(("BR-18", "BR-19", "BR-20", "BR-56"), agent, strict=False):
        pick = "representative_vat_id" if rule == "BR-56" else name
        add(rule, en(**{**agent, pick: None}), en(**agent))
    add("BR-19", en(**{**agent, "representative_address": None}), en(**agent))
    add("BR-20", en(**{**agent, "representative_country": None}), en(**agent))
    lines = {
        "BR-21": "id",
        "BR-22": "quantity",
        "BR-23": "unit",
        "BR-24": "net",
        "BR-25": "name",
        "BR-26": "unit_price",
    }
    for rule, name in lines.items():
        add(rule, en(line={name: None}))
    add("BR-27", en(line={"unit_price": "-1"}))
    add("BR-28", en(line={"gross_price": "-1"}))
    period = {"period_start": "2026-05-01", "period_end": "2026-05-31"}
    add("BR-29", en(**{**period, "period_end": "2026-04-30"}), en(**period))
    add(
        "BR-30",
        en(line={"start": "2026-05-02", "end": "2026-05-01"}),
        en(line={"start": "2026-05-01", "end": "2026-05-01"}),
    )
    no_reason = {"reason": None, "reason_code": None}
    add("BR-31", en(allowance={"amount": None}))
    add("BR-32", en(allowance={"category": None}))
    add("BR-33", en(allowance=no_reason), en(allowance={"reason": None}))
    add("BR-36", en(charge={"amount": None}))
    add("BR-37", en(charge={"category": None}))
    add("BR-38", en(charge=no_reason), en(charge={"reason": None}))
    for rules, whole in ((("BR-41", "BR-42"), ALLOWANCE), (("BR-43", "BR-44"), CHARGE)):
        sound = en(line={"adjustments": (whole,)})
        add(rules[0], en(line={"adjustments": (replace(whole, amount=None),)}), sound)
        add(rules[1], en(line={"adjustments": (replace(whole, reason=None, reason_code=None),)}), sound)
    for rule, name in {"BR-45": "base", "BR-46": "tax", "BR-47": "category", "BR-48": "rate"}.items():
        add(rule, en(tax_part={name: None}))
    add("BR-53", en(tax_currency="SEK"), en(tax_currency="SEK", accounting_tax="200.00"))
    counted = {
        "BR-52": "documents_without_id",
        "BR-54": "attributes_incomplete",
        "BR-55": "references_without_id",
        "BR-62": "seller_endpoint_bare",
        "BR-63": "buyer_endpoint_bare",
        "BR-64": "item_ids_bare",
        "BR-65": "item_classes_bare",
    }
    for rule, name in counted.items():
        add(rule, en(**{name: "1"}))


def _en_totals() -> None:
    add("BR-CO-03", en(tax_point_date="2026-05-06", tax_point_code="3"), en(tax_point_code="3"))
    add("BR-CO-04", en(line={"category": None}))
    add("BR-CO-09", en(seller_vat_id="ZZ980780684"))
    add("BR-CO-10", en(line_total="100.01"))
    add("BR-CO-11", en(allowance_total="9.99"))
    add("BR-CO-12", en(charge_total=None))
    add("BR-CO-13", en(net="95.01"))
    add("BR-CO-14", en(tax="18.06"))
    add("BR-CO-15", en(tax_totals="2"))
    add("BR-CO-16", en(prepaid="13.05"), en(prepaid="13.05", payable="100.00"))
    add("BR-CO-17", en(tax_part={"tax": "19.05"}), en(tax_part={"tax": "19.04"}))
    add("BR-CO-18", en(taxes=()))
    add("BR-CO-25", en(due_date=None), en(due_date=None, terms="30 days"))
    add("BR-CO-26", en(seller_id=None, seller_register_id=None, seller_vat_id=None))


def _en_categories() -> None:
    for category in CATEGORIES:
        _family(category)
    goods = next(one for one in CATEGORIES if one.code == "K")
    add("BR-IC-11", in_category(goods, delivery_date=None), in_category(goods))
    add("BR-IC-12", in_category(goods, delivery_country=None, delivery_address=None), in_category(goods))
    outside = next(one for one in CATEGORIES if one.code == "O")
    row = TaxPart("O", None, "95.00", "0.00", reason="because")
    add("BR-O-11", in_category(outside, taxes=(row, TAX)), in_category(outside))
    for rule, part in (("BR-O-12", "line"), ("BR-O-13", "allowance"), ("BR-O-14", "charge")):
        add(rule, in_category(outside, **{part: {"category": "S"}}), in_category(outside))


def _family(category: Category) -> None:
    name, good = f"BR-{category.letters}-", in_category(category)
    add(f"{name}01", in_category(category, taxes=()), good)
    for number, part in enumerate(("line", "allowance", "charge")):
        others = {one: {"category": "X"} for one in ("line", "allowance", "charge") if one != part}
        if category.code == "O":
            anonymous = {"seller_vat_id": "XI980780684"}
        else:
            anonymous = dict.fromkeys(("seller_vat_id", "buyer_vat_id", "buyer_register_id"))
        add(f"{name}{number + 2:02d}", in_category(category, **others, **anonymous), good)
        wrong = {"positive": "0", "zero": "19", "any": "-1", "none": "19"}[category.rate]
        add(f"{name}{number + 5:02d}", in_category(category, **{part: {"rate": wrong}}), good)
    add(f"{name}08", in_category(category, tax_part={"base": "97.00"}), good)
    add(f"{name}09", in_category(category, tax_part={"tax": "25.00"}), good)
    add(f"{name}10", in_category(category, tax_part={"reason": None if category.reason else "because"}), good)


def _en_codes() -> None:
    add("BR-CL-01", en(kind="999"))
    add("BR-CL-03", en(amount_currencies="EUR QQQ"))
    add("BR-CL-05", en(tax_currency="QQQ"), en(tax_currency="SEK"))
    add("BR-CL-06", en(tax_point_code="99"), en(tax_point_code="432"))
    add("BR-CL-14", en(buyer_country="QQ"))
    add("BR-CL-16", en(payment_means="999"))
    add("BR-CL-17", en(tax_part={"category": "Q"}))
    add("BR-CL-18", en(line={"category": "Q"}))
    add("BR-CL-19", en(allowance={"reason_code": "1"}))
    add("BR-CL-20", en(charge={"reason_code": "freight"}))
    add("BR-CL-22", en(tax_part={"reason_code": "EX"}), en(tax_part={"reason_code": "VATEX-EU-AE"}))
    add("BR-CL-23", en(line={"unit": "piece"}))
    fine = "1.001"
    fields = {9: "line_total", 10: "allowance_total", 11: "charge_total", 12: "net", 13: "tax", 14: "total"}
    fields |= {15: "accounting_tax", 16: "prepaid", 17: "rounding", 18: "payable"}
    for number, name in fields.items():
        add(f"BR-DEC-{number:02d}", en(**{name: fine}), en(**{name: "1.01"}))
    parts: dict[int, tuple[str, str]] = {1: ("allowance", "amount"), 2: ("allowance", "base")}
    parts |= {5: ("charge", "amount"), 6: ("charge", "base"), 19: ("tax_part", "base"), 20: ("tax_part", "tax")}
    parts |= {23: ("line", "net")}
    for number, (part, name) in parts.items():
        add(f"BR-DEC-{number:02d}", en(**{part: {name: fine}}), en(**{part: {name: "1.01"}}))
    for number, (whole, name) in {
        24: (ALLOWANCE, "amount"),
        25: (ALLOWANCE, "base"),
        27: (CHARGE, "amount"),
        28: (CHARGE, "base"),
    }.items():
        add(
            f"BR-DEC-{number}",
            en(line={"adjustments": (replace(whole, **{name: fine}),)}),
            en(line={"adjustments": (whole,)}),
        )


_ALL: tuple[Callable[[], None], ...] = (
    _parties,
    _numbers,
    _dates,
    _amounts,
    _limits,
    _red,
    _others,
    _trade,
    _en_parts,
    _en_totals,
    _en_categories,
    _en_codes,
)
for fill in _ALL:
    fill()

__all__ = [
    "PAIRS",
    "Branch",
    "Lookup",
    "air",
    "cn",
    "company",
    "context",
    "en",
    "old",
    "past",
    "policy",
    "red",
    "timedelta",
]
