"""What an answer means: one parser for every screen that can send one.

Taken are `{"decisions": [one]}` (LangChain), one bare decision, the list that Agent Inbox sends, and what people type
into Studio's box: a word, `reject: reason`, or any of the above as JSON text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundation.errors import UsageError
from oversight.action import DecisionKind
from oversight.question import LEAST_REASON


class AnswerError(UsageError):
    """The answer can't be taken; says why and what would be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One decision as it was given, not yet weighed."""

    kind: DecisionKind
    reason: str = ""
    """Why (reject: required); for `respond`, the text to the submitter."""
    edits: Mapping[str, str] = field(default_factory=dict)
    decision_id: str | None = None
    """Set when the desk took the decision before it resumed the thread."""

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {"kind": self.kind, "reason": self.reason, "edits": dict(self.edits), "decision_id": self.decision_id}


_WORDS: Mapping[str, DecisionKind] = {
    "approve": "approve",
    "approved": "approve",
    "accept": "approve",
    "yes": "approve",
    "ok": "approve",
    "同意": "approve",
    "批准": "approve",
    "通过": "approve",
    "reject": "reject",
    "rejected": "reject",
    "ignore": "reject",
    "no": "reject",
    "拒绝": "reject",
    "驳回": "reject",
    "不同意": "reject",
    "edit": "edit",
    "修改": "edit",
    "respond": "respond",
    "response": "respond",
    "回复": "respond",
}
_TYPED = re.compile(r"\s*(?P<word>[^\s:：,，]+)\s*(?:[:：,，\s]\s*(?P<rest>.*))?", re.DOTALL)
_BETWEEN = re.compile(r"[\n;；]|[,，](?=\s*\w+\s*=)")
_HOW = 'answer with {"decisions": [{"type": "approve" | "reject" | "edit" | "respond", ...}]}'
_REASON_KEYS = ("message", "reason", "comment")
_IGNORED_WITHOUT_REASON = "ignored in the inbox"


def parse_answer(raw: object, question: Mapping[str, Any]) -> Answer:
    """The decision that `raw` states, checked against what this question allows.

    Raises:
        AnswerError: it states none, more than one, one that isn't allowed, a rejection without a reason, or an edit of
            something that may not be edited.
    """
    decision_id = raw.get("decision_id") if isinstance(raw, Mapping) else None
    stated = _single(raw)
    answer = _read(stated, question)
    config = question["review_configs"][0]
    if answer.kind not in config["allowed_decisions"]:
        raise AnswerError(f"{answer.kind} is not allowed here: choose one of {', '.join(config['allowed_decisions'])}")
    _check(answer, config["args_schema"]["properties"])
    return Answer(
        kind=answer.kind,
        reason=answer.reason,
        edits=answer.edits,
        decision_id=decision_id if isinstance(decision_id, str) else None,
    )


def name_claimed(raw: object, depth: int = 3) -> str:
    """The name that an answer gives for its sender, "" where it gives none. Nobody's word: never who decides."""
    if isinstance(raw, str) and raw.lstrip()[:1] in {"{", "["}:
        try:
            raw = json.loads(raw)
        except (json.JSONDecodeError, RecursionError):
            return ""
    if depth and isinstance(raw, Sequence) and not isinstance(raw, str | bytes):
        return next(filter(None, (name_claimed(one, depth - 1) for one in raw)), "")
    if not depth or not isinstance(raw, Mapping):
        return ""
    said = next((raw[key] for key in _NAME_KEYS if isinstance(raw.get(key), str) and raw[key].strip()), "")
    return said or name_claimed(raw.get("decisions"), depth - 1)


_NAME_KEYS = (
    "by",
    "decided_by",
    "user",
    "user_id",
    "person",
    "approver",
    "reviewer",
    "actor",
    "identity",
    "on_behalf_of",
)


