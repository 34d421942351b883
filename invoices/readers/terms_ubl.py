"""The further business terms of EN 16931 in UBL: what the standard's rules look at beyond the public fields."""

from collections.abc import Iterator

from lxml import etree

from invoices.readers.xml_fields import bare, child_text, incomplete, odd_totals
from invoices.record import Adjustment, Line, Place, Reading

NS = {
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}
_SELLER = "cac:AccountingSupplierParty/cac:Party"
_BUYER = "cac:AccountingCustomerParty/cac:Party"
_AGENT = "cac:TaxRepresentativeParty"
_DELIVERY = "cac:Delivery"

PATHS = {
    "seller_id": (f"{_SELLER}/cac:PartyIdentification/cbc:ID",),
    "seller_city": (f"{_SELLER}/cac:PostalAddress/cbc:CityName", f"{_SELLER}/cac:PostalAddress/cbc:PostalZone"),
    "representative": (f"{_AGENT}/cac:PartyName/cbc:Name",),
    "representative_country": (f"{_AGENT}/cac:PostalAddress/cac:Country/cbc:IdentificationCode",),
    "payee": ("cac:PayeeParty/cac:PartyName/cbc:Name",),
    "payee_id": ("cac:PayeeParty/cac:PartyIdentification/cbc:ID",),
    "tax_point_date": ("cbc:TaxPointDate",),
    "tax_point_code": ("cac:InvoicePeriod/cbc:DescriptionCode",),
    "period_start": ("cac:InvoicePeriod/cbc:StartDate",),
    "period_end": ("cac:InvoicePeriod/cbc:EndDate",),
    "delivery_date": (f"{_DELIVERY}/cbc:ActualDeliveryDate",),
    "delivery_country": (f"{_DELIVERY}/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode",),
    "due_date": ("cbc:DueDate", "cac:PaymentMeans/cbc:PaymentDueDate"),
    "terms": ("cac:PaymentTerms/cbc:Note",),
    "payment_means": ("cac:PaymentMeans/cbc:PaymentMeansCode",),
    "buyer_reference": ("cbc:BuyerReference",),
}
_ADDRESSES = {
    "seller_address": f"{_SELLER}/cac:PostalAddress",
    "buyer_address": f"{_BUYER}/cac:PostalAddress",
    "representative_address": f"{_AGENT}/cac:PostalAddress",
    "delivery_address": f"{_DELIVERY}/cac:DeliveryLocation/cac:Address",
}
_INCOMPLETE = {
    "documents_without_id": ("cac:AdditionalDocumentReference", ("cbc:ID",)),
    "references_without_id": ("cac:BillingReference/cac:InvoiceDocumentReference", ("cbc:ID",)),
    "attributes_incomplete": (".//cac:Item/cac:AdditionalItemProperty", ("cbc:Name", "cbc:Value")),
}
"""Parts that must state something, by the field that counts those which don't."""
_BARE = {
    "seller_endpoint_bare": f"{_SELLER}/cbc:EndpointID",
    "buyer_endpoint_bare": f"{_BUYER}/cbc:EndpointID",
    "item_ids_bare": ".//cac:Item/cac:StandardItemIdentification/cbc:ID",
}
"""Identifiers that must name their scheme, by the field that counts those which don't."""
_CLASSES = ".//cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode"
_VAT_IDS = {"seller_vat_id": _SELLER, "buyer_vat_id": _BUYER, "representative_vat_id": _AGENT}
_LINES = (("cac:InvoiceLine", "cbc:InvoicedQuantity"), ("cac:CreditNoteLine", "cbc:CreditedQuantity"))


