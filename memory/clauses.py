"""Reading one clause: which reader finds what in it, from "this one" and other people to the rules for facts.

The first reader that finds something is right; they stand in one table.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from memory import corrections, moments, moods, references, relating, ways
from memory import patterns_en as en
from memory import patterns_zh as zh
from memory.drafts import Context, draft, first, first_or_head, standing_alone
from memory.lexicon import ABSURD_EN, ABSURD_ZH
from memory.model import Message, Proposal
from memory.perceive import Statement
from memory.rules import BARE, FAMILY, OTHER, SELF, WE
from memory.standing import returning, standing
from memory.subjects import Subject, who

Reader = Callable[[Statement, Subject, Message, Context], list[Proposal]]
Proposer = Callable[[Message], list[Proposal]]
"""Reads a whole earlier message, for what "not me, my brother" refers to."""

_LONELY = re.compile(r"^(?:我|我们|I|we|my)$", re.IGNORECASE)


def read(
    statement: Statement, subject: Subject, message: Message, context: Context, *, said_before: str, plain: Proposer
) -> list[Proposal]:
    """What a clause says that is worth keeping.

    Args:
        statement: the clause.
        subject: whom it is about.
        message: in which it stands.
        context: earlier turns and the person's zone.
        said_before: the clauses before it in the same message.
        plain: reads an earlier message without its context.
    """
    if (ABSURD_ZH if statement.language == "zh" else ABSURD_EN).search(statement.text):
        return []
    found = (
        references.people(statement, context, said_before)
        or corrections.retraction(statement, context, plain)
        or references.liked(statement, context)
    )
    if found:
        return found
    if subject.who in {OTHER, BARE} and (found := relating.switched(statement)):
        return found
    if subject.who == BARE and (found := relating.of_somebody(statement, context, said_before)):
        return found
    if subject.who == OTHER and not ways.is_told_to_agent(statement):
        return relating.linked(statement, context, said_before)
    for reader in _READERS:
        if found := reader(statement, subject, message, context):
            return [_exception(proposal, statement) for proposal in found]
    return relating.linked(statement, context, said_before) if subject.who == BARE else []


def _exception(proposal: Proposal, statement: Statement) -> Proposal:
    """Marks what stands beside a general rule: a single title, or one topic."""
    title = bool(re.match(r"^《[^》]+》", statement.text)) or (
        bool(re.match(r"^(?:但|但是|不过|but\b)", statement.quote, re.IGNORECASE)) and not proposal.polarity
    )
    return replace(proposal, exception=True) if (title or proposal.topic) else proposal


def _standing(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    return standing(statement, subject, message, context, _rules)


def _came_back(statement: Statement, subject: Subject, message: Message, context: Context) -> list[Proposal]:
    """What is so again; where nothing like it was known, what happened stays an event."""
    if subject.who not in {SELF, BARE, WE} or not (found := returning(statement, message, context)):
        return []
    events = moments.event(statement, subject, message, context)
    return [*found, *(replace(each, content=found[0].content) for each in events)]


def _rules(statement: Statement, subject: Subject) -> list[Proposal]:
    rules = zh.RULES if statement.language == "zh" else (*en.RULES, *en.OWN)
    text = subject.predicate
    if statement.language == "zh" and (front := _fronted(statement)):
        subject, text = front
    return first_or_head(rules, statement, subject, text)


def _fronted(statement: Statement) -> tuple[Subject, str] | None:
    """Reads "《流浪地球》我不喜欢" and "咖啡我只喝美式" in plain order."""
    found = re.match(r"^(?P<topic>[^我，]{1,16})我(?!们)(?P<rest>.{1,30})$", statement.text)
    if not found or re.match(r"^(?:请|让|给|帮|叫|对|跟|和|他|她|你|这|那)", found["topic"]):
        return None
    rest = who(f"我{found['rest']}", "zh").predicate
    if re.fullmatch(
        r"(?:不(?:太|怎么)?(?:喜欢|爱吃|爱喝|吃|喝|爱看|看|听|碰|沾|要|用|能吃|能喝|能碰)|喜欢|爱吃|爱喝|爱看|讨厌|受不了|怕)(?:的|了)?",
        rest,
    ):
        rest = re.sub(r"[的了]$", "", rest) + found["topic"].strip()
    return Subject(SELF, "user", rest), rest


def _facts(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    if subject.who not in {BARE, WE, SELF}:
        return []
    rules = zh.FACTS if statement.language == "zh" else en.FACTS
    group = WE if subject.who == WE else SELF
    if subject.who == SELF and not statement.text.lower().startswith(("my ", "our ")):
        return []
    words = subject.predicate if subject.who == WE and statement.language == "en" else statement.text
    return first(rules, statement, Subject(group, "user", words), words) or first(
        rules, statement, Subject(SELF, "user", statement.text), statement.text
    )


def _commanded(statement: Statement, subject: Subject, _message: Message, _context: Context) -> list[Proposal]:
    """Under "记住" or "please remember", what no rule reads is kept in its own words."""
    if not statement.explicit or len(statement.text) < 4 or _LONELY.match(statement.text) or statement.light:
        return []
    named = re.search(r"\d|(?<=\s)[A-Z]\w|\bis called\b|\bour\b", statement.text)
    if statement.language == "en" and subject.who in {BARE, OTHER} and not named:
        return []
    mine = subject.who in {SELF, FAMILY} or re.match(r"我|\bmy\b|\bI\b", statement.text, re.IGNORECASE)
    return [
        draft(
            statement,
            rule=f"{statement.language}.remember",
            kind="semantic",
            category="user_profile" if mine else "domain_knowledge",
            confidence=0.85,
            content=standing_alone(statement, subject) if subject.who != BARE else statement.text,
        )
    ]


_READERS: tuple[Reader, ...] = (
    ways.ways,
    moods.mood,
    moments.schedule,
    _standing,
    _facts,
    _came_back,
    moments.event,
    ways.manner,
    ways.habits,
    _commanded,
)
