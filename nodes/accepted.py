"""Rules that people accepted from their own repeated decisions, as the weighing of an invoice sees them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from invoices.findings import Examination, Finding
from invoices.identity import Candidate
from oversight.proposals import ProposalStatus, RuleProposal, list_proposals


@dataclass(frozen=True, slots=True)
class Accepted:
    """(rule, seller) -> the accepted rules about them."""

    rules: Mapping[tuple[str, str], tuple[RuleProposal, ...]] = field(default_factory=dict)


NOTHING_ACCEPTED = Accepted()


def accepted_rules(connection: Connection, tenant: str) -> Accepted:
    """The company's accepted rules."""
    found: dict[tuple[str, str], tuple[RuleProposal, ...]] = {}
    for one in list_proposals(connection, tenant, ProposalStatus.ACCEPTED):
        found[one.rule, one.party] = (*found.get((one.rule, one.party), ()), one)
    return Accepted(found)


def by_accepted(examination: Examination, seller: str, accepted: Accepted) -> Examination:
    """The findings as the accepted rules leave them: a waived one asks no more, a suggestion stands beside it."""
    if not accepted.rules:
        return examination
    findings = tuple(_by(finding, accepted.rules.get((finding.rule, seller), ())) for finding in examination.findings)
    return replace(examination, findings=findings)


def _by(finding: Finding, rules: tuple[RuleProposal, ...]) -> Finding:
    """A hard rule, a limit and a doubt stay as they are, whatever was accepted."""
    if finding.severity != "review" or finding.trigger != "guardrail":
        return finding
    for rule in rules:
        if rule.kind == "waive":
            source = f"{finding.source}; {rule.proposal_id}, accepted by {rule.decided_by}"
            finding = replace(finding, severity="hint", trigger=None, source=source)
        elif finding.field and finding.field in rule.content:
            suggested = Candidate(rule.content[finding.field], known=True)
            finding = replace(finding, candidates=(*finding.candidates, suggested))
    return finding
