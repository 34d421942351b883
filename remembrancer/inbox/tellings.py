"""Events of the feed, facts of the log and names of actors as a page says them: no code where there is a word."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from oversight.feed import Event
from oversight.question import in_language
from remembrancer.inbox.words import Words

_BARE_TOTAL = re.compile(r"\b\d{4,}\.\d\d(?= [A-Z]{3}\Z)")
"""The total at the end of a headline, its thousands not grouped."""


@pass_context
def told(context: Context, event: Event) -> str:
    """The event in the words of the page's language."""
    words: Words = context["say"]
    if event.kind in _RULES and "rule" in event.facts:
        return _rule_told(words, event)
    names: Mapping[str, str] = context.get("batch_names", {})
    facts = {name: _fact(words, event.kind, name, value, names) for name, value in event.facts.items()}
    if seller := context.get("sellers", {}).get(event.subject):
        facts["label"] = facts["label"] if seller in facts.get("label", seller) else f"{seller} {facts['label']}"
    return replace(event, facts=facts).text(words.lang)


@pass_context
def actor(context: Context, name: str) -> str:
    """Whoever did it; the program under a word of its own."""
    words: Words = context["say"]
    return words.maybe(f"actor.{name}", name)


@pass_context
def fact(context: Context, value: Any, name: str) -> str:
    """A fact of a line of the log, in words as far as there are any."""
    words: Words = context["say"]
    if isinstance(value, Mapping):
        pairs = (f"{words.maybe(f'field.{key}', str(key))}: {one}" for key, one in value.items())
        return "; ".join(pairs) or "–"
    if name in _SAID:
        return _SAID[name](words, value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value)) or "–"
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return words("fact.yes" if value else "fact.no")
    return _moment(context, in_language(str(value), words.lang))


def rule_in_words(words: Words, kind: str, rule: str, party: str, content: Mapping[str, str]) -> str:
    """What a proposed rule would do."""
    values = ", ".join(f"{words.maybe(f'field.{name}', name)} = {value}" for name, value in content.items())
    return words(
        "rules.waive" if kind == "waive" else "rules.suggest", rule=words.rule(rule), party=party, values=values
    )


def _rule_told(words: Words, event: Event) -> str:
    facts = {"kind": "waive", "party": "–", "content": {}, "count": 0, "by": "", **event.facts}
    what = rule_in_words(words, facts["kind"], facts["rule"], facts["party"], facts["content"])
    decision = _decision(words, facts.get("decision", ""))
    return words(_RULES[event.kind], what=what, by=facts["by"], decision=decision, count=facts["count"])


_RULES: Mapping[str, str] = {"rule_proposed": "told.rule_proposed", "rule_settled": "told.rule_settled"}


def _fact(words: Words, kind: str, name: str, value: Any, batch_names: Mapping[str, str]) -> Any:
    if kind == "limit_changed" and name == "name":
        return words.maybe(f"limit.{value}", str(value))
    if name == "scope":
        return words("feed.everything") if value in {"", "*"} else batch_names.get(str(value), str(value))
    return _SAID[name](words, value) if name in _SAID else value


def _decision(words: Words, value: Any) -> str:
    return words.maybe(f"did.{value}", words.maybe(f"settled.{value}", str(value)))


def _kind(words: Words, value: Any) -> str:
    return words.maybe(f"booking.{value}", _decision(words, value))


def _rules(words: Words, value: Any) -> str:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else str(value).split(", ")
    return ", ".join(words.rule(str(rule)) for rule in several)


def _roles(words: Words, value: Any) -> str:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return ", ".join(words.maybe(f"role.{role}", str(role)) for role in several)


def _amount(_: Words, value: Any) -> str:
    try:
        return f"{Decimal(str(value)):,.2f}"
    except InvalidOperation:
        return str(value)


def _label(_: Words, value: Any) -> str:
    return _BARE_TOTAL.sub(lambda found: f"{Decimal(found[0]):,.2f}", str(value))


def _limit(words: Words, value: Any) -> str:
    return words.maybe(f"limit.{value}", str(value))


def _moment(context: Context, text: str) -> str:
    """A moment as the person's clock shows it, any other text as it is."""
    try:
        at = datetime.fromisoformat(text) if len(text) > _SHORTEST_MOMENT else None
    except ValueError:
        return text
    return f"{at.astimezone(context['zone']):%Y-%m-%d %H:%M}" if at and at.tzinfo else text


_SHORTEST_MOMENT = len("2026-01-01T00:00")
_SAID: Mapping[str, Callable[[Words, Any], str]] = {
    "decision": _decision,
    "kind": _kind,
    "rules": _rules,
    "bypassed": _rules,
    "rule": _rules,
    "roles": _roles,
    "amount": _amount,
    "label": _label,
    "limit": _limit,
}
"""Fact -> how it is said."""
