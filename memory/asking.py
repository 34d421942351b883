"""What a question is about, read from its words: which slot it asks for, and whom it names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

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
        ("residence", r"地址|住哪|住在|城市|\baddress\b|\blives?\b|\bcity\b|based in"),
        ("city", r"地址|住哪|住在|哪个城市|\baddress\b|\blives?\b|\bcity\b"),
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
class Theme:
    """What a request is about and which tastes bear on it, though they share no word: a café and noise."""

    asked: re.Pattern[str]
    borne_on: re.Pattern[str]
    """Words of a slot's attribute, which holds the object of a like or dislike."""


THEMES = tuple(
    Theme(re.compile(asked), re.compile(borne_on))
    for asked, borne_on in (
        (
            r"咖啡[馆厅店]|餐厅|饭店|饭馆|酒[吧店]|茶馆|民宿|自习|找[个家]?地方"
            r"|\b(?:caf[eé]s?|coffee (?:shop|place|house)|restaurants?|hotels?|bars?|pubs?|venues?|place to)\b",
            r"吵|噪|嘈杂|热闹|安静|清静|拥挤|人多|抽烟|烟味|露天|\b(?:nois|loud|quiet|crowd|smok|outdoor)\w*",
        ),
        (
            r"吃|菜|餐|饭|甜品|点心|零食|外卖|食谱|\b(?:eat|food|dish|meal|lunch|dinner|breakfast|dessert|snack|recipe|cook|restaurant)\w*",
            r"辣|甜食|香菜|海鲜|羊肉|牛肉|猪肉|素|葱|蒜|\b(?:spicy|sweets|cilantro|coriander|seafood|pork|beef|lamb|vegan|vegetarian|garlic)\b",
        ),
        (
            r"电影|片子|影院|\b(?:films?|movies?|cinema)\b",
            r"片$|《|恐怖|科幻|动画|\b(?:films?|movies?|horror|sci-?fi|comed|anime)\w*",
        ),
        (
            r"机票|航班|酒店|旅行|旅游|出差|行程|\b(?:flights?|trips?|travel|hotels?|itinerary)\b",
            r"红眼|早班机|转机|中转|晕[机车船]|\b(?:red-?eye|layovers?|early flights?)\b",
        ),
    )
)
"""A few links that neither words nor small embeddings make; whoever asks for one wants to hear of the other."""


def slots_asked(question: str, slots: Iterable[str]) -> set[str]:
    """Which of these slots (subject, line feed, attribute; normalised) the question asks for."""
    words = normalise(question)
    asked = {each.attribute for each in ATTRIBUTES if each.words.search(words)}
    said = set(tokens(question))
    return {slot for slot in slots if slot and _is_asked(slot, words, asked, said)}


def _is_asked(slot: str, words: str, asked: set[str], said: set[str]) -> bool:
    subject, attribute = slot.split("\n", 1)
    if subject not in ("user", "用户") and not said & set(tokens(subject)):
        return False
    own = set(tokens(attribute))
    return (
        attribute in asked
        or attribute.split(":")[0] in asked
        or _bears_on(attribute, words)
        or (bool(own) and own <= said)
    )


def _bears_on(attribute: str, words: str) -> bool:
    return any(theme.borne_on.search(attribute) and theme.asked.search(words) for theme in THEMES)


def named(question: str, subjects: Iterable[str]) -> set[str]:
    """Which of these subjects the question names; "user" is nobody's name."""
    said = set(tokens(question))
    return {subject for subject in subjects if subject and subject != "user" and _is_named(subject, said)}


def _is_named(subject: str, said: set[str]) -> bool:
    own = set(tokens(subject))
    return bool(own) and own <= said
