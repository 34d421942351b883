"""Identity numbers: their check characters, and which complete numbers a broken one may have been.

A unified social credit code (USCC, GB 32100-2015) carries two checks: its last character over all 17 before it
(weights 3^i mod 31), and inside, at positions 9-17, a body id with a check character of its own (GB 11714, mod 11).
One check alone accepts one random string in thirty, among them citizen ids; both together one in three hundred.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from stdnum.cn import uscc

ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
LENGTH = 18
_BODY_WEIGHTS = (3, 7, 9, 10, 5, 8, 4, 2)
_BODY_VALUES = {character: value for value, character in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
_BLANKS = re.compile(r"[\s\-‐‑–.]")
_OLD_TAX_ID = re.compile(r"\d{6}[0-9A-Z]{9}")
_MOST_CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """A complete id that a broken one may have been; a person chooses, nothing is completed silently."""

    value: str
    known: bool
    """Whether the company already knows this id (register of sellers)."""


def normal_id(text: str) -> str:
    """The id for comparing: full-width letters made narrow, upper case, without blanks, dots and hyphens."""
    narrow = "".join(chr(ord(c) - 0xFEE0) if 0xFF01 <= ord(c) <= 0xFF5E else c for c in text)
    return _BLANKS.sub("", narrow).upper()


def body_check_character(body: str) -> str:
    """The check character of an 8-character body id (GB 11714).

    Raises:
        KeyError: a character outside 0-9 and A-Z.
    """
    total = sum(_BODY_VALUES[character] * weight for character, weight in zip(body, _BODY_WEIGHTS, strict=True))
    return "0123456789X0"[11 - total % 11]


def is_uscc(text: str) -> bool:
    """Whether this is a well-formed unified social credit code: both checks, an alphabet without IOSVZ."""
    return bool(uscc.is_valid(text)) and body_check_character(text[8:16]) == text[16] and set(text) <= set(ALPHABET)


def is_old_tax_id(text: str) -> bool:
    """Whether this is a 15-character tax id from before 2015: region digits and a body id with its check character."""
    return bool(_OLD_TAX_ID.fullmatch(text)) and body_check_character(text[6:14]) == text[14]


def candidates(broken: str, known: Collection[str] = ()) -> tuple[Candidate, ...]:
    """The complete codes that lost one character (17 given) or have one wrong (18 given); known ones first."""
    text = normal_id(broken)
    if not text or not set(text) <= set(ALPHABET):
        return ()
    found = {value for value in _variants(text) if is_uscc(value)}
    ordered = sorted(found, key=lambda value: (value not in known, value))
    return tuple(Candidate(value, value in known) for value in ordered[:_MOST_CANDIDATES])


def _variants(text: str) -> Iterator[str]:
    if len(text) == LENGTH - 1:
        yield from (text[:i] + letter + text[i:] for i in range(LENGTH) for letter in ALPHABET)
    elif len(text) == LENGTH:
        yield from (text[:i] + letter + text[i + 1 :] for i in range(LENGTH) for letter in ALPHABET)
