"""UN/CEFACT Cross Industry Invoice D16B (EN 16931, Factur-X, ZUGFeRD 2, XRechnung)."""

from collections.abc import Iterator

from lxml import etree

from invoices.document import Document
from invoices.readers import terms_cii
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Place, Reading, TaxPart

NAME = "cii"

_NS = {
    "rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
}
_TRADE = "rsm:SupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ram:ApplicableHeaderTradeAgreement"
_SETTLEMENT = f"{_TRADE}/ram:ApplicableHeaderTradeSettlement"
_SUMMATION = f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation"


def _party(role: str, name: str) -> dict[str, tuple[str, ...]]:
    party = f"{_AGREEMENT}/ram:{role}"
    return {
        name: (f"{party}/ram:Name",),
        f"{name}_country": (f"{party}/ram:PostalTradeAddress/ram:CountryID",),
        f"{name}_register_id": (f"{party}/ram:SpecifiedLegalOrganization/ram:ID",),
    }


PATHS = {
    **terms_cii.PATHS,
    **_party("SellerTradeParty", "seller"),
    **_party("BuyerTradeParty", "buyer"),
    "number": ("rsm:ExchangedDocument/ram:ID",),
    "kind": ("rsm:ExchangedDocument/ram:TypeCode",),
    "date": ("rsm:ExchangedDocument/ram:IssueDateTime/udt:DateTimeString",),
    "profile": ("rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID",),
    "remark": ("rsm:ExchangedDocument/ram:IncludedNote/ram:Content",),
    "currency": (f"{_SETTLEMENT}/ram:InvoiceCurrencyCode",),
    "tax_currency": (f"{_SETTLEMENT}/ram:TaxCurrencyCode",),
    "original_number": (f"{_SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID",),
    "due_date": (f"{_SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString",),
    "net": (f"{_SUMMATION}/ram:TaxBasisTotalAmount",),
    "total": (f"{_SUMMATION}/ram:GrandTotalAmount",),
    "payable": (f"{_SUMMATION}/ram:DuePayableAmount",),
    "prepaid": (f"{_SUMMATION}/ram:TotalPrepaidAmount",),
    "rounding": (f"{_SUMMATION}/ram:RoundingAmount",),
    "line_total": (f"{_SUMMATION}/ram:LineTotalAmount",),
    "allowance_total": (f"{_SUMMATION}/ram:AllowanceTotalAmount",),
    "charge_total": (f"{_SUMMATION}/ram:ChargeTotalAmount",),
    "seller_account": (
        f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/ram:PayeePartyCreditorFinancialAccount/ram:IBANID",
    ),
}


def claims(document: Document) -> bool:
    """Whether the root element is a Cross Industry Invoice of the D16B namespace."""
    root = document.xml
    return root is not None and etree.QName(root).namespace == _NS["rsm"]


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the document holds."""
    root = document.xml
    if root is None:
        return
    fields = XmlFields(root, document.name, NAME, _NS).collect(PATHS)
    for role, name in (("SellerTradeParty", "seller"), ("BuyerTradeParty", "buyer")):
        tax_id = _tax_id(root, role, document.name)
        if tax_id:
            fields[f"{name}_tax_id"] = tax_id
    tax = _tax_total(root, fields, document.name)
    if tax:
        fields["tax"] = tax
    fields |= terms_cii.further(root, document.name, NAME)
    yield Invoice(
        NAME, fields, tuple(terms_cii.lines(root)), tuple(_taxes(root)), adjustments=terms_cii.adjustments(root)
    )


def _tax_id(root: etree._Element, role: str, file: str) -> Reading | None:
    """The VAT id (scheme VA: BT-31, BT-48), else another tax registration (FC: BT-32), else the legal registration."""
    party = f"{_AGREEMENT}/ram:{role}"
    ids = root.findall(f"{party}/ram:SpecifiedTaxRegistration/ram:ID", _NS)
    ordered = sorted(ids, key=lambda element: element.get("schemeID") != "VA")
    texts = [(element.text or "").strip() for element in ordered]
    legal = child_text(root, f"{party}/ram:SpecifiedLegalOrganization/ram:ID", _NS)
    value = next((text for text in texts if text), legal)
    return Reading(value, value, Place(file, path=f"{role}/SpecifiedTaxRegistration/ID"), NAME) if value else None


def _tax_total(root: etree._Element, fields: dict[str, Reading], file: str) -> Reading | None:
    """BT-110: the VAT total in the document currency (a second one may stand in the accounting currency)."""
    amounts = root.findall(f"{_SUMMATION}/ram:TaxTotalAmount", _NS)
    currency = fields["currency"].value if "currency" in fields else None
    matching = [amount for amount in amounts if amount.get("currencyID") in {currency, None}] or amounts
    texts = [(amount.text or "").strip() for amount in matching[:1]]
    return Reading(texts[0], texts[0], Place(file, path="TaxTotalAmount"), NAME) if texts and texts[0] else None


def _taxes(root: etree._Element) -> Iterator[TaxPart]:
    for part in root.iterfind(f"{_SETTLEMENT}/ram:ApplicableTradeTax", _NS):
        yield TaxPart(
            category=child_text(part, "ram:CategoryCode", _NS),
            rate=child_text(part, "ram:RateApplicablePercent", _NS),
            base=child_text(part, "ram:BasisAmount", _NS),
            tax=child_text(part, "ram:CalculatedAmount", _NS),
            reason=child_text(part, "ram:ExemptionReason", _NS),
            reason_code=child_text(part, "ram:ExemptionReasonCode", _NS),
        )
