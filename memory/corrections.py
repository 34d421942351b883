"""Corrections and retractions: "更正, 我叫林毅", "过敏的是我哥, 不是我", "scratch that, it's on Wednesday"."""

import re
from collections.abc import Callable
from dataclasses import replace

from memory.dates import find_dates
from memory.drafts import Context, draft
from memory.lexicon import FAMILY_EN, FAMILY_ZH, relation_en, relation_zh
from memory.model import Message, Proposal, Slot
from memory.perceive import Statement
from memory.references import last_said

Proposer = Callable[[Message], list[Proposal]]

_MARKER = re.compile(
    r"更正|纠正|说错(?!话)|打错(?!电话|人)|记错|写错|口误|搞错|弄错|说反|(?:^|[，,。\s])不对(?=[，,。：:])|应该是|其实是|之前说.{0,12}(?:其实|不对|错)|改(?:成|到|为|喝|吃|用|叫|口)|换成|不再|以后都用|不是.{1,12}(?:了|$)|现在(?:改|住|在|叫|换|是)|搬家|早就不|已经不|才对"
    r"|\b(?:correction|misspoke|scratch that|got that wrong|I meant|to correct|wrong (?:about|earlier)|actually|no longer|any ?more|not anymore|used to|switched to|moved to|changed|my mistake)\b|\bnow, not\b|, not \w+$|\bno more\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"更正|纠正|说错(?!话)|打错(?!电话|人)|记错|写错|口误|搞错|弄错|之前说|应该是|改成|改到|才对|\b(?:correction|misspoke|scratch that|got that wrong|I meant)\b|\bactually it'?s\b[^.]{3,40}\bnot\b",
    re.IGNORECASE,
)
_SHORTEST = 4
_REST = re.compile(r"^(?:不是|而不是|not )")
_ZH_CLEFT = re.compile(
    rf"^(?P<what>[^，。]{{1,12}}?)的(?:其实|应该)?是我(?:的)?(?P<rel>{'|'.join(FAMILY_ZH)})(?:，?不是我)?$"
)
_EN_CLEFT = re.compile(
    rf"\bit(?:'s| is| was) (?:actually )?my (?P<rel>{'|'.join(FAMILY_EN)}) (?:who|that)(?:'s| is| has| likes| hates| lives| works)?(?P<what>[\w ]{{0,30}})",
    re.IGNORECASE,
)
_SLOT_WORDS = {
    "过敏|allerg": "allergy:",
    "吃素|素|vegan|vegetarian": "diet",
    "病|症|diabet|asthma": "health:",
    "喜欢|爱|like|love": "likes:",
    "住|live": "city",
}


def corrects(text: str) -> bool:
    """Whether a message says that something said before is wrong or over."""
    return bool(_MARKER.search(text))


def is_rest(statement: Statement) -> bool:
    """Whether a clause only names what is not so any more ("不是四岁")."""
    return bool(_REST.match(statement.text))


def retraction(statement: Statement, context: Context, propose: Proposer) -> list[Proposal]:
    """Reads "it is my brother, not me": the user's fact is taken back, the brother's is added."""
    found = _ZH_CLEFT.match(statement.text) or _EN_CLEFT.search(statement.text)
    if not found:
        return []
    relation = relation_zh(found["rel"]) or relation_en(found["rel"])
    attribute = next((a for words, a in _SLOT_WORDS.items() if re.search(words, found["what"], re.IGNORECASE)), None)
    if attribute is None:
        return []
    earlier = _earlier(context, attribute, propose)
    value = earlier.value if earlier else None
    name = f"{attribute}{(value or '').lower()}" if attribute.endswith(":") else attribute
    return [
        _fact(statement, Slot("user", name), value, polarity=False, content=_not_me(statement, found["what"])),
        _fact(statement, Slot(f"user's {relation}", name), value, polarity=True, content=_whose(statement, value)),
    ]


def _not_me(statement: Statement, what: str) -> str:
    return f"{what.strip()}的不是我" if statement.language == "zh" else f"I am not the one who is {what.strip()}"


def _whose(statement: Statement, value: str | None) -> str:
    """The clause with what it is about, which only the turn before names."""
    if not value or value in statement.text:
        return statement.text
    return f"{statement.text}（{value}）" if statement.language == "zh" else f"{statement.text} ({value})"


def _earlier(context: Context, attribute: str, propose: Proposer) -> Proposal | None:
    for message in reversed(context.previous):
        for proposal in propose(message) if message.role == "user" else []:
            if proposal.slot and proposal.slot.subject == "user" and proposal.slot.attribute.startswith(attribute):
                return proposal
    return None


def _fact(statement: Statement, slot: Slot, value: str | None, *, polarity: bool, content: str) -> Proposal:
    made = draft(
        statement,
        rule=f"{statement.language}.correction.{'whose' if polarity else 'not_me'}",
        kind="semantic",
        category="user_profile",
        confidence=0.93,
        content=content,
        slot=slot,
        value=value,
        polarity=polarity,
        supersedes=not polarity,
    )
    return replace(made, explicit=True)


def elliptic(statement: Statement, message: Message, context: Context, propose: Proposer) -> list[Proposal]:
    """A correction that leaves out what it corrects: the user's last statement with the new date put in."""
    before = last_said(context)
    if before is None or not _STRONG.search(message.content) or len(_STRONG.sub("", statement.text)) < _SHORTEST:
        return []
    said = next(iter(propose(before)), None)
    new = find_dates(statement.text, message.created_at, context.zone)
    if said is None:
        return []
    content = _with_new_date(said.content, new[0].phrase, before, context) if new else statement.text
    made = replace(
        said,
        verb="supersede",
        content=content,
        quote=statement.quote,
        explicit=True,
        rule=f"{statement.language}.correction.elliptic",
    )
    if new and made.episode:
        made = replace(
            made, valid_from=new[0].begins, episode=replace(made.episode, when=new[0].begins, when_phrase=new[0].phrase)
        )
    return [made]


def _with_new_date(content: str, phrase: str, before: Message, context: Context) -> str:
    old = find_dates(content, before.created_at, context.zone)
    if not old:
        return f"{content}（{phrase}）"
    return content[: old[0].start] + phrase + content[old[0].end :]


def remainder(statement: Statement, sentence: str) -> list[Proposal]:
    """A correction that no other rule reads, kept as the whole sentence."""
    if not _STRONG.search(sentence) or len(statement.text) < 3:
        return []
    if statement.language == "en" and not re.search(r"\d|(?<=\s)(?!I\b)[A-Z]", statement.text):
        return []
    made = draft(
        statement,
        rule=f"{statement.language}.correction",
        kind="semantic",
        category="user_profile" if re.search(r"我|\b(?:I|my)\b", sentence) else "domain_knowledge",
        confidence=0.7,
        content=sentence,
        supersedes=True,
    )
    return [replace(made, explicit=True)]


def as_correction(proposal: Proposal) -> Proposal:
    """The proposal as one that replaces what was said before; one for a single topic stands beside it."""
    narrower = proposal.topic is not None
    return replace(proposal, verb="supersede", explicit=True) if proposal.verb == "add" and not narrower else proposal
