"""Severities: what a company raises or lowers, and what is not executed but needed."""

from dataclasses import replace
from datetime import date

import pytest

from invoices.checks import examine
from invoices.findings import Finding
from invoices.policy import Lowered
from invoices.verification import State, Verification
from tests.unit.invoices.pairs import EN_POLICY, air, cn, company, context, en, policy, red


def of(rule: str, findings: tuple[Finding, ...]) -> Finding:
    return next(finding for finding in findings if finding.rule == rule)


def test_a_company_may_raise_a_hint_so_that_it_pauses() -> None:
    where = context(policy(severity={"round_amount": "hard"}))
    finding = of("round_amount", examine(cn(total="3000.00"), where).findings)
    assert finding.severity == "hard"
    assert finding.asks


def test_a_raised_rule_never_softens_a_graver_single_finding() -> None:
    where = context(policy(severity={"red_letter": "review"}))
    assert of("red_letter", examine(red(original_number=None), where).findings).severity == "hard"


def test_a_hard_rule_is_lowered_by_name_and_reason_only() -> None:
    lowered = Lowered(rule="date_future", to="hint", by="manager", on=date(2026, 1, 1), reason="clock of the branch")
    finding = of("date_future", examine(cn(date="2026-06-16"), context(policy(lowered=(lowered,)))).findings)
    assert finding.severity == "hint"
    assert not finding.asks


def test_an_invoice_that_can_not_be_told_apart_is_never_approved_unseen() -> None:
    examined = examine(cn(number=None), context())
    finding = of("duplicate", examined.findings)
    assert finding.severity == "review"
    assert finding.trigger == "low_confidence"
    assert "duplicate" in examined.not_executed


@pytest.mark.parametrize("state", [State.NOT_ASKED, State.OVER_QUOTA, State.SERVICE_DOWN, State.TOO_NEW])
def test_without_an_answer_of_the_tax_office_nothing_passes_and_nothing_fails(state: State) -> None:
    examined = examine(cn(), context(verification=Verification(state)))
    assert "tax_office" in examined.not_executed
    assert examined.findings == ()
    needed = examine(cn(), context(policy(lookup={"required": True}), verification=Verification(state)))
    assert of("tax_office", needed.findings).asks


def test_what_can_not_be_verified_is_no_failure_even_where_answers_are_needed() -> None:
    where = context(policy(lookup={"required": True}), verification=Verification(State.NOT_VERIFIABLE))
    examined = examine(cn(), where)
    assert examined.findings == ()
    assert "tax_office" in examined.not_executed


def test_not_found_on_the_day_of_issue_is_ordinary_and_later_a_question() -> None:
    early = Verification(State.NOT_FOUND, date(2026, 5, 7), "portal")
    assert examine(cn(), context(verification=early)).findings == ()
    late = replace(early, checked_on=date(2026, 5, 8))
    assert of("tax_office", examine(cn(), context(verification=late)).findings).severity == "review"
    void = replace(late, state=State.VOID)
    assert of("tax_office", examine(cn(), context(verification=void)).findings).severity == "hard"


def test_rules_that_need_earlier_invoices_say_that_there_are_none() -> None:
    examined = examine(cn(), replace(context(), history=None))
    assert {"split", "near_duplicate", "consecutive_numbers", "one_tax_id", "taken_back"} <= set(examined.not_executed)
    assert examined.findings == ()


def test_rules_that_need_a_register_say_that_there_is_none() -> None:
    examined = examine(cn(), context(policy(known=None)))
    assert "known_seller" in examined.not_executed


def test_a_buyers_name_that_differs_beside_the_right_id_is_only_noticed() -> None:
    assert of("buyer_name", examine(cn(buyer="丙方"), context()).findings).severity == "hint"


def test_a_private_person_buys_only_where_the_policy_allows_it() -> None:
    private = cn(buyer="个人", buyer_tax_id=None)
    assert [finding.rule for finding in examine(private, context()).findings] == ["buyer_person"]
    assert examine(private, context(company(person_as_buyer=True))).findings == ()


def test_a_branch_is_the_company() -> None:
    branches = ({"name": "甲方南方分公司", "tax_id": "919999584MKB5HNM6M"},)
    branch = cn(buyer="甲方南方分公司", buyer_tax_id="919999584MKB5HNM6M")
    assert examine(branch, context(company(branches=branches))).findings == ()
    assert examine(branch, context()).findings != ()


def test_a_ticket_that_prints_no_buyer_is_told_as_such() -> None:
    examined = examine(air(buyer=None, buyer_tax_id=None), context())
    assert "buyer_tax_id" in examined.not_executed
    assert examined.findings == ()


@pytest.mark.parametrize(("demo", "severity"), [(True, "hint"), (False, "hard")])
def test_vat_ids_are_judged_by_country_and_demo_data_only_noticed(demo: bool, severity: str) -> None:
    strict = EN_POLICY.model_dump(by_alias=True) | {"vat": {"demo": demo, "countries": {"DE": "hard"}}}
    where = context(type(EN_POLICY).model_validate(strict))
    finding = of("vat_id", examine(en(seller_vat_id="DE123456789"), where).findings)
    assert finding.severity == severity


@pytest.mark.parametrize("profile", ["urn:factur-x.eu:1p0:minimum", "urn:factur-x.eu:1p0:basicwl"])
def test_a_file_is_judged_by_the_profile_it_claims(profile: str) -> None:
    without_lines = en(profile=profile, lines=())
    assert examine(without_lines, context(EN_POLICY)).findings == ()


def test_minimum_needs_no_breakdown_and_basic_wl_does() -> None:
    bare = {"lines": (), "taxes": (), "buyer_address": None}
    minimum = examine(en(profile="urn:factur-x.eu:1p0:minimum", **bare), context(EN_POLICY))
    basic = examine(en(profile="urn:factur-x.eu:1p0:basicwl", **bare), context(EN_POLICY))
    assert minimum.findings == ()
    assert {"BR-10", "BR-CO-18"} <= {finding.rule for finding in basic.findings}
