"""China's fully digitalised e-invoice as XML (root `EInvoice`; Ministry of Finance data standard, trial version)."""

from collections.abc import Iterator
from decimal import Decimal

from lxml import etree

from invoices.document import Document
from invoices.money import parse_money
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Line, Place, Reading

NAME = "cn_einvoice"

_DATA = ".//EInvoiceData"
PATHS = {
    "seller": (f"{_DATA}/SellerInformation/SellerName",),
    "seller_tax_id": (f"{_DATA}/SellerInformation/SellerIdNum",),
    "buyer": (f"{_DATA}/BuyerInformation/BuyerName",),
    "buyer_tax_id": (f"{_DATA}/BuyerInformation/BuyerIdNum",),
    "code": (".//TaxSupervisionInfo/InvoiceCode", ".//Header/InvoiceCode"),
    "number": (".//TaxSupervisionInfo/InvoiceNumber", ".//Header/EIid"),
    # The accounting standard takes RequestTime as the issue date; IssueTime may carry a time of day.
    "date": (f"{_DATA}/BasicInformation/RequestTime", ".//TaxSupervisionInfo/IssueTime"),
    "issue_time": (".//TaxSupervisionInfo/IssueTime",),
    "net": (f"{_DATA}/BasicInformation/TotalAmWithoutTax",),
    "tax": (f"{_DATA}/BasicInformation/TotalTaxAm",),
    # The line's TotaltaxIncludedAmount differs from the head's name by spelling only.
    "total": (f"{_DATA}/BasicInformation/TotalTax-includedAmount",),
    "capital_total": (f"{_DATA}/BasicInformation/TotalTax-includedAmountInChinese",),
    "remark": (f"{_DATA}/AdditionalInformation/Remark",),
    "original_number": (".//RedEInvoice/OriginalInvoiceCode", ".//OriginalInvoiceCode"),
    "credit_note_number": (".//RedEInvoice/CreditNoteNumber", ".//CreditNoteNumber"),
    "vat_kind": (".//GeneralOrSpecialVAT/LabelCode",),
    "blue_flag": (".//InIssuType/LabelCode",),
    "tax_bureau": (".//TaxSupervisionInfo/TaxBureauCode",),
    "drawer": (f"{_DATA}/BasicInformation/Drawer",),
    "seller_account": (f"{_DATA}/SellerInformation/SellerBankAccNum",),
}


def claims(document: Document) -> bool:
    """Whether the root element is `EInvoice`."""
    name = document.root_name
    return name == "EInvoice" or (name.lower() == "einvoice" and document.xml.find("EInvoiceData") is not None)  # type: ignore[union-attr]


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the document holds."""
    root = document.xml
    if root is None:
        return
    fields = XmlFields(root, document.name, NAME, {}).collect(PATHS)
    fields["currency"] = Reading("CNY", "", Place(document.name, path="EInvoice"), NAME)
    lines = tuple(_line(element) for element in root.iterfind(f"{_DATA}/IssuItemInformation"))
    yield Invoice(NAME, fields, lines)


def _line(element: etree._Element) -> Line:
    def text(path: str) -> str | None:
        return child_text(element, path, {})

    name = text("ItemName")
    return Line(
        name=name,
        quantity=text("Quantity"),
        unit_price=text("UnPrice"),
        net=text("Amount"),
        rate=rate_percent(text("TaxRate")),
        tax=text("ComTaxAm"),
        category=goods_class(name),
    )


def goods_class(name: str | None) -> str | None:
    """The tax goods class that stands between asterisks: `*餐饮服务*餐费` is 餐饮服务."""
    return name.split("*")[1] if name and name.count("*") >= 2 else None


def rate_percent(raw: str | None) -> str | None:
    """`0.060000`, `6%` and `6` as "6"; words such as 免税 as they stand."""
    if raw is None:
        return None
    number = parse_money(raw.removesuffix("%"))
    if number is None or not any(character.isdigit() for character in raw):
        return raw
    percent = number * 100 if not raw.endswith("%") and number < 1 else number
    return f"{percent.normalize() if percent else Decimal(0):f}"
