"""Act: run what may run, once, and tell the model (or the person) what came of it."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.errors import GraphBubbleUp

from foundation.database import reading
from foundation.errors import ThreadBusyError
from foundation.ids import derived_id
from foundation.journal import Transaction
from memory.applying import storable
from memory.short_term import LIMITS, clipped
from nodes.calls import Call
from nodes.halting import AGENT, halt_question
from nodes.services import Services
from nodes.speaking import spoken, with_remarks
from nodes.talk import Talk, talk_of
from nodes.tool_matter import review_id_of
from oversight.action import Fired
from oversight.actions import RUNNING, ActionRecord, ActionStatus, advance, find_action
from oversight.brake import is_on
from oversight.guarded import ANSWER, signature_of
from oversight.reviews import mark_applied
from prompts import load

_SAID = (ActionStatus.DONE, ActionStatus.ANSWERED)


def act(state: dict[str, Any], config: RunnableConfig, *, services: Services) -> dict[str, Any]:
    """What came of the action, as messages; or the action once more with a new reason to ask a person."""
    call, talk = state["call"], talk_of(state, config, services)
    with reading(services.engine) as connection:
        record = find_action(connection, services.tenant, call["key"])
    if record.status in RUNNING:
        stop = _unseen(record)
        if stop is not None:
            return {"call": {**call, "fired": [stop.to_json()], "nth": call["nth"] + 1}}
        if halted := _begin(record, services):
            return {"halted": halted}
        record = _run(_found(record, services), call, config, services)
    return {"messages": _told(record, call, state, talk, services), "call": None}


def before_irreversible(transaction: Transaction, record: ActionRecord) -> dict[str, Any] | None:
    """The brake's question where one is on: the action stays allowed, and waits until the brake is released."""
    brake = is_on(transaction.connection, record.tenant, thread=record.thread_id)
    if brake is None:
        return None
    transaction.log(record.tenant, AGENT, "stopped by the brake", record.action_key, brake=brake.brake_id)
    return halt_question(brake, "", {"action": record.name, "about": record.action_key}, ("approve",))


def _unseen(record: ActionRecord) -> Fired | None:
    """An irreversible action that was begun and whose end nobody saw: only a person can say whether it happened."""
    if not record.irreversible or record.status is not ActionStatus.STARTED:
        return None
    message = {
        "zh": "此操作开始后中断，不知道是否已经发生。批准：再执行一次；拒绝：不再执行；回复：代为写明结果",
        "en": "This was begun and broke off: it may have happened or not. Approve: run it (again); reject: leave it;"
        " respond: say what came of it",
    }
    return Fired(kind="guardrail", rule="outcome_unknown", message=message, measured=record.action_key)


def _begin(record: ActionRecord, services: Services) -> dict[str, Any] | None:
    """What can't be taken back is on disk as begun before it runs; or what stops it."""
    if not record.irreversible:
        return None
    with services.journal.transaction() as transaction:
        halted = before_irreversible(transaction, record)
        if halted is None:
            advanced = advance(transaction.connection, record, ActionStatus.STARTED, after=(ActionStatus.APPROVED,))
            if not advanced:
                raise ThreadBusyError(f"another process is running {record.name} in thread {record.thread_id}")
            transaction.log(record.tenant, AGENT, "action started", record.action_key, name=record.name)
    return halted


def _run(record: ActionRecord, call: Call, config: RunnableConfig, services: Services) -> ActionRecord:
    """Run it, and keep what came of it."""
    try:
        status, result = _carried_out(record, call, config, services)
    except GraphBubbleUp:
        # The tool itself asks somebody: it begins anew with the answer.
        with services.journal.transaction() as transaction:
            advance(transaction.connection, record, ActionStatus.APPROVED, after=(ActionStatus.STARTED,))
        raise
    with services.journal.transaction() as transaction:
        _end(transaction, record, call, status, clipped(storable(result), LIMITS.message_tokens))
    return _found(record, services)


