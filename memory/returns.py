"""Coming back to what was so before: "我又搬回成都了", "back at Shopify now", "I've gone back to being vegetarian".

The clause names only what one comes back to; which of the memories it answers is found among those that were replaced
(`applying`). Where it may be a visit only, the person is asked.
"""

import re
from dataclasses import replace

from memory.drafts import draft
from memory.model import Proposal
from memory.perceive import Statement

_SURE, _UNSURE = 0.9, 0.7
_ZH_WHEN = r"(?:现在|最近|上个?月|上周|今年|去年|刚刚?|已经|后来|终于|决定|还是|就|都|也|我|们|的)*"
_ZH_STAYS = r"(?:住|工作|上班|生活|读书|定居|发展)"
_AGAIN_ZH = re.compile(rf"^(?P<who>我们?)?{_ZH_WHEN}(?:又|再次|重新|再度)(?!不)(?:一次)?(?:开始|变成|变回|改回)?(?:了)?(?P<rest>[^，。]{{2,24}})$")  # fmt: skip
_BACK_ZH = re.compile(
    rf"^(?:我们?)?{_ZH_WHEN}(?P<again>又|重新|再次)?(?P<verb>搬|换|转|调|改|跳|用|变|吃|喝)?回(?:到|去|了|来|成|用)*(?:原来的|以前的|老)?(?P<x>[^，。了我你他她]{{1,16}}?)(?P<stay>{_ZH_STAYS})?(?:去|来)?了$"
)
_TAKEN_UP_ZH = re.compile(
    rf"^(?:我们?)?{_ZH_WHEN}(?:又|重新|再次)(?:开始)?(?:吃|喝|看|听|玩|用|抽|练|打|跑|写|学)(?:起|上)?(?P<x>[^，。了我你他她]{{1,12}}?)(?:来)?了$"
)
_EN_END = r"(?P<end>(?:,? (?:again|now|for good|these days|full[- ]time|at last|once more|permanently))*)"
_BACK_EN = re.compile(
    rf"^(?:(?:I|we)(?:'m| am|'ve| have|’m|’ve)?\s+)?(?:(?:now|just|recently|finally|already)\s+)*(?P<verb>moved|gone|went|switched|switch|changed|returned|came|come|am)?\s*(?:(?:right|straight) )?(?:back)?\s*(?:to|at|in|on|with|for|into)\s+(?:(?:being|using|drinking|eating|living in|working (?:at|for)|playing|having|doing)\s+)?(?:an?\s+|the\s+|my (?:old )?)?(?P<x>[\w][\w .&+'#-]{{0,40}}?){_EN_END}$",
    re.IGNORECASE,
)
_AGAIN_EN = re.compile(
    r"^(?:I|we)(?:'m| am|'ve| have|’m|’ve)?\s+(?:now |back to )?(?:\w+ing|use|drink|eat|drive|play|take) (?:an? |the |my (?:old )?)?(?P<x>[\w][\w .&+'#-]{0,40}?) again(?: now| these days)?$",
    re.IGNORECASE,
)
_SURE_VERBS = frozenset(("moved", "gone", "switched", "switch", "changed"))


def plain(statement: Statement) -> Statement | None:
    """The clause without the words that say it is so again, for the rules to read; None where it says nothing such."""
    if statement.language == "zh":
        found = _AGAIN_ZH.match(statement.text)
        return replace(statement, text=f"我{found['rest']}") if found else None
    shorter = re.sub(
        r"(?:,? (?:again|once more))(?P<end>(?: now| these days)?)$", r"\g<end>", statement.text, flags=re.I
    )
    shorter = re.sub(r"\b(?:gone|went|am|'m) back to being\b", "am", shorter, flags=re.I)
    shorter = re.sub(r"^I(?:'ve| have|’ve) am\b", "I am", shorter, flags=re.I)
    return replace(statement, text=shorter) if shorter != statement.text else None


def returned(statement: Statement) -> list[Proposal]:
    """What the clause comes back to, as a proposal without a slot: `applying` finds the one that it had."""
    read = _returned_zh(statement.text) if statement.language == "zh" else _returned_en(statement.text)
    if read is None:
        return []
    value, sure = read
    made = draft(
        statement,
        rule=f"{statement.language}.return",
        kind="semantic",
        category="user_profile",
        confidence=_SURE if sure else _UNSURE,
        value=value,
    )
    return [replace(made, verb="return")]


def _returned_zh(text: str) -> tuple[str, bool] | None:
    if taken_up := _TAKEN_UP_ZH.match(text):
        return taken_up["x"].strip(), True
    found = _BACK_ZH.match(text)
    if found is None:
        return None
    return found["x"].strip(), bool(found["verb"] or found["again"] or found["stay"])


def _returned_en(text: str) -> tuple[str, bool] | None:
    if again := _AGAIN_EN.match(text):
        return again["x"].strip(), True
    found = _BACK_EN.match(text)
    if found is None or not (re.search(r"\bback\b", text, re.I) or (found["verb"] or "").lower() == "returned"):
        return None
    return found["x"].strip(), (found["verb"] or "").lower() in _SURE_VERBS or bool(found["end"])
