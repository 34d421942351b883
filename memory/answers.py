"""What a message means as the answer to an open question: yes, no, the one or the other - or nothing of the kind."""

import re
from collections.abc import Sequence

from memory.tokenizer import content_key, is_chinese

_POINTS = re.compile(
    r"^(?:是|就是|我说的是|那个?|在|the |that |it's |I mean |the one (?:in|at|on|about|from) )+|(?:的)?(?:那|这)(?:个|条|家|位|本|件|次|笔|部)?(?:吧|啊)?$| one$",
    re.IGNORECASE,
)
"""What stands round the name of one of several: "柏林那个", "the Tokyo one"."""
_LONGEST_ANSWER = 40

_YES = r"(?:是|是的|是啊|对|对的|对啊|没错|确认|确定|我确认|我确定|好|好的|好吧|好啊|嗯+|行|可以|要|改|改吧|换吧|改成这个|改过来|记吧|同意|当然|还是|还是这样|没变|yes|yep|yeah|yup|sure|ok|okay|right|correct|confirm|confirmed|i confirm|please|please do|do it|go ahead|change it|that's right|still true|it is)"
_FIRM = r"(?:是|是的|对|对的|没错|确认|确定|我确认|我确定|确认删除|确认忘记|全部忘掉|全部忘记|全部删除|都忘掉|都删掉|忘掉吧|忘了吧|删吧|yes|yep|yeah|sure|confirm|confirmed|i confirm|i am sure|i'm sure|forget it all|forget everything|delete everything|delete it all|please do|do it|go ahead|approve|批准)"
_NO = r"(?:不用改|不必改|不要改|不用动|别动|不变了?|维持原样|不|不是|不是的|不对|不用|不要|不用了|不了|别|别改|不改|不变|先不|算了|取消|保持原样|没有|不再了|不再|不是了|变了|no|nope|nah|never mind|cancel|don't|do not|not really|keep it(?: as it is)?|leave it(?: as it is)?|no change|keep the old one|don't change it|not any ?more|no longer|reject|驳回)"
_BETWEEN = r"[\s,，、.。!！~～吧啊呢的了]*"
_ORDINAL = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}


def _only(words: str) -> re.Pattern[str]:
    return re.compile(rf"{_BETWEEN}(?:{words}{_BETWEEN})+", re.IGNORECASE)


_ONLY_YES, _ONLY_FIRM, _ONLY_NO = _only(_YES), _only(_FIRM), _only(_NO)
_STARTS_YES = re.compile(
    rf"^(?:是的|对的?|没错|好的?|改成|换成|yes|yep|yeah|sure|right)(?={_BETWEEN}\b|[,，。!！ ])", re.IGNORECASE
)

_MARK = r"[,，、.。!！;；:：~～]"
_AFTER = rf"(?:[吧啊呢的]*\s*(?={_MARK}|$))[\s,，、.。!！;；:：~～]*"
_LEADS_YES = re.compile(
    rf"^\s*(?:是的?|对的?|没错|嗯+|好的?|可以|差不多|yes|yep|yeah|yup|sure|right|correct|true|exactly){_AFTER}(?:(?:不过|但是?|but|only|just)[\s,，]*)?",
    re.IGNORECASE,
)
_LEADS_NO = re.compile(
    rf"^\s*(?:不是的?|不对|不用了?|不要|不|没有|没|错了|不完全是?|不准确|no|nope|nah|not really|not quite|not exactly|wrong|that's wrong|that's not right){_AFTER}",
    re.IGNORECASE,
)
_NOT_BUT = (
    re.compile(r"不是(?:在)?(?P<x>[^，,。是]{1,12})[，,、\s]*(?:而)?是(?:在)?(?P<y>[^，,。！!]{1,16})"),
    re.compile(
        r"\bnot (?:on |about |in )?(?P<x>[\w' -]{2,30}?)[,;]? (?:but|it's|it is|rather|-)? ?(?:on |about |in )?(?P<y>[\w' -]{2,30})[.!]?$",
        re.IGNORECASE,
    ),
)
_OWN_SENTENCE = re.compile(
    r"(?:其实|应该说|准确地?说|我是说|actually|rather)?[\s,，]*(?:我.{3,}|(?:I|my|I'm)\b.{4,})", re.IGNORECASE
)
_LONGEST_CORRECTION = 200


def yes_or_no(text: str) -> bool | None:
    """True or False for a message that says yes or no and nothing else; None for any other."""
    if _ONLY_NO.fullmatch(text):
        return False
    return True if _ONLY_YES.fullmatch(text) else None


def leads(text: str) -> bool | None:
    """The yes or no at the head of a message, whatever follows it; None for a message that begins with neither."""
    said = yes_or_no(text)
    if said is not None:
        return said
    if _LEADS_NO.match(text):
        return False
    return True if _LEADS_YES.match(text) else None


def put_right(stated: str, text: str) -> str | None:
    """What is right instead of `stated`, in the words of an answer; None where it doesn't say so.

    "No, not Sundays but Saturdays" puts the one word for the other; "no, I do that on Saturdays" stands for itself.
    """
    if text.rstrip().endswith(("?", "？")) or len(text) > _LONGEST_CORRECTION:
        return None
    for words in _NOT_BUT:
        found = words.search(text)
        if found and _names(stated, [found["x"]]):
            begins = stated.lower().index(found["x"].lower())
            return stated[:begins] + found["y"] + stated[begins + len(found["x"]) :]
    lead = _LEADS_NO.match(text) or _LEADS_YES.match(text)
    rest = text[lead.end() :].strip(" ,，。.!！;；:：-") if lead else ""
    return rest if _OWN_SENTENCE.match(rest) else None


def confirms(text: str) -> bool:
    """Whether a message confirms firmly: what can't be undone doesn't happen on a passing "ok"."""
    return _ONLY_FIRM.fullmatch(text) is not None


def chooses(text: str, new: Sequence[str], old: Sequence[str]) -> bool | None:
    """Which of two statements a message takes: True for the new one, False for the old, None for neither.

    Args:
        text: the message.
        new: the new statement and its value.
        old: the old statement and its value.
    """
    said = yes_or_no(text)
    if said is not None:
        return said
    if len(text) > _LONGEST_ANSWER or text.rstrip().endswith(("?", "？")):
        return None
    names_new, names_old = _names(text, new), _names(text, old)
    if names_new == names_old:
        return True if _STARTS_YES.match(text) and names_new else None
    return names_new


def picks(text: str, options: Sequence[str]) -> int | None:
    """Which of several options a message picks, by number or by words of only that one; None for none."""
    found = re.search(
        r"第?([一二三四五])[个条]|\b(first|second|third|fourth|fifth)\b|^\D{0,4}([1-5])\D{0,4}$", text.lower()
    )
    if found:
        word = found[1] or found[2]
        index = _ORDINAL[word] if word else int(found[3]) - 1
        return index if index < len(options) else None
    said = content_key(_POINTS.sub("", text.strip(" ，,。.!！")) if len(text) <= _LONGEST_ANSWER else text)
    fitting = [
        i for i, option in enumerate(options) if said and (said in content_key(option) or content_key(option) in said)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _names(text: str, words: Sequence[str]) -> bool:
    return any(_within(content_key(word), content_key(text)) for word in words if word.strip())


def _within(word: str, text: str) -> bool:
    return word in text if is_chinese(word) else re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
