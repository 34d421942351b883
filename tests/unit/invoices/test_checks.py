"""Every rule: one invoice that passes it, one that fails it, and messages without leftovers."""

import re

import pytest

from invoices.checks import CHECKS, examine
from invoices.checks.table import SEVERITIES
from invoices.findings import Finding
from tests.unit.invoices.pairs import EN_POLICY, PAIRS, cn, context, en, policy

RULES = tuple(check.id for check in CHECKS)
_LEFTOVER = re.compile(r"[{}]|None|Decimal\(|\bfunction\b")
_HAN = re.compile(r"[一-鿿]")


def findings_of(rule: str, *, bad: bool) -> list[Finding]:
    pair = PAIRS[rule]
    invoice, where = (pair.bad, pair.bad_context) if bad else (pair.good, pair.good_context)
    return [finding for finding in examine(invoice, where).findings if finding.rule == rule]


def test_every_rule_has_a_pair_and_every_pair_a_rule() -> None:
    assert set(PAIRS) == set(RULES)
    assert len(RULES) == len(set(RULES))


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_passes_a_sound_invoice(rule: str) -> None:
    assert findings_of(rule, bad=False) == []


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_finds_what_it_is_for(rule: str) -> None:
    found = findings_of(rule, bad=True)
    assert found
    for finding in found:
        assert finding.source
        assert finding.severity in {"hard", "review", "hint"}
        assert finding.asks == (finding.severity != "hint")


@pytest.mark.parametrize("rule", RULES)
def test_messages_render_in_both_languages_without_leftovers(rule: str) -> None:
    for finding in findings_of(rule, bad=True):
        zh, en_text = finding.message["zh"], finding.message["en"]
        assert _HAN.search(zh)
        assert not _LEFTOVER.search(zh), zh
        assert not _LEFTOVER.search(en_text), en_text
        assert Finding.from_json(finding.to_json()) == finding


def test_the_sound_samples_have_no_finding_at_all() -> None:
    assert examine(cn(), context()).findings == ()
    assert examine(en(), context(EN_POLICY)).findings == ()


def test_a_rule_for_one_kind_of_invoice_is_not_run_on_another() -> None:
    scopes = {check.id: check.scope for check in CHECKS}
    broken = {finding.rule for finding in examine(en(profile=None, lines=()), context(EN_POLICY)).findings}
    assert "cn" not in {scopes[rule] for rule in broken}
    chinese = {finding.rule for finding in examine(cn(number="1", total="1"), context()).findings}
    assert "en16931" not in {scopes[rule] for rule in chinese}


def test_weak_signals_are_hints() -> None:
    weak = {"consecutive_numbers", "day_off", "round_amount", "repeated_amount", "near_limit", "trip_dates"}
    assert {SEVERITIES[rule] for rule in weak} == {"hint"}


def test_what_is_switched_off_is_told_and_not_run() -> None:
    off = context(policy(off=("known_seller",)))
    examined = examine(cn(seller_tax_id="919981174JURQ28305"), off)
    assert "known_seller" not in {finding.rule for finding in examined.findings}
    assert examined.not_executed["known_seller"].en == "switched off in the policy"
