"""Extracting ways: how somebody wants to be answered and reached, how work is to be done, what he always does."""

import re
from dataclasses import replace

from memory import patterns_en as en
from memory import patterns_zh as zh
from memory.drafts import Context, draft, first_or_head
from memory.lexicon import NATURAL_LANGUAGES
from memory.model import Message, Proposal
from memory.perceive import Statement
from memory.rules import FAMILY, OTHER, SELF, WE
from memory.subjects import Subject

_WAY_ZH = re.compile(
    r"^(?:给我的|写)?(?:代码|注释|变量名?|函数名?|方法名|文档|邮件|周报|日报|月报|报告|报表|回答|回复|表格|数字|日期|金额|示例|例子|标题|图表|PPT|SQL|关键字|命名|提交信息|合同|发票|推荐)(?:里面?|中|上|的时候|时|都|给我)*.{0,10}?(?:别|不要|不许|用|按|保留|一律|统一|必须|大写|小写|先|全部)"
    rf"|^用(?:{NATURAL_LANGUAGES}|摄氏度?|华氏度?|公里|公斤|人民币|24小时制)(?:就好|就行)?$|(?:跟|和)我(?:说话|沟通|聊天|解释)|回我|给我(?:保留|用|按|标|写清)|先(?:给我|讲|说)结论|(?:超过|高于|大于|低于|满).{{1,12}}(?:通知|提醒|告诉|问)我"
)
_WAY_EN = re.compile(
    r"^(?:no|don't|do not|(?:never|always) (?!been|here|had|seen|heard|thought|a\b|the\b|wanted|\w+ed\b|\w+ing\b|enough|easy|fun|good|nice|great|more|knew|too|there|so\b|happy|mind)|stop|use|keep|only|whenever|when you|I want (?:all|my|your)|all my|please (?:only|always|never|don't|stop|use)|for \w+ (?:stuff|work|code)|going forward|next time|prefer)\b|\b(?:loop in|cc|notify me|remind me)\b|\bby default\b",
    re.IGNORECASE,
)
_ADDRESSED_ZH = re.compile(
    r"给我|提醒我|通知我|告诉我|叫我|问我|回[答复]|别|不要|不许|推荐|用|按|先|列|必须|要|都|别再|统一|举|写|讲|做|发|改|保持|注意|避免|少|多|说"
)
_CONTACT_ZH = re.compile(
    r"(?:发|打)(?:短信|电话|微信|邮件)|联系我|找我|打扰|(?:短信|电话|微信|邮件)(?:就)?(?:算了|免了)|约我|推荐|广告"
)
_CONTACT_EN = re.compile(
    r"\b(?:you (?:can|may)(?: not)? (?:call|text|send|email|message|reach|contact|use)|text me|call me (?!(?-i:[A-Z]))|email me|send me|phone calls|no calls?|seat|dark mode|light mode)\b",
    re.IGNORECASE,
)


def is_told_to_agent(statement: Statement) -> bool:
    """Whether a clause that has another subject speaks to the agent all the same."""
    contact = _CONTACT_ZH if statement.language == "zh" else _CONTACT_EN
    return statement.explicit or statement.standing or contact.search(statement.text) is not None


def ways(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """How the person wants to be answered, reached and served."""
    text = statement.text
    told = statement.standing or bool((_CONTACT_ZH if statement.language == "zh" else _CONTACT_EN).search(text))
    is_manner = bool((_WAY_ZH if statement.language == "zh" else _WAY_EN).search(text))
    if not (told or is_manner) or subject.who == FAMILY:
        return []
    rules = zh.WAYS if statement.language == "zh" else en.WAYS
    found = first_or_head(rules, statement, Subject(SELF, "user", text), text)
    # How work is to be done holds for all of it, whether or not "always" was said.
    return [
        replace(each, importance="critical") if is_manner and each.category == "preference" else each for each in found
    ]


def manner(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """A way of working that no narrower rule reads."""
    text = statement.text
    chinese = statement.language == "zh"
    said = (_WAY_ZH if chinese else _WAY_EN).search(text)
    addressed = chinese and statement.standing and _ADDRESSED_ZH.search(text)
    if (
        not (said or addressed)
        or not (statement.standing or chinese)
        or len(text) < 5
        or subject.who == FAMILY
        or (not chinese and (len(text.split()) < 4 or re.match(r"never mind", text, re.IGNORECASE)))
    ):
        return []
    if not chinese and subject.who in {SELF, OTHER} and not re.match(r"(?:I want|all my|my )", text, re.IGNORECASE):
        return []
    if chinese and not said and subject.who == SELF:
        return []
    negative = re.search(r"别|不要|不许|禁止|\b(?:never|don't|do not|stop|no)\b", text, re.IGNORECASE)
    return [
        draft(
            statement,
            rule=f"{statement.language}.way",
            kind="procedural",
            category="preference",
            confidence=0.82,
            polarity=not negative,
        )
    ]


def habits(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """What the person always or never does."""
    if (
        statement.language == "en"
        and subject.who in {SELF, WE}
        and re.match(
            r"(?:I|we) (?:always|never|usually|generally|normally) (?!thought|knew|sa[iy]|forget|got|get|wonder|have to|had|told|saw|heard|been|went|was|were|\w+ed\b|mind|understood|meant|found|did|feel|felt|want|love|like|need|wish|try|tried|enjoy|end|have (?:to|a feeling|trouble)|has\b|be\b|am\b|find|believe|imagine|expect|look forward|consider)\w+",
            statement.text,
            re.IGNORECASE,
        )
    ):
        return [draft(statement, rule="en.habit", kind="procedural", category="preference", confidence=0.75)]
    return []
