"""Pointing at what was told before: "上次说的那家店", "what I said about the hotel when we talked about the Berlin trip".

Reads from the words what kind of thing is meant, when it was told and what was being talked about. Knows nothing of what
is remembered; `meant` finds the memory.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory.dates import find_dates
from memory.lexicon import is_chinese
from memory.model import Reference
from memory.rules import pattern
from memory.things import named

_MEASURE = r"(?:个|家|位|条|件|本|部|间|款|次|笔|场|张|份|道|句|只|套|些|辆|门|座)"
_SAY_ZH = r"(?:说|报|讲|提|聊|谈|告诉|推荐|介绍|定|给|发|记|商量|讨论)"
_STOPS_ZH = r"(?:我|你|它|他|她|已经|现在|早就|早已|刚|不(?!同)|没|错|改|换|变|搬|挪|关|倒|停|歇|取消|作废|离职|退休|走了|其实|应该|是(?!指)|忘|删|涨|降|推迟|提前|延|黄了|过时|被|都|也|有(?:变|误)|的?(?:地址|电话|名字|价格|时间|日期)|$)"  # fmt: skip
_ZH = pattern(
    rf"(?:跟你|和你|对你|给你|向你)?{_SAY_ZH}(?:给?你|过|到|起|了|好|下来|的是)*的(?:那|这)?{_MEASURE}?(?P<what>[^，,。！!？?；;：:\s]{{1,12}}?)(?=[，,：:\s]|{_STOPS_ZH})"
    rf"|(?:那|这){_MEASURE}(?P<what3>[^，,。！!？?；;：:\s]{{1,10}}?)[，,]\s*(?:就是)?我?(?:跟你|和你|对你|给你)?{_SAY_ZH}(?:给?你|过|到|起|了)*的(?:那{_MEASURE}?)?(?=[，,])"
    rf"|{_SAY_ZH}(?:给?你)?过(?:那|这){_MEASURE}(?P<what2>[^，,。！!？?；;：:\s]{{1,12}}?)(?=[，,：:\s]|{_STOPS_ZH})"
)
_SAY_EN = r"(?:told you|said|mentioned|talked|spoke|discussed|gave you|recommended|brought up|noted|described|shared|sent you|set|fixed|agreed on|decided on|(?:was|were) talking)"  # fmt: skip
_END_EN = r"(?:\s+(?:(?<!\bI )(?<!\bwe )(?:is|isn't|isn’t|are|aren't|was|wasn't)|has|hasn't|have|got|no longer|should|shut|closed|moved|changed|retired|left|went|will|needs?|became|burnt|quit|cancel(?:l)?ed|raised|lowered|dropped|opened|sold|died|got|gave|turned out|doesn't|don't|can)\b|\s*[,.;:!]|\s+[-–—]|$)"
_CONTEXT_EN = rf"(?P<ctx>(?:(?!{_END_EN}).)*)(?={_END_EN})"
_NOUN_EN = r"(?:(?!\b(?:I|we|you|that|which|from|when|while|about|is|are|was|has|in|during|at)\b)[\w'’&.-]+)"
_WHAT_EN = rf"(?P<what>{_NOUN_EN}(?: (?:to {_NOUN_EN}|{_NOUN_EN})){{0,4}}?)"
_TALKS_EN = r"(?:chat|conversation|talk|discussion|thread|session|meeting|call)"
_EN = tuple(
    map(
        pattern,
        (
            rf"\bwhat (?:I|we)(?:'ve| have)? (?:just )?{_SAY_EN}(?P<before>(?:(?!{_END_EN}).)*?)\s+(?:about|on) (?:the |my |our |that )?{_WHAT_EN}(?=\s+(?:when|while|about|last|yesterday|earlier|before|in|during|on|\d)\b|{_END_EN}){_CONTEXT_EN}",
            rf"\b(?:the|that|this|those|my|our) {_WHAT_EN},? (?:that |which )?(?:I|we|you)(?:'ve| have| had)? (?:just |already |once |also )?{_SAY_EN}(?: (?:to|with) you)?(?: (?:about|of))?{_CONTEXT_EN}",
            rf"\b(?:from|in|about) (?:the|our|that) (?P<before>[\w' -]{{2,30}}? {_TALKS_EN})[:,]? (?:the|that|my) {_WHAT_EN}(?P<ctx>)(?={_END_EN})",
            rf"\b(?:in|during) (?:the|our|that) {_TALKS_EN} (?:about|on) (?P<scene>[\w' -]+?),? (?:I|we) (?:just )?{_SAY_EN} (?:an?|the|my) {_WHAT_EN}(?P<ctx>)(?={_END_EN})",
            rf"\b(?:the|that) {_WHAT_EN} (?P<ctx>(?:from|in|during|at) (?:the|our|my|that|last|yesterday)(?: [\w'-]+){{0,4}}? ?(?:{_TALKS_EN}|week|month|'s {_TALKS_EN}))(?={_END_EN})",
        ),
    )
)
_JUST_NOW = pattern(r"刚才|刚刚|\bjust\b|\ba (?:moment|minute|second) ago\b")
_LATELY = pattern(r"前几天|前两天|这几天|前阵子|\bthe other day\b|\b(?:a few|couple of) days ago\b|\brecently\b")
_LATELY_DAYS = timedelta(days=12)
_VAGUE = pattern(
    r"上次|上回|之前|以前|先前|早些时候|当时|那时候?|前面|曾经|\b(?:a while ago|earlier|before|last time|previously|once|back then)\b"
)
_SLACK = (
    (pattern(r"年|year"), timedelta(days=120)),
    (pattern(r"月|month"), timedelta(days=15)),
    (pattern(r"周|星期|礼拜|week|fortnight"), timedelta(days=4)),
    (pattern(r"天前|days ago"), timedelta(days=1)),
)
"""How far people are off when they say when they told something."""
_COMMAND_ZH = r"(?:请|麻烦|你|帮我|把|将|忘掉|忘了|忘记|删掉|删除|我们?|咱们?|在|和|跟|一起|对|关于|，|,|\s)*"
_TALKED_ZH = r"(?:聊到?|谈到?|说到?|讨论|商量|讲到?|规划|计划|安排|筹备|准备|研究|[过理捋看弄忙](?:一遍)?)"
_SCENE_ZH = tuple(
    map(
        pattern,
        (
            rf"^{_COMMAND_ZH}{_TALKED_ZH}?(?:一下)?(?P<s>[^，。]{{1,14}}?)(?:的事情?)?的?(?:时候|时|那次|那会儿|那回|那天|期间)",
            rf"^{_COMMAND_ZH}(?P<s>[^，。]{{1,10}}?)(?:的?(?:对话|会话|聊天))?(?:上|里|中)$",
        ),
    )
)
_SCENE_EN = tuple(
    map(
        pattern,
        (
            r"\b(?:when|while|the time|as)(?: (?:I|we|you)(?: were| was|'re)?)? (?:\w+ )?(?:talk\w*|sp[eo]\w+|chat\w*|discuss\w*|plan\w*|told you|telling|going over|negotiat\w*|prepar\w*|arrang\w*|organi[sz]\w*|work\w*|look\w*|book\w*|had|met|were in|went over)\b(?: (?:about|on|of|for|at|through|over|in))*\s*(?P<s>.*)$",
            r"\b(?:in|during|at|from) (?:the|our|my|that|a) (?P<s>[\w' -]+?)(?: (?:chat|conversation|talk|discussion|thread|session))?$",
            r"^(?P<s>[\w' -]+?) (?:chat|conversation|talk|discussion|thread|session)$",
        ),
    )
)
_SCENE_OVER_ZH = re.compile(r"^.*(?:时候|时|那次|那会儿|那回|那天|期间|[上里中])")
_OWN_ZH = re.compile(
    r"我们?|咱们?|你们?|跟你|和你|对你|给你|对了|那个|就是|其实|把|将|请|麻烦|帮我|帮忙|忘(?:掉|了|记)|删(?:掉|了|除)|关于|顺便|嗯|哦|另外|还有|曾经?|有|已经|刚才|刚刚|前几天|前两天|这几天|前阵子|大家|一起|又|也|还"
)
"""What may stand before "说的" where the person speaks of his own words."""
_ABOUT = re.compile(r"^(?:关于|有关)|的(?:那件|这件)?(?:事情?|情况|消息)$")
_ARTICLE = re.compile(r"^(?:the|our|my|a|an|that)\s+", re.IGNORECASE)
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a passage points at, and what it says besides."""

    at: Reference
    before: str
    rest: str