def further(root: etree._Element, file: str, reader: str) -> dict[str, Reading]:
    """VAT ids by scheme, whether an address block stands there, and the currencies of all amounts."""
    found = {name: _vat_id(root, party) for name, party in _VAT_IDS.items()}
    found["seller_tax_registration"] = _vat_id(root, _SELLER, vat=False)
    found |= {name: "stated" if root.find(path, NS) is not None else None for name, path in _ADDRESSES.items()}
    found |= _counts(root)
    found["accounting_tax"] = accounting_tax(root)
    currency = child_text(root, "cbc:DocumentCurrencyCode", NS)
    found["tax_totals"] = odd_totals(root.findall("cac:TaxTotal/cbc:TaxAmount", NS), currency)
    found["amount_currencies"] = " ".join(sorted({e.get("currencyID", "") for e in root.iter() if e.get("currencyID")}))
    return {name: Reading(value, value, Place(file, path=name), reader) for name, value in found.items() if value}


def _counts(root: etree._Element) -> dict[str, str | None]:
    counts = {name: incomplete(root, path, needed, NS) for name, (path, needed) in _INCOMPLETE.items()}
    counts |= {name: bare(root, path, "schemeID", NS) for name, path in _BARE.items()}
    return counts | {"item_classes_bare": bare(root, _CLASSES, "listID", NS)}


def accounting_tax(root: etree._Element) -> str | None:
    """BT-111: the VAT total in the accounting currency, where that is another one."""
    other = child_text(root, "cbc:TaxCurrencyCode", NS)
    amounts = root.findall("cac:TaxTotal/cbc:TaxAmount", NS) if other else ()
    return next((amount.text for amount in amounts if amount.get("currencyID") == other), None)


def _vat_id(root: etree._Element, party: str, *, vat: bool = True) -> str | None:
    for scheme in root.iterfind(f"{party}/cac:PartyTaxScheme", NS):
        if (child_text(scheme, "cac:TaxScheme/cbc:ID", NS) == "VAT") == vat:
            return child_text(scheme, "cbc:CompanyID", NS)
    return None


def adjustments(element: etree._Element) -> tuple[Adjustment, ...]:
    """The allowances and charges directly under the document or a line."""
    return tuple(_adjustment(part) for part in element.iterfind("cac:AllowanceCharge", NS))


def _adjustment(part: etree._Element) -> Adjustment:
    return Adjustment(
        charge=child_text(part, "cbc:ChargeIndicator", NS) in {"true", "1"},
        amount=child_text(part, "cbc:Amount", NS),
        base=child_text(part, "cbc:BaseAmount", NS),
        percent=child_text(part, "cbc:MultiplierFactorNumeric", NS),
        category=child_text(part, "cac:TaxCategory/cbc:ID", NS),
        rate=child_text(part, "cac:TaxCategory/cbc:Percent", NS),
        reason=child_text(part, "cbc:AllowanceChargeReason", NS),
        reason_code=child_text(part, "cbc:AllowanceChargeReasonCode", NS),
    )


def lines(root: etree._Element) -> Iterator[Line]:
    """The lines with all that the standard's rules look at."""
    for kind, quantity in _LINES:
        for line in root.iterfind(kind, NS):
            yield _line(line, quantity)


def _line(line: etree._Element, quantity: str) -> Line:
    amount = line.find(quantity, NS)
    return Line(
        id=child_text(line, "cbc:ID", NS),
        name=child_text(line, "cac:Item/cbc:Name", NS),
        quantity=child_text(line, quantity, NS),
        unit=amount.get("unitCode") if amount is not None else None,
        unit_price=child_text(line, "cac:Price/cbc:PriceAmount", NS),
        gross_price=child_text(line, "cac:Price/cac:AllowanceCharge/cbc:BaseAmount", NS),
        base_quantity=child_text(line, "cac:Price/cbc:BaseQuantity", NS),
        net=child_text(line, "cbc:LineExtensionAmount", NS),
        rate=child_text(line, "cac:Item/cac:ClassifiedTaxCategory/cbc:Percent", NS),
        category=child_text(line, "cac:Item/cac:ClassifiedTaxCategory/cbc:ID", NS),
        start=child_text(line, "cac:InvoicePeriod/cbc:StartDate", NS),
        end=child_text(line, "cac:InvoicePeriod/cbc:EndDate", NS),
        adjustments=adjustments(line),
    )
