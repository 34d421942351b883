"""The triggers: when an action needs a person. One table; adding one is an entry and a test."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from oversight.action import Action, Fired, Limits, TriggerKind, Verdict
from oversight.risks import RISKS
from oversight.wording import contains, listed


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


def kind_of_step(action: Action, limits: Limits) -> Iterator[Fired]:  # noqa: ARG001
    """A step of a kind that a person always decides: a deletion, a signature."""
    risk = RISKS.get(action.risk)
    if risk and risk.always_asks:
        yield Fired(kind="high_stakes", rule=action.risk, message=risk.message, measured=action.name)


def amount_unknown(action: Action, limits: Limits) -> Iterator[Fired]:
    """A step whose amount matters, without one that can be compared with the limit."""
    risk = RISKS.get(action.risk)
    if not (risk and risk.by_amount) or limits.amount is None:
        return
    foreign = bool(limits.currency and action.currency and action.currency != limits.currency)
    if action.amount is None or foreign:
        limit = f"{limits.amount} {limits.currency}".strip()
        measured = f"{action.amount if action.amount is not None else '?'} {action.currency}".strip()
        message = {
            "zh": f"无法与限额 {limit} 比较的金额：{measured}",
            "en": f"An amount that can't be compared with the limit of {limit}: {measured}",
        }
        yield Fired(kind="high_stakes", rule="amount_unknown", message=message, measured=measured, limit=limit)


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


def text_length(action: Action, limits: Limits) -> Iterator[Fired]:
    """A text that is longer than texts may be."""
    length = len(action.text)
    if limits.text_length is not None and length > limits.text_length:
        message = {
            "zh": f"文本长 {length} 字，超过 {limits.text_length} 字",
            "en": f"The text has {length} characters; {limits.text_length} are allowed",
        }
        limit = str(limits.text_length)
        yield Fired(kind="guardrail", rule="text_length", message=message, measured=str(length), limit=limit)


def forbidden_word(action: Action, limits: Limits) -> Iterator[Fired]:
    """A text with words that are forbidden, however they are written."""
    if found := [word for word in limits.forbidden if contains(action.text, word)]:
        words = ", ".join(found)
        message = {"zh": f"含有禁用词：{words}", "en": f"The text contains what is forbidden: {words}"}
        yield Fired(kind="guardrail", rule="forbidden_word", message=message, measured=words)


def recipient(action: Action, limits: Limits) -> Iterator[Fired]:
    """Somebody gets something who isn't on the list."""
    if limits.recipients and action.recipient and not listed(action.recipient, limits.recipients):
        message = {
            "zh": f"收款人或收件人不在名单上：{action.recipient}",
            "en": f"The recipient is not on the list: {action.recipient}",
        }
        yield Fired(kind="guardrail", rule="recipient", message=message, measured=action.recipient)


def loop(action: Action, limits: Limits) -> Iterator[Fired]:
    """The same action with the same arguments, again and again."""
    if action.attempt >= limits.attempts:
        message = {
            "zh": f"同一操作第 {action.attempt} 次提出，此前失败、被退回或没有新的结果",
            "en": f"The same action for the {_nth(action.attempt)} time, after failures, refusals or the same result",
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


def _nth(number: int) -> str:
    ending = "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


TRIGGERS = (
    Trigger("high_stakes", "amount_limit", high_stakes),
    Trigger("high_stakes", "kind_of_step", kind_of_step),
    Trigger("high_stakes", "amount_unknown", amount_unknown),
    Trigger("guardrail", "broken_rule", broken_rules),
    Trigger("guardrail", "budget", budget),
    Trigger("guardrail", "text_length", text_length),
    Trigger("guardrail", "forbidden_word", forbidden_word),
    Trigger("guardrail", "recipient", recipient),
    Trigger("loop", "same_again", loop),
    Trigger("low_confidence", "confidence", low_confidence),
)


def judge_action(action: Action, limits: Limits, triggers: tuple[Trigger, ...] = TRIGGERS) -> Verdict:
    """Ask every trigger about the action; the verdict names each reason with what was measured and the limit."""
    return Verdict(fired=tuple(fired for trigger in triggers for fired in trigger.looks(action, limits)))
