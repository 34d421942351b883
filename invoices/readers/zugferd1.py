"""ZUGFeRD 1.0 (`CrossIndustryDocument`, 2014): the forerunner of CII D16B, in namespaces and names of its own."""

from collections.abc import Iterator

from lxml import etree

from invoices.document import Document
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Line, Place, Reading, TaxPart

NAME = "zugferd1"

_NS = {
    "rsm": "urn:ferd:CrossIndustryDocument:invoice:1p0",
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12",
    "udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15",
}
_DOCUMENT = "rsm:HeaderExchangedDocument"
_TRADE = "rsm:SpecifiedSupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ram:ApplicableSupplyChainTradeAgreement"
_SETTLEMENT = f"{_TRADE}/ram:ApplicableSupplyChainTradeSettlement"
_SUMMATION = f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementMonetarySummation"
_PARTIES = (("SellerTradeParty", "seller"), ("BuyerTradeParty", "buyer"))

PATHS = {
    "seller": (f"{_AGREEMENT}/ram:SellerTradeParty/ram:Name",),
    "seller_country": (f"{_AGREEMENT}/ram:SellerTradeParty/ram:PostalTradeAddress/ram:CountryID",),
    "buyer": (f"{_AGREEMENT}/ram:BuyerTradeParty/ram:Name",),
    "buyer_country": (f"{_AGREEMENT}/ram:BuyerTradeParty/ram:PostalTradeAddress/ram:CountryID",),
    "number": (f"{_DOCUMENT}/ram:ID",),
    "kind": (f"{_DOCUMENT}/ram:TypeCode",),
    "date": (f"{_DOCUMENT}/ram:IssueDateTime/udt:DateTimeString",),
    "profile": ("rsm:SpecifiedExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID",),
    "remark": (f"{_DOCUMENT}/ram:IncludedNote/ram:Content",),
    "currency": (f"{_SETTLEMENT}/ram:InvoiceCurrencyCode",),
    "net": (f"{_SUMMATION}/ram:TaxBasisTotalAmount",),
    "tax": (f"{_SUMMATION}/ram:TaxTotalAmount",),
    "total": (f"{_SUMMATION}/ram:GrandTotalAmount",),
    "payable": (f"{_SUMMATION}/ram:DuePayableAmount", f"{_SUMMATION}/ram:GrandTotalAmount"),
    "prepaid": (f"{_SUMMATION}/ram:TotalPrepaidAmount",),
    "line_total": (f"{_SUMMATION}/ram:LineTotalAmount",),
    "allowance_total": (f"{_SUMMATION}/ram:AllowanceTotalAmount",),
    "charge_total": (f"{_SUMMATION}/ram:ChargeTotalAmount",),
    "seller_account": (
        f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/ram:PayeePartyCreditorFinancialAccount/ram:IBANID",
    ),
}


def claims(document: Document) -> bool:
    """Whether the root element is a ZUGFeRD 1.0 document."""
    root = document.xml
    return root is not None and etree.QName(root).namespace == _NS["rsm"]


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the document holds."""
    root = document.xml
    if root is None:
        return
    fields = XmlFields(root, document.name, NAME, _NS).collect(PATHS)
    for role, name in _PARTIES:
        tax_id = _tax_id(root, role, document.name)
        if tax_id:
            fields[f"{name}_tax_id"] = tax_id
    yield Invoice(NAME, fields, tuple(_lines(root)), tuple(_taxes(root)))


def _tax_id(root: etree._Element, role: str, file: str) -> Reading | None:
    """The VAT id (scheme VA), else the national tax number (FC)."""
    ids = root.findall(f"{_AGREEMENT}/ram:{role}/ram:SpecifiedTaxRegistration/ram:ID", _NS)
    ordered = sorted(ids, key=lambda element: element.get("schemeID") != "VA")
    value = next((text for element in ordered if (text := (element.text or "").strip())), None)
    return Reading(value, value, Place(file, path=f"{role}/SpecifiedTaxRegistration/ID"), NAME) if value else None


def _lines(root: etree._Element) -> Iterator[Line]:
    settlement = "ram:SpecifiedSupplyChainTradeSettlement"
    for line in root.iterfind(f"{_TRADE}/ram:IncludedSupplyChainTradeLineItem", _NS):
        net = child_text(line, f"{settlement}/ram:SpecifiedTradeSettlementMonetarySummation/ram:LineTotalAmount", _NS)
        if net is None:
            continue  # a line of text only
        yield Line(
            name=child_text(line, "ram:SpecifiedTradeProduct/ram:Name", _NS),
            quantity=child_text(line, "ram:SpecifiedSupplyChainTradeDelivery/ram:BilledQuantity", _NS),
            unit_price=child_text(
                line, "ram:SpecifiedSupplyChainTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount", _NS
            ),
            net=net,
            rate=child_text(line, f"{settlement}/ram:ApplicableTradeTax/ram:ApplicablePercent", _NS),
            category=child_text(line, f"{settlement}/ram:ApplicableTradeTax/ram:CategoryCode", _NS),
        )


def _taxes(root: etree._Element) -> Iterator[TaxPart]:
    for part in root.iterfind(f"{_SETTLEMENT}/ram:ApplicableTradeTax", _NS):
        yield TaxPart(
            category=child_text(part, "ram:CategoryCode", _NS),
            rate=child_text(part, "ram:ApplicablePercent", _NS),
            base=child_text(part, "ram:BasisAmount", _NS),
            tax=child_text(part, "ram:CalculatedAmount", _NS),
        )
