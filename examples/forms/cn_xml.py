"""Chinese structured forms: digital XML, the older attachment, XBRL of three taxonomies."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from examples.forms.sample import Sample


def digital_xml(sample: Sample, *, encoding: str = "utf-8", declared: bool = True) -> bytes:
    """The fully digitalised invoice as XML (root `EInvoice`)."""
    flag = "N" if sample.net < 0 else "Y"
    lines = "".join(
        f"<IssuItemInformation><ItemName>{escape(item.name)}</ItemName><SpecMod>{item.specification}</SpecMod>"
        f"<MeaUnits>{item.unit}</MeaUnits><Quantity>{item.quantity}</Quantity><UnPrice>{item.price}</UnPrice>"
        f"<Amount>{item.net:.2f}</Amount><TaxRate>{_rate(item.rate)}</TaxRate><ComTaxAm>{item.tax_text}</ComTaxAm>"
        f"<TotaltaxIncludedAmount>{item.net + item.tax:.2f}</TotaltaxIncludedAmount></IssuItemInformation>"
        for item in sample.items
    )
    body = (
        f"<EInvoice><Header><EIid>{sample.number}</EIid><EInvoiceTag>SWEI9900</EInvoiceTag><Version>0.2</Version>"
        f"<InherentLabel><InIssuType><LabelCode>{flag}</LabelCode></InIssuType></InherentLabel></Header>"
        f"<EInvoiceData><SellerInformation><SellerIdNum>{sample.seller_tax_id}</SellerIdNum>"
        f"<SellerName>{escape(sample.seller)}</SellerName></SellerInformation>"
        f"<BuyerInformation><BuyerIdNum>{sample.buyer_tax_id}</BuyerIdNum>"
        f"<BuyerName>{escape(sample.buyer)}</BuyerName></BuyerInformation>"
        f"<BasicInformation><TotalAmWithoutTax>{sample.net:.2f}</TotalAmWithoutTax>"
        f"<TotalTaxAm>{sample.tax:.2f}</TotalTaxAm>"
        f"<TotalTax-includedAmount>{sample.total:.2f}</TotalTax-includedAmount>"
        f"<RequestTime>{sample.day.isoformat()} 10:08:05</RequestTime></BasicInformation>{lines}"
        f"<AdditionalInformation><Remark>{escape(sample.remark)}</Remark></AdditionalInformation></EInvoiceData>"
        f"<TaxSupervisionInfo><InvoiceNumber>{sample.number}</InvoiceNumber>"
        f"<IssueTime>{sample.day.isoformat()}</IssueTime></TaxSupervisionInfo></EInvoice>"
    )
    head = f'<?xml version="1.0" encoding="{encoding}"?>' if declared else ""
    return (head + body).encode(encoding)


def _rate(rate: str) -> str:
    return f"{int(rate) / 100:.6f}" if rate.isdigit() else rate


def original_xml(sample: Sample) -> bytes:
    """The older electronic invoice as OFD files carry it (`original_invoice.xml`)."""
    lines = "".join(
        f"<fp:GoodsInfo><fp:Item>{escape(item.name)}</fp:Item><fp:Quantity>{item.quantity}</fp:Quantity>"
        f"<fp:Price>{item.price}</fp:Price><fp:Amount>{item.net:.2f}</fp:Amount>"
        f"<fp:TaxScheme>{item.rate + '%' if item.rate.isdigit() else item.rate}</fp:TaxScheme>"
        f"<fp:TaxAmount>{item.tax_text}</fp:TaxAmount></fp:GoodsInfo>"
        for item in sample.items
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<eInvoice xmlns:fp="http://www.edrm.org.cn/schema/e-invoice/2019" '
        f'Version="1.0"><fp:InvoiceCode>{sample.code}</fp:InvoiceCode><fp:InvoiceNo>{sample.number}</fp:InvoiceNo>'
        f"<fp:IssueDate>{sample.chinese_day}</fp:IssueDate>"
        "<fp:InvoiceCheckCode>12345678901234567890</fp:InvoiceCheckCode>"
        f"<fp:Buyer><fp:BuyerName>{escape(sample.buyer)}</fp:BuyerName>"
        f"<fp:BuyerTaxID>{sample.buyer_tax_id}</fp:BuyerTaxID></fp:Buyer>"
        f"<fp:Seller><fp:SellerName>{escape(sample.seller)}</fp:SellerName>"
        f"<fp:SellerTaxID>{sample.seller_tax_id}</fp:SellerTaxID></fp:Seller>"
        f"<fp:TaxInclusiveTotalAmount>{sample.total:.2f}</fp:TaxInclusiveTotalAmount>"
        f"<fp:TaxTotalAmount>{sample.tax_text}</fp:TaxTotalAmount>"
        f"<fp:TaxExclusiveTotalAmount>{sample.net:.2f}</fp:TaxExclusiveTotalAmount>"
        f"<fp:GoodsInfos>{lines}</fp:GoodsInfos></eInvoice>"
    ).encode()


def xbrl(taxonomy: str, facts: Mapping[str, str], tuples: str = "") -> bytes:
    """An XBRL instance of a Ministry of Finance taxonomy (`inv`, `rai`, `atr`) with these facts."""
    year = {"inv": "2021-09-30"}.get(taxonomy, "2021-11-30")
    body = "".join(
        f'<{taxonomy}:{name} contextRef="c1">{escape(value)}</{taxonomy}:{name}>' for name, value in facts.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><xbrl xmlns="http://www.xbrl.org/2003/instance" '
        f'xmlns:{taxonomy}="http://xbrl.mof.gov.cn/taxonomy/{year}/{taxonomy}">'
        '<context id="c1"><entity><identifier scheme="http://xbrl.mof.gov.cn">x</identifier></entity></context>'
        f"{body}{tuples}</xbrl>"
    ).encode()


def invoice_xbrl(sample: Sample) -> bytes:
    """The sample as an `inv` instance, lines as tuples."""
    purchaser = "TaxpayerIdentificationNumberUnifiedSocialCreditCodeOfPurchaser"
    facts = {
        "TypeOfInvoice": "增值税电子普通发票",
        "CodeOfInvoice": sample.code,
        "NumberOfInvoice": sample.number,
        "DateOfIssue": sample.day.isoformat(),
        "NameOfPurchaser": sample.buyer,
        purchaser: sample.buyer_tax_id,
        "TotalAmountExcludingTax": f"{sample.net:.2f}",
        "TotalTaxAmount": f"{sample.tax:.2f}",
        "TaxIncludedAmountInFigures": f"{sample.total:.2f}",
        "NameOfSeller": sample.seller,
        purchaser.replace("Purchaser", "Seller"): sample.seller_tax_id,
    }
    name = "InformationOfTaxableGoodsOrServicesDetailItemsTuple"
    tuples = "".join(
        f"<inv:{name}><inv:NameOfTaxableGoodsOrServices>{escape(item.name)}</inv:NameOfTaxableGoodsOrServices>"
        f"<inv:QuantityOfGoodsOrServices>{item.quantity}</inv:QuantityOfGoodsOrServices>"
        f"<inv:AmountExcludingTax>{item.net:.2f}</inv:AmountExcludingTax><inv:TaxRate>{item.rate}%</inv:TaxRate>"
        f"<inv:TaxAmount>{item.tax:.2f}</inv:TaxAmount></inv:{name}>"
        for item in sample.items
    )
    return xbrl("inv", facts, tuples)
