"""Hiding secrets and personal numbers before text reaches a screen, a log or a file.

Kinds that are always hidden: API keys, tokens, passwords and codes that are named as such, mainland China citizen ids
(GB 11643, also inside the 20-character tax id of an individual business), bank card numbers (Luhn and issuer prefix),
passports, mobile numbers, e-mail addresses. A number that is called an id or a card in the words before it is hidden
even when its check character is wrong: a slip of the finger is no less private.

Street addresses and number plates are found too (`PERSONAL`), but not hidden by default: where somebody lives is what he
may want remembered.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CITIZEN_CHECKS = "10X98765432"
_ISSUERS = (
    ("62", range(16, 20)),
    ("4", (13, 16, 19)),
    ("5[1-5]|2[2-7]", (16,)),
    ("3[47]", (15,)),
    ("35|6011|65|9[45]", range(16, 20)),
)
_CONTEXT = 16
_HEAD = 24


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of text to hide: its name, where it may stand, and the test that it really is one."""

    name: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]
    near: re.Pattern[str] | None = None
    """Words that must stand shortly before it."""
    head: re.Pattern[str] | None = None
    """What belongs to it on the left"""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a text of some kind stands: `start` inclusive, `end` exclusive."""

    start: int
    end: int
    kind: str


def is_citizen_id(text: str) -> bool:
    """Whether these 18 characters are a mainland China citizen id (GB 11643 check character)."""
    digits = text[:17]
    if len(text) != 18 or not digits.isascii() or not digits.isdigit():
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits, _CITIZEN_WEIGHTS, strict=True))
    return _CITIZEN_CHECKS[total % 11] == text[17].upper()


def is_payment_card(text: str) -> bool:
    """Whether these digits are a payment card: an issuer's prefix, its length, and the Luhn check."""
    digits = "".join(character for character in text if character.isdigit())
    return is_card_number(digits) and any(
        len(digits) in lengths and re.match(prefix, digits) for prefix, lengths in _ISSUERS
    )


