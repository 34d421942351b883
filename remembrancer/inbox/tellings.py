"""Events of the feed and names of actors as a page says them: no code where there is a word."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from oversight.feed import Event
from remembrancer.inbox.words import Words


def _decision(words: Words, value: Any) -> str:
    return words.maybe(f"did.{value}", words.maybe(f"settled.{value}", str(value)))


def _rules(words: Words, value: Any) -> str:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else str(value).split(", ")
    return ", ".join(words.rule(str(rule)) for rule in several)


def _amount(_: Words, value: Any) -> str:
    try:
        return f"{Decimal(str(value)):,.2f}"
    except InvalidOperation:
        return str(value)


def _scope(words: Words, value: Any) -> str:
    return str(value) or words("feed.everything")


_SAID: Mapping[str, Callable[[Words, Any], str]] = {
    "decision": _decision,
    "rules": _rules,
    "amount": _amount,
    "scope": _scope,
}


@pass_context
def told(context: Context, event: Event) -> str:
    """The event in the words of the page's language."""
    words: Words = context["say"]
    facts = {name: _SAID[name](words, value) if name in _SAID else value for name, value in event.facts.items()}
    return replace(event, facts=facts).text(words.lang)


@pass_context
def actor(context: Context, name: str) -> str:
    """Whoever did it; the program under a word of its own."""
    words: Words = context["say"]
    return words.maybe(f"actor.{name}", name)
