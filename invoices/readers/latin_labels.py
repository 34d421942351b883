"""What labels on invoices in European languages say. Data for `latin_page`: labels are matched without blanks."""

import re


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(sorted(("".join(word.split()) for word in words), key=len, reverse=True)), re.IGNORECASE)


_NO = r"(?:number|no|nr|num|#|id)\.?"
NUMBER = (
    _any(
        rf"(?:tax|vat|sales)?invoice(?:{_NO})",
        rf"bill{_NO}",
        r"rechnungs?[-.]?(?:nummer|nr\.?|no\.?)",
        r"beleg(?:nummer|nr\.?)",
        r"(?:n°|nº|n\.|no\.?|num[ée]ro)(?:de)?(?:la)?facture",
        r"facture(?:n°|nº|no\.?|num[ée]ro)",
        r"factuur(?:nummer|nr\.?)",
        r"betaaloverzichtnummer|bonnummer|documentnummer|documentnumber",
        r"(?:n[úu]mero|n\.?[º°]|num\.?)(?:de)?(?:la)?factura|factura(?:n[úu]m\.?|n\.?[º°]|no\.?|n[úu]mero)",
        r"(?:numero|n\.|n°|nr\.)fattura|fattura(?:n\.|n°|nr\.?|numero)",
        r"(?:n[úu]mero|n\.?[º°])(?:da)?fatura|fatura(?:n\.?[º°]|no\.?)",
        r"faktur[ay]?(?:nummer|nr\.?)|fakturanr|numerfaktury|fakturavatnr",
        r"(?:credit(?:note)?|cn){_NO}".replace("{_NO}", _NO),
    ),
    _any(
        r"(?:invoice|rechnung|facture|factuur|fattura|factura|fatura|faktura|avoir|gutschrift|handelsrechnung)(?:\(\d+\))?(?:nr\.?|no\.?|n°|#)?"
    ),
    _any(r"#"),
)
"""In order of trust: a label that says number; the bare word invoice; a lone number sign."""

NUMBER_VALUE = re.compile(r"(?=[A-Za-z/_\-.]*\d)[A-Za-z0-9][A-Za-z0-9_/\-.]*[A-Za-z0-9]|\d")

DATE = (
    _any(
        r"(?:invoice|bill(?:ing)?|issue)date",
        r"dateof(?:issue|invoice)|dateissued|issuedon",
        r"(?:rechnungs|beleg|ausstellungs)datum",
        r"date(?:de)?(?:la)?facture|date(?:de)?(?:facturation|l'?[ée]mission|d'[ée]mission)",
        r"factuurdatum|betaaloverzichtdatum",
        r"fecha(?:de)?(?:la)?(?:factura|emisi[óo]n|expedici[óo]n)",
        r"data(?:della)?(?:fattura|documento|emissione)|data(?:da|de)?(?:fatura|emiss[ãa]o)",
        r"fakturadatum|fakturadato|datawystawienia",
    ),
    _any(r"date", r"datum", r"fecha", r"data", r"dato"),
)
NOT_THE_DATE = re.compile(
    r"(?:due|order|delivery|ship(?:ping|ped)?|payment|print(?:ed)?|start|end|service|expiry|pay|purchase|liefer\w*|"
    r"leistungs\w*|f[äa]llig\w*|bestell\w*|verval|order|lever|d'?[ée]ch[ée]ance|livraison|commande|vencimiento|scadenza)$",
    re.IGNORECASE,
)

TOTAL = (
    _any(
        r"(?:grand|invoice)total(?:amount)?",
        r"total(?:amount)?(?:incl\.?|including|inc\.?)(?:uding)?(?:vat|tax|gst|btw)?",
        r"totaal(?:bedrag)?(?:incl\.?|inclusief)(?:btw)?|bedragincl\.?btw|factuurtotaal|totaalbedrag|tebetalen",
        r"gesamtbetrag(?:brutto)?|bruttobetrag|bruttosumme|rechnungsbetrag|endbetrag|gesamtsumme",
        r"(?:total|montant)(?:t\.?t\.?c\.?)|totalg[ée]n[ée]ral",
        r"(?:importe)?totalfactura|importetotal|totalconiva",
        r"totale(?:documento|fattura|complessivo)|totaledapagare|importototale",
        r"valortotal|totalgeral|razem|dozap[łl]aty|kwotabrutto|att?betala|totaltinkl\.?moms",
        r"total(?:amount)?(?:due|payable)|amountdue|balancedue",
    ),
    _any(r"total", r"totaal", r"totale", r"gesamt", r"summe", r"amountpaid"),
)
NET = (
    _any(
        r"sub-?total(?:ex(?:cl)?\.?(?:vat|tax|btw)?)?|subtotaal(?:ex(?:cl)?\.?btw)?",
        r"net(?:amount|total|to)?|total(?:amount)?(?:excl?\.?|excluding|before)(?:uding)?(?:vat|tax|gst)?",
        r"netto(?:betrag|summe|bedrag)?|zwischensumme|rechnungssummeohneust\.?|summenetto|warenwert",
        r"(?:total|montant)(?:h\.?t\.?)(?:v\.?a\.?)?|totalhorstaxes|sous-?total",
        r"exclusiefbtw|totaalexcl\.?(?:btw)?|bedragexcl\.?btw|grondslag",
        r"baseimponible|imponibile|totaleimponibile|base(?:ht)?|taxable(?:amount|value)|valorl[íi]quido|kwotanetto",
    ),
)
TAX = (
    _any(
        r"(?:total)?(?:sales)?tax(?:es|amount|total)?|total(?:vat|gst|tax(?:es)?)|(?:total)?vat(?:amount)?|gst",
        r"(?:zzgl\.?|zuz[üu]glich)?(?:mwst|ust|umsatzsteuer|mehrwertsteuer|steuer)(?:\.|betrag|gesamt)*(?:gesamt)?",
        r"btw(?:bedrag)?|(?:totaal)?btw",
        r"(?:total)?t\.?v\.?a\.?|totaltaxes|montant(?:de)?(?:la)?tva",
        r"(?:cuota|importe|total)?(?:de)?i\.?v\.?a\.?|imposta|totaleiva|moms|podatek(?:vat)?|kwotavat|igst|cgst",
    ),
)

