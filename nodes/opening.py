"""Open questions of a conversation: which outcome asks one, and what an answer to it means."""

from collections.abc import Sequence
from typing import Any

from memory.answers import chooses, confirms, leads, picks, put_right, yes_or_no
from memory.model import Outcome, Remembered
from memory.plain import plain_proposals
from memory.scope import Scope
from memory.service import Memory

Question = dict[str, Any]
Answer = bool | int | dict[str, str]
"""Yes or no, which one, or what is right instead: `{"corrected": text}`."""


def question_of(outcomes: Sequence[Outcome], memory: Memory, scope: Scope) -> Question | None:
    """The first question that the outcomes of a turn leave to the person."""
    for outcome in outcomes:
        if outcome.status == "proposed" and outcome.question:
            return _question(outcome, memory, scope)
    return None


def _question(outcome: Outcome, memory: Memory, scope: Scope) -> Question:
    asked: Question = {"question": outcome.question, "message_id": outcome.message_id}
    if outcome.reason == "everything":
        return {**asked, "kind": "forget_me", "token": memory.forget_me_token(scope)}
    if outcome.wanted is not None:
        options = [memory.show(scope, each) for each in outcome.options]
        wanted = plain_proposals([outcome.wanted])
        return {**asked, "kind": "choose", "ids": list(outcome.options), "wanted": wanted, **_words(options)}
    if outcome.memory_id is None:
        options = memory.meant(scope, outcome.content or "")
        return {**asked, "kind": "choose", "ids": [each.memory_id for each in options], **_words(options)}
    proposed = memory.show(scope, outcome.memory_id)
    old = memory.show(scope, proposed.replaces) if proposed.replaces else None
    return {**asked, "kind": "change", "ids": [proposed.memory_id], "new": _said(proposed), "old": _said(old)}


def still_true(stale: Remembered, question: str) -> Question:
    """Asks whether something said long ago still holds."""
    return {"kind": "still", "ids": [stale.memory_id], "question": question, "message_id": ""}


def is_habit(proposed: Remembered, question: str) -> Question:
    """Asks whether a pattern that reflection found is one."""
    return {
        "kind": "habit",
        "ids": [proposed.memory_id],
        "question": question,
        "message_id": "",
        "content": proposed.content,
    }


def answer_to(question: Question | None, text: str) -> Answer | None:
    """What `text` answers: yes or no, or which one; None when it is no answer. Only a firm yes forgets everything."""
    if question is None:
        return None
    if question["kind"] == "forget_me":
        return confirms(text)
    if question["kind"] == "choose":
        picked = picks(text, question["options"])
        if picked is None and len(question["options"]) == 1 and yes_or_no(text):
            return 0
        return False if picked is None and yes_or_no(text) is False else picked
    if question["kind"] == "still":
        return leads(text)
    if question["kind"] == "habit":
        corrected = put_right(question["content"], text)
        return {"corrected": corrected} if corrected else leads(text)
    return chooses(text, question["new"], question["old"])


def answer_of(question: Question, raw: Any) -> Answer | None:
    """What the raw answer of a gate means: a decision, a list of them, or words."""
    if isinstance(raw, bool | int):
        return None if raw is True and question["kind"] == "choose" else raw
    if isinstance(raw, str):
        return answer_to(question, raw)
    if isinstance(raw, list) and raw:
        return answer_of(question, raw[0])
    if not isinstance(raw, dict):
        return None
    if isinstance(raw.get("corrected"), str):
        return {"corrected": raw["corrected"]}
    if "decisions" in raw:
        return answer_of(question, raw["decisions"])
    kind = {"accept": "approve", "ignore": "reject", "response": "respond"}.get(str(raw.get("type")), raw.get("type"))
    if kind in ("approve", "reject"):
        return answer_of(question, kind == "approve")
    return answer_to(question, str(raw.get("message") or raw.get("args") or "")) if kind == "respond" else None


def request_of(question: Question) -> dict[str, Any]:
    """The question as a request to a person, in the shape that inboxes know."""
    name = f"memory.{question['kind']}"
    action = {"name": name, "args": {"memory_ids": question.get("ids", [])}, "description": question["question"]}
    return {
        "action_requests": [action],
        "review_configs": [{"action_name": name, "allowed_decisions": ["approve", "reject", "respond"]}],
    }


def _said(memory: Remembered | None) -> list[str]:
    return [each for each in (memory.content, memory.value) if each] if memory else []


def _words(options: Sequence[Remembered]) -> dict[str, list[str]]:
    return {"options": [each.content for each in options]}
