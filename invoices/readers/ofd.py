"""OFD (GB/T 33190): attachment, XBRL, custom data, tags, page text: in this order of trust, and compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from foundation.errors import UnreadableError
from invoices.document import Document
from invoices.readers import cn_page
from invoices.readers.cn_original import PATHS
from invoices.readers.ofd_package import OfdPackage
from invoices.readers.sources import combined
from invoices.readers.structured import embedded_invoices
from invoices.readers.trust import TEXT
from invoices.readers.xml_fields import normal
from invoices.record import Invoice, Place, Reading

NAME = "ofd"
TAG_READER, CUSTOM_READER, TEXT_READER = "ofd_tag", "ofd_custom_data", "ofd_text"
TAG_CONFIDENCE = 0.95
FORM = "cn_ofd"

CUSTOM_NAMES = {
    "code": ("发票代码",),
    "number": ("发票号码", "数电票号码"),
    "date": ("开票日期",),
    "check_code": ("校验码",),
    "net": ("合计金额", "金额"),
    "tax": ("合计税额", "税额"),
    "total": ("价税合计", "价税合计金额"),
    "seller": ("销售方名称",),
    "seller_tax_id": ("销售方纳税人识别号", "销售方统一社会信用代码/纳税人识别号"),
    "buyer": ("购买方名称",),
    "buyer_tax_id": ("购买方纳税人识别号", "购买方统一社会信用代码/纳税人识别号"),
}
_TAG_NAMES = {name: paths[0].rpartition("}")[2] for name, paths in PATHS.items()}
_MOST_PARTS = 40


@dataclass(frozen=True, slots=True)
class _Tag:
    """One tag: its path of names, and the text objects or the text that it points at."""

    name: str
    references: tuple[str, ...]
    text: str


def claims(document: Document) -> bool:
    """Whether this is a zip with an OFD.xml at its top."""
    return document.archive is not None and document.archive.find("OFD.xml") is not None


def read(document: Document) -> Iterator[Invoice]:
    """The invoice that the OFD holds (several only where several invoices are attached).

    Raises:
        UnreadableError: nothing in it can be read as an invoice; the reason is that of its best part.
    """
    if document.archive is None:
        return
    package = OfdPackage(document.archive, document.name)
    attached, errors = embedded_invoices(list(package.attachments()), document.name)
    fatal = next((error for error in errors if error.reason in {"doctype", "zip_bomb"}), None)
    if fatal:
        raise fatal
    others = [source for source in _printed_sources(package, document.name) if source.fields]
    numbers = {invoice.text("number") for invoice in attached}
    if len(numbers) > 1:
        yield from attached
    elif attached or others:
        yield combined([*attached, *others])
    else:
        raise _unreadable(package, document.name, errors)


def _printed_sources(package: OfdPackage, file: str) -> Iterator[Invoice]:
    yield _from_custom_data(package.custom_data, file)
    yield from _from_tags(package, file)
    if cn_page.claims(package.pages):
        page = cn_page.read(package.pages, file, TEXT_READER, TEXT)
        if {"number", "total"} & page.fields.keys():
            yield page


def _unreadable(package: OfdPackage, file: str, errors: list[UnreadableError]) -> UnreadableError:
    if errors:
        return errors[0]
    if not any(page.squeezed for page in package.pages):
        message = f"{file} has no text, tags or attachment (pictures or outlines only): export it as PDF or XML"
        return UnreadableError(message, reason="no_text")
    return UnreadableError(f"{file} is an OFD, but of no form of invoice that a reader knows", reason="unknown_form")


def _from_custom_data(data: Mapping[str, str], file: str) -> Invoice:
    fields = {}
    for name, options in CUSTOM_NAMES.items():
        raw = next((data[option] for option in options if data.get(option)), None)
        if raw:
            plain = "".join(raw.split()) if name == "check_code" else raw
            fields[name] = normal(
                name, Reading(plain, raw, Place(file, path=f"OFD.xml/CustomDatas/{name}"), CUSTOM_READER)
            )
    return Invoice(FORM, _with_currency(fields, file), ())


def _with_currency(fields: dict[str, Reading], file: str) -> dict[str, Reading]:
    if fields:
        fields["currency"] = Reading("CNY", "", Place(file, path="OFD.xml"), NAME)
    return fields


def _from_tags(package: OfdPackage, file: str) -> Iterator[Invoice]:
    for path, content in package.tags():
        root = _recovered(content)
        if root is None:
            continue
        tags = {tag.name: tag for tag in _tags(root)}
        fields = {}
        for name, tag_name in _TAG_NAMES.items():
            tag = tags.get(tag_name)
            reading = _tagged(tag, package, Place(file, path=f"{path}/{tag_name}")) if tag else None
            if reading and reading.value:
                fields[name] = normal(name, reading)
        yield Invoice(FORM, _with_currency(fields, file), ())


def _recovered(content: bytes) -> etree._Element | None:
    """Tag files in the field begin `<:eInvoice xmlns:="">`; the parser reads over that."""
    if b"<!DOCTYPE" in content[:2000].upper():
        return None
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(content.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _tags(root: etree._Element) -> Iterator[_Tag]:
    for element in root.iter(etree.Element):
        references = tuple(
            (child.text or "").strip() for child in element if _local(child) == "ObjectRef" and child.text
        )
        data = next(((child.text or "").strip() for child in element if _local(child) == "ObjectData"), "")
        if references or data:
            yield _Tag(_local(element), references[:_MOST_PARTS], data)


def _local(element: etree._Element) -> str:
    """The local name, also of names that the recovering parser left with a prefix or a bare colon."""
    return str(element.tag).rpartition("}")[2].rpartition(":")[2]


def _tagged(tag: _Tag, package: OfdPackage, where: Place) -> Reading | None:
    """The texts that a tag points at; of an amount's two parts (in words, in figures) the one in figures."""
    texts = [package.objects[reference].text for reference in tag.references if reference in package.objects]
    texts = [text for text in texts if text] or [tag.text]
    amounts = tag.name.endswith("TotalAmount")
    if amounts:
        figures = [text for text in texts if text.strip("¥￥ ").replace(",", "")[:1] in "-0123456789*" and text != "¥"]
        raw = next((text for text in figures if text.strip("¥￥ ")), "")
    else:
        raw = "".join(texts)
    plain = raw.strip("¥￥ ") if amounts else raw
    return Reading(plain, raw, where, TAG_READER, TAG_CONFIDENCE) if plain else None