def _found(record: ActionRecord, services: Services) -> ActionRecord:
    with reading(services.engine) as connection:
        return find_action(connection, record.tenant, record.action_key)


def _end(transaction: Transaction, record: ActionRecord, call: Call, status: ActionStatus, result: str) -> None:
    changes = {"result": result, "ended_at": transaction.at}
    if advance(transaction.connection, record, status, after=RUNNING, **changes):
        transaction.log(record.tenant, AGENT, f"action {status}", record.action_key, name=record.name)
    mark_applied(transaction.connection, record.tenant, review_id_of(record.action_key, call["nth"]), transaction.at)


def _carried_out(
    record: ActionRecord, call: Call, config: RunnableConfig, services: Services
) -> tuple[ActionStatus, str]:
    """How it ended, and with what."""
    if record.name == ANSWER:
        return ActionStatus.DONE, ""
    tool = services.toolbox.tools.get(record.name)
    if tool is None:
        return ActionStatus.FAILED, f"there is no tool {record.name} any more"
    request = ToolCall(name=record.name, args=dict(record.args), id=call["call_id"], type="tool_call")
    try:
        returned = _invoked(tool, request, config)
    except GraphBubbleUp:
        raise
    except ToolException as error:
        return ActionStatus.FAILED, str(error)
    except Exception as error:
        # Whatever a tool raises must not end the talk; what can't be taken back may have happened all the same.
        status = ActionStatus.UNKNOWN if record.irreversible else ActionStatus.FAILED
        return status, f"{type(error).__name__}: {error}"
    failed = isinstance(returned, ToolMessage) and returned.status == "error"
    text = returned.text if isinstance(returned, ToolMessage) else str(returned)
    return (ActionStatus.FAILED if failed else ActionStatus.DONE), text


def _invoked(tool: BaseTool, request: ToolCall, config: RunnableConfig) -> Any:
    if isinstance(tool, StructuredTool) and tool.func is None:
        return asyncio.run(tool.ainvoke(request, config))
    return tool.invoke(request, config)


def _told(record: ActionRecord, call: Call, state: dict[str, Any], talk: Talk, services: Services) -> list[AnyMessage]:
    """The messages that the action ends with: each call gets its answer, an answer that may be given is given."""
    if call["name"] != ANSWER:
        return [_tool_message(record, call["call_id"], talk)]
    if record.status in _SAID:
        text = record.result if record.status is ActionStatus.ANSWERED else str(record.args.get("text", ""))
        return [spoken(with_remarks(text, state, talk), state, talk, services)]
    call_id = derived_id("call", record.action_key)
    drafted = ToolCall(name=ANSWER, args=dict(record.args), id=call_id, type="tool_call")
    said = AIMessage("", id=derived_id("draft", record.action_key), tool_calls=[drafted])
    return [said, _tool_message(record, call_id, talk)]


def _tool_message(record: ActionRecord, call_id: str, talk: Talk) -> ToolMessage:
    failed = record.status not in _SAID
    text = _words(record, talk)
    own = derived_id("told", record.action_key)
    return ToolMessage(text, tool_call_id=call_id, name=record.name, id=own, status="error" if failed else "success")


def _words(record: ActionRecord, talk: Talk) -> str:
    words = load("acting", talk.lang)
    if record.status is ActionStatus.REFUSED:
        return words.fill("refused", who=record.decided_by, why=record.result)
    if record.status is ActionStatus.BLOCKED:
        return words.fill("blocked")
    if record.status in (ActionStatus.FAILED, ActionStatus.UNKNOWN):
        return words.fill(str(record.status), why=record.result)
    changed = _changed(record, words.fill("changed", args=_as_json(record.args)))
    return "\n".join(part for part in (changed, record.result) if part)


def _changed(record: ActionRecord, words: str) -> str:
    return words if signature_of(record.name, record.args) != record.signature else ""


def _as_json(args: Mapping[str, Any]) -> str:
    return json.dumps(dict(args), ensure_ascii=False)
