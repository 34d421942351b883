"""Identity numbers: their check characters, and which complete numbers a broken one may have been.

A unified social credit code (USCC, GB 32100-2015) carries two checks: its last character over all 17 before it
(weights 3^i mod 31), and inside, at positions 9-17, a body id with a check character of its own (GB 11714, mod 11).
One check alone accepts one random string in thirty, among them citizen ids; both together one in three hundred.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from random import Random
from typing import Literal

from stdnum.cn import ric

ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
LENGTH = 18
_BODY_WEIGHTS = (3, 7, 9, 10, 5, 8, 4, 2)
_BODY_VALUES = {character: value for value, character in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
_BLANKS = re.compile(r"[\s\-‐‑–.]")
_OLD_TAX_ID = re.compile(r"[0-9]{6}[0-9A-Z]{9}")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MOST_CANDIDATES = 12
_VALUE = {character: value for value, character in enumerate(ALPHABET)}
_WEIGHTS = tuple(pow(3, position, 31) for position in range(LENGTH - 1))
_LOOK_ALIKES = str.maketrans("IOSZ", "1052")
_PROVINCES = frozenset(range(11, 16)) | frozenset(range(21, 24)) | frozenset(range(31, 38)) | frozenset(range(41, 47))
_PROVINCES |= frozenset(range(50, 55)) | frozenset(range(61, 66)) | frozenset({71, 81, 82})
_USUAL_KINDS = {"9": "123", "1": "1239", "2": "19", "3": "123459", "4": "19", "5": "1239", "6": "19", "7": "1239"}
_USUAL_KINDS |= {"8": "19", "A": "19", "N": "1239", "Y": "1"}

TaxIdKind = Literal["uscc", "old", "person20", "person17", "unknown"]
"""What a Chinese tax id is: a credit code of 18, a company's older id of 15, or a person's id and two characters."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A complete id that a broken one may have been; a person chooses, nothing is completed silently."""

    value: str
    known: bool
    """Whether the company already knows this id (register of sellers)."""


@lru_cache(maxsize=16384)
def normal_id(text: str) -> str:
    """The id for comparing: full-width letters made narrow, upper case, without blanks, dots and hyphens."""
    return _BLANKS.sub("", narrow(text)).upper()


def is_digits(text: str) -> bool:
    """Whether the text is 0-9 throughout; `str.isdigit` also takes superscripts, which are no number."""
    return text.isascii() and text.isdigit()


def narrow(text: str) -> str:
    """Full-width letters, digits and signs made half-width."""
    return text if text.isascii() else text.translate(_NARROW)


def body_check_character(body: str) -> str:
    """The check character of an 8-character body id (GB 11714).

    Raises:
        KeyError: a character outside 0-9 and A-Z.
    """
    total = sum(_BODY_VALUES[character] * weight for character, weight in zip(body, _BODY_WEIGHTS, strict=True))
    return "0123456789X0"[11 - total % 11]


def check_character(first17: str) -> str:
    """The last character of a unified social credit code (GB 32100-2015).

    Raises:
        KeyError: a character outside the 31 of the standard's alphabet.
    """
    total = sum(_VALUE[character] * weight for character, weight in zip(first17, _WEIGHTS, strict=True))
    return ALPHABET[-total % 31]


@lru_cache(maxsize=16384)
def is_uscc(text: str) -> bool:
    """Whether this is a well-formed unified social credit code: both checks, an alphabet without IOSVZ."""
    if len(text) != LENGTH or not set(text) <= _VALUE.keys() or not is_digits(text[2:8]):
        return False
    return check_character(text[:17]) == text[17] and body_check_character(text[8:16]) == text[16]


def is_usual_kind(code: str) -> bool:
    """Whether the first two characters (registering authority, kind of body) are a pair that GB 32100-2015 lists."""
    return code[1:2] in _USUAL_KINDS.get(code[:1], "") and bool(code[1:2])


def is_citizen_id(text: str) -> bool:
    """Whether this is a citizen's number of 18 characters (GB 11643): region, birth date and check character."""
    return len(text) == LENGTH and bool(ric.is_valid(text))


def tax_id_kind(text: str) -> TaxIdKind:
    """Which kind of Chinese tax id this is, in normal form; "unknown" also for a bare citizen's number."""
    if is_uscc(text):
        return "uscc"
    if is_old_tax_id(text):
        return "old"
    if len(text) == 20 and is_citizen_id(text[:18]):
        return "person20"
    return "person17" if len(text) == 17 and is_digits(text) and _is_old_citizen_id(text[:15]) else "unknown"


def _is_old_citizen_id(text: str) -> bool:
    """A citizen's number of 15 digits: region, yymmdd, sequence; it has no check character."""
    try:
        date(1900 + int(text[6:8]), int(text[8:10]), int(text[10:12]))
    except ValueError:
        return False
    return int(text[:2]) in _PROVINCES


def masked_id(text: str) -> str:
    """The id for screens, logs and exports: one that holds a citizen's number shows its ends only."""
    holds_person = is_citizen_id(text[:18]) or tax_id_kind(text) in {"person20", "person17"}
    return f"{text[:6]}{'*' * (len(text) - 8)}{text[-2:]}" if holds_person else text


def look_alikes(text: str) -> str:
    """The id with letters that no code holds read as the digits they look like (O as 0): only ever a proposal."""
    return normal_id(text).translate(_LOOK_ALIKES)


def made_up_uscc(seed: int) -> str:
    """A well-formed credit code of a region that does not exist (99xxxx), for samples that must hit no real company."""
    random = Random(seed)  # noqa: S311 - sample data, not a secret
    body = "".join(random.choice(ALPHABET) for _ in range(8))
    first17 = f"9199{random.randrange(10**4):04d}{body}{body_check_character(body)}"
    return first17 + check_character(first17)


def is_old_tax_id(text: str) -> bool:
    """Whether this is a 15-character tax id from before 2015: region digits and a body id with its check character."""
    return bool(_OLD_TAX_ID.fullmatch(text)) and body_check_character(text[6:14]) == text[14]


def candidates(broken: str, known: Collection[str] = ()) -> tuple[Candidate, ...]:
    """The complete codes that lost one character (17 given) or have one wrong (18 given); known ones first."""
    text = look_alikes(broken)
    if not text or not set(text) <= _VALUE.keys():
        return ()
    well_formed = is_uscc.__wrapped__  # some 500 variants of each broken id would sweep the cache
    found = {text} if is_uscc(text) else {value for value in _variants(text) if well_formed(value)}
    ordered = sorted(found, key=lambda value: (value not in known, value))
    return tuple(Candidate(value, value in known) for value in ordered[:_MOST_CANDIDATES])


def _variants(text: str) -> Iterator[str]:
    if len(text) == LENGTH - 1:
        yield from (text[:i] + letter + text[i:] for i in range(LENGTH) for letter in ALPHABET)
    elif len(text) == LENGTH:
        yield from (text[:i] + letter + text[i + 1 :] for i in range(LENGTH) for letter in ALPHABET)
