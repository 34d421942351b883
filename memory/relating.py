"""Facts about named people and things that aren't the speaker's own: "Lin works on Apollo, the project uses React"."""

import re
from dataclasses import replace

from memory.drafts import Context, draft
from memory.lexicon import PROGRAMMING_ONLY
from memory.model import Proposal, Slot
from memory.perceive import Statement
from memory.triples import SWITCHED, Triple, is_person, key_of, triple_of

_BACK = re.compile(
    r"^(?P<ref>(?:这个|那个|该)?(?P<zh>项目|系统|平台|服务|产品|模块|公司|团队|应用)|它|(?:the|that|this) (?P<en>project|system|platform|service|product|company|team|app)|it)(?=[\s\u4e00-\u9fff])",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;，；]\s*(?:and )?|\band (?=it |the )")
_NAMED_BEFORE = re.compile(r"[，。；,.;!！\n]")


def linked(statement: Statement, context: Context, said_before: str) -> list[Proposal]:
    """Relations between named things, with "the project" and "it" read as what was named before."""
    found: list[Proposal] = []
    for part in _PARTS.split(statement.text):
        found += _one(statement, _with_name(part.strip(), context, said_before))
        said_before = f"{said_before}，{part}"
    return found


def of_somebody(statement: Statement, context: Context, said_before: str) -> list[Proposal]:
    """A relation of a person who is named first: "王芳在华南公司做销售" is nothing about the one who speaks."""
    triple = triple_of(statement.text)
    return linked(statement, context, said_before) if triple and is_person(triple.head) else []


def switched(statement: Statement) -> list[Proposal]:
    """What a named thing uses from now on, in the place of what it used: "Apollo switched to Svelte"."""
    triple = triple_of(statement.text)
    if triple is None or triple.relation != SWITCHED or PROGRAMMING_ONLY.fullmatch(triple.tail):
        return []
    return [replace(each, verb="supersede", explicit=True) for each in _one(statement, statement.text)]


def _one(statement: Statement, text: str) -> list[Proposal]:
    triple = triple_of(text)
    if triple is None or PROGRAMMING_ONLY.fullmatch(triple.head):
        return []
    return [
        draft(
            statement,
            rule=f"{statement.language}.relation.{triple.relation.replace(' ', '_')}",
            kind="semantic",
            category="domain_knowledge",
            confidence=0.82,
            content=text,
            slot=Slot(
                triple.head, f"{'uses' if triple.relation == SWITCHED else triple.relation}:{key_of(triple.tail)}"
            ),
            value=triple.tail,
        )
    ]


def _with_name(text: str, context: Context, said_before: str) -> str:
    found = _BACK.match(text)
    if found is None:
        return text
    noun = found["zh"] or found["en"] or ""
    name = _last_named(noun, context, said_before)
    joint = " " if name and name.isascii() and not text[found.end() :].startswith(" ") else ""
    return f"{name}{joint}{text[found.end() :]}" if name else text


def _last_named(noun: str, context: Context, said_before: str) -> str | None:
    """The thing that was named last and may be meant: the tail of a relation before its head."""
    texts = [said_before, *(each.content for each in reversed(context.previous) if each.role == "user")]
    for text in texts:
        for piece in reversed(_NAMED_BEFORE.split(text[:2_000])):
            triple = triple_of(piece.strip())
            if triple is not None:
                return _fitting(triple, noun)
    return None


def _fitting(triple: Triple, noun: str) -> str | None:
    for name in (triple.tail, triple.head):
        if not noun or noun.lower() in name.lower() or triple.relation == "works on":
            return name
    return None
