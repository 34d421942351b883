"""All rules in one table, and the one function that runs them."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from invoices.checks import (
    amounts,
    dates,
    duplicates,
    en_categories,
    en_codes,
    en_parts,
    en_totals,
    limits,
    lines,
    lookup,
    numbers,
    parties,
    patterns,
    redletter,
    trade,
)
from invoices.checks.china import is_chinese
from invoices.checks.en_model import categories_used
from invoices.findings import Check, Context, Examination, Finding, NotExecuted, Problem, Scope, Severity
from invoices.record import Invoice

CHECKS: tuple[Check, ...] = (
    *parties.CHECKS,
    *numbers.CHECKS,
    *dates.CHECKS,
    *amounts.CHECKS,
    *lines.CHECKS,
    *limits.CHECKS,
    *redletter.CHECKS,
    *duplicates.CHECKS,
    *lookup.CHECKS,
    *patterns.CHECKS,
    *trade.CHECKS,
    *en_parts.CHECKS,
    *en_totals.CHECKS,
    *en_categories.CHECKS,
    *en_codes.CHECKS,
)

SEVERITIES: Mapping[str, Severity] = {check.id: check.severity for check in CHECKS}

RULES_VERSION = hashlib.sha256(
    "\n".join(f"{rule.id} {rule.severity} {rule.source} {rule.zh} {rule.en}" for rule in CHECKS).encode()
).hexdigest()[:12]
"""Names the rule set: another rule, severity or text makes another version. A report says under which it was made."""

_BY_ID = {check.id: check for check in CHECKS}
_EN_FORMS = frozenset({"ubl", "cii"})
_SCOPES: tuple[tuple[Scope, ...], ...] = (("any",), ("any", "cn"), ("any", "en16931"))
_OFF = NotExecuted("政策中已关闭", "switched off in the policy")


def check(rule: str) -> Check:
    """The rule with this id.

    Raises:
        KeyError: there is no such rule.
    """
    return _BY_ID[rule]


def examine(invoice: Invoice, context: Context, checks: tuple[Check, ...] = CHECKS) -> Examination:
    """Run every rule that concerns this kind of invoice, under the severities that the policy sets.

    A rule that was not executed although nothing may be approved without it becomes a finding, too.
    """
    findings: list[Finding] = []
    not_executed: dict[str, NotExecuted] = {}
    levels = context.policy.levels
    for rule in _concerning(checks, invoice, context):
        if levels and levels.get(rule.id) == "off":
            not_executed[rule.id] = _OFF
            continue
        for outcome in rule.run(invoice, context):
            if isinstance(outcome, Problem):
                findings.append(_finding(rule, outcome, invoice, context))
                continue
            not_executed[rule.id] = outcome
            if outcome.blocks:
                findings.append(_blocked(rule, outcome))
    return Examination(tuple(findings), not_executed)


def scopes_of(invoice: Invoice, context: Context) -> tuple[Scope, ...]:
    """Which rules concern this invoice."""
    if invoice.form in _EN_FORMS:
        return _SCOPES[2]
    return _SCOPES[1] if is_chinese(invoice, context) else _SCOPES[0]


def _concerning(checks: tuple[Check, ...], invoice: Invoice, context: Context) -> tuple[Check, ...]:
    scopes = scopes_of(invoice, context)
    used = categories_used(invoice) if "en16931" in scopes else frozenset()
    if checks is CHECKS:
        return _own_rules(scopes, used)
    return tuple(rule for rule in checks if _concerns(rule, scopes, used))


@lru_cache(maxsize=256)
def _own_rules(scopes: tuple[Scope, ...], used: frozenset[str]) -> tuple[Check, ...]:
    return tuple(rule for rule in CHECKS if _concerns(rule, scopes, used))


def _concerns(rule: Check, scopes: tuple[Scope, ...], used: frozenset[str]) -> bool:
    return rule.scope in scopes and (not rule.category or rule.category in used)


def _severity(rule: Check, problem: Problem, context: Context) -> Severity:
    own = problem.severity or rule.severity
    set_by_company = context.policy.levels.get(rule.id)
    if set_by_company is None or set_by_company == "off":
        return own
    lowered = any(entry.rule == rule.id for entry in context.policy.lowered)
    order: tuple[Severity, ...] = ("hint", "review", "hard")
    pick = min if lowered else max
    return order[pick(order.index(own), order.index(set_by_company))]


def _finding(rule: Check, problem: Problem, invoice: Invoice, context: Context) -> Finding:
    reading = invoice.fields.get(problem.field or "")
    where = str(reading.where) if reading else "-"
    words = {"read": problem.read, "expected": problem.expected, "where": where, "field": problem.field or ""}
    words |= problem.words
    severity = _severity(rule, problem, context)
    return Finding(
        rule=rule.id,
        severity=severity,
        trigger=None if severity == "hint" else rule.trigger,
        message={"zh": rule.zh.format_map(words), "en": rule.en.format_map(words)},
        source=rule.source,
        field=problem.field,
        read=problem.read,
        expected=problem.expected,
        where=where,
        candidates=problem.candidates,
    )


def _blocked(rule: Check, outcome: NotExecuted) -> Finding:
    return Finding(
        rule=rule.id,
        severity="review",
        trigger="low_confidence",
        message={"zh": f"必须的检查未能执行：{outcome.zh}", "en": f"A needed check was not executed: {outcome.en}"},
        source=rule.source,
    )
