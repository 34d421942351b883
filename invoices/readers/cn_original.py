"""The XML inside older Chinese e-invoices (OFD attachment `original_invoice.xml`; namespace edrm e-invoice 2019)."""

from collections.abc import Iterator

from lxml import etree

from invoices.document import Document
from invoices.readers.cn_einvoice import goods_class, rate_percent
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Line, Place, Reading

NAME = "cn_original"

NAMESPACE_MARK = "edrm.org.cn/schema/e-invoice"
PATHS = {
    "seller": (".//{*}Seller/{*}SellerName",),
    "seller_tax_id": (".//{*}Seller/{*}SellerTaxID",),
    "buyer": (".//{*}Buyer/{*}BuyerName",),
    "buyer_tax_id": (".//{*}Buyer/{*}BuyerTaxID",),
    "code": (".//{*}InvoiceCode",),
    "number": (".//{*}InvoiceNo",),
    "date": (".//{*}IssueDate",),
    "check_code": (".//{*}InvoiceCheckCode",),
    "net": (".//{*}TaxExclusiveTotalAmount",),
    "tax": (".//{*}TaxTotalAmount",),
    "total": (".//{*}TaxInclusiveTotalAmount",),
    "qr": (".//{*}GraphCode",),
    "remark": (".//{*}Note",),
    "drawer": (".//{*}InvoiceClerk",),
    "machine_number": (".//{*}MachineNo",),
    "seller_account": (".//{*}Seller/{*}SellerFinancialAccount",),
}


def claims(document: Document) -> bool:
    """Whether the root element is an `eInvoice` of the edrm namespace (the older form; the newer is `EInvoice`)."""
    root = document.xml
    return root is not None and is_original(root)


def is_original(root: etree._Element) -> bool:
    """Whether this element holds an older e-invoice, in whatever wrapper."""
    named = etree.QName(root).localname in {"eInvoice", "e-invoice"}
    return named and any(NAMESPACE_MARK in str(etree.QName(e).namespace or "") for e in (root, *list(root)[:3]))


def read(document: Document) -> Iterator[Invoice]:
    """The one invoice that the document holds."""
    root = document.xml
    if root is None:
        return
    fields = XmlFields(root, document.name, NAME, {}).collect(PATHS)
    fields["currency"] = Reading("CNY", "", Place(document.name, path="eInvoice"), NAME)
    yield Invoice(NAME, fields, tuple(_line(element) for element in root.iterfind(".//{*}GoodsInfos/{*}GoodsInfo")))


def _line(element: etree._Element) -> Line:
    def text(name: str) -> str | None:
        return child_text(element, f"{{*}}{name}", {})

    name = text("Item")
    return Line(
        name=name,
        quantity=text("Quantity"),
        unit_price=text("Price"),
        net=text("Amount"),
        rate=rate_percent(text("TaxScheme")),
        tax=text("TaxAmount"),
        category=goods_class(name),
    )
