"""OFD packages (GB/T 33190): a zip of XML with pages, attachments, custom data and tags, each part optional."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from examples.forms.sample import Sample
from examples.forms.sheet import Sheet, Text

_NS = 'xmlns:ofd="http://www.ofdspec.org/2016"'
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_MM = 25.4 / 72
_EARLIEST = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Parts:
    """What an OFD holds, and the odd ways in which packages in the field are laid out."""

    sheet: Sheet | None = None
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    custom_data: Mapping[str, str] = field(default_factory=dict)
    tags: bytes = b""
    attachment_folder: str = "Attachs"
    page_path: str = "Pages/Page_0/Content.xml"
    absolute_paths: bool = False


def package(parts: Parts) -> bytes:
    """The OFD's bytes."""
    root = "/Doc_0/" if parts.absolute_paths else ""
    custom = "".join(
        f'<ofd:CustomData Name="{escape(name)}">{escape(value)}</ofd:CustomData>'
        for name, value in parts.custom_data.items()
    )
    listing = f"<ofd:Attachments>{root}{parts.attachment_folder.lower()}/Attachments.xml</ofd:Attachments>"
    document = f"{'/' if parts.absolute_paths else ''}Doc_0/Document.xml"
    files: dict[str, bytes] = {
        "OFD.xml": f'{_HEAD}<ofd:OFD {_NS} DocType="OFD" Version="1.1"><ofd:DocBody><ofd:DocInfo>'
        f"<ofd:CustomDatas>{custom}</ofd:CustomDatas></ofd:DocInfo>"
        f"<ofd:DocRoot>{document}</ofd:DocRoot></ofd:DocBody></ofd:OFD>".encode(),
        "Doc_0/Document.xml": f"{_HEAD}<ofd:Document {_NS}><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>0 0 210 140"
        "</ofd:PhysicalBox></ofd:PageArea></ofd:CommonData><ofd:Pages>"
        f'<ofd:Page ID="1" BaseLoc="{root}{parts.page_path}"/></ofd:Pages>'
        f"{listing if parts.attachments else ''}</ofd:Document>".encode(),
        f"Doc_0/{parts.page_path}": _page(parts.sheet or Sheet()),
    }
    if parts.attachments:
        locations = "".join(
            f'<ofd:Attachment ID="{index}"><ofd:FileLoc>{name}</ofd:FileLoc></ofd:Attachment>'
            for index, name in enumerate(parts.attachments)
        )
        folder = f"Doc_0/{parts.attachment_folder}"
        files[f"{folder}/Attachments.xml"] = f"{_HEAD}<ofd:Attachments {_NS}>{locations}</ofd:Attachments>".encode()
        files |= {f"{folder}/{name}": content for name, content in parts.attachments.items()}
    if parts.tags:
        files["Doc_0/Tags/CustomTag.xml"] = parts.tags
    return zipped(files)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files, the same bytes each time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def _page(sheet: Sheet) -> bytes:
    objects = "".join(_text_object(index, text) for index, text in enumerate(sheet.texts, start=100))
    return (
        f'{_HEAD}<ofd:Page {_NS}><ofd:Content><ofd:Layer ID="2">{objects}</ofd:Layer></ofd:Content></ofd:Page>'.encode()
    )


def _text_object(number: int, text: Text) -> str:
    size = text.size * _MM
    widths = [size if ord(letter) >= 0x2E80 else size / 2 for letter in text.text]
    deltas = " ".join(f"{width:.3f}" for width in widths[:-1])
    return (
        f'<ofd:TextObject ID="{number}" Boundary="{text.x * _MM:.3f} {text.y * _MM:.3f} {sum(widths):.3f} {size:.3f}" '
        f'Font="3" Size="{size:.3f}"><ofd:TextCode X="0" Y="{size * 0.86:.3f}" DeltaX="{deltas}">'
        f"{escape(text.text)}</ofd:TextCode></ofd:TextObject>"
    )


def custom_data(sample: Sample) -> dict[str, str]:
    """The custom data that issuing programs write into OFD.xml."""
    return {
        "发票代码": sample.code,
        "发票号码": sample.number,
        "开票日期": sample.chinese_day,
        "合计金额": f"{sample.net:.2f}",
        "合计税额": f"{sample.tax:.2f}",
        "价税合计": f"{sample.total:.2f}",
        "销售方纳税人识别号": sample.seller_tax_id,
        "购买方纳税人识别号": sample.buyer_tax_id,
    }


def tags(sample: Sample, sheet: Sheet) -> bytes:
    """A tag file that points at the page's text objects, not well-formed as some in the field aren't."""
    numbers = {text.text: number for number, text in enumerate(sheet.texts, start=100)}
    wanted = {
        "InvoiceCode": sample.code,
        "InvoiceNo": sample.number,
        "IssueDate": sample.chinese_day,
        "BuyerName": sample.buyer,
        "BuyerTaxID": sample.buyer_tax_id,
        "SellerName": sample.seller,
        "SellerTaxID": sample.seller_tax_id,
        "TaxExclusiveTotalAmount": f"¥{sample.net:.2f}",
        "TaxTotalAmount": f"¥{sample.tax:.2f}",
        "TaxInclusiveTotalAmount": f"¥{sample.total:.2f}",
    }
    body = "".join(
        f'<{name}><ofd:ObjectRef PageRef="1">{numbers[text]}</ofd:ObjectRef></{name}>'
        for name, text in wanted.items()
        if text in numbers
    )
    return f'{_HEAD}\n<:eInvoice xmlns:="">{body}</:eInvoice>'.encode()
