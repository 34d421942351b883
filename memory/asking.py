"""What a question is about, read from its words: which slot it asks for, and whom it names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory.lexicon import FAMILY_EN, FAMILY_ZH
from memory.model import Slot
from memory.postings import Weight, weights_of
from memory.tokenizer import normalise, tokens


@dataclass(frozen=True, slots=True)
class Asked:
    """One attribute of a slot and the words by which people ask for it."""

    attribute: str
    words: re.Pattern[str]


# Attributes as extraction gives them, each with the words by which people ask, zh and en together: a question may come
# in the other language than the memory. One that ends with ":" there holds a value for each object ("allergy:核桃"):
# what stands before the colon is asked for here, the object is asked for by its own name.
ATTRIBUTES = tuple(
    Asked(attribute, re.compile(words))
    for attribute, words in (
        ("name", r"叫什么|名字|姓名|称呼|我是谁|\bnames?\b|who am i|called"),
        ("nickname", r"叫什么|名字|昵称|称呼|怎么叫|英文名|\bnames?\b|nickname|who am i|called"),
        ("address", r"地址|住哪|住在|住址|\baddress\b|where do i live|\blives?\b"),
        ("residence", r"地址|住哪|住在|城市|\baddress\b|\blives?\b|\bcity\b|based in"),
        ("city", r"地址|住哪|住在|在哪|哪个城市|\baddress\b|\blives?\b|\bcity\b|based in"),
        ("home", r"地址|住哪|住在|几楼|\baddress\b|\blives?\b"),
        ("hometown", r"老家|家乡|哪里人|哪儿人|籍贯|\bhometown\b|grew up|come from|\bfrom\b"),
        ("phone", r"电话|手机号|号码|\bphone\b|\bnumber\b"),
        ("email", r"邮箱|邮件地址|\be-?mail\b"),
        ("job", r"工作|职业|干什么的|做什么的|岗位|\bjob\b|\bwork\b|for a living|occupation|profession"),
        ("role", r"负责|职责|\brole\b|in charge|responsible"),
        ("occupation", r"工作|职业|做什么的|\bjob\b|for a living|occupation|profession"),
        ("employer", r"公司|单位|上班|\bcompany\b|\bemployer\b|work for|where (?:do|did|does) \w+ work"),
        ("school", r"学校|上学|读书|年级|\bschool\b|\buniversity\b|\bcollege\b|\bstudy\b"),
        ("major", r"专业|\bmajor\b|\bstudy\b|\bdegree\b"),
        ("birthday", r"生日|哪天出生|\bbirthday\b|\bborn\b"),
        ("age", r"几岁|多大|年龄|how old|\bage\b"),
        ("family", r"家人|家里有|结婚|孩子|单身|对象|\bfamily\b|married|\bkids?\b|\bchild"),
        (
            "relationship",
            r"对象|单身|结婚|恋爱|感情|女朋友|男朋友|\bmarried\b|\bsingle\b|relationship|girlfriend|boyfriend",
        ),
        ("household", r"和谁住|跟谁住|室友|live with|\bhousehold\b"),
        ("pet", r"宠物|养了什么|\bpets?\b"),
        ("pet name", r"宠物|\bpets?\b"),
        ("allergy", r"过敏|不能吃|忌口|甜品|点菜|吃什么|菜谱|餐厅|\ballerg\w*|can'?t i eat"),
        ("allergy", r"dessert|dinner|lunch|recipe|restaurant"),
        ("diet", r"吃素|忌口|饮食|不能吃|点菜|吃什么|菜谱|\bdiet\b|vegetarian|vegan|dinner|lunch|recipe"),
        ("health", r"身体|健康|生病|体检|\bhealth\b|medical"),
        ("seat", r"座位|靠窗|过道|机票|航班|高铁票|\bseat\b|\bflight\b|\bplane\b"),
        ("units", r"单位制|多少度|温度|气温|公里|\bunits?\b|temperature|celsius|fahrenheit"),
        ("language", r"语言|\blanguages?\b"),
        (
            "programming_language",
            r"编程|语言|代码|后端|前端|示例|技术栈|programming|\blanguages?\b|\bcode\b|backend|frontend|\bstack\b",
        ),
        ("skill", r"会什么|擅长|技能|\bskills?\b|good at"),
        ("goal", r"目标|梦想|打算|计划|\bgoals?\b|\bdreams?\b|\bplans?\b"),
        ("contact", r"联系|短信|电话|\bcontact\b|\breach me\b|\btext me\b|\bcall me\b"),
        ("contact_time", r"联系|什么时候找|\bcontact\b|\bcall me\b"),
        ("commute", r"通勤|怎么上班|\bcommut"),
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
    relations: frozenset[str]
    """The family that it names, in English ("brother"), whatever its language."""


def read(question: str) -> Words:
    """The words of a question."""
    listed = tokens(question)
    text = normalise(question)
    attributes = frozenset(each.attribute for each in ATTRIBUTES if each.words.search(text))
    return Words(question, frozenset(listed), weights_of(listed), attributes, _relations(text))


def _relations(text: str) -> frozenset[str]:
    chinese = {name for words, name in FAMILY_ZH.items() if re.search(f"我(?:的|家)?(?:{words})", text)}
    english = {name for words, name in FAMILY_EN.items() if re.search(rf"\b(?:my|our) (?:{words})\b", text)}
    return frozenset(chinese | english)


def asks_slot(question: Words, slot: Slot) -> bool:
    """Whether the question asks for what this slot answers; a slot about somebody else must be asked for by name."""
    subject, attribute = normalise(slot.subject), normalise(slot.attribute)
    if subject not in ("user", "用户") and not is_named(question, subject):
        return False
    family, _, thing = attribute.partition(":")
    if question.attributes & {attribute, family} or _bears_on(attribute, normalise(question.text)):
        return True
    # A single Chinese character stands in too many words to name a thing.
    return len(thing or attribute) > 1 and _is_said(thing or attribute, question.said)


def _bears_on(attribute: str, words: str) -> bool:
    return any(theme.borne_on.search(attribute) and theme.asked.search(words) for theme in THEMES)


def is_named(question: Words, subject: str) -> bool:
    """Whether the question names this subject, by name or as "my brother"; "user" is nobody's name."""
    if subject in ("user", "用户"):
        return False
    whose, _, relation = subject.partition("'s ")
    return (whose == "user" and relation in question.relations) or _is_said(subject, question.said)


def _is_said(words: str, said: frozenset[str]) -> bool:
    own = token_set(words)
    return bool(own) and own <= said


@lru_cache(maxsize=4_000)
def token_set(text: str) -> frozenset[str]:
    """The tokens of a short text, such as a name or an attribute."""
    return frozenset(tokens(text))