def _single(raw: object) -> Mapping[str, Any]:
    """The one decision inside whatever envelope it came in."""
    if isinstance(raw, str):
        return _typed(raw)
    if isinstance(raw, Mapping) and "decisions" in raw:
        raw = raw["decisions"]
    if isinstance(raw, Sequence) and not isinstance(raw, str | bytes):
        if len(raw) != 1:
            raise AnswerError(f"one decision is needed, {len(raw)} were given: {_HOW}")
        raw = raw[0]
    if isinstance(raw, str):
        return _typed(raw)
    if not isinstance(raw, Mapping) or not raw:
        raise AnswerError(f"the answer states no decision: {_HOW}")
    return raw


def _typed(text: str) -> Mapping[str, Any]:
    """What a person typed into a plain box."""
    if text.lstrip()[:1] in {"{", "["}:
        try:
            return _single(json.loads(text))
        except (json.JSONDecodeError, RecursionError):
            raise AnswerError(f"the answer starts like JSON but isn't any: {_HOW}") from None
    match = _TYPED.fullmatch(text)
    if match is None:
        raise AnswerError(f"the answer is empty: {_HOW}")
    return {"type": match["word"], "message": (match["rest"] or "").strip()}


def _read(stated: Mapping[str, Any], question: Mapping[str, Any]) -> Answer:
    word = stated.get("type", stated.get("kind"))
    kind = _WORDS.get(word.strip().lower()) if isinstance(word, str) else None
    if kind is None:
        raise AnswerError(f"{word!r} is no decision: {_HOW}")
    args = stated.get("args")
    reason = next((stated[key] for key in _REASON_KEYS if stated.get(key)), args if isinstance(args, str) else "")
    if not isinstance(reason, str):
        raise AnswerError("the reason must be a text")
    if word == "ignore" and not reason:
        reason = _IGNORED_WITHOUT_REASON
    return Answer(kind=kind, reason=reason.strip(), edits=_edits(stated, question) if kind == "edit" else {})


def _edits(stated: Mapping[str, Any], question: Mapping[str, Any]) -> Mapping[str, str]:
    """The changed values: unchanged ones that a form sends along are left out."""
    request = question["action_requests"][0]
    given = stated.get("edited_action") or stated.get("args") or stated.get("edits") or _pairs(stated.get("message"))
    if isinstance(given, Mapping) and isinstance(given.get("args"), Mapping):
        if given.get("name", given.get("action")) not in (None, "", request["name"]):
            raise AnswerError(f"an edit changes the values of {request['name']}, not what is done")
        given = given["args"]
    if not isinstance(given, Mapping):
        raise AnswerError(
            'an edit needs the changed values: {"type": "edit", "edited_action": {"name": ..., "args": {...}}}'
        )
    plain = question["review_configs"][0]["args_schema"]["properties"]
    scalars = (str, int, float, bool, type(None))
    texts_only = {name for name, schema in plain.items() if schema.get("type") == "string"}
    if wrong := [str(name) for name in given if name in texts_only and not isinstance(given[name], scalars)]:
        raise AnswerError(f"the value of {', '.join(wrong)} must be a text")
    texts = {str(name): value_text(value) for name, value in given.items()}
    return {name: value for name, value in texts.items() if value != value_text(request["args"].get(name))}


def value_text(value: object) -> str:
    """An argument's value as a person types it: texts as they are, all else as JSON, "" for none."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pairs(typed: object) -> Mapping[str, str] | None:
    """The changed values of an edit that was typed: `name=value`, several with a comma or a line between them."""
    parts = _BETWEEN.split(typed) if isinstance(typed, str) else []
    pairs = [part.partition("=") for part in parts if part.strip()]
    return {name.strip(): value.strip() for name, _, value in pairs} if pairs and all(p[1] for p in pairs) else None


def _check(answer: Answer, editable: Mapping[str, Any]) -> None:
    if answer.kind == "reject" and len(answer.reason) < LEAST_REASON:
        raise AnswerError('a rejection needs a reason: {"type": "reject", "message": "..."}')
    if answer.kind == "respond" and not answer.reason:
        raise AnswerError('a response needs a text: {"type": "respond", "message": "..."}')
    if answer.kind == "edit" and not answer.edits:
        raise AnswerError("the edit changes nothing: approve, or change a value")
    if unknown := sorted(set(answer.edits) - set(editable)):
        raise AnswerError(f"{', '.join(unknown)} can't be edited; these can: {', '.join(editable)}")
