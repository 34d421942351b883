"""The triggers: when an action needs a person. One table; adding one is an entry and a test."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from oversight.action import Action, Fired, Limits, TriggerKind, Verdict


@dataclass(frozen=True, slots=True)
class Trigger:
    """One reason to ask: its kind, its rule's id, and the function that looks for it."""

    kind: TriggerKind
    rule: str
    looks: Callable[[Action, Limits], Iterator[Fired]]


def high_stakes(action: Action, limits: Limits) -> Iterator[Fired]:
    """An irreversible action of at least the limit's size."""
    if action.irreversible and limits.amount is not None and action.amount is not None:
        size = abs(action.amount)
        if size >= limits.amount:
            message = {
                "zh": f"金额 {size:,.2f} 达到或超过限额 {limits.amount:,.2f}",
                "en": f"The amount {size:,.2f} is at or over the limit of {limits.amount:,.2f}",
            }
            yield Fired(
                kind="high_stakes", rule="amount_limit", message=message, measured=str(size), limit=str(limits.amount)
            )


def broken_rules(action: Action, limits: Limits) -> Iterator[Fired]:  # noqa: ARG001
    """Rules of the caller's own field that the action breaks."""
    yield from action.breaches


def budget(action: Action, limits: Limits) -> Iterator[Fired]:
    """An action that would spend more than the budget leaves."""
    if action.irreversible and limits.budget is not None and action.amount is not None:
        total = limits.spent + action.amount
        if total > limits.budget:
            message = {
                "zh": f"连同本笔共 {total:,.2f}，超过预算 {limits.budget:,.2f}",
                "en": f"With this one {total:,.2f} would be spent; the budget is {limits.budget:,.2f}",
            }
            yield Fired(kind="guardrail", rule="budget", message=message, measured=str(total), limit=str(limits.budget))


def loop(action: Action, limits: Limits) -> Iterator[Fired]:
    """The same action with the same arguments, again and again."""
    if action.attempt >= limits.attempts:
        message = {
            "zh": f"同一操作已第 {action.attempt} 次失败或被退回",
            "en": f"The same action failed or was refused {action.attempt} times",
        }
        yield Fired(
            kind="loop", rule="same_again", message=message, measured=str(action.attempt), limit=str(limits.attempts)
        )


def low_confidence(action: Action, limits: Limits) -> Iterator[Fired]:
    """An action that the agent itself is not sure of."""
    if action.confidence < limits.confidence:
        doubts = ", ".join(action.doubts)
        message = {
            "zh": f"置信度 {action.confidence:.2f} 低于 {limits.confidence:.2f}" + (f"：{doubts}" if doubts else ""),
            "en": f"Confidence {action.confidence:.2f} is below {limits.confidence:.2f}"
            + (f": {doubts}" if doubts else ""),
        }
        measured = f"{action.confidence:.2f}"
        yield Fired(
            kind="low_confidence",
            rule="confidence",
            message=message,
            measured=measured,
            limit=f"{limits.confidence:.2f}",
        )


TRIGGERS = (
    Trigger("high_stakes", "amount_limit", high_stakes),
    Trigger("guardrail", "broken_rule", broken_rules),
    Trigger("guardrail", "budget", budget),
    Trigger("loop", "same_again", loop),
    Trigger("low_confidence", "confidence", low_confidence),
)


def judge_action(action: Action, limits: Limits, triggers: tuple[Trigger, ...] = TRIGGERS) -> Verdict:
    """Ask every trigger about the action; the verdict names each reason with what was measured and the limit."""
    return Verdict(fired=tuple(fired for trigger in triggers for fired in trigger.looks(action, limits)))
