"""What is said of a thing that was told before: it is otherwise now, it is not true, it is to be forgotten.

Makes one proposal of a passage that points at something (`pointing`) and says what became of it, and words the new
version of the memory that was meant.
"""

import re
from dataclasses import replace

from memory import things
from memory.drafts import Context
from memory.lexicon import is_chinese
from memory.model import Message, Proposal, Reference, Remembered, Verb
from memory.perceive import Statement
from memory.pointing import pointed
from memory.rules import pattern

_V_ZH = r"\s*(?P<v>[^，,。！!？?；;]{1,40}?)"
_V_EN = r"(?P<v>(?:[^.,;!]|[.,](?=\w)){1,60}?)(?: now)?(?=[.,;!](?!\w)|$)"
_END_ZH = r"(?:了|吧|才对|就行|就好)?(?=[，,。！!；;]|$)"
_BECOMES = tuple(
    map(
        pattern,
        (
            rf"(?:改|换|变|调整?|挪|升|降|涨|跌|增加|减少|推迟|提前|延期|更新)(?:成|为|到|至){_V_ZH}{_END_ZH}",
            rf"改名(?:叫|为|成)?{_V_ZH}{_END_ZH}",
            rf"搬(?:家)?(?:到|去){_V_ZH}{_END_ZH}",
            rf"(?:应该|其实|实际上?|现在|正确的)(?:是|叫|在|为){_V_ZH}{_END_ZH}",
            rf"(?:^|[，,。]\s*)(?:是|叫){_V_ZH}{_END_ZH}",
            rf"\b(?:changed|moved|switched|raised|lowered|updated|corrected|rescheduled|pushed|postponed|renamed|relocated|gone up|gone down|went up|went down) (?:back )?to {_V_EN}",
            rf"\b(?:make|change|update|set|correct|move) (?:it|that|this) (?:to )?{_V_EN}",
            rf"\bshould (?:be|have been|read|say) {_V_EN}",
            rf"\b(?:is|are|it's|it’s|it is|that's) (?:now|actually|really) (?!closed|gone|wrong|cancel|over|shut|fully|sold|out\b|different|no longer)(?:at |on |in |called )?{_V_EN}",
            rf"[,.;–—-]\s*(?:it's|it’s|it is|that's) (?!closed|gone|wrong|cancel|over|shut|fully|sold|out\b|different|no longer|not\b|now\b){_V_EN}",
        ),
    )
)  # fmt: skip
_FORGET = pattern(
    r"忘(?:掉|了|记)(?:它|他|她|这个|那个)?(?:吧|$)|(?:你|请)忘|删(?:掉|了|除)|别记|不用记|\bforget (?:it|that|about it|about that|him|her)\b|\b(?:delete|drop|erase|remove) (?:it|that)\b"
)
_FORGET_BEFORE = pattern(
    r"(?<!别)(?<!不要)(?<!没)(?:忘掉|忘了|忘记|删掉|删除)(?:了|掉)?[^，,。]{0,12}$|^(?:please |can you |could you |you can |just )*(?:forget|delete|erase|drop)(?: about)? *$"
)
_UNTRUE = pattern(
    r"不对|不是真的|不成立|错了|有误|作废|不算数?|不作数|过时|不准|\b(?:wrong|no longer (?:true|right|valid|correct|so|holds?)|(?:not|isn't|isn’t|wasn't|aren't) (?:true|right|valid|correct|accurate)|outdated|obsolete|mistaken|incorrect|doesn't hold)\b"
)
_OTHERWISE = pattern(
    r"关门|关了|关张|倒闭|停业|歇业|没了|不[在干做开]了|取消|离职|辞职|退休|走了|卖了|黄了|搬走|(?:改|换|变|搬)(?:了|过了|掉了|人了|地方了|家了)|涨价|降价|满了|不行|死了|去世|坏了|丢了"
    r"|\b(?:closed|shut|gone|cancel(?:l)?ed|called off|out of business|left|quit|retired|sold|moved|changed|different|no longer|(?:not|\w+n't|\w+n’t) .{0,30}any ?more|fully booked|broken|lost|died|postponed|burnt|expired|renovating)\b"
)
_SPOKEN = frozenset(("statement", "request", "chatter", "forget request"))
_REMINDS = pattern(r"^(?:do you |you )?(?:still )?remember\b|记得")
"""Asks nothing, but brings something up: "Remember the budget I told you about? Make it 60"."""
_SENTENCE = re.compile(r"[。！？!?；;\n]+\s*|(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)\.(?=\s|$)\s*")
_LONGEST_NOTE = 120

_AMOUNT = re.compile(
    r"(?P<n>(?:[¥￥$€£]\s*)?\d[\d,.]*)\s*(?P<unit>(?:个|元|块|万|亿|千|百|人|天|次|页|份|台|箱|%|％|成|thousand|million|k\b|dollars?|euros?|pounds?|yuan|people|guests|percent)*)",
    re.IGNORECASE,
)
_PLACES = tuple(
    map(
        re.compile,
        (
            r"\d{1,2}月(?:\d{1,2}[号日])?|(?:下?下?周|星期|礼拜)[一二三四五六日天]|\d{1,2}[号日点](?:半)?|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b|\b\d{1,2}:\d\d\b",
            r"[\u4e00-\u9fff]{1,5}?(?:路|街|大道|巷|弄)(?:\d+[号弄])?(?:\d+[室楼])?|\b\d+[A-Za-z]? (?:[A-Z]\w+ )+(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Drive|Way)\b|\b(?:[A-Z]\w+ )+(?:Street|Road|Avenue|Lane|Square|Drive|Way)\b",
        ),
    )
)
"""What is put in the place of its like: days and times, streets."""
_LEFT_OF_NAME_ZH = r"[^，,。的在是住叫订去到于\s]{0,8}?"
_LEFT_OF_NAME_EN = r"(?:(?:the|an?) )?(?:[A-Z][\w'’]*(?: & | ))*"


