"""XBRL instances of the Ministry of Finance's electronic voucher taxonomies: flat facts, alone or as an attachment.

`inv` (VAT e-invoices, 2021), `einv` (fully digitalised, 2023), `rai` (rail tickets), `atr` (air itineraries). The
versions differ in their namespace's date and not in these names, so a fact is found by its local name.
"""

from collections.abc import Iterator

from lxml import etree

from invoices.document import Document
from invoices.money import money_text
from invoices.readers.cn_einvoice import goods_class, rate_percent
from invoices.readers.xml_fields import normal
from invoices.record import Invoice, Line, Place, Reading, Remark

NAME = "cn_xbrl"
DERIVED_CONFIDENCE = 0.85

_INSTANCE = "http://www.xbrl.org/2003/instance"
TAXONOMY_MARK = "xbrl.mof.gov.cn/taxonomy/"
KINDS = {"rai": "rail", "atr": "air"}
_PURCHASER_ID = "TaxpayerIdentificationNumberUnifiedSocialCreditCodeOfPurchaser"
_SELLER_ID = "TaxpayerIdentificationNumberUnifiedSocialCreditCodeOfSeller"
FACTS = {
    "seller": ("NameOfSeller", "SellerName", "IssueParty"),
    "seller_tax_id": (_SELLER_ID, "UnifiedSocialCreditCodeOfSeller", "SellerIdNum"),
    "buyer": ("NameOfPurchaser", "BuyerName"),
    "buyer_tax_id": (_PURCHASER_ID, "UnifiedSocialCreditCodeOfPurchaser", "BuyerIdNum"),
    "code": ("CodeOfInvoice", "InvoiceCode"),
    "number": (
        "NumberOfInvoice",
        "InvoiceNumber",
        "ElectronicInvoiceRailwayETicketNumber",
        "ElectronicInvoiceAirTransportReceiptNumber",
        "EIid",
    ),
    "date": ("DateOfIssue", "IssueDate", "RequestTime", "IssueTime"),
    "net": ("TotalAmountExcludingTax", "TotalAmWithoutTax"),
    "tax": ("TotalTaxAmount", "TotalTaxAm", "VatTaxAmount", "TaxAmount"),
    "total": ("TaxIncludedAmountInFigures", "TotalTax-includedAmount", "TotalTaxIncludedAmount", "TotalAmount"),
    "capital_total": ("TaxIncludedAmountInWords", "TotalTax-includedAmountInChinese"),
    "check_code": ("IdentifyingCode",),
    "document_kind": ("TypeOfInvoice", "TypeOfVoucher"),
    "remark": ("Remarks", "Remark"),
    "drawer": ("Issuer", "Drawer"),
    "fare": ("Fare",),
    "fuel_surcharge": ("FuelSurcharge",),
    "air_fund": ("CivilAviationDevelopmentFund",),
    "other_taxes": ("OtherTaxes",),
    "ticket_number": ("ETicketNumber",),
    "traveller": ("PassengerName", "NameOfPassenger"),
    "travel_date": ("TravelDate", "DateOfDeparture", "CarrierDate"),
    "seller_account": ("DepositBankAndAccountNumberOfSeller",),
}
LINE_TUPLES = ("InformationOfTaxableGoodsOrServicesDetailItemsTuple", "IssuItemInformation", "IssuItemInformationTuple")


def claims(document: Document) -> bool:
    """Whether this is an XBRL instance with facts of a Ministry of Finance taxonomy."""
    root = document.xml
    return root is not None and root.tag == f"{{{_INSTANCE}}}xbrl" and _taxonomy(root) != ""


def _taxonomy(root: etree._Element) -> str:
    """The short name of the taxonomy of the first fact (`inv`, `einv`, `rai`, `atr`...), "" where there is none."""
    namespaces = (etree.QName(child).namespace or "" for child in root)
    return next((name.rstrip("/").rpartition("/")[2] for name in namespaces if TAXONOMY_MARK in name), "")


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the instance states."""
    root = document.xml
    if root is None:
        return
    facts = _facts(root)
    fields = {}
    for name, options in FACTS.items():
        found = next((option for option in options if option in facts), None)
        if found:
            reading = Reading(facts[found], facts[found], Place(document.name, path=found), NAME)
            fields[name] = normal(name, reading)
    kind = KINDS.get(_taxonomy(root))
    if kind:
        fields["kind"] = Reading(kind, "", Place(document.name, path=_taxonomy(root)), NAME)
    fields["currency"] = Reading("CNY", "", Place(document.name, path="xbrl"), NAME)
    yield _by_kind(Invoice(NAME, fields, tuple(_lines(root))))


def _facts(root: etree._Element) -> dict[str, str]:
    """Local name -> text of the facts of the instance itself (those inside tuples belong to lines)."""
    found: dict[str, str] = {}
    for element in root.iter(etree.Element):
        parent = element.getparent()
        in_tuple = parent is not None and etree.QName(parent).localname.endswith(("Tuple", "IssuItemInformation"))
        text = (element.text or "").strip()
        if text and not len(element) and not in_tuple:
            found.setdefault(etree.QName(element).localname, text)
    return found


def _by_kind(invoice: Invoice) -> Invoice:
    """Rail: the fare is the total. Air: fare and fuel surcharge are the net amount."""
    if invoice.text("kind") == "rail" and "fare" in invoice.fields and "total" not in invoice.fields:
        return invoice.with_field("total", invoice.fields["fare"])
    if invoice.text("kind") == "air":
        return with_air_net(invoice)
    return invoice


def with_air_net(invoice: Invoice) -> Invoice:
    """An air itinerary with its net amount, which is printed only in two parts (notice 2024 no. 9)."""
    fare, fuel = invoice.money("fare"), invoice.money("fuel_surcharge")
    if fare is None or invoice.text("net"):
        return invoice
    first = invoice.fields["fare"]
    text = money_text(fare + (fuel or 0))
    confidence = min(DERIVED_CONFIDENCE, first.confidence)
    reading = Reading(text, f"{first.raw} + {fuel or 0}", first.where, first.reader, confidence)
    remark = Remark("derived_net", f"不含税金额按票价加燃油附加费计算为 {text}", f"net is fare plus fuel: {text}")
    return invoice.with_field("net", reading, remark)


def _lines(root: etree._Element) -> Iterator[Line]:
    for element in root.iter(etree.Element):
        if etree.QName(element).localname in LINE_TUPLES:
            facts = {etree.QName(child).localname: (child.text or "").strip() or None for child in element}
            name = facts.get("NameOfTaxableGoodsOrServices") or facts.get("ItemName")
            yield Line(
                name=name,
                quantity=facts.get("QuantityOfGoodsOrServices") or facts.get("Quantity"),
                unit_price=facts.get("UnitPriceOfGoodsOrServices") or facts.get("UnPrice"),
                net=facts.get("AmountExcludingTax") or facts.get("Amount"),
                rate=rate_percent(facts.get("TaxRate")),
                tax=facts.get("TaxAmount") or facts.get("ComTaxAm"),
                category=goods_class(name),
            )
