"""What an encoded stretch of a text says: base64 and its kin, numbers for letters, Morse, escapes, invisible bits.

Each decoder takes a token that has the shape of its encoding and fails with an error where the token is something else.
"""

import base64
import binascii
import quopri
import re
from collections.abc import Callable

Decode = Callable[[str], bytes]
_MOST_TOKENS = 12
_SHORTEST = 4

_MORSE = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)


def decoded(text: str) -> list[str]:
    """`text` once for each encoding that it holds, with what is encoded written out in its place."""
    found: list[str] = []
    for pattern, decoders in _DECODERS:
        if pattern.search(text):
            found += [_written_out(pattern, decode, text) for decode in decoders]
    return [reading for reading in found if reading != text]


def _written_out(pattern: re.Pattern[str], decode: Decode, text: str) -> str:
    return pattern.sub(lambda token: _readable(decode, token.group()) or token.group(), text, count=_MOST_TOKENS)


def _readable(decode: Decode, token: str) -> str | None:
    try:
        plain = decode(token).decode("utf-8")
    except (ValueError, KeyError, binascii.Error):
        return None
    readable = all(character.isprintable() or character.isspace() for character in plain)
    return f" {plain} " if len(plain) >= _SHORTEST and readable else None


def _base64(token: str) -> bytes:
    bare = token.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def _base32(token: str) -> bytes:
    bare = token.rstrip("=").upper()
    return base64.b32decode(bare + "=" * (-len(bare) % 8))


def _binary(token: str) -> bytes:
    return bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", token))


def _hex(token: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|\\x|[\s:,]", "", token))


def _decimal(token: str) -> bytes:
    return bytes(int(number) for number in re.findall(r"\d+", token))


def _octal(token: str) -> bytes:
    return bytes(int(number, 8) for number in re.findall(r"\d+", token))


def _escapes(token: str) -> bytes:
    return token.encode("ascii").decode("unicode_escape").encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _quoted_printable(token: str) -> bytes:
    return quopri.decodestring(token.encode("ascii"))


def _morse(token: str) -> bytes:
    words = re.split(r"\s*/\s*|\s{3,}", token.strip())
    return " ".join("".join(_MORSE[letter] for letter in word.split()) for word in words).encode()


def _braille(token: str) -> bytes:
    return "".join(_BRAILLE.get(character, " ") for character in token).encode()


def _selectors(token: str) -> bytes:
    return bytes(code - 0xFE00 if code < 0xFF00 else code - 0xE0100 + 16 for code in map(ord, token))


def _zero_width(token: str) -> bytes:
    bits = "".join("01"[character in "\u200c\u200d"] for character in token if character in "\u200b\u200c\u200d")
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))


def _pig_latin(token: str) -> bytes:
    return " ".join(_turned(word[:-2].lower()) for word in token.split()).encode()


def _turned(word: str) -> str:
    """Each way in which a word may have stood before its first letters went to its end."""
    if word.endswith("w"):
        return word[:-1]
    return " ".join(word[-count:] + word[:-count] for count in (1, 2, 3) if count < len(word))


_BRAILLE = dict(
    zip(
        "\u2801\u2803\u2809\u2819\u2811\u280b\u281b\u2813\u280a\u281a\u2805\u2807\u280d\u281d\u2815\u280f\u281f\u2817\u280e\u281e\u2825\u2827\u283a\u282d\u283d\u2835",
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)

_DECODERS: tuple[tuple[re.Pattern[str], tuple[Decode, ...]], ...] = (
    (re.compile(r"[A-Za-z0-9+/_\-]{12,}={0,6}"), (_base64, _base32)),
    (re.compile(r"(?:[01]{8}[\s,]*){4,}"), (_binary,)),
    (re.compile(r"(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s:,]?){8,}"), (_hex,)),
    (re.compile(r"(?:\b\d{2,3}\b[\s,;]*){6,}"), (_decimal, _octal)),
    (re.compile(r"[!-~]{25,}"), (base64.b85decode, base64.a85decode)),
    (re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\U[0-9a-fA-F]{8}){2,}"), (_escapes,)),
    (re.compile(r"(?:=[0-9A-F]{2}|[!-<>-~]){8,}"), (_quoted_printable,)),
    (re.compile(r"(?:[.\-]{1,4}(?:\s+/\s+|\s+|$)){6,}"), (_morse,)),
    (re.compile(r"[\u2800-\u283f ]{6,}"), (_braille,)),
    (re.compile(r"\b(?:[A-Za-z]{2,}ay\b[\s]*){3,}"), (_pig_latin,)),
)
_INVISIBLE_DECODERS: tuple[tuple[re.Pattern[str], Decode], ...] = (
    (re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"), _selectors),
    (re.compile("[\u200b-\u200d\u2060\ufeff]{32,}"), _zero_width),
)


def made_visible(text: str) -> str:
    """`text` with what invisible characters spell written out."""
    for pattern, decode in _INVISIBLE_DECODERS:
        text = _written_out(pattern, decode, text)
    return text
