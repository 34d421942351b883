"""Write the fifty sample invoices, their policy and their register into `examples/fifty`.

Every id is made up by an algorithm and belongs to nobody: credit codes carry region 990000, which doesn't exist, and
American numbers begin with 00, which is never issued. Forty-nine invoices are clean. The fiftieth, a paper invoice that
a clerk typed into the list, is over the limit, its seller's tax id lost a digit, and its code is not in the register.
"""

import csv
import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from xml.sax.saxutils import escape

from examples.forms import cn_layouts, cn_xml, eu_xml, mixed_lists, ofd
from examples.forms import sample as forms
from examples.forms.latin_layouts import letter
from examples.forms.sheet import pdf
from invoices.identity import ALPHABET, body_check_character, is_uscc

FOLDER = Path(__file__).parent / "fifty"
COMPANY = "青禾示例科技有限公司"
COMPANY_ID = ""
CENT = Decimal("0.01")
SEED = 1154

SELLERS = (
    ("云岫纸品有限公司", "*纸制品*复印纸", "13"),
    ("澄江餐饮服务有限公司", "*餐饮服务*餐费", "6"),
    ("远帆物流有限公司", "*运输服务*货运费", "9"),
    ("松风软件有限公司", "*信息技术服务*软件服务费", "6"),
    ("南屏办公用品有限公司", "*文具*办公用品", "13"),
    ("霁月酒店管理有限公司", "*住宿服务*住宿费", "6"),
    ("北辰设备有限公司", "*计算机外部设备*显示器", "13"),
    ("丹枫印务有限公司", "*印刷品*宣传册", "9"),
)
HEADINGS = (
    *("发票代码", "发票号码", "开票日期", "销方名称", "销方税号", "购方名称", "购方税号"),
    *("货物或应税劳务名称", "金额", "税率", "税额", "价税合计"),
)
ABROAD = ("Harbor Paper LLC", "Quill and Ledger Inc", "Northlight Hosting LLC", "Brass Key Travel Inc")


