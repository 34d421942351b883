"""The running summary written by a model, with langmem."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AnyMessage, BaseMessage
from langchain_core.prompts.chat import ChatPromptTemplate

from memory.short_term import as_talk, tokens_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_SUMMARY_TOKENS = 400


def summarise_by_model(
    chat: "BaseChatModel", summary: str, older: Sequence[AnyMessage], prompts: Mapping[str, str]
) -> str:
    """The summary with the older turns taken in.

    langmem's own record of what it summarised grows with the thread, so it is made anew from the text each time.

    Args:
        chat: the model.
        summary: the summary so far; empty for none.
        older: the turns that leave the window.
        prompts: the instructions `initial`, and `existing` with the field {existing_summary}.
    """
    # langmem's own dependency imports a deprecated name of langgraph.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from langmem.short_term import RunningSummary, summarize_messages
    older = as_talk(older)
    result = summarize_messages(
        older,
        running_summary=RunningSummary(summary, set(), None) if summary else None,
        model=chat,
        max_tokens=max(_counted(older), 1) * 2 + _SUMMARY_TOKENS * 2 + _counted([]),
        max_tokens_before_summary=max(_counted(older), 1),
        max_summary_tokens=_SUMMARY_TOKENS,
        token_counter=_counted,
        initial_summary_prompt=_prompt(prompts["initial"]),
        existing_summary_prompt=_prompt(prompts["existing"]),
    )
    return result.running_summary.summary.strip() if result.running_summary else ""


def _prompt(instruction: str) -> ChatPromptTemplate:
    return ChatPromptTemplate.from_messages([("placeholder", "{messages}"), ("user", instruction)])


def _counted(messages: Iterable[Any]) -> int:
    return tokens_of(each for each in messages if isinstance(each, BaseMessage))
