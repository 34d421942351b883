"""Identifiers: random ones for new things, derived ones where the same thing must get the same id again."""

import hashlib
import secrets
from collections.abc import Callable

Ids = Callable[[str], str]

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_LETTERS = 16
_DERIVED_LETTERS = 16


def new_id(prefix: str) -> str:
    """A random id such as `rev_4k2m...`: 80 bits, no letters that look alike."""
    return f"{prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LETTERS))}"


def derived_id(prefix: str, *parts: str) -> str:
    """The id that belongs to these parts: the same parts always give the same id."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    number = int.from_bytes(hashlib.sha256(joined.encode("utf-8", "surrogatepass")).digest(), "big")
    return f"{prefix}_{''.join(_ALPHABET[number >> (5 * i) & 31] for i in range(_DERIVED_LETTERS))}"


def content_hash(content: bytes) -> str:
    """SHA-256 of the bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