def pointed(passage: str, said_at: datetime, zone: ZoneInfo) -> Pointed | None:
    """What a passage points at by its kind, its time or its talk; None where it points at nothing told before.

    Args:
        passage: a sentence or two.
        said_at: when it was said, aware.
        zone: where the person lives.
    """
    if len(passage) > _LONGEST:
        return None
    return _zh(passage, said_at, zone) if is_chinese(passage) else _en(passage, said_at, zone)


def _zh(passage: str, said_at: datetime, zone: ZoneInfo) -> Pointed | None:
    for found in _ZH.finditer(passage):
        what = _ABOUT.sub("", found["what"] or found["what2"] or found["what3"]).strip("的 ")
        before = re.split(r"[。！!？?；;]", passage[: found.start()])[-1]
        if what and not _said_by_others(before, said_at, zone):
            rest = passage[found.end() :]
            return Pointed(_reference(what, before, _scene(before, _SCENE_ZH), rest, said_at, zone), before, rest)
    return None


def _said_by_others(before: str, said_at: datetime, zone: ZoneInfo) -> bool:
    """Whether somebody else is named as the one who said it: "同事说的那家店"."""
    left = _timeless(before, said_at, zone)
    return _OWN_ZH.sub("", _SCENE_OVER_ZH.sub("", left)).strip(" ，,、：:") != ""


