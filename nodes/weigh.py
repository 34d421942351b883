"""Weigh what the model wants to do next: it runs, a person is asked first, or it is not done at all."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig

from foundation.journal import Transaction
from nodes.calls import Call, Proposed, next_proposed
from nodes.services import Services
from nodes.talk import Talk, talk_of, turn_of
from oversight.action import Action, Fired, Limits
from oversight.actions import (
    ActionRecord,
    ActionStatus,
    advance,
    attempts_of,
    equal_before,
    propose,
    refused_before,
    spent_since,
    steps_in,
)
from oversight.guarded import ArgumentsError, Toolbox, signature_of
from oversight.triggers import judge_action

_BUDGET_SPAN = timedelta(hours=24)
_HAPPENED = (ActionStatus.DONE, ActionStatus.STARTED, ActionStatus.UNKNOWN)
_OPEN = (ActionStatus.PROPOSED,)


def weigh(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """The next action with the reasons why a person is needed; the verdict is computed here and never again."""
    talk, box = talk_of(state, config, services), services.toolbox
    proposed = next_proposed(state, box)
    with services.journal.transaction() as transaction:
        record = _kept(transaction, proposed, talk, turn_of(state["messages"]), services)
        fired = _weighed(transaction, record, proposed, box) if record.status is ActionStatus.PROPOSED else []
    call = Call(
        key=record.action_key,
        call_id=proposed.call_id,
        name=record.name,
        confidence=proposed.proposal.confidence,
        doubts=list(proposed.proposal.doubts),
        fired=[each.to_json() for each in fired],
        nth=0,
    )
    return {"call": call, "draft": None, "question": None, "answer": None, "decision": None}


def _kept(transaction: Transaction, proposed: Proposed, talk: Talk, turn: str, services: Services) -> ActionRecord:
    """The proposal in the table of actions; one that is known already as it stands there."""
    proposal, box = proposed.proposal, services.toolbox
    args, _ = _fitting(proposed, box)
    action = box.action(replace(proposal, args=args))
    record = ActionRecord(
        tenant=services.tenant,
        action_key=proposed.key(talk.thread_id),
        thread_id=talk.thread_id,
        turn=turn,
        owner=talk.owner,
        name=proposal.name,
        args=args,
        signature=signature_of(proposal.name, args),
        irreversible=action.irreversible,
        amount=action.amount,
        status=ActionStatus.PROPOSED,
        proposed_at=transaction.at,
    )
    return propose(transaction.connection, record)


def _fitting(proposed: Proposed, box: Toolbox) -> tuple[dict[str, Any], str]:
    """The arguments as the tool reads them, or as they came and what is wrong with them."""
    proposal = proposed.proposal
    try:
        return box.checked(proposal.name, proposal.args), ""
    except ArgumentsError as error:
        return dict(proposal.args), str(error)


def _weighed(transaction: Transaction, record: ActionRecord, proposed: Proposed, box: Toolbox) -> list[Fired]:
    """Why a person is needed; where none is, the action goes on: approved by the rules, failed, or blocked."""
    before = equal_before(transaction.connection, record)
    attempt, _fault = attempts_of(record, before), _fitting(proposed, box)[1]
    refusal = refused_before(before)
    early = attempt < box.limits.attempts
    if early and refusal and refusal.turn == record.turn:
        _end(transaction, record, ActionStatus.BLOCKED, refusal.result)
        return []
    if early and _fault:
        _end(transaction, record, ActionStatus.FAILED, _fault)
        return []
    action = box.action(
        replace(proposed.proposal, args=record.args),
        attempt=attempt,
        breaches=tuple(_of_the_past(transaction, record, before, refusal, box.limits)),
        irreversible=record.irreversible,
    )
    fired = judge_action(action, _limits(transaction, record, action, box.limits)).fired
    if not fired:
        advance(transaction.connection, record, ActionStatus.APPROVED, after=_OPEN)
    return list(fired)


def _end(transaction: Transaction, record: ActionRecord, status: ActionStatus, result: str) -> None:
    advance(transaction.connection, record, status, after=_OPEN, result=result, ended_at=transaction.at)
    transaction.log(record.tenant, "agent", f"action {status}", record.action_key, name=record.name, why=result)


def _limits(transaction: Transaction, record: ActionRecord, action: Action, limits: Limits) -> Limits:
    """The limits with what this owner's assistant spent in the last day without asking."""
    if limits.budget is None or action.amount is None:
        return limits
    since = transaction.at - _BUDGET_SPAN
    spent = spent_since(transaction.connection, record.tenant, record.owner, since, but=record.action_key)
    return replace(limits, spent=spent)


def _of_the_past(
    transaction: Transaction,
    record: ActionRecord,
    before: list[ActionRecord],
    refusal: ActionRecord | None,
    limits: Limits,
) -> list[Fired]:
    """Reasons that lie in what was done before."""
    fired = [_refused(refusal)] if refusal else []
    happened = [each for each in before if each.turn == record.turn and each.status in _HAPPENED]
    unsure = [each for each in before if each.status in (ActionStatus.STARTED, ActionStatus.UNKNOWN)]
    if record.irreversible and (happened or unsure):
        fired.append(_again((unsure or happened)[-1]))
    steps = steps_in(transaction.connection, record)
    return [*fired, *([_many(steps, limits)] if limits.steps and steps % limits.steps == 0 else [])]


def _refused(refusal: ActionRecord) -> Fired:
    message = {
        "zh": f"同一操作此前已被 {refusal.decided_by} 拒绝：{refusal.result}",
        "en": f"{refusal.decided_by} refused the same action before: {refusal.result}",
    }
    return Fired(kind="loop", rule="refused_before", message=message, measured=refusal.result)


def _again(happened: ActionRecord) -> Fired:
    message = {
        "zh": f"同一操作已执行过（{happened.status}），且无法撤销",
        "en": f"The same action was carried out before ({happened.status}) and can't be undone",
    }
    return Fired(kind="loop", rule="done_before", message=message, measured=happened.action_key)


def _many(steps: int, limits: Limits) -> Fired:
    message = {"zh": f"本轮已有 {steps} 个操作", "en": f"{steps} actions in one turn"}
    return Fired(kind="loop", rule="steps", message=message, measured=str(steps), limit=str(limits.steps))
