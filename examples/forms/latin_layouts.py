"""Printed invoices in European languages: the same facts under other words, in other places."""

from dataclasses import dataclass
from decimal import Decimal

from examples.forms.sample import Sample
from examples.forms.sheet import Sheet


@dataclass(frozen=True)
class Words:
    """The words, the date's writing (strftime) and the decimal mark of one language."""

    title: str
    number: str
    date: str
    bill_to: str
    vat: str
    net: str
    tax: str
    total: str
    day: str = "%d.%m.%Y"
    comma: bool = True
    sign: str = "€"

    def amount(self, amount: Decimal) -> str:
        """1.234,50 € or $1,234.50."""
        grouped = f"{amount:,.2f}"
        if not self.comma:
            return f"{self.sign}{grouped}"
        return grouped.translate({ord(","): ".", ord("."): ","}) + f" {self.sign}"


LANGUAGES = {
    "en": Words(
        "INVOICE",
        "Invoice No.:",
        "Invoice Date:",
        "Bill To:",
        "VAT No:",
        "Subtotal",
        "VAT",
        "Total",
        "%d %B %Y",
        False,
        "£",
    ),
    "us": Words(
        "Invoice",
        "Invoice #",
        "Date:",
        "Bill To",
        "Tax ID:",
        "Subtotal:",
        "Sales Tax:",
        "Total:",
        "%m/%d/%Y",
        False,
        "$",
    ),
    "de": Words(
        "Rechnung",
        "Rechnungsnummer:",
        "Rechnungsdatum:",
        "Rechnungsempfänger:",
        "USt-IdNr.:",
        "Nettobetrag",
        "MwSt. 19 %",
        "Gesamtbetrag",
    ),
    "fr": Words(
        "FACTURE",
        "Facture n°",
        "Date de facturation :",
        "Facturé à",
        "TVA :",
        "Total HT",
        "TVA 20 %",
        "Total TTC",
        "%d/%m/%Y",
    ),
    "nl": Words(
        "Factuur",
        "Factuurnummer:",
        "Factuurdatum:",
        "Factuuradres",
        "BTW nr.",
        "Subtotaal excl. BTW",
        "BTW 21%",
        "Totaal incl. BTW",
        "%d-%m-%Y",
    ),
    "it": Words(
        "FATTURA",
        "Numero fattura:",
        "Data fattura:",
        "Cliente:",
        "P.IVA:",
        "Imponibile",
        "IVA 22%",
        "Totale documento",
        "%d/%m/%Y",
    ),
    "es": Words(
        "FACTURA",
        "Factura núm.:",
        "Fecha de factura:",
        "Cliente:",
        "NIF:",
        "Base imponible",
        "IVA 21 %",
        "Total factura",
        "%d/%m/%Y",
    ),
}


def letter(sample: Sample, language: str, *, day_text: str = "", number_text: str = "") -> Sheet:
    """An A4 letter; `day_text` and `number_text` replace how date and number are written."""
    words = LANGUAGES[language]
    sheet = Sheet(width=595, height=842)
    sheet.put(50, 40, sample.seller, 13)
    sheet.put(50, 58, "1 Sample Street")
    sheet.put(50, 71, f"{words.vat} {sample.seller_tax_id}")
    sheet.put(420, 40, words.title, 18)
    sheet.put(50, 120, words.bill_to)
    sheet.put(50, 134, sample.buyer)
    sheet.put(50, 147, "2 Example Road")
    sheet.put(350, 120, words.number)
    sheet.put(460, 120, number_text or sample.number)
    sheet.put(350, 136, words.date)
    sheet.put(460, 136, day_text or sample.day.strftime(words.day))
    for index, item in enumerate(sample.items):
        sheet.put(50, 240 + 16 * index, item.name)
        sheet.put(470, 240 + 16 * index, words.amount(item.net))
    sums = ((words.net, sample.net), (words.tax, sample.tax), (words.total, sample.total))
    for index, (label, amount) in enumerate(sums):
        sheet.put(350, 420 + 18 * index, label)
        sheet.put(470, 420 + 18 * index, words.amount(amount))
    return sheet
