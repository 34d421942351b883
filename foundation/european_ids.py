"""Personal numbers of Europe: bank accounts (ISO 13616) and national ids, each with its check digits (python-stdnum).

Where a number is digits only, words must call it what it is: one in eleven of any numbers passes a check digit.
"""

import re
from functools import partial
from importlib import import_module

from stdnum import iban

from foundation.private_kind import NO_WORD_AFTER, NO_WORD_BEFORE, Kind

_CALLED = {
    "de": r"steuer-?id|identifikationsnummer|idnr|tax id|personalausweis",
    "fr": r"s[ée]curit[ée] sociale|num[ée]ro de s[ée]cu|\bnir\b|insee",
    "es": r"\bdni\b|\bnie\b|\bnif\b|documento|identidad",
    "nl": r"\bbsn\b|burgerservice|sofi",
    "pl": r"pesel",
    "be": r"rijksregister|registre national|num[ée]ro national|national number|rrn|insz",
    "pt": r"\bnif\b|contribuinte|cart[ãa]o de cidad[ãa]o",
    "at": r"sozialversicherung|svnr|versicherungsnummer",
    "dk": r"\bcpr\b|personnummer",
    "no": r"f[øo]dselsnummer|personnummer",
    "cz": r"rodn[ée]",
    "ro": r"\bcnp\b|cod numeric",
    "gr": r"amka|αμκα",
    "hr": r"\boib\b",
    "bg": r"егн|\begn\b",
    "ee": r"isikukood|personal code",
    "lt": r"asmens kodas|personal code",
    "gb": r"national insurance|\bni number|\bnino\b",
    "us": r"\bssn\b|social security",
}
_SHAPES: tuple[tuple[str, str, str], ...] = (
    ("de", "stdnum.de.idnr", r"\d{2} ?\d{3} ?\d{3} ?\d{3}"),
    ("es", "stdnum.es.dni", r"\d{8}[ -]?[A-Z]"),
    ("es", "stdnum.es.nie", r"[XYZ][ -]?\d{7}[ -]?[A-Z]"),
    ("nl", "stdnum.nl.bsn", r"\d{9}"),
    ("pl", "stdnum.pl.pesel", r"\d{11}"),
    ("be", "stdnum.be.nn", r"\d{2}[. ]?\d{2}[. ]?\d{2}[- ]?\d{3}[. ]?\d{2}"),
    ("pt", "stdnum.pt.nif", r"\d{3} ?\d{3} ?\d{3}"),
    ("pt", "stdnum.pt.cc", r"\d{8} ?\d ?[A-Z]{2}\d"),
    ("at", "stdnum.at.vnr", r"\d{4} ?\d{6}"),
    ("dk", "stdnum.dk.cpr", r"\d{6}-?\d{4}"),
    ("no", "stdnum.no.fodselsnummer", r"\d{6} ?\d{5}"),
    ("cz", "stdnum.cz.rc", r"\d{6}/?\d{3,4}"),
    ("ro", "stdnum.ro.cnp", r"\d{13}"),
    ("gr", "stdnum.gr.amka", r"\d{11}"),
    ("hr", "stdnum.hr.oib", r"\d{11}"),
    ("bg", "stdnum.bg.egn", r"\d{10}"),
    ("ee", "stdnum.ee.ik", r"\d{11}"),
    ("lt", "stdnum.lt.asmens", r"\d{11}"),
    ("us", "stdnum.us.ssn", r"\d{3}-\d{2}-\d{4}"),
)
_PLAIN: tuple[tuple[str, str], ...] = (
    ("stdnum.it.codicefiscale", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"),
    ("stdnum.fr.nir", r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}"),
    ("stdnum.se.personnummer", r"(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[-+]\d{4}"),
    ("stdnum.fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Z]"),
    ("stdnum.ie.pps", r"\d{7}[A-W][A-IW]?"),
)
"""Told by letters, or by so many check digits, that no word is needed."""


def _passes(module: str, text: str) -> bool:
    return bool(import_module(module).is_valid(text))


def _is_account(text: str) -> bool:
    """The form and check digits of ISO 13616; those of the country are not asked for: a slip is no less private."""
    return bool(iban.is_valid(text, check_country=False))


def _kind(module: str, shape: str, called: str = "") -> Kind:
    return Kind(
        name="national id",
        pattern=re.compile(f"{NO_WORD_BEFORE}(?:{shape}){NO_WORD_AFTER}"),
        holds=partial(_passes, module),
        near=re.compile(called, re.IGNORECASE) if called else None,
        within=48,
    )


EUROPEAN = (
    Kind(
        name="bank account",
        pattern=re.compile(rf"{NO_WORD_BEFORE}[A-Z]{{2}}\d{{2}}(?:[ -]?[A-Z0-9]{{4}}){{2,7}}(?:[ -]?[A-Z0-9]{{1,4}})?{NO_WORD_AFTER}", re.IGNORECASE),
        holds=_is_account,
    ),
    *(_kind(module, shape) for module, shape in _PLAIN),
    *(_kind(module, shape, _CALLED[land]) for land, module, shape in _SHAPES),
    Kind(
        name="national id",
        pattern=re.compile(rf"{NO_WORD_BEFORE}[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{{2}} ?\d{{2}} ?\d{{2}} ?[A-D]{NO_WORD_AFTER}"),
        near=re.compile(_CALLED["gb"], re.IGNORECASE),
        within=48,
    ),
)  # fmt: skip

TRADERS = (
    Kind(
        name="VAT id",
        pattern=re.compile(rf"{NO_WORD_BEFORE}(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[ ]?[0-9A-Z+*.]{{8,12}}{NO_WORD_AFTER}"),
        holds=partial(_passes, "stdnum.eu.vat"),
    ),
)  # fmt: skip
"""Ids of businesses; a sole trader's is his own. Found where a caller asks for it: invoices live on them."""
