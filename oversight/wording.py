"""Comparing words of texts and names of recipients, whatever their width, case and invisible characters."""

import re
import unicodedata
from collections.abc import Sequence


def plain(text: str) -> str:
    """The text without invisible characters, full-width forms and case."""
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", visible).casefold().split())


def contains(text: str, word: str) -> bool:
    """Whether the word stands in the text; a word in Latin letters only as a word of its own."""
    wanted = plain(word)
    if not wanted:
        return False
    if wanted.isascii():
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", plain(text), re.ASCII) is not None
    return wanted.replace(" ", "") in plain(text).replace(" ", "")


def listed(recipient: str, allowed: Sequence[str]) -> bool:
    """Whether the recipient is one of these; `@example.com` stands for all addresses there."""
    wanted = plain(recipient)
    names = [plain(name) for name in allowed]
    return any(wanted == name or (name.startswith("@") and wanted.endswith(name)) for name in names)
