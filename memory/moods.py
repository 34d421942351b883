"""Extracting how the person is when it is more than a moment, how it got better, and what changed a life.

Each mood has a slot of its own ("mood:焦虑"), so that like words a month later find how it went last time.
"""

import re

from memory.drafts import Context, draft, standing_alone, with_episode
from memory.lexicon import MOODS_EN, MOODS_ZH
from memory.model import Category, Episode, Message, Proposal, Slot
from memory.moments import dates_in, expiry_of
from memory.perceive import Statement
from memory.rules import BARE, SELF
from memory.subjects import Subject

_PERIOD = re.compile(r"最近|近来|这几?[天周月]|这两天|这段时间|这阵子|近期|一直|总是|老是|快?[一二两三半几\d]+个?(?:多)?(?:月|周|星期|年|天)了|\b(?:lately|recently|these days|this week|this month|for (?:days|weeks|months)|all week|been feeling|have been|past few)\b", re.IGNORECASE)  # fmt: skip
_MOOD = {"zh": re.compile(MOODS_ZH), "en": re.compile(rf"\b(?:{MOODS_EN})\b", re.IGNORECASE)}
_FEELS = re.compile(r"\b(?:feel|feeling|felt|am|been|was|so|can't sleep)\b", re.IGNORECASE)
_JOY = re.compile(r"拿到(?:了)?\s*(?:offer|证书|录取|驾照|奖)|考上了|怀孕了|生了(?:个)?|升职了|录取了|被裁了?|失恋了?|分手了|离婚了|失业了|毕业了|订婚了|领证了|\b(?:got (?:promoted|engaged|married|laid off|fired|the (?:job|offer))|passed my|graduated)\b", re.IGNORECASE)  # fmt: skip
_EASED = re.compile(r"好(?:多|很多|一?些|一?点)了|好转|缓解|减轻|没(?:有)?(?:那么|再)|不(?:再|那么|怎么)|(?:走|熬|缓)(?:出|过)来了|过去了|\b(?:less|better|calmer|no longer|not (?:as|so)|eased|lifted|got(?:ten)? over|recovered)\b", re.IGNORECASE)  # fmt: skip
_SENTENCE_ENDS = re.compile(r"[。！？!?；;\n]+|\.(?=\s|$)")
_CATEGORY: Category = "conversation_history"


def mood(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    """How the person is, when it is more than a moment: "最近特别焦虑", "so stressed this week", "焦虑好多了"."""
    found = _MOOD[statement.language].search(statement.text)
    joy, eased = _JOY.search(statement.text), found and _EASED.search(statement.text)
    lasting = _lasting(statement)
    if subject.who not in {SELF, BARE} or not ((found and (lasting or eased)) or joy):
        return []
    name = found.group().lower() if found else None
    proposal = draft(
        statement,
        rule=f"{statement.language}.mood" if found else f"{statement.language}.milestone",
        kind="episodic",
        category=_CATEGORY,
        confidence=0.82,
        content=_sentence(statement, message) if eased else standing_alone(statement, subject),
        slot=Slot("user", f"mood:{name}") if name else None,
    )
    dates = dates_in(statement, message, context)
    phrase = dates[0].phrase if dates else (lasting.group() if lasting else None)
    when = dates[0].begins if dates else message.created_at
    episode = Episode(when=when, when_phrase=phrase, mood=_eased(name, statement.language) if eased and name else name)
    return [with_episode(proposal, episode, expiry_of(_CATEGORY, when), said_at=message.created_at)]


def _lasting(statement: Statement) -> re.Match[str] | None:
    if statement.language == "en" and not _FEELS.search(statement.text):
        return None
    return _PERIOD.search(statement.text)


def _eased(name: str, language: str) -> str:
    return f"{name}好转" if language == "zh" else f"less {name}"


def _sentence(statement: Statement, message: Message) -> str:
    """The whole sentence, for what helped stands beside what got better."""
    sentences = (each.strip() for each in _SENTENCE_ENDS.split(message.content))
    return next((each for each in sentences if statement.quote in each), statement.text)