def _en(passage: str, said_at: datetime, zone: ZoneInfo) -> Pointed | None:
    for form in _EN:
        if found := form.search(passage):
            what, context = _as_meant(found["what"], found.groupdict().get("before") or "", found["ctx"])
            rest = passage[found.end() :]
            scene = found.groupdict().get("scene") or _scene(_timeless(context, said_at, zone), _SCENE_EN)
            return Pointed(_reference(what, context, scene, rest, said_at, zone), passage[: found.start()], rest)
    return None


def _as_meant(what: str, before: str, after: str) -> tuple[str, str]:
    """Of "when we talked about the trip about the hotel" the hotel is meant and the trip is the scene."""
    later = re.match(r"^\s*about (?:the |my |our )?(?P<what>[\w' -]+)$", after)
    if before.strip() and later:
        return later["what"], f"{before} about {what}"
    return what, f"{before} {after}".strip()


def _timeless(context: str, said_at: datetime, zone: ZoneInfo) -> str:
    for when in find_dates(context, said_at, zone, past=True):
        context = context.replace(when.phrase, " ")
    return _VAGUE.sub(" ", context).strip()


def _scene(context: str, forms: tuple[re.Pattern[str], ...]) -> str:
    context = _VAGUE.sub("", context).strip()
    found = next((found for form in forms if (found := form.search(context))), None)
    return _ARTICLE.sub("", found["s"].strip(" .,")) if found else ""


def _reference(what: str, context: str, scene: str, rest: str, said_at: datetime, zone: ZoneInfo) -> Reference:
    thing = named(what)
    aspect = named(re.split(r"[改换变]|\b(?:to|is|has)\b", rest)[0])
    since, until, slack = _when(context, said_at, zone)
    return Reference(
        words=what,
        thing=thing.name if thing else None,
        aspect=aspect.name if aspect and aspect != thing else None,
        since=since,
        until=until,
        slack=slack,
        just_now=_JUST_NOW.search(context) is not None,
        scene=scene,
    )


def _when(context: str, said_at: datetime, zone: ZoneInfo) -> tuple[datetime | None, datetime | None, timedelta]:
    """When something was told, and how far that may be off."""
    if _LATELY.search(context):
        return said_at - _LATELY_DAYS, said_at, timedelta()
    dates = find_dates(context, said_at, zone, past=True)
    if not dates or dates[0].begins > said_at:
        return None, None, timedelta()
    slack = next((days for words, days in _SLACK if words.search(dates[0].phrase)), timedelta())
    return dates[0].begins, dates[0].ends, slack
