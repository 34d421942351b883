"""Actions of the assistant as matters of review: what is asked, what an edit must keep to, what a decision does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from langchain_core.runnables import RunnableConfig
from sqlalchemy import Connection

from foundation.ids import derived_id
from foundation.journal import Transaction
from nodes.calls import Call
from nodes.matter import Matter, Objection
from nodes.services import Services
from nodes.talk import talk_of
from oversight.action import Action, Fired, Verdict
from oversight.actions import ActionRecord, ActionStatus, advance, find_action
from oversight.guarded import ANSWER, ArgumentsError, Proposal
from oversight.question import both_languages, digest_of, plain_text, question_about
from oversight.reviews import Decision, Review, decisions_on, mark_applied
from oversight.threads import bind_thread
from oversight.triggers import judge_action

_WAITS = (ActionStatus.PROPOSED, ActionStatus.APPROVED, ActionStatus.STARTED, ActionStatus.UNKNOWN)
_HEADINGS = {ANSWER: "回答 / Answer"}
_HEADING = "操作申请 / Action"
_SHOWN = 2_000


def review_id_of(action_key: str, nth: int) -> str:
    """The id of the review that puts an action before a person for the n-th time, from 0."""
    return derived_id("rev", action_key, str(nth))


@dataclass(frozen=True, slots=True)
class ToolMatter(Matter):
    """An action that the assistant wants to take, named in the state's `call`."""

    services: Services
    kind: str
    """The kind of graph that runs in the thread."""

    def put(self, transaction: Transaction, state: Mapping[str, Any], config: RunnableConfig) -> Review | None:
        """The review of the action; None when it was settled meanwhile."""
        call: Call = state["call"]
        talk, services = talk_of(dict(state), config, self.services), self.services
        connection = transaction.connection
        bind_thread(connection, talk.thread_id, services.tenant, self.kind, talk.owner, transaction.at)
        record = find_action(connection, services.tenant, call["key"])
        if record.status not in _WAITS:
            return None
        for earlier in range(call["nth"]):
            mark_applied(connection, record.tenant, review_id_of(record.action_key, earlier), transaction.at)
        question = self._question(record, call, said=talk.text)
        second = services.toolbox.guard(record.name).second_person
        return Review(
            review_id=question["review_id"],
            tenant=record.tenant,
            thread_id=record.thread_id,
            action=record.name,
            subject=record.action_key,
            headline=_headline(record),
            amount=record.amount or Decimal(0),
            currency=services.toolbox.limits.currency,
            submitter=record.owner if second else "",
            question=question,
            digest=question["digest"],
            opened_at=transaction.at,
        )

    def objection(self, transaction: Transaction, decision: Decision, review: Review) -> Objection | None:
        """Arguments that don't fit the tool, and what an edit breaks that the person has not seen yet."""
        if decision.kind in {"reject", "respond"}:
            return None
        question = review.question
        try:
            args = self._decided_args(decision, review)
        except ArgumentsError as error:
            return Objection(both_languages(("参数不合要求：" + str(error), str(error))), question)
        if decision.kind == "approve" or self._insists(transaction.connection, decision):
            return None
        action = self.services.toolbox.action(Proposal(name=review.action, args=args))
        standing = list(_unseen(judge_action(action, self.services.toolbox.limits), question))
        if not standing:
            return None
        why = both_languages(*((fired.message["zh"], fired.message["en"]) for fired in standing))
        return Objection(why, _once_more(question, args, standing))

    def effect(self, transaction: Transaction, decision: Decision, review: Review) -> bool:
        """Let it run with the arguments decided on, or end it with the person's words."""
        record = find_action(transaction.connection, self.services.tenant, review.subject)
        decided = {"decision_id": decision.decision_id, "decided_by": decision.decided_by}
        if decision.kind in {"approve", "edit"}:
            args = self._decided_args(decision, review)
            amount = self.services.toolbox.action(Proposal(name=review.action, args=args)).amount
            changes = {**decided, "args": args, "amount": amount}
            advance(transaction.connection, record, ActionStatus.APPROVED, after=_WAITS, **changes)
            return False
        status = ActionStatus.REFUSED if decision.kind == "reject" else ActionStatus.ANSWERED
        ended = {**decided, "result": decision.reason, "ended_at": transaction.at}
        advance(transaction.connection, record, status, after=_WAITS, **ended)
        transaction.log(record.tenant, decision.decided_by, f"action {status}", record.action_key, name=record.name)
        return True

    def question(self, connection: Connection, review: Review, edits: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG002
        """The question as it stands, with these values in place of those."""
        if not edits:
            return review.question
        shown = review.question["action_requests"][0]["args"]
        return _once_more(review.question, self.services.toolbox.edited(review.action, shown, edits), [])

    def batch_of(self, connection: Connection, review: Review) -> str:  # noqa: ARG002
        """None: what an assistant does belongs to its thread."""
        return ""

    def told(self, connection: Connection, decision: Decision, review: Review) -> dict[str, Any]:
        """How the action stands now, and who decided what."""
        record = find_action(connection, self.services.tenant, review.subject)
        return {
            "action_key": record.action_key,
            "review_id": review.review_id,
            "name": record.name,
            "status": str(record.status),
            "decision": decision.kind,
            "decided_by": decision.decided_by,
            "reason": decision.reason,
        }

    def _question(self, record: ActionRecord, call: Call, said: str) -> dict[str, Any]:
        fired = tuple(Fired(**each) for each in call["fired"])
        action = Action(
            name=record.name,
            args=record.args,
            irreversible=record.irreversible,
            amount=record.amount,
            confidence=call["confidence"],
            doubts=tuple(call["doubts"]),
        )
        question = question_about(
            action,
            Verdict(fired=fired),
            review_id=review_id_of(record.action_key, call["nth"]),
            description=_description(record.name, record.args, fired, call["doubts"]),
            editable=(),
            evidence={"thread": record.thread_id, "action": record.action_key, "asked_for": said[:_SHOWN]},
        )
        question["review_configs"][0]["args_schema"] = self.services.toolbox.schema(record.name)
        return {**question, "respond_settles": True, "round": 1}

    def _decided_args(self, decision: Decision, review: Review) -> dict[str, Any]:
        """What was put before the person, with what he changed."""
        shown = review.question["action_requests"][0]["args"]
        return self.services.toolbox.edited(review.action, shown, decision.edits)

    def _insists(self, connection: Connection, decision: Decision) -> bool:
        """Whether the same edit came back to somebody with its reasons already."""
        before = decisions_on(connection, decision.tenant, [decision.review_id])
        return any(one.refused and one.edits == decision.edits for one in before)


def _unseen(verdict: Verdict, question: Mapping[str, Any]) -> Iterator[Fired]:
    """The reasons that the person did not have before his eyes: other rules, or other values."""
    seen = {(fired["rule"], fired["measured"]) for fired in question["triggers"]}
    return (fired for fired in verdict.fired if (fired.rule, fired.measured) not in seen)


def _once_more(question: Mapping[str, Any], args: Mapping[str, Any], fired: list[Fired]) -> dict[str, Any]:
    """The question with the edited arguments and what stands against them: to approve it now approves these."""
    request, known = question["action_requests"][0], tuple(Fired(**each) for each in question["triggers"])
    description = _description(request["name"], args, tuple(fired) or known, [])
    return {
        **question,
        "action_requests": [{**request, "args": dict(args), "description": description}],
        "triggers": [each.to_json() for each in (*known, *fired)],
        "digest": digest_of(Action(name=request["name"], args=args), question["evidence"]),
    }


def _headline(record: ActionRecord) -> str:
    """The action in one line."""
    values = " ".join(plain_text(str(value)) for value in record.args.values() if value not in (None, ""))
    return f"{record.name}: {values}"[:120]


def _description(name: str, args: Mapping[str, Any], fired: tuple[Fired, ...], doubts: list[str]) -> str:
    """The question as Markdown: what, with which values, and why it waits - in zh and en."""
    lines = [
        f"**{_HEADINGS.get(name, _HEADING)}**: {plain_text(name)}",
        "",
        *(f"- {key}: {plain_text(str(value)[:_SHOWN])}" for key, value in args.items() if value not in (None, "")),
        "",
        *(f"- **{f.kind}** {plain_text(f.message['zh'])} / {plain_text(f.message['en'])}" for f in fired),
        *([f"- 没有把握 / unsure of: {plain_text(', '.join(doubts))}"] if doubts else []),
    ]
    return "\n".join(lines)
