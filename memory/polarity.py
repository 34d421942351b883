"""What a sentence says when its yes or no is taken away, so that "I eat pork" and "I don't eat pork" meet.

`core` strips what negates, likes, dislikes and fills; two sentences with one core and different signs contradict each
other; with one core and one sign they say the same.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.tokenizer import normalise, stem

# Words that hold a negating character and deny nothing.
_INNOCENT = re.compile(
    r"不断|不仅|不但|不过|不错|不同|不久|不管|不论|不止|不只|不少|不锈|不动产|不得不|不客气|差不多"
    r"|非常|非洲|非但|除非|无论|无线"
    r"|无人机|别人|别墅|特别|区别|分别|级别|性别|告别|没错|未来|未婚|莫非"
    r"|not only|no problem|no one but|nothing but|notwithstanding"
)
_NEGATES_ZH = re.compile(r"不再|没有|禁止|拒绝|[不没别非无未勿]")
_NEGATES_EN = re.compile(
    r"\b(?:no longer|not|never|no|none|without|forbidden to|prohibited from|don't|doesn't|isn't|aren't)\b"
    r"|(?<=\w)n't\b"
)
_DISLIKES = re.compile(
    r"讨厌|厌恶|反感|受不了|戒了|戒掉|停用|\b(?:hates?|dislikes?|loathes?|avoids?|stopped|quit|gave up|can't stand)\b"
)
_LIKES = re.compile(
    r"喜欢|喜爱|热爱|偏爱|爱吃|爱喝|爱看|爱听|爱玩|爱|\b(?:likes?|loves?|enjoys?|prefers?|adores?|favou?rites?)\b"
)
_CONTRACTED = re.compile(r"\b(?:can't|cannot|won't)")
_WRITTEN_OUT = {"can't": "can not", "cannot": "can not", "won't": "will not"}
_FILLERS = re.compile(
    r"现在|目前|如今|已经|一直|总是|真的|真|非常|特别|十分|比较|其实|很|还是|最近|今后|以后|从今|更正|说错了"
    r"|\b(?:now|nowadays|currently|these days|anymore|any more|really|very|much|so|always|still|actually|just|at all"
    r"|do|does|am|is|are|be|to|the|a|an|that|it)\b"
)
_AUXILIARY = re.compile(r"可以|能够|允许|准许|能|会|要|想|\b(?:allow(?:ed)?|permit(?:ted)?|may|must|should|can)\b")
_SPEAKERS = re.compile(r"^(?:我们|我|用户|i'm|i've|i'd|i|user|the user)\s*")
_GLUE = re.compile(r"[的了过着地得呢吧啊]|[^\w]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence without its sign, and the sign."""

    core: str
    bare: str
    """The core without what is possible, allowed or wanted: what a ban and a permission share."""
    positive: bool


@lru_cache(maxsize=20_000)
def statement(text: str, *, positive: bool = True) -> Statement:
    """Take `text` apart.

    Args:
        text: one sentence.
        positive: the sign that whoever read it already took out of it.
    """
    words = _CONTRACTED.sub(lambda found: _WRITTEN_OUT[found.group()], normalise(text).replace("’", "'"))
    words = _INNOCENT.sub(_hide, words)
    negations = 0
    for pattern in (_NEGATES_EN, _NEGATES_ZH, _DISLIKES):
        words, times = pattern.subn(" ", words)
        negations += times
    words = _FILLERS.sub(" ", _LIKES.sub(" ", words))
    core = _squeeze(words)
    return Statement(core, _squeeze(_AUXILIARY.sub(" ", words)), negations % 2 == 0 and positive)


def _hide(found: re.Match[str]) -> str:
    return "".join(f"x{ord(character):x}" for character in found.group())


def _squeeze(words: str) -> str:
    words = _SPEAKERS.sub("", words.strip())
    stemmed = (stem(word) for word in _GLUE.sub(" ", words).split())
    return "".join(stemmed)


def contradict(one: Statement, other: Statement) -> bool:
    """Whether one says what the other denies."""
    return bool(one.bare) and one.bare == other.bare and one.positive != other.positive


def agree(one: Statement, other: Statement) -> bool:
    """Whether both say the same with other filling words."""
    return bool(one.core) and one == other
