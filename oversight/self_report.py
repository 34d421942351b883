"""How sure a model is: what it says of itself in its calls and answers, and what the endpoint says of its tokens.

Every tool is offered with two more arguments, `confidence` and `doubts`; an answer is offered as a tool of its own.
Where the endpoint returns log-probabilities, their mean counts, too: the lower of the two stands.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CONFIDENCE, DOUBTS = "confidence", "doubts"
_LINE = re.compile(
    r"\n?[^\S\n]*(?:confidence|置信度|把握)[^\S\n]*[:：][^\S\n]*(?P<value>\d{1,3}(?:\.\d+)?[^\S\n]*[%％]?)[^\S\n]*\s*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure the model is, from 0 to 1, and what exactly it doubts; None where nobody said."""

    confidence: float | None = None
    doubts: tuple[str, ...] = ()

    def beside(self, other: float | None) -> float:
        """The lower of what the model and the tokens say; 1 where neither does."""
        return min((each for each in (self.confidence, other) if each is not None), default=1.0)


def with_report(tool: Mapping[str, Any], confidence: str, doubts: str) -> dict[str, Any]:
    """A tool in OpenAI's form with the two arguments added, described in these words; arguments of its own stay."""
    function = tool["function"]
    parameters = function.get("parameters") or {"type": "object", "properties": {}}
    asked = {
        CONFIDENCE: {"type": "number", "minimum": 0, "maximum": 1, "description": confidence},
        DOUBTS: {"type": "array", "items": {"type": "string"}, "description": doubts},
    }
    properties = {**asked, **parameters.get("properties", {})}
    required = [*parameters.get("required", []), *([CONFIDENCE] if CONFIDENCE not in parameters["properties"] else [])]
    told = {**parameters, "properties": properties, "required": required}
    return {**tool, "function": {**function, "parameters": told}}


def report_of(args: Mapping[str, Any], own: Mapping[str, Any]) -> tuple[dict[str, Any], Sureness]:
    """A call's arguments without the report, and the report; `own` are the arguments that the tool itself has."""
    told = {name: args[name] for name in (CONFIDENCE, DOUBTS) if name in args and name not in own}
    kept = {name: value for name, value in args.items() if name not in told}
    return kept, Sureness(_share(told.get(CONFIDENCE)), _doubts(told.get(DOUBTS)))


def report_in(text: str) -> tuple[str, Sureness]:
    """A text without its last line where that says how sure the model is, and what it says."""
    match = _LINE.search(text)
    return (text[: match.start()].rstrip(), Sureness(_share(match["value"]))) if match else (text, Sureness())


def by_tokens(metadata: Mapping[str, Any]) -> float | None:
    """The mean probability of a token, by the log-probabilities that the endpoint gave; None where it gave none."""
    content = (metadata.get("logprobs") or {}).get("content") or []
    logs = [float(token["logprob"]) for token in content if isinstance(token.get("logprob"), int | float)]
    return math.exp(sum(logs) / len(logs)) if logs else None


def _share(value: object) -> float | None:
    """A number from 0 to 1; percentages are read as such, and what is no such number says nothing."""
    try:
        number = float(str(value).replace("％", "%").rstrip("% "))
    except ValueError:
        return None
    number = number / 100 if number > 1 or "%" in str(value).replace("％", "%") else number
    return number if 0 <= number <= 1 else None


def _doubts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    return tuple(str(each) for each in value) if isinstance(value, list) else ()
