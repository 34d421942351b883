"""UBL 2.1 `Invoice` and `CreditNote` (EN 16931, Peppol BIS Billing, XRechnung)."""

from collections.abc import Iterator

from lxml import etree

from invoices.document import Document
from invoices.readers import terms_ubl
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Place, Reading, TaxPart

NAME = "ubl"

_ROOTS = {
    "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2": "Invoice",
    "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2": "CreditNote",
}
_NS = {
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}


def _party(role: str, name: str) -> dict[str, tuple[str, ...]]:
    party = f"cac:{role}/cac:Party"
    return {
        name: (f"{party}/cac:PartyLegalEntity/cbc:RegistrationName", f"{party}/cac:PartyName/cbc:Name"),
        f"{name}_trade_name": (f"{party}/cac:PartyName/cbc:Name",),
        f"{name}_country": (f"{party}/cac:PostalAddress/cac:Country/cbc:IdentificationCode",),
        f"{name}_register_id": (f"{party}/cac:PartyLegalEntity/cbc:CompanyID",),
    }


PATHS = {
    **terms_ubl.PATHS,
    **_party("AccountingSupplierParty", "seller"),
    **_party("AccountingCustomerParty", "buyer"),
    "number": ("cbc:ID",),
    "date": ("cbc:IssueDate",),
    "currency": ("cbc:DocumentCurrencyCode",),
    "tax_currency": ("cbc:TaxCurrencyCode",),
    "kind": ("cbc:InvoiceTypeCode", "cbc:CreditNoteTypeCode"),
    "profile": ("cbc:CustomizationID",),
    "remark": ("cbc:Note",),
    "original_number": ("cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID",),
    "net": ("cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount",),
    "total": ("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount", "cac:LegalMonetaryTotal/cbc:PayableAmount"),
    "payable": ("cac:LegalMonetaryTotal/cbc:PayableAmount",),
    "prepaid": ("cac:LegalMonetaryTotal/cbc:PrepaidAmount",),
    "rounding": ("cac:LegalMonetaryTotal/cbc:PayableRoundingAmount",),
    "line_total": ("cac:LegalMonetaryTotal/cbc:LineExtensionAmount",),
    "allowance_total": ("cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount",),
    "charge_total": ("cac:LegalMonetaryTotal/cbc:ChargeTotalAmount",),
    "seller_account": ("cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID",),
}


def claims(document: Document) -> bool:
    """Whether the root element is a UBL invoice or credit note."""
    root = document.xml
    return root is not None and etree.QName(root).namespace in _ROOTS


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the document holds."""
    root = document.xml
    if root is None:
        return
    fields = XmlFields(root, document.name, NAME, _NS).collect(PATHS)
    for role, name in (("AccountingSupplierParty", "seller"), ("AccountingCustomerParty", "buyer")):
        tax_id = _tax_id(root, role, document.name)
        if tax_id:
            fields[f"{name}_tax_id"] = tax_id
    tax = _tax_total(root, fields, document.name)
    if tax:
        fields["tax"] = tax
    if "kind" not in fields and etree.QName(root).localname == "CreditNote":
        fields["kind"] = Reading("CreditNote", "", Place(document.name, path="CreditNote"), NAME)
    fields |= terms_ubl.further(root, document.name, NAME)
    yield Invoice(
        NAME, fields, tuple(terms_ubl.lines(root)), tuple(_taxes(root)), adjustments=terms_ubl.adjustments(root)
    )


def _tax_id(root: etree._Element, role: str, file: str) -> Reading | None:
    """The VAT id (BT-31, BT-48), else another tax registration (BT-32), else the legal registration (BT-30, BT-47)."""
    schemes = root.findall(f"cac:{role}/cac:Party/cac:PartyTaxScheme", _NS)
    ordered = sorted(schemes, key=lambda scheme: child_text(scheme, "cac:TaxScheme/cbc:ID", _NS) != "VAT")
    for scheme in ordered:
        company = child_text(scheme, "cbc:CompanyID", _NS)
        if company:
            return Reading(company, company, Place(file, path=f"{role}/PartyTaxScheme/CompanyID"), NAME)
    legal = child_text(root, f"cac:{role}/cac:Party/cac:PartyLegalEntity/cbc:CompanyID", _NS)
    return Reading(legal, legal, Place(file, path=f"{role}/PartyLegalEntity/CompanyID"), NAME) if legal else None


def _tax_total(root: etree._Element, fields: dict[str, Reading], file: str) -> Reading | None:
    """BT-110: the VAT total in the document currency (a second one may stand in the accounting currency)."""
    amounts = root.findall("cac:TaxTotal/cbc:TaxAmount", _NS)
    currency = fields["currency"].value if "currency" in fields else None
    matching = [amount for amount in amounts if amount.get("currencyID") in {currency, None}] or amounts
    texts = [(amount.text or "").strip() for amount in matching[:1]]
    return Reading(texts[0], texts[0], Place(file, path="TaxTotal/TaxAmount"), NAME) if texts and texts[0] else None


def _taxes(root: etree._Element) -> Iterator[TaxPart]:
    for part in root.iterfind("cac:TaxTotal/cac:TaxSubtotal", _NS):
        yield TaxPart(
            category=child_text(part, "cac:TaxCategory/cbc:ID", _NS),
            rate=child_text(part, "cac:TaxCategory/cbc:Percent", _NS),
            base=child_text(part, "cbc:TaxableAmount", _NS),
            tax=child_text(part, "cbc:TaxAmount", _NS),
            reason=child_text(part, "cac:TaxCategory/cbc:TaxExemptionReason", _NS),
            reason_code=child_text(part, "cac:TaxCategory/cbc:TaxExemptionReasonCode", _NS),
        )
