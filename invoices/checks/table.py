"""All rules in one table, and the one function that runs them."""

from invoices.checks import amounts, duplicates, numbers, parties
from invoices.findings import Check, Context, Examination, Finding, NotExecuted, Problem
from invoices.record import Invoice

CHECKS: tuple[Check, ...] = (*parties.CHECKS, *numbers.CHECKS, *amounts.CHECKS, *duplicates.CHECKS)

_BY_ID = {check.id: check for check in CHECKS}


def check(rule: str) -> Check:
    """The rule with this id.

    Raises:
        KeyError: there is no such rule.
    """
    return _BY_ID[rule]


def examine(invoice: Invoice, context: Context, checks: tuple[Check, ...] = CHECKS) -> Examination:
    """Run every rule that the policy has not switched off over one invoice."""
    findings: list[Finding] = []
    not_executed: dict[str, NotExecuted] = {}
    for rule in checks:
        if rule.id in context.policy.off:
            not_executed[rule.id] = NotExecuted("政策中已关闭", "switched off in the policy")
            continue
        for outcome in rule.run(invoice, context):
            if isinstance(outcome, NotExecuted):
                not_executed[rule.id] = outcome
            else:
                findings.append(_finding(rule, outcome, invoice))
    return Examination(tuple(findings), not_executed)


def _finding(rule: Check, problem: Problem, invoice: Invoice) -> Finding:
    reading = invoice.fields.get(problem.field or "")
    where = str(reading.where) if reading else "-"
    words = {"read": problem.read, "expected": problem.expected, "where": where, "field": problem.field or ""}
    words |= problem.words
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        trigger=None if rule.severity == "hint" else rule.trigger,
        message={"zh": rule.zh.format_map(words), "en": rule.en.format_map(words)},
        source=rule.source,
        field=problem.field,
        read=problem.read,
        expected=problem.expected,
        where=where,
        candidates=problem.candidates,
    )
