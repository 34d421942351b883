"""Agent Inbox, as far as it matters to us: what it shows of an interrupt's value, and what it sends when somebody acts.

Written from how its released page behaves; none of its code is here.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal["accept", "edit", "response", "ignore"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ActionRequest(_Strict):
    """What it heads the page with, and the fields of its form."""

    action: str
    args: dict[str, Any]


class Allowed(_Strict):
    """The buttons."""

    allow_accept: bool
    allow_edit: bool
    allow_respond: bool
    allow_ignore: bool


class HumanInterrupt(_Strict):
    """A question as the page shows it."""

    action_request: ActionRequest
    config: Allowed
    description: str


def shown(value: Mapping[str, Any]) -> HumanInterrupt:
    """What the page makes of an interrupt's value: of LangChain's form it takes the first action."""
    request, config = value["action_requests"][0], value["review_configs"][0]
    allowed = config["allowed_decisions"]
    return HumanInterrupt(
        action_request=ActionRequest(action=request["name"], args=request["args"]),
        config=Allowed(
            allow_accept="approve" in allowed,
            allow_edit="edit" in allowed,
            allow_respond="reject" in allowed,
            allow_ignore=False,
        ),
        description=request["description"],
    )


def sent(
    question: HumanInterrupt, kind: Kind, *, text: str = "", changes: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """What it resumes with. All values of an edited form are texts, the unchanged ones, too."""
    action = question.action_request
    if kind == "edit":
        form = {name: value if isinstance(value, str) else str(value) for name, value in action.args.items()}
        return [{"type": "edit", "args": {"action": action.action, "args": {**form, **(changes or {})}}}]
    return [{"type": kind, "args": {"accept": action.model_dump(), "response": text, "ignore": None}[kind]}]
