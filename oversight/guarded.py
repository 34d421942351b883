"""Tools with a word on what they risk. Knows LangChain's tools, and no graph: any agent can put it round its own.

`guarded(tool, risk="transfer", amount="amount")` marks a tool; a `Toolbox` reads a proposed call against what its tool
says, and `oversight.triggers.judge_action` says whether a person is needed before it runs.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.tools import tool as as_tool
from pydantic import BaseModel, ValidationError

from foundation.errors import UsageError
from foundation.ids import derived_id
from oversight.action import Action, Fired, Limits
from oversight.risks import RISKS

ANSWER = "answer"
"""The name under which an answer to the person is judged: no tool may have it."""
_GUARD = "guard"
_TOO_MUCH = Decimal(10) ** 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What a tool risks, and where its arguments say how much."""

    risk: str = "none"
    """An id of `oversight.risks.RISKS`."""
    amount: str = ""
    """The argument that holds the amount."""
    currency: str = ""
    """The argument that holds the amount's currency."""
    recipient: str = ""
    """The argument that says who gets it."""
    text: tuple[str, ...] = ()
    """The arguments whose texts the rules about texts read; () for all."""
    second_person: bool = False
    """Whoever the assistant works for may not decide: somebody else must."""


class ArgumentsError(UsageError):
    """The arguments don't fit the tool; says which and why."""


def guarded(
    tool: BaseTool | Callable[..., Any],
    *,
    risk: str,
    amount: str = "",
    currency: str = "",
    recipient: str = "",
    text: Sequence[str] = (),
    second_person: bool = False,
) -> BaseTool:
    """The tool (or a plain function as one) with the mark of what it risks; the tool itself stays as it is.

    Args:
        tool: what runs; a function becomes a tool by its name, annotations and docstring.
        risk: an id of `oversight.risks.RISKS`: none, change, message, transfer, deletion or signing.
        amount: name of the argument that holds the amount.
        currency: name of the argument that holds its currency.
        recipient: name of the argument that says who gets it.
        text: names of the arguments that the rules about texts read; all of them where none is named.
        second_person: whether somebody other than the person whom the assistant works for must decide.

    Raises:
        UsageError: there is no such risk, or the tool has no such argument.
    """
    made = tool if isinstance(tool, BaseTool) else as_tool(tool)
    if risk not in RISKS:
        raise UsageError(f"{risk!r} is no risk: choose one of {', '.join(RISKS)}")
    if unknown := sorted({amount, currency, recipient, *text} - {""} - set(made.args)):
        raise UsageError(f"{made.name} has no argument {', '.join(unknown)}: it has {', '.join(made.args)}")
    guard = Guard(
        risk=risk, amount=amount, currency=currency, recipient=recipient, text=tuple(text), second_person=second_person
    )
    return made.model_copy(update={"metadata": {**(made.metadata or {}), _GUARD: asdict(guard)}})


