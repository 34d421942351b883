"""Whom a clause is about: the speaker, somebody of his family, his group, somebody else, or left out."""

import re
from dataclasses import dataclass

from memory.lexicon import FAMILY_EN, FAMILY_ZH, OTHERS_EN, OTHERS_ZH, SURNAMES, relation_en, relation_zh
from memory.rules import BARE, FAMILY, OTHER, SELF, WE


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about, and what it says."""

    who: str
    """One of rules.SELF, FAMILY, WE, OTHER, BARE."""
    name: str
    """For slots: "user", "user's brother"."""
    predicate: str


_ADVERBS = (
    r"(?:现在|目前|如今|今年|这些年|这几年|平时|平常|日常|一般|通常|往往|经常|总是|其实|也|还|就|一直|从来|从小就?|小时候|向来|历来|打小|特(?=爱|喜欢|讨厌|怕|烦|想)|近几年|已经|早就|真的|真|特别|尤其|超级?|非常|很|挺|比较|最|蛮|更|可(?!以|能)|老(?!家|婆|公|板|师)|巨|贼|太"
    r"|确实|本来|主要|基本上?|刚刚|刚(?!好)|自己|个人|本人|这(?:个)?人|都|的话|呢|啊|只(?=在|要)|完全|实在|可是|毕业以后|毕业后|后来|不过|平日|周末|在(?=在)|早就|早已|一律)"
)
_FAMILY_ZH_WORDS = "|".join(sorted("|".join(FAMILY_ZH).split("|"), key=len, reverse=True))
_FAMILY_EN_WORDS = "|".join(FAMILY_EN)
_SELF_ZH = r"(?:我|俺|咱(?!们)|本人|在下|鄙人|偶(?=是|在|叫|喜欢))"
_ZH = (
    (OTHER, re.compile(rf"^{_SELF_ZH}(?:的|们的?)?(?:{OTHERS_ZH})")),
    (FAMILY, re.compile(rf"^(?:{_SELF_ZH}|咱)?(?:们?家|的|们)?(?:[大小老二]?)(?P<rel>{_FAMILY_ZH_WORDS})(?:的(?P<of>.))?(?!们?的(?:朋友|同事|女朋友|男朋友))")),
    (WE, re.compile(r"^(?:我们|咱们|俺们|我司|我方|本公司|敝司|我(?:所在的)?(?:公司|部门|团队|单位|学校|组))(?!家)")),
    (SELF, re.compile(rf"^{_SELF_ZH}(?:们?家(?:里|是)?|的(?!天|妈|娘)|们)?")),
    (OTHER, re.compile(
        r"^(?:他|她|它|ta\b|人家|别人|有人|某人|大家|很多人|好多人|有些人|谁|你|您|咱妈|隔壁|楼上|楼下|新来的|听说)|^(?:小(?![时孩心区学声于红米说程事猫狗吃道众型组])|老(?![家板师婆公是想觉了实早外年旧人妈爸])|阿(?![里姨拉]))[\u4e00-\u9fff](?!的)"
        r"|^[" + "".join(sorted(SURNAMES)) + r"](?:总(?![是共监结部体算之])|哥|姐|工(?![作程资具会地厂人期单号龄]))(?=[\u4e00-\u9fff])|^[\u4e00-\u9fff]{1,2}(?:老师|经理|医生|主任|同学|先生|女士)(?=[\u4e00-\u9fff])|^(?:猫|狗|人|女人|男人|孩子们|[\u4e00-\u9fff]{2}人)(?=[一都喜爱不很])", re.IGNORECASE)),
)  # fmt: skip
_EN_SELF = (
    (re.compile(r"^(?:I'm|Im|I am|I’m)\b(?!\s*$)", re.IGNORECASE), "am"),
    (re.compile(r"^(?:I've|I’ve|Ive)\b", re.IGNORECASE), "have"),
    (re.compile(r"^(?:I'd|I’d)\b", re.IGNORECASE), "would"),
    (re.compile(r"^(?:I'll|I’ll)\b", re.IGNORECASE), "will"),
    (re.compile(r"^I\b(?!')", re.IGNORECASE), ""),
)
_EN_WE = re.compile(r"^(?P<s>we're|we've|we'll|we|our|in our|at our|the (?:team|company))\b", re.IGNORECASE)
_EN_FAMILY = re.compile(
    rf"^(?:my|our) (?:\w+ )?(?P<rel>{_FAMILY_EN_WORDS})s?(?P<link>'s (?=(?:name|birthday|wedding|school)\b)|'s\b| is\b| are\b| has\b|\b)", re.IGNORECASE
)  # fmt: skip
_EN_OTHER = re.compile(
    rf"^(?i:my|our|her|his|their|the|this|that|your) (?:\w+ ){{0,2}}(?:{OTHERS_EN}|\w+ (?:loves|hates|likes|prefers))\b|^(?i:he|she|they|you|people|someone|everyone|everybody|who|her|his|their|your)(?:'s|'re)?\b"
    r"|^(?!I\b)[A-Z][a-z]+ (?:loves|likes|hates|prefers|lives|works|is|was|has|moved|went|said|thinks|wants|drinks|eats)\b",
)
_EN_WITH_ME = re.compile(r"^(?:\w+ ){0,3}?(?:my|our) \w+ and I\b", re.IGNORECASE)
_EN_EXPAND = {"is": "am", "are": "am", "has": "have"}


def who(clause: str, language: str) -> Subject:
    """The subject of a clause and the rest of it, with "is"/"are" read as "am"."""
    return _who_zh(clause) if language == "zh" else _who_en(clause)


def strip_adverbs(text: str) -> str:
    """The Chinese predicate without the adverbs that stand before its verb."""
    for _ in range(6):
        shorter = re.sub(rf"^{_ADVERBS}", "", text)
        if shorter == text:
            break
        text = shorter
    return text.lstrip("，, ")


def _who_zh(clause: str) -> Subject:
    for kind, pattern in _ZH:
        found = pattern.match(clause)
        if found and found.group():
            name, rest = "user", clause[found.end() :]
            if kind == FAMILY:
                name = f"user's {relation_zh(found['rel'])}"
                rest = (found["of"] or "") + rest
            return Subject(kind, name, strip_adverbs(rest))
    return Subject(BARE, "user", strip_adverbs(clause))


def _who_en(clause: str) -> Subject:
    for pattern, verb in _EN_SELF:
        if found := pattern.match(clause):
            return Subject(SELF, "user", f"{verb} {clause[found.end() :].strip()}".strip())
    if (found := _EN_FAMILY.match(clause)) and not _EN_WITH_ME.match(clause):
        return _family_en(found, clause)
    if found := _EN_WITH_ME.match(clause):
        return Subject(WE, "user", clause[found.end() :].strip())
    if _EN_OTHER.match(clause):
        return Subject(OTHER, "user", clause)
    if found := re.match(r"^(?:my|mine)\b\s*", clause, re.IGNORECASE):
        return Subject(SELF, "user", f"my {clause[found.end() :]}")
    if found := _EN_WE.match(clause):
        return Subject(WE, "user", clause[found.end() :].strip())
    return Subject(BARE, "user", clause)


def _family_en(found: re.Match[str], clause: str) -> Subject:
    link = found["link"].strip().lower()
    verb = _EN_EXPAND.get(link.removeprefix("'s") or "", "")
    rest = clause[found.end() :].strip()
    if link == "'s" and not re.match(r"name|birthday|wedding|school", rest, re.IGNORECASE):
        verb = "am"
    elif link == "'s":
        return Subject(FAMILY, f"user's {relation_en(found['rel'])}", f"my {rest}")
    return Subject(FAMILY, f"user's {relation_en(found['rel'])}", f"{verb} {rest}".strip())
