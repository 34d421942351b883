"""What a person is asked: LangChain's `HITLRequest` with one action, and keys of our own that other screens ignore."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from oversight.action import Action, Verdict

LEAST_REASON = 2


def digest_of(action: Action, evidence: Mapping[str, Any]) -> str:
    """A hash of what is being approved: a changed argument or piece of evidence makes another one."""
    text = json.dumps([action.name, action.args, evidence], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def question_about(
    action: Action,
    verdict: Verdict,
    *,
    review_id: str,
    description: str,
    editable: Sequence[str],
    evidence: Mapping[str, Any],
    bound: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The interrupt's value: plain data, amounts as text. `evidence` is what a reviewer needs beside the arguments.

    `bound` is what an approval is bound to beside the arguments (all of the evidence where nothing is given).
    """
    return {
        "action_requests": [{"name": action.name, "args": dict(action.args), "description": description}],
        "review_configs": [
            {
                "action_name": action.name,
                "allowed_decisions": list(verdict.allowed),
                "args_schema": _args_schema(editable),
            }
        ],
        "review_id": review_id,
        "triggers": [fired.to_json() for fired in verdict.fired],
        "confidence": f"{action.confidence:.2f}",
        "evidence": dict(evidence),
        "digest": digest_of(action, evidence if bound is None else bound),
        "precedents": [],
        "refused": "",
    }


def refused(question: Mapping[str, Any], why: str) -> dict[str, Any]:
    """The same question once more, saying why the last answer could not be taken."""
    return _again(question, why, "上一次的答复未被采纳 / The last answer was not taken")


def noted(question: Mapping[str, Any], why: str) -> dict[str, Any]:
    """The same question once more, saying what has happened so far: nothing was wrong with the last answer."""
    return _again(question, why, _SO_FAR)


def is_noted(question: Mapping[str, Any]) -> bool:
    """Whether what `refused` says is what has happened so far, not what was wrong with the last answer."""
    return f"{_AGAIN_MARK}**{_SO_FAR}:**" in question["action_requests"][0]["description"]


def _again(question: Mapping[str, Any], why: str, heading: str) -> dict[str, Any]:
    request = question["action_requests"][0]
    original = request["description"].split(_AGAIN_MARK)[0]
    shown = "\n\n".join(plain_text(line) for line in why.splitlines())
    description = f"{original}{_AGAIN_MARK}**{heading}:** {shown}"
    return {**question, "action_requests": [{**request, "description": description}], "refused": why}


_SO_FAR = "进展 / So far"
_AGAIN_MARK = "\n\n---\n"


def plain_text(value: str) -> str:
    """Text from a document or a person inside Markdown: one line, and no mark-up of its own."""
    plain = " ".join(value.split())
    return "".join(f"\\{character}" if character in "\\`*_[]<>#|" else character for character in plain)


def both_languages(*reasons: tuple[str, str]) -> str:
    """Reasons, each in zh and en, as one text: a Chinese line and an English one."""
    if not reasons:
        return ""
    return "；".join(zh for zh, _ in reasons) + "\n" + "; ".join(en for _, en in reasons)


def in_language(text: str, lang: str) -> str:
    """The line of `text` that is in this language; all of it where it is in one language only."""
    zh, line_break, en = text.partition("\n")
    return (zh if lang == "zh" else en) if line_break else text


def _args_schema(editable: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in editable},
        "additionalProperties": False,
    }
