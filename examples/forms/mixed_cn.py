"""Chinese documents of `examples/mixed`: XML, OFD packages and printed layouts, right ones and faulty ones."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from examples.forms import cn_layouts as layouts
from examples.forms import cn_xml
from examples.forms import ofd as forms
from examples.forms.eu_xml import with_files
from examples.forms.ids import digital_number
from examples.forms.people import BUYER, BUYER_ID, DAY, digital, item, older
from examples.forms.sample import Sample
from examples.forms.sheet import Sheet, pdf
from examples.forms.truth import Made

DOCTYPE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>'
RAIL_NUMBER = digital_number(2026, 7001)


def structured() -> Iterator[Made]:
    """XML and XBRL on their own."""
    plain = digital(1)
    yield Made("cn-digital.xml", cn_xml.digital_xml(plain), (plain.truth(),))
    chinese = digital(5, seller=2)
    yield Made("cn-digital-gb18030.xml", cn_xml.digital_xml(chinese, encoding="gb18030"), (chinese.truth(),))
    red = _red(2, chinese, seller=2)
    content = cn_xml.digital_xml(red)
    yield Made("cn-digital-red.xml", content, (red.truth(),), faults=("red letter",), rules=("red_letter",))
    free = digital(3, item("*农产品*蔬菜", "57.00", "免税"))
    yield Made("cn-digital-tax-free.xml", cn_xml.digital_xml(free), (free.truth(),))
    several = digital(4, item(), item("*软件*许可", "1000.00", "13"), item("*软件*折扣", "-100.00", "13"), seller=2)
    yield Made("cn-digital-three-lines.xml", cn_xml.digital_xml(several), (several.truth(),))
    bare = digital(6)
    content = cn_xml.digital_xml(bare, encoding="gb18030", declared=False)
    yield Made("cn-digital-undeclared-gb18030.xml", content, (bare.truth(),))
    wrong = digital(7, stated_total=Decimal("221.00"))
    content, fault = cn_xml.digital_xml(wrong), ("net + tax != total",)
    yield Made("cn-digital-wrong-total.xml", content, (wrong.truth(),), faults=fault, rules=("net_tax_total",))
    short = replace(digital(8), buyer_tax_id=BUYER_ID[:9] + BUYER_ID[10:])
    content, fault = cn_xml.digital_xml(short), ("buyer id of 17 letters",)
    yield Made("cn-digital-short-id.xml", content, (short.truth(),), faults=fault, rules=("buyer_tax_id",))
    entity = DOCTYPE + cn_xml.digital_xml(digital(9), declared=False)
    yield Made("cn-digital-doctype.xml", entity, reason="doctype", faults=("DOCTYPE",))
    cut = cn_xml.digital_xml(digital(10))[:900]
    yield Made("cn-digital-cut.xml", cut, reason="broken_xml", faults=("truncated",))
    attached = older(11)
    yield Made("cn-original.xml", cn_xml.original_xml(attached), (attached.truth(),))
    instance = older(12, item("*金属制品*螺丝", "9.91", "13"), seller=1)
    yield Made("cn-invoice.xbrl", cn_xml.invoice_xbrl(instance), (instance.truth(),))
    yield Made("cn-rail.xbrl", rail_xbrl(), (rail_truth(),), again=True)


def _red(serial: int, blue: Sample, seller: int = 0) -> Sample:
    """A red letter that takes back the whole of another sample."""
    remark = f"被红冲蓝字数电发票号码：{blue.number}"
    return digital(serial, item(net=f"{-blue.net}"), seller=seller, remark=remark)


def rail_xbrl(number: str = RAIL_NUMBER) -> bytes:
    """A rail ticket's XBRL instance."""
    facts = {
        "TypeOfVoucher": "电子发票（铁路电子客票）",
        "ElectronicInvoiceRailwayETicketNumber": number,
        "DateOfIssue": DAY.isoformat(),
        "TotalAmountExcludingTax": "507.34",
        "TaxAmount": "45.66",
        "Fare": "553.00",
        "NameOfPurchaser": BUYER,
        "UnifiedSocialCreditCodeOfPurchaser": BUYER_ID,
    }
    return cn_xml.xbrl("rai", facts)


def rail_truth(*left_out: str, number: str = RAIL_NUMBER) -> dict[str, str]:
    """What a rail ticket states."""
    truth = {"number": number, "date": DAY.isoformat(), "net": "507.34", "tax": "45.66", "total": "553.00"}
    truth |= {"buyer": BUYER, "buyer_tax_id": BUYER_ID, "currency": "CNY", "kind": "rail"}
    return {name: value for name, value in truth.items() if name not in left_out}