def is_card_number(text: str) -> bool:
    """Whether these digits pass the Luhn check of payment cards."""
    digits = [int(character) for character in text if character.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return 13 <= len(digits) <= 19 and (sum(digits[::-2]) + doubled) % 10 == 0


def _always(_: str) -> bool:
    return True


_NO_WORD_BEFORE = r"(?<![A-Za-z0-9])"
_NO_WORD_AFTER = r"(?![A-Za-z0-9])"
_NAMES_OF_KEYS = (
    r"(?:密码|口令|验证码|校验码|密钥|秘钥|pass(?:word|wd|code|phrase)|\bpwd|\bpin(?: code| number)?|api[ _-]?key|\bsecret(?: key)?"
    r"|access[ _-]?key|\btoken|verification code|\botp|\bcvv)"
)
_CARD_WORDS = re.compile(r"卡号|银行卡|信用卡|储蓄卡|借记卡|[一-鿿]行卡|\bcard\b", re.IGNORECASE)
_ID_WORDS = re.compile(r"身份证|citizen id|\bid card|\bid number", re.IGNORECASE)
_PASSPORT_WORDS = re.compile(r"护照|passport|证件|签证|\bvisa\b", re.IGNORECASE)
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_STREET = "(?:路|街|大道|道|巷|弄|胡同|村|镇|小区|花园|家园|新村|公寓|大厦|广场|苑|庄|屯|组)"

KINDS = (
    Kind(
        "secret",
        re.compile(rf"{_NO_WORD_BEFORE}(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|AKIA|AIza)[-_]?[A-Za-z0-9_\-]{{12,}}"),
        _always,
    ),
    Kind("secret", re.compile(r"(?i)\bbearer\s+[A-Za-z0-9._\-]{16,}"), _always),
    Kind("secret", re.compile(r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}"), _always),
    Kind(
        "secret",
        re.compile(r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{0,4000}(?:-----END [A-Z ]{0,20}-----)?"),
        _always,
    ),
    Kind(
        "secret",
        re.compile(
            rf"(?i){_NAMES_OF_KEYS}\s{{0,2}}(?:is|was|are|是|为|叫|就是|改成了?|换成了?)?\s{{0,2}}[:：=]?\s{{0,2}}[\"'“‘`]?"
            r"(?P<hide>(?=[\x21-\x7e]{0,40}[0-9!@#$%^&*_\-])[\x21-\x2b\x2d-\x3a\x3c-\x7e]{3,80}[\x21\x23-\x26\x2a\x2b\x2d\x2f-\x39\x40-\x5f\x61-\x7e])"
        ),
        _always,
    ),
    Kind("secret", re.compile(r"(?i)\bpass(?:word|code|phrase) (?:is|=|:) ?(?P<hide>[\x21-\x7e]{4,80})"), _always),
    Kind(
        "citizen id",
        re.compile(rf"{_NO_WORD_BEFORE}\d{{17}}[\dXx](?=\d{{2}}{_NO_WORD_AFTER}|{_NO_WORD_AFTER})"),
        is_citizen_id,
    ),
    Kind("citizen id", re.compile(rf"{_NO_WORD_BEFORE}\d{{14,17}}[\dXx]{_NO_WORD_AFTER}"), _always, _ID_WORDS),
    Kind("card", re.compile(rf"{_NO_WORD_BEFORE}\d(?:[ -]?\d){{12,18}}{_NO_WORD_AFTER}"), is_payment_card),
    Kind("card", re.compile(rf"{_NO_WORD_BEFORE}\d(?:[ -]?\d){{12,18}}{_NO_WORD_AFTER}"), _always, _CARD_WORDS),
    Kind(
        "passport", re.compile(rf"{_NO_WORD_BEFORE}[A-Z][A-Z0-9]?\d{{7,8}}{_NO_WORD_AFTER}"), _always, _PASSPORT_WORDS
    ),
    Kind(
        "phone",
        re.compile(rf"{_NO_WORD_BEFORE}(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{{4}}[ -]?\d{{4}}{_NO_WORD_AFTER}"),
        _always,
    ),
    Kind("mail", re.compile(r"[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9.\-]{1,190}\.[A-Za-z]{2,24}"), _always),
)

PLACES = (
    Kind("plate", re.compile(rf"[{_PROVINCES}][A-HJ-Z][·•. ]?(?:[A-HJ-NP-Z0-9]{{5,6}}){_NO_WORD_AFTER}"), _always),
    Kind(
        "address",
        re.compile(
            rf"{_STREET}(?:[一-鿿]{{0,8}}?)(?:\d{{1,5}}|[一二三四五六七八九十百]{{1,4}})(?:号院?|弄|栋|幢|座|号楼)"
            r"(?:[A-Za-z]?\d{0,5}(?:号楼|单元|栋|幢|座|层|楼|室|号|户)){0,5}(?:[A-Za-z]?\d{2,5}(?!\d))?"
        ),
        _always,
        head=re.compile(r"(?:(?![在住到寄送是])[一-鿿0-9]){1,24}$"),
    ),
)
"""What tells where somebody is; hidden only where a caller asks for it."""

PERSONAL = KINDS + PLACES


def find(text: str, kinds: tuple[Kind, ...] = PERSONAL) -> list[Span]:
    """Where secrets and personal data stand in `text`, in order, without overlaps (the earlier kind of the table wins)."""
    spans: list[Span] = []
    for kind in kinds:
        for found in kind.pattern.finditer(text):
            start, end = _extent(kind, text, found)
            apart = all(end <= span.start or span.end <= start for span in spans)
            if apart and kind.holds(text[start:end]) and _in_context(kind, text, start):
                spans.append(Span(start, end, kind.name))
    return sorted(spans, key=lambda span: span.start)


def _extent(kind: Kind, text: str, found: re.Match[str]) -> tuple[int, int]:
    start, end = found.span("hide" if "hide" in kind.pattern.groupindex else 0)
    if kind.head and (before := kind.head.search(text[max(0, start - _HEAD) : start])):
        return start - len(before.group()), end
    return start, end


def _in_context(kind: Kind, text: str, start: int) -> bool:
    return kind.near is None or kind.near.search(text[max(0, start - _CONTEXT) : start]) is not None


def mask(text: str, kinds: tuple[Kind, ...] = KINDS) -> str:
    """`text` with each secret or personal number replaced by its kind and last characters, as `[card …1881]`."""
    for span in reversed(find(text, kinds)):
        text = text[: span.start] + _hidden(text[span.start : span.end], span.kind) + text[span.end :]
    return text


def _hidden(found: str, kind: str) -> str:
    return f"[{kind}]" if kind == "secret" else f"[{kind} …{found[-2:]}]"


def mask_tax_id(tax_id: str) -> str:
    """A tax id for the screen: one that holds a citizen id (18 or 20 characters) is masked, others stay."""
    return mask(tax_id, tuple(kind for kind in KINDS if kind.name == "citizen id"))
