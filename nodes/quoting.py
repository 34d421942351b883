"""The words that a memory rests on, with their days: what a person needs to see before he answers."""

from collections.abc import Sequence
from typing import Any

from memory.block import plain
from memory.model import Remembered, Source, Speaker
from nodes.replies import say
from nodes.services import Services
from nodes.talk import Lang, Talk

_MOST = 5
"""Sources that a question shows; the others are counted."""
_WHO: dict[Speaker, dict[Lang, str]] = {
    "user": {"zh": "你说", "en": "you said"},
    "assistant": {"zh": "助手说", "en": "the assistant said"},
    "tool": {"zh": "工具给出", "en": "a tool gave"},
    "document": {"zh": "文件写着", "en": "a document says"},
    "reviewer": {"zh": "审核人说", "en": "a reviewer said"},
    "system": {"zh": "系统记录", "en": "the system noted"},
}


def quotes(sources: Sequence[Source], talk: Talk, services: Services) -> list[str]:
    """Each source in a line, oldest first; of many the last, and how many there are besides."""
    listed = sorted(sources, key=lambda each: each.said_at)
    shown = [_line(each, talk, services) for each in listed[-_MOST:]]
    more = [say("quotes.more", talk.lang, count=len(listed) - _MOST)] if len(listed) > _MOST else []
    return [*shown, *more]


def side_by_side(question: dict[str, Any], talk: Talk, services: Services) -> dict[str, Any]:
    """A question about two statements with the newest words for each before it."""
    if question["kind"] != "change" or not question["old"]:
        return question
    memory = services.memory()
    proposed = memory.show(talk.scope, question["ids"][0])
    pair: list[Remembered] = [memory.show(talk.scope, str(proposed.replaces)), proposed]
    newest = [max(each.sources, key=lambda source: source.said_at) for each in pair if each.sources]
    lines = [_line(source, talk, services) for source in newest]
    return {**question, "question": "\n".join([say("two", talk.lang), *lines, question["question"]])}


def _line(source: Source, talk: Talk, services: Services) -> str:
    day = f"{source.said_at.astimezone(services.zone):%Y-%m-%d}"
    return say("quote", talk.lang, date=day, who=_WHO[source.speaker][talk.lang], quote=plain(source.quote))
