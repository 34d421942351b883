"""Short-term memory, pure: the window of the last turns, the running summary of older ones, and the prompt they make.

A turn is a person's message with everything up to the next one, so a tool's answer never loses its call. The window
keeps ten turns within 80 % of 4,000 tokens and lets five more gather before they go to the summary together. Whole
conversations lie in SQL (`memory.transcript`); what is held here is bounded however long the thread lives.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

from memory.recall import count_tokens
from memory.tokenizer import is_chinese, tokens

_CUT = " […] "
NOT_RUN = "没有执行 / not carried out"
"""What stands behind a call whose turn ended before it ran."""
_SENTENCE = re.compile(r"(?:[^。！？!?\n；;.]|\.(?=\S))+[。！？!?；;.]?")
_WORD = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]|[^\s\u2e80-\u9fff\uf900-\ufaff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is held."""

    turns: int = 10
    """Turns that stay in the window as long as they fit."""
    batch: int = 5
    """Turns that gather beyond those before they are summarised together."""
    tokens: int = 4_000
    """Tokens of the whole window."""
    overflow: float = 0.8
    """Share of those tokens at which the oldest turns go to the summary."""
    message_tokens: int = 1_500
    """Tokens of one message in the window; the middle of a longer one is cut."""
    summary_characters: int = 200
    """Characters of a Chinese summary."""
    summary_words: int = 120
    """Words of any other."""


LIMITS = Limits()


def tokens_of(messages: Iterable[BaseMessage]) -> int:
    """Tokens of these messages, as `count_tokens` estimates them, with four each for its frame."""
    return sum(4 + count_tokens(message.text + _called(message)) for message in messages)


def _called(message: BaseMessage) -> str:
    """The calls that a message holds, as far as they cost tokens."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return "".join(f"{call['name']}{call['args']}" for call in calls)


def clipped(text: str, limit: int) -> str:
    """`text` with its middle cut out, so that it has at most `limit` tokens."""
    if count_tokens(text) <= limit:
        return text
    wide = sum(1 for character in text if ord(character) >= 0x2E80) / len(text)
    room = int((limit - count_tokens(_CUT)) / (wide + (1 - wide) / 4))
    while True:
        short = text[: room - room // 3] + _CUT + text[len(text) - room // 3 :]
        if count_tokens(short) <= limit:
            return short
        room -= max(room // 10, 1)


def turns(messages: Sequence[AnyMessage]) -> list[list[AnyMessage]]:
    """The messages by turns: each begins with what a person said."""
    found: list[list[AnyMessage]] = []
    for message in messages:
        if isinstance(message, HumanMessage) and not (found and isinstance(found[-1][-1], HumanMessage)):
            found.append([message])
        elif found:
            found[-1].append(message)
        else:
            found.append([message])
    return found


def split(messages: Sequence[AnyMessage], limits: Limits = LIMITS) -> tuple[list[AnyMessage], list[AnyMessage]]:
    """What goes to the summary, and the window that stays.

    A window over 80 % of its tokens gives up its oldest turns at once; one with too many turns gives up those beyond
    the last ten. The last turn always stays.
    """
    listed = turns(messages)
    count = len(listed)
    keep = count if count < limits.turns + limits.batch else limits.turns
    while keep > 1 and tokens_of(_flat(listed[count - keep :])) > limits.tokens * limits.overflow:
        keep -= 1
    return _flat(listed[: count - keep]), _flat(listed[count - keep :])


def summarise(summary: str, older: Sequence[BaseMessage], limits: Limits = LIMITS) -> str:
    """The summary with the older turns taken in, by choosing sentences: no model.

    What the person said counts double; sentences with rare words, numbers and names count more, newer ones win a tie.
    """
    sentences = _sentences(summary, older)
    if not sentences:
        return summary
    spread = Counter(token for text, _ in sentences for token in set(tokens(text)))
    ranked = sorted(range(len(sentences)), key=lambda index: (_weight(*sentences[index], spread), index), reverse=True)
    chinese = is_chinese(" ".join(text for text, _ in sentences))
    room, unit = (limits.summary_characters, len) if chinese else (limits.summary_words, _words)
    kept: list[int] = []
    for index in ranked:
        cost = unit(sentences[index][0]) + 1
        if cost <= room:
            kept.append(index)
            room -= cost
    return " ".join(sentences[index][0] for index in sorted(kept))


def fitted(summary: str, limits: Limits = LIMITS) -> str:
    """A summary that a model wrote, cut to the length that summaries have."""
    if is_chinese(summary):
        return summary[: limits.summary_characters]
    return " ".join(summary.split()[: limits.summary_words])


def assemble(system: str, facts: str, summary: str, window: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The prompt: the system's words, then facts > summary, always first; behind them the window.

    One system message holds all three: several are refused by some providers, and one can't slide away.
    """
    anchored = "\n\n".join(part for part in (system, facts, summary) if part)
    return [SystemMessage(anchored), *paired(window)]


def paired(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages with each tool call answered right behind it, in order, and no answer without its call.

    Providers refuse anything else. A call that nobody answered (its turn ended before) is said not to have run.
    """
    kept: list[AnyMessage] = []
    for at, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue
        kept.append(message)
        if isinstance(message, AIMessage) and message.tool_calls:
            answers = _answers_behind(messages[at + 1 :])
            kept += [answers.get(str(call["id"])) or _unanswered(call) for call in message.tool_calls]
    return kept


def as_talk(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages as words alone, for a summary: what tools were asked and answered is told, no call is left open."""
    told: list[AnyMessage] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            told.append(AIMessage(f"[{message.name}: {message.text}]", id=message.id))
        elif isinstance(message, AIMessage) and message.tool_calls:
            told.append(AIMessage(f"{message.text} [{_called(message)}]".strip(), id=message.id))
        else:
            told.append(message)
    return told


def _answers_behind(messages: Sequence[AnyMessage]) -> dict[str, ToolMessage]:
    """The tools' answers that follow, up to the next message of another kind."""
    found: dict[str, ToolMessage] = {}
    for message in messages:
        if not isinstance(message, ToolMessage):
            break
        found.setdefault(message.tool_call_id, message)
    return found


def _unanswered(call: ToolCall) -> ToolMessage:
    return ToolMessage(NOT_RUN, tool_call_id=str(call["id"]), name=call["name"], status="error")


def _flat(listed: Sequence[Sequence[AnyMessage]]) -> list[AnyMessage]:
    return [message for turn in listed for message in turn]


def _sentences(summary: str, older: Sequence[BaseMessage]) -> list[tuple[str, int]]:
    told = [(summary, 2), *((message.text, 2 if isinstance(message, HumanMessage) else 1) for message in older)]
    found = [(part.strip(), weight) for text, weight in told for part in _SENTENCE.findall(text[:20_000])]
    return list({part: (part, weight) for part, weight in found if tokens(part)}.values())


def _weight(text: str, speaker: int, spread: Counter[str]) -> float:
    own = set(tokens(text))
    rare = sum(1 / spread[token] for token in own) / len(own)
    named = 0.5 if re.search(r"\d|[A-Z《“\"]", text) else 0.0
    return speaker * (rare + named + min(len(own), 12) / 12)


def _words(text: str) -> int:
    return len(_WORD.findall(text))
