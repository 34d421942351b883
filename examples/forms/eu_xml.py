"""European structured forms: CII, ZUGFeRD 1, UBL, FatturaPA; and PDFs that carry them."""

import io
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from xml.sax.saxutils import escape

from examples.forms.sample import Sample

UBL_PROFILE = "urn:cen.eu:en16931:2017"
CII_PROFILE = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"


def cii(sample: Sample, *, kind: str = "380", encoding: str = "utf-8", declared: bool = True) -> bytes:
    """A Cross Industry Invoice D16B."""
    names = (
        'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" '
        'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" '
        'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"'
    )
    parties = "".join(
        f"<ram:{role}><ram:Name>{escape(name)}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>00000"
        f"</ram:PostcodeCode><ram:LineOne>Musterweg 1</ram:LineOne><ram:CityName>Musterstadt</ram:CityName>"
        f"<ram:CountryID>{tax_id[:2]}</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration>"
        f'<ram:ID schemeID="VA">{tax_id}</ram:ID></ram:SpecifiedTaxRegistration></ram:{role}>'
        for role, name, tax_id in _parties(sample)
    )
    amounts = (
        f"<ram:LineTotalAmount>{sample.net:.2f}</ram:LineTotalAmount>"
        f"<ram:TaxBasisTotalAmount>{sample.net:.2f}</ram:TaxBasisTotalAmount>"
        f'<ram:TaxTotalAmount currencyID="{sample.currency}">{sample.tax:.2f}</ram:TaxTotalAmount>'
        f"<ram:GrandTotalAmount>{sample.total:.2f}</ram:GrandTotalAmount>"
        f"<ram:DuePayableAmount>{sample.total:.2f}</ram:DuePayableAmount>"
    )
    body = (
        f"<rsm:CrossIndustryInvoice {names}><rsm:ExchangedDocumentContext>"
        f"<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>{CII_PROFILE}</ram:ID>"
        "</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>"
        f"<rsm:ExchangedDocument><ram:ID>{escape(sample.number)}</ram:ID><ram:TypeCode>{kind}</ram:TypeCode>"
        f'<ram:IssueDateTime><udt:DateTimeString format="102">{sample.day:%Y%m%d}</udt:DateTimeString>'
        "</ram:IssueDateTime></rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>"
        f"{_cii_lines(sample)}<ram:ApplicableHeaderTradeAgreement>{parties}</ram:ApplicableHeaderTradeAgreement>"
        "<ram:ApplicableHeaderTradeDelivery/>"
        f"<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>{sample.currency}</ram:InvoiceCurrencyCode>"
        f"{_cii_taxes(sample)}<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>"
        f'<udt:DateTimeString format="102">{_due(sample):%Y%m%d}</udt:DateTimeString>'
        "</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>"
        f"<ram:SpecifiedTradeSettlementHeaderMonetarySummation>{amounts}"
        "</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>"
        "</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"
    )
    head = f'<?xml version="1.0" encoding="{encoding}"?>' if declared else ""
    return (head + body).encode(encoding)


def _due(sample: Sample) -> date:
    return sample.day + timedelta(days=30)


def _cii_lines(sample: Sample) -> str:
    return "".join(
        "<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>"
        f"<ram:LineID>{number}</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct>"
        f"<ram:Name>{escape(item.name)}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement>"
        f"<ram:NetPriceProductTradePrice><ram:ChargeAmount>{item.price}</ram:ChargeAmount>"
        "</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery>"
        f'<ram:BilledQuantity unitCode="C62">{item.quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>'
        "<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>"
        f"<ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>{item.rate}</ram:RateApplicablePercent>"
        "</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation>"
        f"<ram:LineTotalAmount>{item.net:.2f}</ram:LineTotalAmount>"
        "</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>"
        "</ram:IncludedSupplyChainTradeLineItem>"
        for number, item in enumerate(sample.items, start=1)
    )


def _cii_taxes(sample: Sample) -> str:
    return "".join(
        f"<ram:ApplicableTradeTax><ram:CalculatedAmount>{item.tax:.2f}</ram:CalculatedAmount>"
        f"<ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>{item.net:.2f}</ram:BasisAmount>"
        f"<ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>{item.rate}</ram:RateApplicablePercent>"
        "</ram:ApplicableTradeTax>"
        for item in sample.items
    )


def _parties(sample: Sample) -> tuple[tuple[str, str, str], ...]:
    return (
        ("SellerTradeParty", sample.seller, sample.seller_tax_id),
        ("BuyerTradeParty", sample.buyer, sample.buyer_tax_id),
    )


