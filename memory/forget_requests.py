"""Requests to forget: what is to go, in the words that name it, or everything."""

import re

from memory import changes
from memory.model import Proposal, Slot
from memory.perceive import Statement

_EVERYTHING = re.compile(
    r"(?:所有|全部|一切|全都|清空).{0,12}(?:我|记忆)|(?:忘记|忘掉|忘了|删除|清除)(?:关于)?我(?:这个人)?(?:的(?:一切|所有|全部).{0,6})?(?:吧|$)"
    r"|\b(?:everything|all)\b.{0,24}\b(?:me|I told you|I said|memor)|\bforget (?:about )?me$|\ball (?:my |your )?memor",
    re.IGNORECASE,
)
_FORGET_WORDS = re.compile(
    r"请|麻烦|你|帮我?|把|忘掉|忘了|忘记|忘|删除|删掉|删了|移除|清除|清空|抹掉|吧$|我(?:跟你|和你)?(?:说|讲|提|告诉)(?:过|了)?(?:你)?的?|(?:记|存|保存)(?:的|了|住的|下的)|关于|那条|这条|记忆|(?:之前|刚才|刚刚|以前|昨天|上次)(?:跟你?)?(?:说)?(?:过)?的?|那[个些](?:事)?|别记着?了?|(?:不用|不要|不必|别)再?记(?:得|着|住)?|这件?事|的事|了$|的$|从"
    r"|\b(?:please|can you|could you|you (?:don't|do not) (?:need to|have to)|remember|forget|delete|erase|remove|wipe|clear|what I (?:said|told you)|about|from (?:your )?memory|I (?:told|gave|mentioned|said|shared)(?: to)?(?: you)?|earlier|you (?:know|stored|saved|have)|anymore|that|the|my|what|for me|thing)\b",
    re.IGNORECASE,
)


def forget_request(statement: Statement, sentence: str) -> Proposal:
    """The request that a clause makes; where it names nothing itself, its sentence does."""
    everything = bool(_EVERYTHING.search(statement.quote))
    what = _what_to_forget(statement.quote) or _what_to_forget(sentence) or statement.quote
    thing, likes = (None if everything else changes.taste_in(sentence)) or (None, True)
    return Proposal(
        verb="forget",
        content=statement.quote if everything else what,
        quote=statement.quote,
        kind="semantic",
        category="conversation_history",
        importance="normal",
        confidence=0.9,
        rule="forget.everything" if everything else f"{statement.language}.forget",
        slot=Slot("user", f"likes:{thing.lower()}") if thing else None,
        value=thing,
        polarity=likes,
        explicit=True,
    )


def _what_to_forget(text: str) -> str:
    for _ in range(2):
        text = re.sub(r"\s+", " ", _FORGET_WORDS.sub("", text)).strip(" ，,。.!！?？")
    return text
