"""Hiding secrets and personal numbers before text reaches a screen, a log, a file or a model.

What is hidden always: keys, tokens, passwords and connection strings (`secret_kinds`), personal numbers of China
(`chinese_ids`) and Europe (`european_ids`), each by shape, check digit and the words near it. Street addresses, number
plates and labelled names are found too (`PERSONAL`), but not hidden by default: where somebody lives is what he may want
remembered. Digits in other dress count as digits: full width, in Chinese characters, with invisible characters between.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from foundation.chinese_ids import CHINESE, PLACES, is_card_number, is_citizen_id, is_payment_card
from foundation.european_ids import EUROPEAN, TRADERS
from foundation.private_kind import Kind
from foundation.secret_kinds import SECRETS

__all__ = [
    "IRREVOCABLE", "KINDS", "PERSONAL", "PLACES", "TRADERS", "Kind", "Span", "Veil",
    "find", "is_card_number", "is_citizen_id", "is_payment_card", "mask", "mask_tax_id",
]  # fmt: skip

KINDS = SECRETS + EUROPEAN + CHINESE
PERSONAL = KINDS + PLACES
IRREVOCABLE = tuple(
    kind for kind in KINDS if kind.name in ("secret", "citizen id", "card", "bank account", "national id")
)
"""What never reaches the database, not even as it was said."""

_HEAD = 24
_WIDE = {
    code: code - 0xFEE0
    for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), *map(ord, "＠．－＿＋"))
}
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SPELLED = re.compile("[零〇一二三四五六七八九幺]{7,}")
_FIGURES = str.maketrans("零〇一二三四五六七八九幺", "001234567891")
_WORTH_A_LOOK = re.compile(
    r"[0-9][0-9 ./\-]{3}|@|[0-9一二三四五六七八九十](?:号|栋|幢|座|弄)|[A-HJ-Z][·•. ]?[A-HJ-NP-Z0-9]{5}|://|[A-Za-z0-9_\-]{16}|(?i:密码|口令|密钥|秘钥|私钥|验证码|助记词|姓名|收件人|联系人|户名|持卡人|患者|微信|wechat|护照|reisepass|pasaporte|pass|pwd|secret|token|\bpin\b|bearer|basic|phrase|-----BEGIN)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a text of some kind stands: `start` inclusive, `end` exclusive."""

    start: int
    end: int
    kind: str


def find(text: str, kinds: tuple[Kind, ...] = PERSONAL) -> list[Span]:
    """Where secrets and personal data stand in `text`, in order, without overlaps (the earlier kind of the table wins)."""
    plain, origin = _plain(text)
    if not _WORTH_A_LOOK.search(plain):
        return []
    spans: list[Span] = []
    for kind in kinds:
        for found in kind.pattern.finditer(plain):
            start, end = _extent(kind, plain, found)
            apart = all(end <= span.start or span.end <= start for span in spans)
            if apart and _in_context(kind, plain, start) and kind.holds(plain[start:end]):
                spans.append(Span(start, end, kind.name))
    if origin is not None:
        spans = [Span(origin[span.start], origin[span.end - 1] + 1, span.kind) for span in spans]
    return sorted(spans, key=lambda span: span.start)


def _plain(text: str) -> tuple[str, list[int] | None]:
    """The text with plain digits and letters, and where each of its characters stood where some were left out."""
    plain = _SPELLED.sub(lambda found: found.group().translate(_FIGURES), text.translate(_WIDE))
    if not _INVISIBLE.search(plain):
        return plain, None
    origin = [at for at, character in enumerate(plain) if not _INVISIBLE.match(character)]
    return "".join(plain[at] for at in origin), origin


def _extent(kind: Kind, text: str, found: re.Match[str]) -> tuple[int, int]:
    start, end = found.span("hide" if "hide" in kind.pattern.groupindex else 0)
    if kind.head and (before := kind.head.search(text[max(0, start - _HEAD) : start])):
        return start - len(before.group()), end
    return start, end


def _in_context(kind: Kind, text: str, start: int) -> bool:
    before = text[max(0, start - kind.within) : start]
    if kind.not_near is not None and kind.not_near.search(before):
        return False
    return kind.near is None or kind.near.search(before) is not None


def mask(text: str, kinds: tuple[Kind, ...] = KINDS) -> str:
    """`text` with each secret or personal number replaced by its kind and last characters, as `[card …1881]`."""
    return _replaced(text, kinds, _hidden)


def _replaced(text: str, kinds: tuple[Kind, ...], by: Callable[[str, str], str]) -> str:
    parts, at = [], 0
    for span in find(text, kinds):
        parts += [text[at : span.start], by(text[span.start : span.end], span.kind)]
        at = span.end
    return "".join([*parts, text[at:]])


def _hidden(found: str, kind: str) -> str:
    return f"[{kind}]" if kind in ("secret", "name") else f"[{kind} …{found[-2:]}]"


def mask_tax_id(tax_id: str) -> str:
    """A tax id for the screen: one that holds a citizen id (18 or 20 characters) is masked, others stay."""
    return mask(tax_id, tuple(kind for kind in CHINESE if kind.name == "citizen id"))


@dataclass(slots=True)
class Veil:
    """Placeholders that stand for personal data while a text is away, and what they stand for.

    One veil serves one exchange: the same number is the same placeholder in all of its texts, so that an answer that
    names one can be read. Secrets get none: they don't come back.
    """

    kinds: tuple[Kind, ...] = PERSONAL
    _placeholders: dict[str, str] = field(default_factory=dict)

    def hide(self, text: str) -> str:
        """`text` with a placeholder such as `⟦phone 1⟧` for each piece of personal data."""
        # What already looks like one of ours would be taken for it on the way back.
        return _replaced(text.replace("⟦", "[").replace("⟧", "]"), self.kinds, self._placeholder)

    def reveal(self, text: str) -> str:
        """`text` with what the placeholders stand for in their place."""
        for found, placeholder in self._placeholders.items():
            # Inside JSON some models write everything but ASCII as escapes.
            text = text.replace(placeholder, found).replace(json.dumps(placeholder)[1:-1], found)
        return text

    def _placeholder(self, found: str, kind: str) -> str:
        if kind == "secret":
            return _hidden(found, kind)
        return self._placeholders.setdefault(found, f"⟦{kind} {len(self._placeholders) + 1}⟧")
