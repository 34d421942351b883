"""Text to search tokens, the same for what is stored and what is asked.

Latin text becomes stemmed words (Snowball English); codes such as `ERR-40317` are kept whole as well as in parts.
Chinese becomes jieba's words, character pairs and single characters, so that a question of one or two characters finds
its text whether or not a dictionary is installed. `VERSION` is stored with each pool: tokens of another version are
rebuilt, never mixed.
"""

import logging
import re
import unicodedata
import warnings
from functools import lru_cache

import snowballstemmer

from memory.stopwords import CHINESE, COMMON_CHINESE, COMMON_ENGLISH, ENGLISH

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its source has escapes that newer compilers warn of
        import jieba
except ImportError:  # the pairs and single characters still find everything
    jieba = None
else:
    jieba.setLogLevel(logging.WARNING)

VERSION = "2" if jieba is not None else "2-without-dictionary"

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[-_./][^\W_{_CJK}]+)*")
_IS_CJK = re.compile(rf"[{_CJK}]")
_PART = re.compile(r"[-_./]")
_LONGEST_WORD = 64
_LONGEST_TEXT = 20_000


def tokens(text: str) -> list[str]:
    """The search tokens of `text`, in order, with repeats; empty for a text of stop words only."""
    found: list[str] = []
    for run in _RUN.findall(normalise(text)[:_LONGEST_TEXT]):
        found += _chinese(run) if _IS_CJK.match(run) else _latin(run)
    return found


def normalise(text: str) -> str:
    """`text` in one form: full-width and compatibility characters folded (NFKC), without case."""
    # Capitals first: an iota below a letter becomes a letter before composing moves it, and a dotless i is an i.
    # Composed again at the end: folding takes some letters apart.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.upper()).casefold())


@lru_cache(maxsize=20_000)
def content_key(text: str) -> str:
    """What two texts share that say the same in the same words: case, spacing and punctuation don't count."""
    kept = (c if unicodedata.category(c)[0] in "LNS" else " " for c in normalise(text))
    return " ".join("".join(kept).split()) or normalise(text).strip()


def is_chinese(text: str) -> bool:
    """Whether the text counts as Chinese: at least a fifth of its letters are CJK characters."""
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and 5 * sum(1 for c in letters if _IS_CJK.match(c)) >= len(letters)


def _latin(run: str) -> list[str]:
    parts = _PART.split(run)
    whole = [run[:_LONGEST_WORD]] if len(parts) > 1 else []
    return whole + [stem(part[:_LONGEST_WORD]) for part in parts if part not in ENGLISH]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of an English word; other words stay as they are."""
    # A stemmer keeps the word it works on, so threads must not share one.
    return str(snowballstemmer.stemmer("english").stemWord(word)) if word.isascii() and word.isalpha() else word


def _chinese(run: str) -> list[str]:
    pieces = _words(run) + [run[i : i + 2] for i in range(len(run) - 1)] + list(run)
    return [piece for piece in pieces if piece not in CHINESE]


def _words(run: str) -> list[str]:
    """Words of three characters and more; shorter ones are among the pairs and characters already."""
    return [word for word in jieba.cut(run) if len(word) > 2] if jieba is not None else []


COMMON = COMMON_CHINESE | {stem(word) for word in COMMON_ENGLISH}
"""Tokens so common that sharing one says little."""