def packages() -> Iterator[Made]:
    """OFD packages."""
    plain = older(21)
    attachment = {"original_invoice.xml": cn_xml.original_xml(plain)}
    sheet = layouts.older(plain)
    full = forms.Parts(sheet, attachment, forms.custom_data(plain), forms.tags(plain, sheet))
    yield Made("cn-full.ofd", forms.package(full), (plain.truth(),))
    tagged = older(22, seller=1)
    page = layouts.older(tagged)
    yield Made("cn-tags-only.ofd", forms.package(forms.Parts(page, tags=forms.tags(tagged, page))), (tagged.truth(),))
    printed = older(23, seller=3)
    yield Made("cn-page-only.ofd", forms.package(forms.Parts(layouts.older(printed))), (printed.truth(),))
    new = digital(24, item("*餐饮服务*餐费", "310.50", "6"))
    yield Made("cn-digital-page-only.ofd", forms.package(forms.Parts(layouts.digital(new))), (new.truth(),))
    odd = older(25)
    parts = forms.Parts(
        layouts.older(odd),
        {"original_invoice.xml": cn_xml.original_xml(odd)},
        attachment_folder="ATTACHS",
        page_path="Content_0.xml",
        absolute_paths=True,
    )
    yield Made("cn-odd-paths.ofd", forms.package(parts), (odd.truth(),))
    labels = older(26, item("*金属制品*螺丝", "9.91", "13", specification="62202"), seller=1)
    parts = forms.Parts(attachments={"inv_ord_issuer.xml": cn_xml.invoice_xbrl(labels)})
    yield Made("cn-xbrl.ofd", forms.package(parts), (labels.truth(),))
    yield from _faulty_packages(plain)


def _faulty_packages(plain: Sample) -> Iterator[Made]:
    changed = older(27)
    other = replace(changed, stated_total=Decimal("2120.00"))
    parts = forms.Parts(layouts.older(other), {"original_invoice.xml": cn_xml.original_xml(changed)})
    differs = ("printed total differs from the attachment",)
    content, kinds = forms.package(parts), ("sources_differ",)
    yield Made("cn-page-differs.ofd", content, (changed.truth(),), None, kinds, differs, rules=kinds)
    yield Made("cn-outlines-only.ofd", forms.package(forms.Parts()), reason="no_text", faults=("glyph outlines only",))
    hostile = forms.Parts(attachments={"original_invoice.xml": DOCTYPE + b"<eInvoice/>"})
    yield Made("cn-doctype.ofd", forms.package(hostile), reason="doctype", faults=("DOCTYPE in the attachment",))
    bomb = forms.Parts(attachments={"original_invoice.xml": b"<a>" + b" " * (12 * 2**20) + b"</a>"})
    yield Made("cn-bomb.ofd", forms.package(bomb), reason="zip_bomb", faults=("zip bomb",))
    duplicate = forms.Parts(layouts.older(plain), custom_data=forms.custom_data(plain))
    fault = ("duplicate of cn-full.ofd in another form",)
    yield Made("cn-fully-again.ofd", forms.package(duplicate), (plain.truth(),), faults=fault, again=True)
    short = replace(older(28), seller_tax_id=plain.seller_tax_id[:16] + plain.seller_tax_id[17:])
    content = forms.package(forms.Parts(layouts.older(short)))
    fault, rules = ("seller id of 17 letters",), ("seller_tax_id", "known_seller")
    yield Made("cn-short-id.ofd", content, (short.truth(),), faults=fault, rules=rules)


def printed() -> Iterator[Made]:
    """PDF layouts."""
    plain = digital(41)
    yield Made("cn-digital.pdf", pdf([layouts.digital(plain)]), (plain.truth(),))
    stored = digital(42)
    yield Made("cn-digital-labels-first.pdf", pdf([layouts.digital(stored).shuffled()]), (stored.truth(),))
    for shift, serial in ((-90.0, 43), (60.0, 44)):
        moved = digital(serial, seller=2)
        sheet = layouts.digital(moved, layouts.Look(shift=shift))
        yield Made(f"cn-digital-shifted{shift:+.0f}.pdf", pdf([sheet]), (moved.truth(),))
    special = digital(45, item("*软件*许可", "88000.00", "13"), seller=2)
    look = layouts.Look(title="电子发票（增值税专用发票）")
    yield Made("cn-digital-special.pdf", pdf([layouts.digital(special, look)]), (special.truth(),))
    branch = digital(46, seller=3)
    sheet = layouts.digital(branch, layouts.Look(wrap_seller_at=10))
    yield Made("cn-digital-branch-wrapped.pdf", pdf([sheet]), (branch.truth(),))
    numeric = digital(47, item("*金属制品*螺丝", "9.96", "13", specification="62202", quantity="12"), seller=1)
    yield Made("cn-digital-numeric-spec.pdf", pdf([layouts.digital(numeric)]), (numeric.truth(),))
    many = digital(48, *(item(f"*文具*铅笔{index}", "2.91", "3", quantity="3") for index in range(1, 9)), seller=1)
    yield Made("cn-digital-eight-lines.pdf", pdf([layouts.digital(many)]), (many.truth(),))
    free = digital(49, item("*农产品*蔬菜", "57.00", "免税"))
    yield Made("cn-digital-tax-free.pdf", pdf([layouts.digital(free)]), (free.truth(),))
    red = _red(50, stored)
    content = pdf([layouts.digital(red)])
    yield Made("cn-digital-red.pdf", content, (red.truth(),), faults=("red letter",), rules=("red_letter",))
    turned = digital(51)
    yield Made("cn-digital-turned.pdf", pdf([layouts.digital(turned)], rotation=90), (turned.truth(),))
    wrong = digital(52, stated_total=Decimal("210.00"))
    content = pdf([layouts.digital(wrong)])
    unsure = ("net", "tax", "total")
    fault = ("net + tax != total",)
    kinds, rules = ("amounts_differ",), ("net_tax_total", "confidence")
    yield Made("cn-digital-wrong-total.pdf", content, (wrong.truth(),), None, kinds, fault, unsure, rules)
    yield from _older_and_tickets()
    yield from _unreadable()