SELLER = _any(
    r"seller|vendor|supplier|soldby|from|issuedby|billfrom|verk[äa]ufer|lieferant|rechnungssteller|vendeur|fournisseur|[ée]metteur",
    r"leverancier|verkoper|proveedor|vendedor|emisor|fornitore|cedente|mittente|sprzedawca|s[äa]ljare",
)
BUYER = _any(
    r"bill(?:ed)?to|invoice(?:d)?to|soldto|customer(?:name)?|client(?:name)?|buyer|recipient|billingaddress",
    r"kunde|k[äa]ufer(?:/leistungsempf[äa]nger)?|rechnungsempf[äa]nger|rechnungsadresse|rechnungan",
    r"factur[ée](?:e)?[àa]|adressedefacturation|acheteur|destinataire|factuuradres|factuuraan|klantnaam",
    r"facturara|comprador|datosdelcliente|destinatario|cessionario|spett\.?le|cliente|nabywca|k[öo]pare",
)
VAT_LABEL = _any(
    r"(?:vat|gst|tax|btw|ust|mwst|tva|iva|nif|cif|moms|nip|p\.?iva|partitaiva|abn)[-.\s]*"
    r"(?:id|reg(?:istration)?|ident)?[-.\s]*(?:no|nr|number|nummer|id|intracom\w*|client)?\.?(?:(?:nl|be|de|fr)(?=:))?[:.]*"
)
VAT_VALUE = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\s?[0-9A-Z](?:[ .\-]?[0-9A-Z]){7,13}(?![A-Za-z0-9])")
BUYERS_OWN = re.compile(
    r"(?:uw|your|client|customer|ihre|kunde\w*|votre|klant|su|buyer|k[äa]ufer)$|client|customer|ihre|votre",
    re.IGNORECASE,
)

_COMPANY_FORMS = (
    r"GmbH(?: ?& ?Co\.? ?KG)?|AG|KG|UG|e\.K\.|[Bb]\.? ?[Vv]\.?|[Nn]\.[Vv]\.|Ltd\.?|LTD\.?|Limited|LIMITED|LLC",
    r"L\.L\.C\.|Inc\.?|INC\.?|Corp\.?|Corporation|S\.?A\.?R\.?L\.?|SAS|S\.A\.S\.|S\.A\.|S\.?p\.?A\.?|S\.?r\.?l\.?|SRL",
    r"S\.?L\.?U\.?|S\.L\.|PLC|plc|Pty\.?|Pvt\.?(?: Ltd\.?)?|Oy|AB|A/S|ApS|AS|Sp\. z o\.o\.|Lda\.?|LLP",
)
COMPANY = re.compile(rf"^(?P<name>.{{2,60}}?\b(?:{'|'.join(_COMPANY_FORMS)}))(?![A-Za-z])")
POSTCODE_LINE = re.compile(
    r"^(?:[A-Z]{1,2}[- ])?\d{4,5}(?:\s?[A-Z]{2})?\s+[A-ZÀ-Ž][\w'’ .\-]+$"
    r"|^[A-Z][\w .]+,?\s+[A-Z]{2}\s+\d{5}(?:-\d{4})?$"
)
HEADLINE = re.compile(
    r"^(?:(?:tax|vat|pro\s?forma|commercial|credit|sales)?\s*(?:invoice|receipt|note|rechnung|gutschrift|facture|avoir|"
    r"factuur|fattura|factura|fatura|faktura|quittung|bill)|kopie|copy|original|page|seite).*",
    re.IGNORECASE,
)
CURRENCIES = (
    ("EUR", re.compile(r"€|\bEUR\b")),
    ("USD", re.compile(r"US\$|\bUSD\b")),
    ("GBP", re.compile(r"£|\bGBP\b")),
    ("CHF", re.compile(r"\bCHF\b")),
    ("INR", re.compile(r"₹|\bINR\b|\bRs\.")),
    ("PLN", re.compile(r"zł|\bPLN\b")),
    ("SEK", re.compile(r"\bSEK\b")),
    ("DKK", re.compile(r"\bDKK\b")),
    ("NOK", re.compile(r"\bNOK\b")),
    ("AUD", re.compile(r"\bAUD\b|A\$")),
    ("CAD", re.compile(r"\bCAD\b|C\$")),
    ("HKD", re.compile(r"\bHKD\b|HK\$")),
    ("SGD", re.compile(r"\bSGD\b|S\$")),
    ("CNY", re.compile(r"\bCNY\b|\bRMB\b|¥")),
    ("JPY", re.compile(r"\bJPY\b")),
    ("USD", re.compile(r"\$")),
)

STOPS = re.compile(
    "|".join(pattern.pattern for pattern in (NUMBER[0], DATE[0]))
    + r"|(?:due|order|delivery|payment)date|vervaldatum|bestelnummer|ordernummer|orderdatum|klantnummer|aankoopdatum"
    + r"|kundennummer|kundennr|customer(?:number|no|id)|leistungsdatum|lieferdatum|duedate|ponumber|reference:",
    re.IGNORECASE,
)
COLUMN_STOPS = re.compile(
    r"grondslag|btwbedrag|totaal|total|netto|tax|vat|mwst|vervaldatum|factuur(?!datum)|due", re.IGNORECASE
)