@dataclass(frozen=True)
class Sample:
    """One invoice to be written down in some form."""

    seller: str
    seller_id: str
    number: str
    day: date
    item: str
    rate: Decimal
    lines: tuple[Decimal, ...]
    code: str = ""

    @property
    def net(self) -> Decimal:
        return sum(self.lines, Decimal(0))

    @property
    def taxes(self) -> tuple[Decimal, ...]:
        return tuple((line * self.rate / 100).quantize(CENT, ROUND_HALF_UP) for line in self.lines)

    @property
    def tax(self) -> Decimal:
        return sum(self.taxes, Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax


def made_up_uscc(chance: random.Random) -> str:
    """A credit code with both check characters right and a region that doesn't exist."""
    body = "".join(chance.choice("0123456789") for _ in range(8))
    start = f"91990000{body}{body_check_character(body)}"
    return next(start + last for last in ALPHABET if is_uscc(start + last))


def lines(chance: random.Random, most: int) -> tuple[Decimal, ...]:
    """One to three line amounts with odd cents."""
    return tuple(Decimal(chance.randrange(2_000, most)).scaleb(-2) for _ in range(chance.randint(1, 3)))


def einvoice(sample: Sample) -> str:
    """The invoice as China's digital XML."""
    items = "".join(
        f"""
    <IssuItemInformation>
      <ItemName>{escape(sample.item)}</ItemName>
      <Quantity>1</Quantity>
      <UnPrice>{line}</UnPrice>
      <Amount>{line}</Amount>
      <TaxRate>{sample.rate / 100:.6f}</TaxRate>
      <ComTaxAm>{tax}</ComTaxAm>
      <TotaltaxIncludedAmount>{line + tax}</TotaltaxIncludedAmount>
    </IssuItemInformation>"""
        for line, tax in zip(sample.lines, sample.taxes, strict=True)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<EInvoice>
  <Header>
    <EIid>{sample.number}</EIid>
    <EInvoiceTag>SWEI9900</EInvoiceTag>
    <Version>0.2</Version>
    <InherentLabel>
      <InIssuType><LabelCode>Y</LabelCode></InIssuType>
      <EInvoiceType><LabelCode>01</LabelCode></EInvoiceType>
      <GeneralOrSpecialVAT><LabelCode>02</LabelCode></GeneralOrSpecialVAT>
    </InherentLabel>
  </Header>
  <EInvoiceData>
    <SellerInformation>
      <SellerIdNum>{sample.seller_id}</SellerIdNum>
      <SellerName>{escape(sample.seller)}</SellerName>
    </SellerInformation>
    <BuyerInformation>
      <BuyerIdNum>{COMPANY_ID}</BuyerIdNum>
      <BuyerName>{COMPANY}</BuyerName>
    </BuyerInformation>
    <BasicInformation>
      <TotalAmWithoutTax>{sample.net}</TotalAmWithoutTax>
      <TotalTaxAm>{sample.tax}</TotalTaxAm>
      <TotalTax-includedAmount>{sample.total}</TotalTax-includedAmount>
      <RequestTime>{sample.day}</RequestTime>
    </BasicInformation>{items}
  </EInvoiceData>
  <TaxSupervisionInfo>
    <InvoiceNumber>{sample.number}</InvoiceNumber>
    <IssueTime>{sample.day}</IssueTime>
    <TaxBureauCode>19900000000</TaxBureauCode>
  </TaxSupervisionInfo>
</EInvoice>
"""


def ubl(sample: Sample) -> str:
    """The invoice as UBL 2.1; the seller is outside the EU's VAT (category O)."""
    items = "".join(
        f"""
  <cac:InvoiceLine>
    <cbc:ID>{number}</cbc:ID>
    <cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="USD">{line}</cbc:LineExtensionAmount>
    <cac:Item>
      <cbc:Name>{escape(sample.item)}</cbc:Name>
      <cac:ClassifiedTaxCategory><cbc:ID>O</cbc:ID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>
    </cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="USD">{line}</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>"""
        for number, line in enumerate(sample.lines, start=1)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
  <cbc:ID>{sample.number}</cbc:ID>
  <cbc:IssueDate>{sample.day}</cbc:IssueDate>
  <cbc:DueDate>{sample.day + timedelta(days=30)}</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>
    <cac:Party>
      <cac:PostalAddress><cac:Country><cbc:IdentificationCode>US</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      <cac:PartyLegalEntity>
        <cbc:RegistrationName>{escape(sample.seller)}</cbc:RegistrationName>
        <cbc:CompanyID>{sample.seller_id}</cbc:CompanyID>
      </cac:PartyLegalEntity>
    </cac:Party>
  </cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty>
    <cac:Party>
      <cac:PostalAddress><cac:Country><cbc:IdentificationCode>CN</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      <cac:PartyLegalEntity>
        <cbc:RegistrationName>{COMPANY}</cbc:RegistrationName>
        <cbc:CompanyID>{COMPANY_ID}</cbc:CompanyID>
      </cac:PartyLegalEntity>
    </cac:Party>
  </cac:AccountingCustomerParty>
  <cac:TaxTotal>
    <cbc:TaxAmount currencyID="USD">0.00</cbc:TaxAmount>
    <cac:TaxSubtotal>
      <cbc:TaxableAmount currencyID="USD">{sample.net}</cbc:TaxableAmount>
      <cbc:TaxAmount currencyID="USD">0.00</cbc:TaxAmount>
      <cac:TaxCategory>
        <cbc:ID>O</cbc:ID>
        <cbc:TaxExemptionReason>Not subject to VAT</cbc:TaxExemptionReason>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>
      </cac:TaxCategory>
    </cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:LineExtensionAmount currencyID="USD">{sample.net}</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="USD">{sample.net}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="USD">{sample.total}</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount currencyID="USD">{sample.total}</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>{items}
</Invoice>
"""


def cii(sample: Sample) -> str:
    """The invoice as a Cross Industry Invoice; the seller is outside the EU's VAT (category O)."""
    day = sample.day.strftime("%Y%m%d")
    due = (sample.day + timedelta(days=30)).strftime("%Y%m%d")
    items = "".join(
        f"""
    <ram:IncludedSupplyChainTradeLineItem>
      <ram:AssociatedDocumentLineDocument><ram:LineID>{number}</ram:LineID></ram:AssociatedDocumentLineDocument>
      <ram:SpecifiedTradeProduct><ram:Name>{escape(sample.item)}</ram:Name></ram:SpecifiedTradeProduct>
      <ram:SpecifiedLineTradeAgreement>
        <ram:NetPriceProductTradePrice><ram:ChargeAmount>{line}</ram:ChargeAmount></ram:NetPriceProductTradePrice>
      </ram:SpecifiedLineTradeAgreement>
      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
      <ram:SpecifiedLineTradeSettlement>
        <ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>O</ram:CategoryCode></ram:ApplicableTradeTax>
        <ram:SpecifiedTradeSettlementLineMonetarySummation>
          <ram:LineTotalAmount>{line}</ram:LineTotalAmount>
        </ram:SpecifiedTradeSettlementLineMonetarySummation>
      </ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>"""
        for number, line in enumerate(sample.lines, start=1)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
  xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext>
    <ram:GuidelineSpecifiedDocumentContextParameter>
      <ram:ID>urn:cen.eu:en16931:2017</ram:ID>
    </ram:GuidelineSpecifiedDocumentContextParameter>
  </rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument>
    <ram:ID>{sample.number}</ram:ID>
    <ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">{day}</udt:DateTimeString></ram:IssueDateTime>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>{items}
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty>
        <ram:Name>{escape(sample.seller)}</ram:Name>
        <ram:SpecifiedLegalOrganization><ram:ID>{sample.seller_id}</ram:ID></ram:SpecifiedLegalOrganization>
        <ram:PostalTradeAddress><ram:CountryID>US</ram:CountryID></ram:PostalTradeAddress>
      </ram:SellerTradeParty>
      <ram:BuyerTradeParty>
        <ram:Name>{COMPANY}</ram:Name>
        <ram:SpecifiedLegalOrganization><ram:ID>{COMPANY_ID}</ram:ID></ram:SpecifiedLegalOrganization>
        <ram:PostalTradeAddress><ram:CountryID>CN</ram:CountryID></ram:PostalTradeAddress>
      </ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery/>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>USD</ram:InvoiceCurrencyCode>
      <ram:ApplicableTradeTax>
        <ram:CalculatedAmount>0.00</ram:CalculatedAmount>
        <ram:TypeCode>VAT</ram:TypeCode>
        <ram:ExemptionReason>Not subject to VAT</ram:ExemptionReason>
        <ram:BasisAmount>{sample.net}</ram:BasisAmount>
        <ram:CategoryCode>O</ram:CategoryCode>
      </ram:ApplicableTradeTax>
      <ram:SpecifiedTradePaymentTerms>
        <ram:DueDateDateTime><udt:DateTimeString format="102">{due}</udt:DateTimeString></ram:DueDateDateTime>
      </ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:LineTotalAmount>{sample.net}</ram:LineTotalAmount>
        <ram:TaxBasisTotalAmount>{sample.net}</ram:TaxBasisTotalAmount>
        <ram:TaxTotalAmount currencyID="USD">0.00</ram:TaxTotalAmount>
        <ram:GrandTotalAmount>{sample.total}</ram:GrandTotalAmount>
        <ram:DuePayableAmount>{sample.total}</ram:DuePayableAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
"""


def csv_list(samples: list[Sample], path: Path) -> None:
    """The invoices as the list that a clerk types."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADINGS)
        for s in samples:
            head = [s.code, s.number, s.day.isoformat(), s.seller, s.seller_id, COMPANY, COMPANY_ID, s.item]
            writer.writerow([*head, s.net, f"{s.rate}%", s.tax, s.total])


CHINESE_FORMS = (*["xml"] * 8, *["pdf"] * 5, *["ofd"] * 3, *["xbrl"] * 3, *["xlsx"] * 2, *["zip"] * 3)


class Papers:
    """Writes samples in their forms into one folder."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder = folder
        self._chance = chance
        self._zipped: dict[str, bytes] = {}
        self._listed: list[forms.Sample] = []

    def chinese(self, number: int, form: str, sample: Sample) -> None:
        """One of China's forms; lists and zip folders are written with their last invoice."""
        plain = as_form(sample)
        if form == "xml":
            self._write(f"{number:02d}-digital.xml", einvoice(sample).encode())
        elif form == "pdf":
            self._write(f"{number:02d}-digital.pdf", pdf([cn_layouts.digital(plain)]))
        elif form == "ofd":
            parts = ofd.Parts(cn_layouts.older(plain), {"original_invoice.xml": cn_xml.original_xml(plain)})
            self._write(f"{number:02d}-older.ofd", ofd.package(parts))
        elif form == "xbrl":
            self._write(f"{number:02d}-voucher.xbrl", cn_xml.invoice_xbrl(plain))
        elif form == "xlsx":
            self._listed.append(plain)
            self._write("20-21-list.xlsx", mixed_lists.workbook(self._listed))
        else:
            self._zipped[f"{number:02d}-digital.xml"] = einvoice(sample).encode()
            self._write("22-24-folder.zip", ofd.zipped(self._zipped))

    def foreign(self, number: int, form: str, sample: Sample) -> None:
        """UBL, CII, or a PDF that carries CII."""
        content = (ubl(sample) if form == "ubl" else cii(sample)).encode()
        if form == "hybrid":
            page = pdf([letter(as_form(sample, "USD"), "us")], font="Helvetica")
            self._write(f"{number:02d}-factur-x.pdf", eu_xml.with_files(page, {"factur-x.xml": content}))
        else:
            self._write(f"{number:02d}-{form}.xml", content)

    def _write(self, name: str, content: bytes) -> None:
        (self._folder / name).write_bytes(content)


def as_form(sample: Sample, currency: str = "CNY") -> forms.Sample:
    """The sample as the writers of other forms take it."""
    items = tuple(forms.Item(sample.item, line, f"{sample.rate:f}") for line in sample.lines)
    head = (sample.number, sample.day, sample.seller, sample.seller_id, COMPANY, COMPANY_ID, items)
    return forms.Sample(*head, code=sample.code, currency=currency)


POLICY = """# The policy that the fifty sample invoices are audited under.

[company]
names = ["{company}"]
tax_ids = ["{company_id}"]

[limits]
currency = "CNY"
amount = "100000.00"      # a total of this much or more waits for a person
confidence = 0.8          # a needed field read less surely than this waits for a person
max_age_days = 36500      # samples don't grow old; a real policy says 365

[rates.USD]
value = "7.10"
on = 2026-09-30
source = "sample rate, not a quotation"

[register]
file = "register.csv"
"""


def make(folder: Path = FOLDER) -> None:
    """Write everything anew."""
    global COMPANY_ID  # noqa: PLW0603 - one script, one company
    chance = random.Random(SEED)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    COMPANY_ID = made_up_uscc(chance)
    chinese = [(name, made_up_uscc(chance), item, Decimal(rate)) for name, item, rate in SELLERS]
    abroad = [(name, f"00-{chance.randrange(1_000_000, 9_999_999)}") for name in ABROAD]
    first_day = date(2026, 9, 1)

    def day() -> date:
        return first_day + timedelta(days=chance.randrange(60))

    papers = Papers(folder, chance)
    for number in range(1, 25):
        seller, seller_id, item, rate = chance.choice(chinese)
        form = CHINESE_FORMS[number - 1]
        digits = f"{chance.randrange(10**8):08d}" if form == "ofd" else f"2699{chance.randrange(10**16):016d}"
        code = "099002600111" if form == "ofd" else ""
        papers.chinese(number, form, Sample(seller, seller_id, digits, day(), item, rate, lines(chance, 800_000), code))
    for number in range(25, 41):
        seller, seller_id = chance.choice(abroad)
        digits = f"INV-{2026_0000 + number * 7}"
        sample = Sample(seller, seller_id, digits, day(), "Office supplies", Decimal(0), lines(chance, 90_000))
        papers.foreign(number, "ubl" if number < 31 else "cii" if number < 37 else "hybrid", sample)
    typed = []
    codes = [f"0990026{batch:03d}11" for batch in (1, 2, 3)]
    for _ in range(9):
        seller, seller_id, item, rate = chance.choice(chinese)
        digits = f"{chance.randrange(10**8):08d}"
        typed.append(
            Sample(seller, seller_id, digits, day(), item, rate, lines(chance, 500_000)[:1], chance.choice(codes))
        )
    seller, seller_id, item, rate = chinese[3]
    broken = seller_id[:11] + seller_id[12:]
    net = (Decimal(100_000) / (1 + rate / 100)).quantize(CENT, ROUND_HALF_UP)
    typed.append(Sample(seller, broken, f"{chance.randrange(10**8):08d}", day(), item, rate, (net,), "099002600711"))
    csv_list(typed, folder / "41-50-typed.csv")
    with (folder / "register.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kind", "value", "name"))
        writer.writerows(("seller", seller_id, name) for name, seller_id, *_ in (*chinese, *abroad))
        writer.writerows(("code", code, "") for code in codes)
    (folder / "policy.toml").write_text(POLICY.format(company=COMPANY, company_id=COMPANY_ID), "utf-8")


if __name__ == "__main__":
    make()
