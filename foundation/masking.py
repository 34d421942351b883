"""Hiding secrets and personal numbers before text reaches a screen, a log or a file.

Kinds: API keys and tokens, mainland China citizen ids (GB 11643, also inside the 20-character tax id of an
individual business), bank card numbers (Luhn), mobile numbers, e-mail addresses.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CITIZEN_CHECKS = "10X98765432"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of text to hide: its name, where it may stand, and the test that it really is one."""

    name: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]


def is_citizen_id(text: str) -> bool:
    """Whether these 18 characters are a mainland China citizen id (GB 11643 check character)."""
    digits = text[:17]
    if len(text) != 18 or not digits.isascii() or not digits.isdigit():
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, _CITIZEN_WEIGHTS, strict=True))
    return _CITIZEN_CHECKS[total % 11] == text[17].upper()


def is_card_number(text: str) -> bool:
    """Whether these digits pass the Luhn check of payment cards."""
    digits = [int(character) for character in text if character.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return 13 <= len(digits) <= 19 and (sum(digits[::-2]) + doubled) % 10 == 0


def _always(_: str) -> bool:
    return True


_NO_WORD_BEFORE = r"(?<![A-Za-z0-9])"
_NO_WORD_AFTER = r"(?![A-Za-z0-9])"

KINDS = (
    Kind(
        "secret", re.compile(rf"{_NO_WORD_BEFORE}(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA)[-_]?[A-Za-z0-9_\-]{{12,}}"), _always
    ),
    Kind("secret", re.compile(r"(?i)\bbearer\s+[A-Za-z0-9._\-]{16,}"), _always),
    Kind(
        "citizen id",
        re.compile(rf"{_NO_WORD_BEFORE}\d{{17}}[\dXx](?=\d{{2}}{_NO_WORD_AFTER}|{_NO_WORD_AFTER})"),
        is_citizen_id,
    ),
    Kind("card", re.compile(rf"{_NO_WORD_BEFORE}\d(?:[ -]?\d){{12,18}}{_NO_WORD_AFTER}"), is_card_number),
    Kind("phone", re.compile(rf"{_NO_WORD_BEFORE}1[3-9]\d{{9}}{_NO_WORD_AFTER}"), _always),
    Kind("mail", re.compile(r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}"), _always),
)


def mask(text: str, kinds: tuple[Kind, ...] = KINDS) -> str:
    """`text` with each secret or personal number replaced by its kind and last characters, as `[card …1881]`."""
    for kind in kinds:
        text = kind.pattern.sub(lambda found, kind=kind: _hide(found.group(), kind), text)  # type: ignore[misc]
    return text


def _hide(found: str, kind: Kind) -> str:
    if not kind.holds(found):
        return found
    return f"[{kind.name}]" if kind.name == "secret" else f"[{kind.name} …{found[-2:]}]"


def mask_tax_id(tax_id: str) -> str:
    """A tax id for the screen: one that holds a citizen id (18 or 20 characters) is masked, others stay."""
    return mask(tax_id, tuple(kind for kind in KINDS if kind.name == "citizen id"))
