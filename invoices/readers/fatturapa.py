"""Italy's FatturaPA 1.x (`FatturaElettronica`): one header with the parties, one body an invoice, signed or not."""

from collections.abc import Iterator
from decimal import Decimal

from lxml import etree

from foundation.errors import UnreadableError
from invoices.document import Document, parse_xml
from invoices.money import cents, money_text, parse_money
from invoices.readers.pkcs7 import signed_content
from invoices.readers.xml_fields import XmlFields, child_text
from invoices.record import Invoice, Line, Place, Reading, Remark, TaxPart

NAME = "fatturapa"
DERIVED_CONFIDENCE = 0.85
"""An amount that the file states only in parts: their sum books, but ranks below a printed amount."""

_ROOT = "FatturaElettronica"
_ROOTS = frozenset({_ROOT, "FatturaElettronicaSemplificata"})
_GENERAL = "DatiGenerali/DatiGeneraliDocumento"

BODY_PATHS = {
    "number": (f"{_GENERAL}/Numero",),
    "kind": (f"{_GENERAL}/TipoDocumento",),
    "date": (f"{_GENERAL}/Data",),
    "currency": (f"{_GENERAL}/Divisa",),
    "total": (f"{_GENERAL}/ImportoTotaleDocumento",),
    "remark": (f"{_GENERAL}/Causale",),
    "withheld": (f"{_GENERAL}/DatiRitenuta/ImportoRitenuta",),
    "rounding": (f"{_GENERAL}/Arrotondamento",),
    "original_number": ("DatiGenerali/DatiFattureCollegate/IdDocumento",),
    "due_date": ("DatiPagamento/DettaglioPagamento/DataScadenzaPagamento",),
    "seller_account": ("DatiPagamento/DettaglioPagamento/IBAN",),
}
_PARTIES = (("CedentePrestatore", "seller"), ("CessionarioCommittente", "buyer"))


def claims(document: Document) -> bool:
    """Whether the root element is a FatturaPA, also inside a signed envelope (.p7m)."""
    root = _root(document)
    return root is not None and etree.QName(root).localname in _ROOTS


def read(document: Document) -> Iterator[Invoice]:
    """One invoice for each body; the bodies share the header's parties.

    Raises:
        UnreadableError: the simplified form, whose amounts need another reading.
    """
    root = _root(document)
    if root is None:
        return
    if etree.QName(root).localname != _ROOT:
        raise UnreadableError(f"{document.name} is a simplified FatturaPA: enter it by hand", reason="unknown_form")
    header = root.find("FatturaElettronicaHeader")
    parties = _parties(header, document.name) if header is not None else {}
    for body in root.iterfind("FatturaElettronicaBody"):
        yield _invoice(body, parties, document.name)


def _root(document: Document) -> etree._Element | None:
    if document.looks_like_xml:
        return document.xml
    content = signed_content(document.content)
    return parse_xml(content, document.name) if content else None


def _parties(header: etree._Element, file: str) -> dict[str, Reading]:
    found = {}
    for role, name in _PARTIES:
        values = {
            name: _party_name(header, role),
            f"{name}_tax_id": _tax_id(header, role),
            f"{name}_country": child_text(header, f"{role}/Sede/Nazione", {}),
        }
        for field, value in values.items():
            if value:
                found[field] = Reading(value, value, Place(file, path=f"FatturaElettronicaHeader/{role}"), NAME)
    return found


def _party_name(header: etree._Element, role: str) -> str | None:
    person = f"{role}/DatiAnagrafici/Anagrafica"
    company = child_text(header, f"{person}/Denominazione", {})
    names = (child_text(header, f"{person}/Nome", {}), child_text(header, f"{person}/Cognome", {}))
    return company or " ".join(name for name in names if name) or None


def _tax_id(header: etree._Element, role: str) -> str | None:
    """The VAT number with its country, else the fiscal code (which carries none)."""
    country = child_text(header, f"{role}/DatiAnagrafici/IdFiscaleIVA/IdPaese", {}) or ""
    number = child_text(header, f"{role}/DatiAnagrafici/IdFiscaleIVA/IdCodice", {})
    return f"{country}{number}" if number else child_text(header, f"{role}/DatiAnagrafici/CodiceFiscale", {})


def _invoice(body: etree._Element, parties: dict[str, Reading], file: str) -> Invoice:
    fields = {**parties, **XmlFields(body, file, NAME, {}).collect(BODY_PATHS)}
    taxes = tuple(_taxes(body))
    for name, amounts in (("net", [part.base for part in taxes]), ("tax", [part.tax for part in taxes])):
        total = _sum(amounts)
        if total is not None:
            text = money_text(total)
            fields[name] = Reading(text, " + ".join(a or "" for a in amounts), Place(file, path="DatiRiepilogo"), NAME)
    invoice = _with_payable(Invoice(NAME, fields, tuple(_lines(body)), taxes), body, file)
    return _with_derived_total(invoice, file)


def _sum(amounts: list[str | None]) -> Decimal | None:
    parsed = [parse_money(amount) for amount in amounts if amount]
    known = [amount for amount in parsed if amount is not None]
    return cents(sum(known, Decimal(0))) if known and len(known) == len(amounts) else None


def _with_payable(invoice: Invoice, body: etree._Element, file: str) -> Invoice:
    """What is to be paid differs from the total where tax is withheld; the payment rows state it."""
    rows = [child_text(row, "ImportoPagamento", {}) for row in body.iterfind("DatiPagamento/DettaglioPagamento")]
    payable = _sum(rows)
    if payable is None:
        return invoice
    path = "DatiPagamento/DettaglioPagamento/ImportoPagamento"
    reading = Reading(money_text(payable), " + ".join(row or "" for row in rows), Place(file, path=path), NAME)
    return invoice.with_field("payable", reading)


def _with_derived_total(invoice: Invoice, file: str) -> Invoice:
    net, tax = invoice.money("net"), invoice.money("tax")
    if invoice.text("total") or net is None or tax is None:
        return invoice
    text = money_text(net + tax + (invoice.money("rounding") or 0))
    where = Place(file, path="DatiRiepilogo")
    total = Reading(text, "", where, NAME, DERIVED_CONFIDENCE)
    remark = Remark(
        "derived_total",
        f"文件未写明价税合计（ImportoTotaleDocumento），按金额加税额计算为 {text}",
        f"the file states no total (ImportoTotaleDocumento); net plus tax gives {text}",
    )
    return invoice.with_field("total", total, remark)


def _lines(body: etree._Element) -> Iterator[Line]:
    for line in body.iterfind("DatiBeniServizi/DettaglioLinee"):
        yield Line(
            name=child_text(line, "Descrizione", {}),
            quantity=child_text(line, "Quantita", {}),
            unit_price=child_text(line, "PrezzoUnitario", {}),
            net=child_text(line, "PrezzoTotale", {}),
            rate=child_text(line, "AliquotaIVA", {}),
            category=child_text(line, "Natura", {}),
        )


def _taxes(body: etree._Element) -> Iterator[TaxPart]:
    for part in body.iterfind("DatiBeniServizi/DatiRiepilogo"):
        yield TaxPart(
            category=child_text(part, "Natura", {}),
            rate=child_text(part, "AliquotaIVA", {}),
            base=child_text(part, "ImponibileImporto", {}),
            tax=child_text(part, "Imposta", {}),
        )