def zugferd1(sample: Sample) -> bytes:
    """A ZUGFeRD 1.0 document."""
    names = (
        'xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" '
        'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" '
        'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15"'
    )
    parties = "".join(
        f"<ram:{role}><ram:Name>{escape(name)}</ram:Name><ram:SpecifiedTaxRegistration>"
        f'<ram:ID schemeID="VA">{tax_id}</ram:ID></ram:SpecifiedTaxRegistration></ram:{role}>'
        for role, name, tax_id in _parties(sample)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><rsm:CrossIndustryDocument {names}><rsm:HeaderExchangedDocument>'
        f"<ram:ID>{escape(sample.number)}</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>"
        f'<udt:DateTimeString format="102">{sample.day:%Y%m%d}</udt:DateTimeString></ram:IssueDateTime>'
        "</rsm:HeaderExchangedDocument><rsm:SpecifiedSupplyChainTradeTransaction>"
        f"<ram:ApplicableSupplyChainTradeAgreement>{parties}</ram:ApplicableSupplyChainTradeAgreement>"
        "<ram:ApplicableSupplyChainTradeSettlement>"
        f"<ram:InvoiceCurrencyCode>{sample.currency}</ram:InvoiceCurrencyCode>"
        "<ram:SpecifiedTradeSettlementMonetarySummation>"
        f'<ram:TaxBasisTotalAmount currencyID="EUR">{sample.net:.2f}</ram:TaxBasisTotalAmount>'
        f'<ram:TaxTotalAmount currencyID="EUR">{sample.tax:.2f}</ram:TaxTotalAmount>'
        f'<ram:GrandTotalAmount currencyID="EUR">{sample.total:.2f}</ram:GrandTotalAmount>'
        "</ram:SpecifiedTradeSettlementMonetarySummation></ram:ApplicableSupplyChainTradeSettlement>"
        "</rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>"
    ).encode()


def ubl(sample: Sample, *, kind: str = "380", root: str = "Invoice") -> bytes:
    """A UBL 2.1 invoice or credit note."""
    prefix = "urn:oasis:names:specification:ubl:schema:xsd:"
    parties = "".join(
        f"<cac:{role}><cac:Party><cac:PostalAddress><cbc:StreetName>Musterweg 1</cbc:StreetName>"
        "<cbc:CityName>Musterstadt</cbc:CityName><cbc:PostalZone>00000</cbc:PostalZone><cac:Country>"
        f"<cbc:IdentificationCode>{tax_id[:2]}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>"
        f"<cac:PartyTaxScheme><cbc:CompanyID>{tax_id}</cbc:CompanyID><cac:TaxScheme>"
        f"<cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>"
        f"{escape(name)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:{role}>"
        for role, name, tax_id in (
            ("AccountingSupplierParty", sample.seller, sample.seller_tax_id),
            ("AccountingCustomerParty", sample.buyer, sample.buyer_tax_id),
        )
    )
    money = f'currencyID="{sample.currency}"'
    day = _due(sample).isoformat()
    due = f"<cbc:DueDate>{day}</cbc:DueDate>" if root == "Invoice" else ""
    means = (
        f"<cac:PaymentMeans><cbc:PaymentMeansCode>10</cbc:PaymentMeansCode><cbc:PaymentDueDate>{day}"
        "</cbc:PaymentDueDate></cac:PaymentMeans>"
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{prefix}{root}-2" '
        f'xmlns:cac="{prefix}CommonAggregateComponents-2" xmlns:cbc="{prefix}CommonBasicComponents-2">'
        f"<cbc:CustomizationID>{UBL_PROFILE}</cbc:CustomizationID>"
        f"<cbc:ID>{escape(sample.number)}</cbc:ID><cbc:IssueDate>{sample.day.isoformat()}</cbc:IssueDate>{due}"
        f"<cbc:{root}TypeCode>{kind}</cbc:{root}TypeCode>"
        f"<cbc:DocumentCurrencyCode>{sample.currency}</cbc:DocumentCurrencyCode>{parties}{means}"
        f"<cac:TaxTotal><cbc:TaxAmount {money}>{sample.tax:.2f}</cbc:TaxAmount>{_ubl_taxes(sample)}</cac:TaxTotal>"
        f"<cac:LegalMonetaryTotal><cbc:LineExtensionAmount {money}>{sample.net:.2f}</cbc:LineExtensionAmount>"
        f"<cbc:TaxExclusiveAmount {money}>{sample.net:.2f}</cbc:TaxExclusiveAmount>"
        f"<cbc:TaxInclusiveAmount {money}>{sample.total:.2f}</cbc:TaxInclusiveAmount>"
        f"<cbc:PayableAmount {money}>{sample.total:.2f}</cbc:PayableAmount></cac:LegalMonetaryTotal>"
        f"{_ubl_lines(sample, root)}</{root}>"
    ).encode()


def _ubl_category(tag: str, rate: str) -> str:
    return (
        f"<cac:{tag}><cbc:ID>S</cbc:ID><cbc:Percent>{rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID>"
        f"</cac:TaxScheme></cac:{tag}>"
    )


