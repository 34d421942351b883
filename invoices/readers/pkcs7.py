"""What a signed envelope (.p7m: CMS signed data, RFC 5652) wraps. The signature itself is not verified here."""

import base64
import binascii
from collections.abc import Iterator

_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
_DATA = bytes.fromhex("06092a864886f70d010701")
_SEQUENCE, _CONSTRUCTED_OCTETS, _OCTETS, _EXPLICIT = 0x30, 0x24, 0x04, 0xA0
_DEEPEST = 8


def signed_content(envelope: bytes) -> bytes | None:
    """The wrapped bytes, from DER, BER or base64 of either; None where this is no such envelope."""
    content = envelope if envelope[:1] == b"\x30" else _from_base64(envelope)
    if content is None or _SIGNED_DATA not in content[:64]:
        return None
    start = content.find(_DATA)
    if start < 0:
        return None
    pieces = b"".join(_octets(content, start + len(_DATA), len(content), 0))
    return pieces or None


def _from_base64(envelope: bytes) -> bytes | None:
    if not envelope[:4].strip().startswith(b"MI"):
        return None
    try:
        return base64.b64decode(b"".join(envelope.split()), validate=True)
    except binascii.Error:
        return None


def _octets(content: bytes, position: int, end: int, depth: int) -> Iterator[bytes]:
    """The octet strings below the first element at `position`; an indefinite length ends at its two zero bytes."""
    while position + 2 <= end and content[position : position + 2] != b"\0\0" and depth < _DEEPEST:
        tag = content[position]
        start, length = _length(content, position + 1)
        if length is not None and start + length > end:
            return
        stop = end if length is None else start + length
        if tag == _OCTETS:
            yield content[start:stop]
        elif tag in {_EXPLICIT, _CONSTRUCTED_OCTETS}:
            yield from _octets(content, start, stop, depth + 1)
        if length is None or (depth == 0 and tag == _EXPLICIT):
            return
        position = stop


def _length(content: bytes, position: int) -> tuple[int, int | None]:
    """(where the contents begin, how long they are; None: until the end mark)."""
    first = content[position]
    if first < 0x80:
        return position + 1, first
    count = first & 0x7F
    if count == 0:
        return position + 1, None
    return position + 1 + count, int.from_bytes(content[position + 1 : position + 1 + min(count, 8)], "big")
