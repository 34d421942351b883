"""The further business terms of EN 16931 in CII: what the standard's rules look at beyond the public fields."""

from collections.abc import Iterator

from lxml import etree

from invoices.readers.xml_fields import bare, child_text, incomplete, odd_totals
from invoices.record import Adjustment, Line, Place, Reading

NS = {
    "rsm": "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
    "ram": "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "udt": "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
    "qdt": "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
}
_TRADE = "rsm:SupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ram:ApplicableHeaderTradeAgreement"
_SETTLEMENT = f"{_TRADE}/ram:ApplicableHeaderTradeSettlement"
_DELIVERY = f"{_TRADE}/ram:ApplicableHeaderTradeDelivery"
_SELLER = f"{_AGREEMENT}/ram:SellerTradeParty"
_BUYER = f"{_AGREEMENT}/ram:BuyerTradeParty"
_AGENT = f"{_AGREEMENT}/ram:SellerTaxRepresentativeTradeParty"
_SHIP_TO = f"{_DELIVERY}/ram:ShipToTradeParty"
_PAYEE = f"{_SETTLEMENT}/ram:PayeeTradeParty"
_TAX = f"{_SETTLEMENT}/ram:ApplicableTradeTax"
_PERIOD = f"{_SETTLEMENT}/ram:BillingSpecifiedPeriod"
_TAX_TOTALS = f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxTotalAmount"
_DATE = "udt:DateTimeString"

PATHS = {
    "seller_id": (f"{_SELLER}/ram:ID", f"{_SELLER}/ram:GlobalID"),
    "representative": (f"{_AGENT}/ram:Name",),
    "representative_country": (f"{_AGENT}/ram:PostalTradeAddress/ram:CountryID",),
    "payee": (f"{_PAYEE}/ram:Name",),
    "payee_id": (f"{_PAYEE}/ram:ID", f"{_PAYEE}/ram:GlobalID"),
    "tax_point_date": (f"{_TAX}/ram:TaxPointDate/udt:DateString",),
    "tax_point_code": (f"{_TAX}/ram:DueDateTypeCode",),
    "period_start": (f"{_PERIOD}/ram:StartDateTime/{_DATE}",),
    "period_end": (f"{_PERIOD}/ram:EndDateTime/{_DATE}",),
    "delivery_date": (f"{_DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/{_DATE}",),
    "delivery_country": (f"{_SHIP_TO}/ram:PostalTradeAddress/ram:CountryID",),
    "terms": (f"{_SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description",),
    "payment_means": (f"{_SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode",),
    "buyer_reference": (f"{_AGREEMENT}/ram:BuyerReference",),
}
_ADDRESSES = {
    "seller_address": f"{_SELLER}/ram:PostalTradeAddress",
    "buyer_address": f"{_BUYER}/ram:PostalTradeAddress",
    "representative_address": f"{_AGENT}/ram:PostalTradeAddress",
    "delivery_address": f"{_SHIP_TO}/ram:PostalTradeAddress",
}
_ITEM = f"{_TRADE}/ram:IncludedSupplyChainTradeLineItem/ram:SpecifiedTradeProduct"
_INCOMPLETE = {
    "documents_without_id": (f"{_AGREEMENT}/ram:AdditionalReferencedDocument", ("ram:IssuerAssignedID",)),
    "references_without_id": (f"{_SETTLEMENT}/ram:InvoiceReferencedDocument", ("ram:IssuerAssignedID",)),
    "attributes_incomplete": (f"{_ITEM}/ram:ApplicableProductCharacteristic", ("ram:Description", "ram:Value")),
}
"""Parts that must state something, by the field that counts those which don't."""
_BARE = {
    "seller_endpoint_bare": (f"{_SELLER}/ram:URIUniversalCommunication/ram:URIID", "schemeID"),
    "buyer_endpoint_bare": (f"{_BUYER}/ram:URIUniversalCommunication/ram:URIID", "schemeID"),
    "item_ids_bare": (f"{_ITEM}/ram:GlobalID", "schemeID"),
    "item_classes_bare": (f"{_ITEM}/ram:DesignatedProductClassification/ram:ClassCode", "listID"),
}
"""Identifiers that must name their scheme, by the field that counts those which don't."""
_IDS = {
    "seller_vat_id": (_SELLER, "VA"),
    "seller_tax_registration": (_SELLER, "FC"),
    "buyer_vat_id": (_BUYER, "VA"),
    "representative_vat_id": (_AGENT, "VA"),
}