def guard_of(tool: BaseTool) -> Guard:
    """What the tool says of itself; one without a mark risks nothing by its kind."""
    marked: Mapping[str, Any] = (tool.metadata or {}).get(_GUARD) or {}
    return Guard(**{**marked, "text": tuple(marked.get("text", ()))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A call that a model proposes: which tool, with which arguments, how sure the model is."""

    name: str
    args: Mapping[str, Any]
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of an assistant by name, and the limits in force for what it does."""

    tools: Mapping[str, BaseTool]
    limits: Limits

    @classmethod
    def of(cls, tools: Sequence[BaseTool | Callable[..., Any]], limits: Limits | None = None) -> "Toolbox":
        """These tools under these limits; plain functions become tools that risk nothing by their kind.

        Raises:
            UsageError: two tools have one name, or one has a name that is taken.
        """
        made = [each if isinstance(each, BaseTool) else as_tool(each) for each in tools]
        names = [each.name for each in made]
        if twice := sorted({name for name in names if names.count(name) > 1 or name == ANSWER}):
            raise UsageError(f"tools need names of their own: {', '.join(twice)} is taken")
        return cls(dict(zip(names, made, strict=True)), limits or Limits())

    def checked(self, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments in plain form, as the tool's schema reads them.

        Raises:
            ArgumentsError: there is no such tool, or the arguments don't fit it.
        """
        if name == ANSWER:
            return {"text": str(args.get("text", ""))}
        if name not in self.tools:
            raise ArgumentsError(f"there is no tool {name}: there are {', '.join(self.tools) or 'none'}")
        return _checked(self.tools[name], args)

    def edited(self, name: str, args: Mapping[str, Any], edits: Mapping[str, str]) -> dict[str, Any]:
        """The arguments with what a person changed; what he typed is read as the schema wants it.

        Raises:
            ArgumentsError: the changed arguments don't fit the tool.
        """
        properties = self.schema(name)["properties"]
        typed = {key: _typed(value, properties.get(key, {})) for key, value in edits.items()}
        kept = {key: value for key, value in {**args, **typed}.items() if key not in typed or typed[key] is not None}
        return self.checked(name, kept)

    def schema(self, name: str) -> dict[str, Any]:
        """The JSON Schema of a tool's arguments; an unknown tool takes none."""
        if name == ANSWER:
            return {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        schema = _schema(self.tools[name]) if name in self.tools else {}
        return {"type": "object", "properties": {}, **schema, "additionalProperties": False}

    def action(
        self, proposal: Proposal, *, attempt: int = 1, breaches: tuple[Fired, ...] = (), irreversible: bool = False
    ) -> Action:
        """The proposal as the triggers judge it."""
        guard = self.guard(proposal.name)
        args = proposal.args
        return Action(
            name=proposal.name,
            args=dict(args),
            irreversible=irreversible or RISKS[guard.risk].irreversible,
            amount=_amount(args.get(guard.amount)) if guard.amount else None,
            currency=str(args.get(guard.currency) or "") if guard.currency else "",
            risk=guard.risk,
            recipient=str(args.get(guard.recipient) or "") if guard.recipient else "",
            text="\n".join(_texts({key: args.get(key) for key in guard.text} if guard.text else args)),
            confidence=proposal.confidence,
            doubts=proposal.doubts,
            attempt=attempt,
            breaches=breaches,
        )

    def guard(self, name: str) -> Guard:
        """What the tool of this name says of itself."""
        return guard_of(self.tools[name]) if name in self.tools else Guard()


def signature_of(name: str, args: Mapping[str, Any]) -> str:
    """The same for the same tool with the same arguments, however they were written."""
    return derived_id("sig", name, json.dumps(_canonical(args), ensure_ascii=False, sort_keys=True, default=str))


def _checked(tool: BaseTool, args: Mapping[str, Any]) -> dict[str, Any]:
    schema = _schema(tool)
    if unknown := sorted(set(args) - set(schema.get("properties", {}))):
        raise ArgumentsError(f"{tool.name} has no argument {', '.join(unknown)}")
    model: Any = tool.tool_call_schema
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        if missing := sorted(set(schema.get("required", ())) - set(args)):
            raise ArgumentsError(f"{tool.name} needs {', '.join(missing)}")
        return dict(args)
    try:
        return model.model_validate(dict(args)).model_dump(mode="json")
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ArgumentsError(f"{tool.name}: {said}") from None


def _schema(tool: BaseTool) -> dict[str, Any]:
    model: Any = tool.tool_call_schema
    return dict(model) if isinstance(model, Mapping) else dict(model.model_json_schema())


def _typed(text: str, schema: Mapping[str, Any]) -> Any:
    """What a person typed, as JSON where the argument is no text; None where he left it empty."""
    kinds = {schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))}
    if "string" in kinds:
        return text
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _amount(value: object) -> Decimal | None:
    """The size as a number; None for what is none."""
    try:
        amount = Decimal(str(value).replace(",", "").strip())
    except InvalidOperation:
        return None
    return abs(amount) if amount.is_finite() and abs(amount) < _TOO_MUCH else None


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts(each)


def _canonical(value: Any) -> Any:
    """Numbers by their value, texts without the space round them: what a model writes one way or another."""
    if isinstance(value, Mapping):
        return {str(key): _canonical(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(each) for each in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return format(Decimal(str(value)).normalize(), "f") if math.isfinite(value) else str(value)
    return " ".join(str(value).split())