def _older_and_tickets() -> Iterator[Made]:
    old = older(61, seller=1)
    yield Made("cn-older.pdf", pdf([layouts.older(old)]), (old.truth(),))
    toll = older(62, item("*经营租赁*通行费", "190.29", "3"), seller=4, code="099002600112")
    yield Made("cn-toll.pdf", pdf([layouts.older(toll, toll=True)]), ({**toll.truth(), "kind": "toll"},))
    ticket = replace(digital(7001, item("票价", "553.00", "免税"), day=DAY), number=RAIL_NUMBER)
    rail = pdf([layouts.rail(ticket)])
    yield Made("cn-rail.pdf", rail, (rail_truth("net", "tax"),), again=True)
    yield Made("cn-rail-with-xbrl.pdf", with_files(rail, {"rai_issuer.xml": rail_xbrl()}), (rail_truth(),))
    number = digital_number(2026, 7002)
    other = replace(ticket, number=number, items=(item("票价", "653.00", "免税"),))
    content = with_files(pdf([layouts.rail(other)]), {"rai_issuer.xml": rail_xbrl(number)})
    fault, kinds, truth = ("printed fare differs from the XBRL",), ("sources_differ",), rail_truth(number=number)
    yield Made("cn-rail-differs.pdf", content, (truth,), None, kinds, fault, rules=kinds)
    yield _air()
    strip = layouts.taxi("199002600001", "00077001", DAY, "31.00")
    taxi = {"code": "199002600001", "number": "00077001", "date": DAY.isoformat(), "total": "31.00", "kind": "taxi"}
    yield Made("cn-taxi.pdf", pdf([strip]), (taxi,))


def _air() -> Made:
    flight = layouts.Flight("477.06", "45.87", "47.07", "50.00", "620.00")
    sample = digital(7101, seller=3)
    truth = sample.truth("seller_tax_id") | {"net": "522.93", "tax": "47.07", "total": "620.00", "kind": "air"}
    return Made("cn-air.pdf", pdf([layouts.air(sample, flight)]), (truth,), remarks=("derived_net",))


def _unreadable() -> Iterator[Made]:
    locked = pdf([layouts.digital(digital(81))], password="secret")
    yield Made("cn-locked.pdf", locked, reason="password", faults=("password",))
    unknown = Sheet()
    unknown.put(40, 40, "会议纪要", 16)
    unknown.put(40, 70, "出席：全体人员。议题：下一季度的工作安排与分工，散会后另行通知。")
    yield Made("cn-minutes.pdf", pdf([unknown]), reason="unknown_form", faults=("no invoice",))
    cids = Sheet()
    for row in range(12):
        cids.put(40, 40 + 20 * row, "".join(f"(cid:{57 + row + column})" for column in range(14)))
    yield Made("cn-cid.pdf", pdf([cids]), reason="no_text", faults=("text layer maps to no characters",))
    whole = pdf([layouts.digital(digital(82))])
    yield Made("cn-cut.pdf", whole[:300], reason="broken_pdf", faults=("truncated",))
    yield Made("empty.xml", b" \n", reason="empty", faults=("empty",))


def nested_zip(files: dict[str, bytes], depth: int) -> bytes:
    """A zip in a zip in a zip."""
    content = forms.zipped(files)
    for level in range(depth):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(zipfile.ZipInfo(f"level{level}.zip", (1980, 1, 1, 0, 0, 0)), content)
        content = buffer.getvalue()
    return content
