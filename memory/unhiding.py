"""The texts that may hide inside a text: without invisible characters, in plain letters, decoded.

Knows nothing about what is suspicious; `screening` looks at each view.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

_LONGEST = 20_000
_MOST_TOKENS = 12

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0100-\U000e01ef]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_LOOKALIKES = str.maketrans(
    "аАвВсСеЕнНіІјЈкКмМоОрРѕЅтТуУхХԁɡһԛԝαΑβΒεΕηΗιΙκΚμΜνΝοΟρΡτΤυΥχΧɑıℓ",
    "aAbBcCeEhHiIjJkKmMoOpPsStTyYxXdghqwaAbBeEhHiIkKuMvNoOpPtTuYxXail",
)
_LEET = str.maketrans("01345678@$!|", "oieasgtbasil"[:12])
_TRADITIONAL = str.maketrans(
    "審覈過規則記說給戶權證轉賬帳發報銷後從開無統驗認請將這個應該問題執許護視繞關閉聽會員們對與為進",
    "审核过规则记说给户权证转账账发报销后从开无统验认请将这个应该问题执许护视绕关闭听会员们对与为进",
)
_SPACED = re.compile(r"\b(?:[A-Za-z][ .\-_*]){3,}[A-Za-z]\b")
_BETWEEN_CJK = re.compile(r"(?<=[\u4e00-\u9fff])[\s.·*_\-|/\\~^]+(?=[\u4e00-\u9fff])")
_ENCODED = re.compile(r"[A-Za-z0-9+/_\-]{16,}={0,6}")
_BINARY = re.compile(r"(?:[01]{8}[\s,]*){4,}")
_HEX = re.compile(r"(?:0x)?(?:[0-9A-Fa-f]{2}[\s:]?){10,}")
_ASCII85 = re.compile(r"[!-~]{25,}")
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){3,}")


def clean(text: str) -> str:
    """`text` in NFKC without invisible characters; text written in tag characters becomes readable."""
    text = _TAGS.sub(lambda found: "".join(chr(ord(c) - 0xE0000) for c in found.group()), text[:_LONGEST])
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)))


def views(text: str) -> list[str]:
    """Each reading of `text` (its first 20,000 characters) that may carry words: itself first, then what is hidden in it."""
    plain = clean(text).translate(_TRADITIONAL)
    readings = [plain, plain.translate(_LOOKALIKES), _BETWEEN_CJK.sub("", plain), _without_spacing(plain)]
    readings += [
        plain.translate(_LEET),
        unquote(plain),
        html.unescape(plain),
        plain[::-1],
        codecs.encode(plain, "rot13"),
    ]
    readings += [clean(decoded) for decoded in _decoded(plain)]
    return list(dict.fromkeys(readings))


def _without_spacing(text: str) -> str:
    return _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found.group()), text)


def _decoded(text: str) -> list[str]:
    found: list[str] = []
    for pattern, decoders in _DECODERS:
        for token in pattern.findall(text)[:_MOST_TOKENS]:
            found += [plain for decode in decoders if (plain := _readable(decode, token))]
    return found


def _readable(decode: Callable[[str], bytes], token: str) -> str | None:
    try:
        plain = decode(token).decode("utf-8")
    except (ValueError, binascii.Error, UnicodeDecodeError):
        return None
    printable = sum(character.isprintable() or character.isspace() for character in plain)
    return plain if len(plain) >= 4 and printable == len(plain) else None


def _base64(token: str) -> bytes:
    bare = token.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def _base32(token: str) -> bytes:
    bare = token.rstrip("=")
    return base64.b32decode(bare + "=" * (-len(bare) % 8))


def _binary(token: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", token))


def _hex(token: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|[\s:]", "", token))


def _escapes(token: str) -> bytes:
    return token.encode("ascii").decode("unicode_escape").encode("utf-8")


_DECODERS: tuple[tuple[re.Pattern[str], tuple[Callable[[str], bytes], ...]], ...] = (
    (_ENCODED, (_base64, _base32)),
    (_BINARY, (_binary,)),
    (_HEX, (_hex,)),
    (_ASCII85, (base64.b85decode, base64.a85decode)),
    (_ESCAPES, (_escapes,)),
)