def _ubl_taxes(sample: Sample) -> str:
    money = f'currencyID="{sample.currency}"'
    return "".join(
        f"<cac:TaxSubtotal><cbc:TaxableAmount {money}>{item.net:.2f}</cbc:TaxableAmount>"
        f"<cbc:TaxAmount {money}>{item.tax:.2f}</cbc:TaxAmount>{_ubl_category('TaxCategory', item.rate)}"
        "</cac:TaxSubtotal>"
        for item in sample.items
    )


def _ubl_lines(sample: Sample, root: str) -> str:
    """A negative line has a negative quantity: no price may be below zero (BR-27)."""
    money = f'currencyID="{sample.currency}"'
    line, quantity = ("CreditNoteLine", "Credited") if root == "CreditNote" else ("InvoiceLine", "Invoiced")
    return "".join(
        f"<cac:{line}><cbc:ID>{number}</cbc:ID>"
        f'<cbc:{quantity}Quantity unitCode="C62">{"-" if item.net < 0 else ""}{item.quantity}</cbc:{quantity}Quantity>'
        f"<cbc:LineExtensionAmount {money}>{item.net:.2f}</cbc:LineExtensionAmount><cac:Item>"
        f"<cbc:Name>{escape(item.name)}</cbc:Name>{_ubl_category('ClassifiedTaxCategory', item.rate)}</cac:Item>"
        f"<cac:Price><cbc:PriceAmount {money}>{abs(item.price)}</cbc:PriceAmount></cac:Price></cac:{line}>"
        for number, item in enumerate(sample.items, start=1)
    )


def fatturapa(samples: Sequence[Sample], *, kind: str = "TD01", with_total: bool = True) -> bytes:
    """A FatturaPA with one body for each sample; the parties are those of the first."""
    first = samples[0]
    parties = "".join(
        f"<{role}><DatiAnagrafici><IdFiscaleIVA><IdPaese>{tax_id[:2]}</IdPaese><IdCodice>{tax_id[2:]}</IdCodice>"
        f"</IdFiscaleIVA><Anagrafica><Denominazione>{escape(name)}</Denominazione></Anagrafica></DatiAnagrafici></{role}>"
        for role, name, tax_id in (
            ("CedentePrestatore", first.seller, first.seller_tax_id),
            ("CessionarioCommittente", first.buyer, first.buyer_tax_id),
        )
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><p:FatturaElettronica versione="FPR12" '
        'xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">'
        f"<FatturaElettronicaHeader>{parties}</FatturaElettronicaHeader>"
        + "".join(_body(sample, kind, with_total) for sample in samples)
        + "</p:FatturaElettronica>"
    ).encode()


def _body(sample: Sample, kind: str, with_total: bool) -> str:
    total = f"<ImportoTotaleDocumento>{sample.total:.2f}</ImportoTotaleDocumento>" if with_total else ""
    rows = "".join(
        f"<DatiRiepilogo><AliquotaIVA>{item.rate}.00</AliquotaIVA><ImponibileImporto>{item.net:.2f}</ImponibileImporto>"
        f"<Imposta>{item.tax:.2f}</Imposta></DatiRiepilogo>"
        for item in sample.items
    )
    return (
        "<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento>"
        f"<TipoDocumento>{kind}</TipoDocumento><Divisa>EUR</Divisa><Data>{sample.day.isoformat()}</Data>"
        f"<Numero>{escape(sample.number)}</Numero>{total}</DatiGeneraliDocumento></DatiGenerali>"
        f"<DatiBeniServizi>{rows}</DatiBeniServizi></FatturaElettronicaBody>"
    )


def enveloped(content: bytes) -> bytes:
    """The content in a minimal CMS envelope (.p7m); it carries no signature."""
    data = _der(0x30, bytes.fromhex("06092a864886f70d010701") + _der(0xA0, _der(0x04, content)))
    signed = _der(0x30, bytes.fromhex("020101") + _der(0x31, b"") + data + _der(0x31, b""))
    return _der(0x30, bytes.fromhex("06092a864886f70d010702") + _der(0xA0, signed))


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def with_files(pdf: bytes, files: Mapping[str, bytes]) -> bytes:
    """The PDF with these files attached under the document's names."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    for name, content in files.items():
        writer.add_attachment(name, content)
    return _written(writer)


def with_associated_file(pdf: bytes, name: str, content: bytes) -> bytes:
    """The PDF with a file that hangs on the catalog's /AF only (PDF/A-3), in no name tree."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject, TextStringObject

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    stream = StreamObject()
    stream.set_data(content)
    stream[NameObject("/Type")] = NameObject("/EmbeddedFile")
    spec = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Filespec"),
            NameObject("/F"): TextStringObject(name),
            NameObject("/UF"): TextStringObject(name),
            NameObject("/EF"): DictionaryObject({NameObject("/F"): writer._add_object(stream)}),
        }
    )
    writer.root_object[NameObject("/AF")] = ArrayObject([writer._add_object(spec)])
    return _written(writer)


def _written(writer: object) -> bytes:
    buffer = io.BytesIO()
    writer.write(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()
