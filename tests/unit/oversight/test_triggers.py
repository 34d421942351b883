from decimal import Decimal

import pytest

from oversight.action import Action, Fired, Limits
from oversight.triggers import TRIGGERS, Trigger, judge_action

TRANSFER = Action(name="transfer", args={}, irreversible=True)
LIMITS = Limits(amount=Decimal(500))


def kinds(action: Action, limits: Limits = LIMITS) -> list[str]:
    return [fired.kind for fired in judge_action(action, limits).fired]


def transfer(**changes: object) -> Action:
    return Action(name="transfer", args={}, irreversible=True, **changes)


@pytest.mark.parametrize(("amount", "asks"), [("499.99", False), ("500", True), ("600", True), ("-600", True)])
def test_an_amount_at_the_limit_or_over_asks(amount: str, asks: bool):
    assert (kinds(transfer(amount=Decimal(amount))) == ["high_stakes"]) is asks


def test_what_can_be_undone_has_no_amount_limit():
    assert kinds(Action(name="draft", args={}, amount=Decimal(10_000))) == []


@pytest.mark.parametrize(("confidence", "asks"), [(0.79, True), (0.80, False), (1.0, False)])
def test_confidence_below_the_limit_asks_and_at_it_does_not(confidence: float, asks: bool):
    assert (kinds(transfer(confidence=confidence)) == ["low_confidence"]) is asks


@pytest.mark.parametrize(("attempt", "asks"), [(1, False), (2, False), (3, True), (4, True)])
def test_the_third_same_attempt_asks(attempt: int, asks: bool):
    assert (kinds(transfer(attempt=attempt)) == ["loop"]) is asks


def test_a_budget_counts_what_was_spent_before():
    limits = Limits(budget=Decimal(1000), spent=Decimal(900))
    assert kinds(transfer(amount=Decimal(100)), limits) == []
    assert kinds(transfer(amount=Decimal("100.01")), limits) == ["guardrail"]


def test_a_broken_rule_of_the_callers_field_asks_with_its_own_words():
    breach = Fired(kind="guardrail", rule="tax_id", message={"zh": "税号", "en": "tax id"}, measured="17", limit="18")
    (fired,) = judge_action(transfer(breaches=(breach,)), LIMITS).fired
    assert fired == breach


def test_a_clean_action_needs_nobody():
    assert not judge_action(TRANSFER, LIMITS).asks


def test_every_reason_says_what_was_measured_and_the_limit_in_both_languages():
    worst = transfer(amount=Decimal(900), confidence=0.1, attempt=9)
    verdict = judge_action(worst, Limits(amount=Decimal(1), budget=Decimal(1)))
    assert {fired.kind for fired in verdict.fired} == {"high_stakes", "guardrail", "loop", "low_confidence"}
    for fired in verdict.fired:
        assert fired.measured
        assert fired.limit
        assert set(fired.message) == {"zh", "en"}


def test_a_trigger_is_added_by_one_entry():
    def at_night(action: Action, limits: Limits):
        if action.args.get("hour", 12) < 6:
            yield Fired(
                kind="guardrail", rule="night", message={"zh": "夜间", "en": "at night"}, measured="3", limit="6"
            )

    added = (*TRIGGERS, Trigger("guardrail", "night", at_night))
    assert [f.rule for f in judge_action(Action(name="sign", args={"hour": 3}), LIMITS, added).fired] == ["night"]
    assert not judge_action(Action(name="sign", args={"hour": 9}), LIMITS, added).asks