def further(root: etree._Element, file: str, reader: str) -> dict[str, Reading]:
    """VAT ids by scheme, whether an address block stands there, and the currencies of all amounts."""
    found = {name: _registration(root, party, scheme) for name, (party, scheme) in _IDS.items()}
    found |= {name: "stated" if root.find(path, NS) is not None else None for name, path in _ADDRESSES.items()}
    found |= {name: incomplete(root, path, needed, NS) for name, (path, needed) in _INCOMPLETE.items()}
    found |= {name: bare(root, path, attribute, NS) for name, (path, attribute) in _BARE.items()}
    found["accounting_tax"] = accounting_tax(root)
    currency = child_text(root, f"{_SETTLEMENT}/ram:InvoiceCurrencyCode", NS)
    found["tax_totals"] = odd_totals(root.findall(_TAX_TOTALS, NS), currency)
    found["amount_currencies"] = " ".join(sorted({e.get("currencyID", "") for e in root.iter() if e.get("currencyID")}))
    return {name: Reading(value, value, Place(file, path=name), reader) for name, value in found.items() if value}


def accounting_tax(root: etree._Element) -> str | None:
    """BT-111: the VAT total in the accounting currency, where that is another one."""
    other = child_text(root, f"{_SETTLEMENT}/ram:TaxCurrencyCode", NS)
    amounts = root.findall(_TAX_TOTALS, NS) if other else ()
    return next((amount.text for amount in amounts if amount.get("currencyID") == other), None)


def _registration(root: etree._Element, party: str, scheme: str) -> str | None:
    return child_text(root, f"{party}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID='{scheme}']", NS)


def adjustments(root: etree._Element) -> tuple[Adjustment, ...]:
    """The allowances and charges of the whole document."""
    return tuple(_adjustment(part) for part in root.iterfind(f"{_SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge", NS))


def _adjustment(part: etree._Element) -> Adjustment:
    return Adjustment(
        charge=child_text(part, "ram:ChargeIndicator/udt:Indicator", NS) in {"true", "1"},
        amount=child_text(part, "ram:ActualAmount", NS),
        base=child_text(part, "ram:BasisAmount", NS),
        percent=child_text(part, "ram:CalculationPercent", NS),
        category=child_text(part, "ram:CategoryTradeTax/ram:CategoryCode", NS),
        rate=child_text(part, "ram:CategoryTradeTax/ram:RateApplicablePercent", NS),
        reason=child_text(part, "ram:Reason", NS),
        reason_code=child_text(part, "ram:ReasonCode", NS),
    )


def lines(root: etree._Element) -> Iterator[Line]:
    """The lines with all that the standard's rules look at."""
    for line in root.iterfind(f"{_TRADE}/ram:IncludedSupplyChainTradeLineItem", NS):
        yield _line(line)


def _line(line: etree._Element) -> Line:
    settlement = "ram:SpecifiedLineTradeSettlement"
    agreement = "ram:SpecifiedLineTradeAgreement"
    quantity = line.find("ram:SpecifiedLineTradeDelivery/ram:BilledQuantity", NS)
    total = "ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount"
    return Line(
        id=child_text(line, "ram:AssociatedDocumentLineDocument/ram:LineID", NS),
        name=child_text(line, "ram:SpecifiedTradeProduct/ram:Name", NS),
        quantity=child_text(line, "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity", NS),
        unit=quantity.get("unitCode") if quantity is not None else None,
        unit_price=child_text(line, f"{agreement}/ram:NetPriceProductTradePrice/ram:ChargeAmount", NS),
        gross_price=child_text(line, f"{agreement}/ram:GrossPriceProductTradePrice/ram:ChargeAmount", NS),
        base_quantity=child_text(line, f"{agreement}/ram:NetPriceProductTradePrice/ram:BasisQuantity", NS),
        net=child_text(line, f"{settlement}/{total}", NS),
        rate=child_text(line, f"{settlement}/ram:ApplicableTradeTax/ram:RateApplicablePercent", NS),
        category=child_text(line, f"{settlement}/ram:ApplicableTradeTax/ram:CategoryCode", NS),
        start=child_text(line, f"{settlement}/ram:BillingSpecifiedPeriod/ram:StartDateTime/{_DATE}", NS),
        end=child_text(line, f"{settlement}/ram:BillingSpecifiedPeriod/ram:EndDateTime/{_DATE}", NS),
        adjustments=tuple(
            _adjustment(part) for part in line.iterfind(f"{settlement}/ram:SpecifiedTradeAllowanceCharge", NS)
        ),
    )
