"""What is added to something said just before: "还有一只狗", "also to shrimp", "除了哈士奇", "except The Shining".

Such a clause leaves out what it shares with the sentence before; it is read as that sentence with the new thing put in,
and only where the rules read the result as the same kind of statement. An exception is said in both sentences' words.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from memory.conditions import conditions_of
from memory.defaults import MANY_VALUES
from memory.drafts import Context
from memory.model import Message, Proposal, Slot
from memory.perceive import Statement
from memory.references import last_said
from memory.tokenizer import COMMON, tokens

Propose = Callable[[Message], list[Proposal]]
Reread = Callable[[Statement], list[Proposal]]

_ALSO = re.compile(
    r"^(?:另外|此外|除此之外|除了这[个些]|再就是|对了)?[，,]?\s*(?:我)?(?:另外|此外|同时|还兼|兼|还(?:负责|做|教|有|会|养|喜欢|对|学|管|带|写|玩|用)|也(?!许|不是))"
    r"|\b(?:also|as well|besides|in addition|additionally|on top of that|on the side|plus)\b|\btoo[.!]?$",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"^(?:对了|嗯|噢|哦)?[，,]?\s*(?:补充一?[下点][，,]?|另外|此外|除此之外|再加上?|加上|外加|以及|还有|也)|也(?:是|一样|算|不行|过敏|会|行)(?:的)?$"
    r"|^(?:oh,? )?(?:and )?(?:also|plus|besides)\b|\b(?:as well|too)[.!]?$|^and (?:to|with|in|on|at) ",
    re.IGNORECASE,
)
_STRIP_ZH = re.compile(r"^(?:补充一?[下点]|另外|此外|除此之外|再加上?|加上|外加|以及|还有|也有?|对了|我|，|,|\s)+|^(?:一?[只条个位门种些点]|一点儿?)|(?:也)?(?:是|一样|算|不行|过敏|会一?点?|行)?(?:的|了|呢|吧)*$")  # fmt: skip
_STRIP_EN = re.compile(r"^(?:oh|and|also|plus|besides|to|with|in|on|at|an?|the|some|I|my|,|\s)+\b\s*|,?\s*\b(?:as well|too)[.!]?$", re.IGNORECASE)  # fmt: skip
_NOTHING = re.compile(r"事|问题|什么|别的|其他|一件|一点|如果|怎么|你|那个|这个|\b(?:one|thing|question|it|that|this|you|me|could|please|can|is|are|was|have|has|do)\b", re.IGNORECASE)  # fmt: skip
_NARROWER = re.compile(
    r"^(?:但|不过|只有?)?(?:给|对|跟|和|写给|发给)(?P<zh>[^，。我]{1,12}?)(?:的|时|就|都|要)?[^，。]{0,8}?(?:用|说|写|发|按|走)[^，。]{1,16}$"
    r"|^(?:but |only |just )*(?:for|with|on|when|at|in) (?P<en>[^.]{3,60})$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"改用|则用|就用|单独用|\b(?:instead|rather)\b", re.IGNORECASE)
_OWN_WORD = re.compile(r"用|说|写|发|按|走|\b(?:use|write|send|take|I|instead|keep|make)\b", re.IGNORECASE)
_EXCEPT = re.compile(
    r"^(?:但|不过|只是)?除了(?P<a>[^，。]{1,16}?)(?:以外|之外|外)?$|^(?:但|不过|只是)?(?P<b>[^，。我]{1,16}?)(?:除外|例外|不算在内|不算)$"
    r"|^(?:but |though |although )?(?:except|excepting|with the exception of|apart from|other than|not counting)(?: for)? (?P<c>[^,.]{2,40})$",
    re.IGNORECASE,
)


def adds(statement: Statement) -> bool:
    """Whether the clause says that it stands beside what was said before, not instead of it."""
    return bool(_ALSO.search(statement.quote))


def supplemented(statement: Statement, before: Proposal | None, reread: Reread) -> list[Proposal]:
    """The sentence before with the new thing in the place of the old; empty where that is no like statement."""
    if before is None or not _ADDS.search(statement.quote) or not _is_one_of_many(before):
        return []
    value = _bare(statement)
    if not 0 < len(value) <= 40 or _NOTHING.search(value) or not before.value or before.value not in before.content:
        return []
    content = before.content.replace(before.value, value, 1)
    read = [each for each in reread(replace(statement, text=content)) if _family(each) == _family(before)]
    fitting = [each for each in read if each.value and each.value.lower() == value.lower()]
    return [replace(each, content=content, quote=statement.quote, exception=True) for each in fitting[:1]]


def excepted(statement: Statement, sentence: str, before: Proposal | None) -> list[Proposal]:
    """An exception to the sentence before, in the words of both."""
    found = _EXCEPT.match(statement.text)
    if before is None or found is None or before.category not in ("preference", "task_progress"):
        return []
    value = next(each for each in found.groups() if each).strip()
    joint = "，" if statement.language == "zh" else ", "
    words = sentence if statement.language == "zh" else sentence[:1].lower() + sentence[1:]
    family = before.slot.attribute.partition(":")[0] if before.slot else ""
    slot = Slot("user", f"{family}:{value.lower()}") if before.slot and ":" in before.slot.attribute else None
    if conditions_of(value):
        # "Except at weekends" is about the same thing at another time.
        slot, value = before.slot, before.value or value
    made = replace(
        before,
        verb="add",
        content=f"{before.content}{joint}{words}",
        quote=statement.quote,
        rule=f"{statement.language}.exception",
        slot=slot,
        value=value,
        polarity=not before.polarity if slot else True,
        exception=True,
        instead_of=None,
    )
    return [made]


def narrowed(statement: Statement, before: Proposal | None) -> list[Proposal]:
    """A way of working for one case, told right after the general one: "报告一律用中文" - "给法国客户的报告用英文"."""
    found = _NARROWER.match(statement.text)
    if before is None or found is None or before.kind == "episodic" or before.category != "preference":
        return []
    if before.importance != "critical" or not _OWN_WORD.search(statement.text):
        return []
    shared = set(tokens(before.content)) & set(tokens(statement.text))
    if not shared - COMMON and not _INSTEAD.search(statement.text):
        return []
    made = replace(before, verb="add", content=statement.text, quote=statement.quote, slot=None, value=None)
    return [replace(made, rule=f"{statement.language}.way.case", exception=True, polarity=True, instead_of=None)]


def said_before(found: list[Proposal], context: Context, propose: Propose) -> Proposal | None:
    """What was stated last: earlier in the message, or in the turn before."""
    if found:
        return found[-1]
    last = last_said(context)
    return next(reversed(propose(last)), None) if last else None


def _is_one_of_many(before: Proposal) -> bool:
    return before.slot is not None and (":" in before.slot.attribute or before.slot.attribute in MANY_VALUES)


def _family(proposal: Proposal) -> tuple[str, str] | None:
    return (proposal.slot.subject, proposal.slot.attribute.partition(":")[0]) if proposal.slot else None


def _bare(statement: Statement) -> str:
    text, strip = statement.text, _STRIP_ZH if statement.language == "zh" else _STRIP_EN
    for _ in range(3):
        text = strip.sub("", text).strip(" ,，.。!！")
    return text
