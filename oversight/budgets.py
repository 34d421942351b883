"""What a run may do without a person in all: budgets set beforehand, a tally kept with each effect, and breaches."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from oversight.action import Fired, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The limits of one run; None where there is none."""

    money: Decimal | None = None
    """What may be spent in all."""
    count: int | None = None
    """How many actions may be done."""
    loss: Decimal | None = None
    """What may have gone wrong in all (by size), before the run is stopped: reaching it stops."""
    failure_rate: Decimal | None = None
    """The share of looked-at items that may have failed."""
    failures_from: int = 10
    """A failure rate is judged from so many looked-at items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one run did so far. What counts as a failure and as a loss is the caller's field to say."""

    actions: int = 0
    """Items that were looked at."""
    failures: int = 0
    count: int = 0
    """Actions that were done."""
    money: Decimal = Decimal(0)
    loss: Decimal = Decimal(0)

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(
            actions=self.actions + other.actions,
            failures=self.failures + other.failures,
            count=self.count + other.count,
            money=self.money + other.money,
            loss=self.loss + other.loss,
        )

    def after(self, amount: Decimal) -> "Tally":
        """The tally as one more action of this amount would leave it."""
        return replace(self, count=self.count + 1, money=self.money + amount)


NOTHING_DONE = Tally()


@dataclass(frozen=True, slots=True)
class Gauge:
    """One limit of a run: its name and what it measures; a measure over (or at) the limit is a breach."""

    name: str
    rule: str
    measured: Callable[[Tally], Decimal]
    limit: Callable[[Budgets], Decimal | None]
    inclusive: bool
    """Whether reaching the limit is a breach already."""
    words: Message


def _failure_rate(tally: Tally) -> Decimal:
    return Decimal(tally.failures) / tally.actions if tally.actions else Decimal(0)


GAUGES = (
    Gauge(
        "batch_budget",
        "run_money",
        lambda tally: tally.money,
        lambda budgets: budgets.money,
        inclusive=False,
        words={
            "zh": "本次运行金额将达 {measured:,.2f}，超过预算 {limit:,.2f}",
            "en": "The run would spend {measured:,.2f}; its budget is {limit:,.2f}",
        },
    ),
    Gauge(
        "batch_count",
        "run_count",
        lambda tally: Decimal(tally.count),
        lambda budgets: None if budgets.count is None else Decimal(budgets.count),
        inclusive=False,
        words={
            "zh": "本次运行将处理第 {measured:.0f} 笔，超过上限 {limit:.0f} 笔",
            "en": "This would be action {measured:.0f} of the run; its limit is {limit:.0f}",
        },
    ),
    Gauge(
        "loss",
        "run_loss",
        lambda tally: tally.loss,
        lambda budgets: budgets.loss,
        inclusive=True,
        words={
            "zh": "本次运行的问题金额 {measured:,.2f} 达到损失限额 {limit:,.2f}",
            "en": "What went wrong in this run is worth {measured:,.2f}; the loss limit is {limit:,.2f}",
        },
    ),
    Gauge(
        "failure_rate",
        "run_failures",
        _failure_rate,
        lambda budgets: budgets.failure_rate,
        inclusive=False,
        words={
            "zh": "本次运行的失败率 {measured:.1%} 超过上限 {limit:.1%}",
            "en": "{measured:.1%} of this run failed; the limit is {limit:.1%}",
        },
    ),
)
"""All limits of a run; another one is an entry here and a test."""


def breach(tally: Tally, budgets: Budgets) -> Fired | None:
    """The first limit of the run that this tally breaches, None while all hold."""
    for gauge in GAUGES:
        limit, measured = gauge.limit(budgets), gauge.measured(tally)
        if limit is None or (gauge.name == "failure_rate" and tally.actions < budgets.failures_from):
            continue
        if measured > limit or (gauge.inclusive and measured == limit):
            message = {lang: gauge.words[lang].format(measured=measured, limit=limit) for lang in ("zh", "en")}
            return Fired(kind="guardrail", rule=gauge.rule, message=message, measured=str(measured), limit=str(limit))
    return None