def revised(statements: list[Statement], message: Message, context: Context) -> tuple[list[Proposal], set[int]]:
    """What a message says of things it points at, and the sentences that say so.

    Args:
        statements: the message's clauses.
        message: as it was said.
        context: the person's zone.
    """
    sentences = [each.strip() for each in _SENTENCE.split(message.content) if each.strip()]
    joint = "，" if is_chinese(message.content) else ", "
    for number, sentence in enumerate(sentences):
        for passage in (sentence, joint.join(sentences[number : number + 2])):
            told = [each for each in statements if each.text and each.quote in passage]
            if not told or any(each.speech not in _SPOKEN and not _REMINDS.search(each.quote) for each in told):
                continue
            if made := _proposal(passage, told, message, context):
                return [made], {each.sentence for each in told}
    return [], set()


def _proposal(passage: str, told: list[Statement], message: Message, context: Context) -> Proposal | None:
    found = pointed(passage, message.created_at, context.zone)
    if found is None:
        return None
    requested = any(each.speech == "forget request" for each in told)
    asked = requested or bool(_FORGET.search(found.rest) or _FORGET_BEFORE.search(found.before))
    if asked and not _is_scene(found.at):
        return None
    deed, value = ("forget", None) if asked else _deed(found.rest)
    if deed is None:
        return None
    note = found.rest.strip(" ，,.。-–—：:;；!！")[:_LONGEST_NOTE] if deed == "revise" else passage[:_LONGEST_NOTE]
    return Proposal(
        verb=deed,
        content=note,
        quote=told[0].quote if len(told) == 1 else passage if passage in message.content else message.content,
        kind="semantic",
        category="conversation_history",
        importance="normal",
        confidence=0.9,
        rule=f"{'zh' if is_chinese(passage) else 'en'}.{deed}",
        value=value,
        meant=found.at,
        explicit=True,
    )


def _is_scene(at: Reference) -> bool:
    """Whether a reference says more than its words: the others are found by words."""
    return bool(at.scene or at.since or (at.thing and at.thing not in ("address", "phone")))


def _deed(rest: str) -> tuple[Verb | None, str | None]:
    for form in _BECOMES:
        if found := form.search(rest):
            return "revise", found["v"].strip(" 的了")
    if _UNTRUE.search(rest):
        return "retract", None
    return ("revise", None) if _OTHERWISE.search(rest) else (None, None)


def version(proposal: Proposal, old: Remembered) -> tuple[str, str | None]:
    """The words and the value of the new version of a memory that a `revise` meant.

    The new value takes the place of its like: a number of a number, a day of a day, a street of a street, else of the
    old value or of the name of the thing. Where nothing like it stands there, what was said is added.
    """
    chinese = is_chinese(old.content)
    added = f"{old.content}（{proposal.content}）" if chinese else f"{old.content} ({proposal.content})"
    if proposal.value is None:
        return added, old.value
    content = _in_place(old, proposal.value, proposal.meant)
    if content is None:
        return added, proposal.value
    return content, old.value if old.value and old.value in content else proposal.value


def _in_place(old: Remembered, value: str, meant: Reference | None) -> str | None:
    for like in _PLACES:
        if like.search(value) and (content := _once(like, value, old.content)):
            return content
    if (new := _AMOUNT.match(value)) and (content := _amount(new, value, old.content)):
        return content
    if old.value and old.content.count(old.value) == 1:
        return old.content.replace(old.value, value)
    thing = things.kind(meant.thing) if meant else None
    if thing is None:
        return None
    left, right = (
        (_LEFT_OF_NAME_ZH, r"[厅馆店庄吧院]?") if is_chinese(old.content) else (_LEFT_OF_NAME_EN, r"(?: [A-Z]\w+)*")
    )
    return _once(re.compile(rf"{left}(?i:{thing.shown.pattern}){right}"), value, old.content)


def _once(like: re.Pattern[str], value: str, content: str) -> str | None:
    found = list(like.finditer(content))
    return content[: found[0].start()] + value + content[found[0].end() :] if len(found) == 1 else None


def _amount(new: re.Match[str], value: str, content: str) -> str | None:
    """The content with its one number replaced; a bare number keeps the unit that stood there."""
    found = list(_AMOUNT.finditer(content))
    if len(found) != 1:
        return None
    start, end = found[0].span("n") if not new["unit"] else found[0].span()
    return content[:start] + (new["n"] if not new["unit"] else value) + content[end:]


def chosen(proposal: Proposal, memory_id: str) -> Proposal:
    """The proposal for the memory that the person chose."""
    return replace(proposal, meant=Reference(memory_id=memory_id))
