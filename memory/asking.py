"""What a question is about, read from its words: which slot it asks for, and whom it names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory.model import Slot
from memory.postings import Weight, weights_of
from memory.tokenizer import normalise, tokens


@dataclass(frozen=True, slots=True)
class Asked:
    """One attribute of a slot and the words by which people ask for it."""

    attribute: str
    words: re.Pattern[str]


# One row an attribute, zh and en together: a question may come in the other language than the memory.
ATTRIBUTES = tuple(
    Asked(attribute, re.compile(words))
    for attribute, words in (
        ("name", r"叫什么|名字|姓名|称呼|我是谁|\bnames?\b|who am i|called"),
        ("address", r"地址|住哪|住在|住址|\baddress\b|where do i live|\blives?\b"),
        ("residence", r"住哪|住在|城市|\blives?\b|\bcity\b|based in"),
        ("city", r"住哪|住在|哪个城市|\blives?\b|\bcity\b"),
        ("phone", r"电话|手机号|号码|\bphone\b|\bnumber\b"),
        ("email", r"邮箱|邮件地址|\be-?mail\b"),
        ("job", r"工作|职业|干什么的|做什么的|岗位|\bjob\b|\bwork\b|for a living|occupation|profession"),
        ("occupation", r"工作|职业|做什么的|\bjob\b|for a living|occupation|profession"),
        ("employer", r"公司|单位|上班|\bcompany\b|\bemployer\b|work for"),
        ("birthday", r"生日|哪天出生|\bbirthday\b|\bborn\b"),
        ("age", r"几岁|多大|年龄|how old|\bage\b"),
        ("allergy", r"过敏|不能吃|忌口|甜品|点菜|\ballerg\w*|can'?t i eat|dessert"),
        ("diet", r"吃素|忌口|饮食|不能吃|\bdiet\b|vegetarian|vegan"),
        ("seat", r"座位|靠窗|过道|机票|航班|\bseat\b|\bflight\b|\bplane\b"),
        ("language", r"语言|\blanguages?\b"),
        ("port", r"端口|\bport\b"),
    )
)


@dataclass(frozen=True, slots=True)
class Words:
    """A question's words, read once."""

    text: str
    said: frozenset[str]
    """Its tokens."""
    weights: Mapping[str, Weight]
    """Its tokens with what each counts in the keyword arm."""
    attributes: frozenset[str]
    """The attributes that its words ask for."""


def read(question: str) -> Words:
    """The words of a question."""
    listed = tokens(question)
    text = normalise(question)
    attributes = frozenset(each.attribute for each in ATTRIBUTES if each.words.search(text))
    return Words(question, frozenset(listed), weights_of(listed), attributes)


def asks_slot(question: Words, slot: Slot) -> bool:
    """Whether the question asks for what this slot answers; a slot about somebody else must be asked for by name."""
    subject, attribute = normalise(slot.subject), normalise(slot.attribute)
    if subject not in ("user", "用户") and not question.said & token_set(subject):
        return False
    family, _, thing = attribute.partition(":")
    return bool(question.attributes & {attribute, family}) or _is_said(thing or attribute, question.said)


def is_named(question: Words, subject: str) -> bool:
    """Whether the question names this subject; "user" is nobody's name."""
    return subject != "user" and _is_said(subject, question.said)


def _is_said(words: str, said: frozenset[str]) -> bool:
    own = token_set(words)
    return bool(own) and own <= said


@lru_cache(maxsize=4_000)
def token_set(text: str) -> frozenset[str]:
    """The tokens of a short text, such as a name or an attribute."""
    return frozenset(tokens(text))
