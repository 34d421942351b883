"""Rules that people's repeated decisions suggest: proposed, and in force only once a person has accepted them.

Three approvals of one rule for one party, with nothing else decided since, propose that the rule ask no more about
that party; the same correction three times proposes to suggest it. Nothing is proposed for a rule that must never
be waived, and nothing applies by itself.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from sqlalchemy import Connection, Row, select, update

from foundation.errors import NotFoundError, RefusedError, UsageError
from foundation.ids import derived_id
from foundation.journal import Transaction
from foundation.upserts import keep_first
from oversight.action import Message
from oversight.feed import Event, publish
from oversight.reviews import Decision
from oversight.rights import Deed, require_right
from oversight.tables import decisions, reviews, rule_proposals

ENOUGH = 3
"""So many decisions alike propose a rule."""

ProposalKind = Literal["waive", "suggest"]


class ProposalStatus(StrEnum):
    """Where a proposed rule stands."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    """In force."""
    DECLINED = "declined"
    """Not proposed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleProposal:
    """One rule that people's decisions suggest."""

    proposal_id: str
    tenant: str
    kind: ProposalKind
    """waive: the rule asks no more about the party. suggest: a correction is shown with the question."""
    rule: str
    party: str
    content: Mapping[str, str]
    """For `suggest`, field -> value; for `waive`, nothing."""
    evidence: Sequence[str]
    """Ids of the decisions that suggest it."""
    status: ProposalStatus
    proposed_at: datetime
    decided_by: str | None = None
    why: str | None = None
    decided_at: datetime | None = None

    @property
    def words(self) -> Message:
        """What the rule would do, zh and en."""
        if self.kind == "waive":
            return {
                "zh": f"规则 {self.rule} 对 {self.party} 不再请人审批（已有 {len(self.evidence)} 次批准）",
                "en": f"rule {self.rule} asks no more about {self.party} (approved {len(self.evidence)} times)",
            }
        values = ", ".join(f"{name} = {value}" for name, value in self.content.items())
        return {
            "zh": f"对 {self.party} 的规则 {self.rule}，建议更正 {values}（已有 {len(self.evidence)} 次）",
            "en": f"for {self.party} and rule {self.rule}, suggest {values} (corrected {len(self.evidence)} times)",
        }


def propose(
    transaction: Transaction, tenant: str, rule: str, party: str, alike: Sequence[Decision]
) -> RuleProposal | None:
    """Propose what these decisions (newest first) suggest about one rule and one party; None where it is nothing new.

    The caller leaves out rules that must never be waived.
    """
    latest = alike[:ENOUGH]
    if len(latest) < ENOUGH or not party or len({(one.kind, _edits(one)) for one in latest}) > 1:
        return None
    kinds: Mapping[str, ProposalKind] = {"approve": "waive", "edit": "suggest"}
    kind = kinds.get(latest[0].kind)
    if kind is None:
        return None
    content = dict(latest[0].edits)
    proposed = RuleProposal(
        proposal_id=derived_id("rule", tenant, kind, rule, party, _edits(latest[0])),
        tenant=tenant,
        kind=kind,
        rule=rule,
        party=party,
        content=content,
        evidence=[one.decision_id for one in latest],
        status=ProposalStatus.PROPOSED,
        proposed_at=transaction.at,
    )
    return proposed if _keep(transaction, proposed) else None


def settle(transaction: Transaction, tenant: str, proposal_id: str, *, accept: bool, by: str, why: str) -> RuleProposal:
    """Accept or decline a proposed rule; an accepted one may be declined later, which puts it out of force.

    Raises:
        NotFoundError: this tenant has no such proposal.
        RefusedError: it was declined already, or accepted twice.
        UsageError: no reason is given.
        NotAllowedError: nobody is named, or he may not settle rules.
    """
    if not why.strip():
        raise UsageError("a rule needs a reason, either way: add --reason TEXT")
    require_right(transaction.connection, tenant, by, Deed.SETTLE_RULE)
    found = find_proposal(transaction.connection, tenant, proposal_id)
    status = ProposalStatus.ACCEPTED if accept else ProposalStatus.DECLINED
    if found.status in {status, ProposalStatus.DECLINED}:
        raise RefusedError(f"{proposal_id} is {found.status} already, by {found.decided_by}")
    values = {"status": status, "decided_by": by, "why": why, "decided_at": transaction.at}
    mine = (rule_proposals.c.tenant == tenant) & (rule_proposals.c.proposal_id == proposal_id)
    transaction.connection.execute(update(rule_proposals).where(mine).values(values))
    transaction.log(tenant, by, f"rule {status}", proposal_id, why=why, rule=found.rule, party=found.party)
    facts = {**_facts(transaction.connection, found), "by": by, "decision": str(status)}
    publish(
        transaction.connection, tenant, transaction.at, Event(kind="rule_settled", subject=proposal_id, facts=facts)
    )
    return find_proposal(transaction.connection, tenant, proposal_id)


def find_proposal(connection: Connection, tenant: str, proposal_id: str) -> RuleProposal:
    """The tenant's proposal of this id.

    Raises:
        NotFoundError: this tenant has none of that id.
    """
    mine = (rule_proposals.c.tenant == tenant) & (rule_proposals.c.proposal_id == proposal_id)
    row = connection.execute(select(rule_proposals).where(mine)).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no proposed rule {proposal_id}: `remembrancer rules proposals` lists them")
    return _proposal(row)


def list_proposals(connection: Connection, tenant: str, *statuses: ProposalStatus) -> list[RuleProposal]:
    """The tenant's proposals in order, of these statuses (all where none is named)."""
    query = select(rule_proposals).where(rule_proposals.c.tenant == tenant)
    if statuses:
        query = query.where(rule_proposals.c.status.in_(statuses))
    rows = connection.execute(query.order_by(rule_proposals.c.proposed_at, rule_proposals.c.proposal_id))
    return [_proposal(row) for row in rows]


def party_name(connection: Connection, proposal: RuleProposal) -> str:
    """The party by name, with its id, where the decisions that suggest the rule are still there."""
    about = select(reviews.c.party).join(decisions, decisions.c.review_id == reviews.c.review_id)
    decided = (decisions.c.tenant == proposal.tenant) & decisions.c.decision_id.in_(list(proposal.evidence))
    name = connection.execute(about.where(decided, reviews.c.tenant == proposal.tenant).limit(1)).scalar()
    return f"{name} ({proposal.party})" if name and name != proposal.party else proposal.party


def _facts(connection: Connection, proposal: RuleProposal) -> dict[str, Any]:
    """What watchers are told a rule is about; its id is put into words by whoever shows it."""
    return {
        "kind": proposal.kind,
        "rule": proposal.rule,
        "party": party_name(connection, proposal),
        "content": dict(proposal.content),
        "count": len(proposal.evidence),
    }


def _keep(transaction: Transaction, proposed: RuleProposal) -> bool:
    """Whether it is new: one that was proposed, accepted or declined before is never proposed again."""
    row = {name: getattr(proposed, name) for name in RuleProposal.__slots__}
    row |= {"content": json.dumps(dict(proposed.content), ensure_ascii=False, sort_keys=True)}
    row |= {"evidence": json.dumps(list(proposed.evidence))}
    if not keep_first(transaction.connection, rule_proposals, row):
        return False
    words = proposed.words
    transaction.log(
        proposed.tenant, "agent", "rule proposed", proposed.proposal_id, rule=proposed.rule, words=words["en"]
    )
    facts = {**_facts(transaction.connection, proposed), "what_zh": words["zh"], "what_en": words["en"]}
    event = Event(kind="rule_proposed", subject=proposed.proposal_id, facts=facts)
    publish(transaction.connection, proposed.tenant, transaction.at, event)
    return True


def _edits(decision: Decision) -> str:
    return json.dumps(dict(decision.edits), ensure_ascii=False, sort_keys=True)


def _proposal(row: Row[Any]) -> RuleProposal:
    values = dict(row._mapping)
    values |= {"content": json.loads(values["content"]), "evidence": json.loads(values["evidence"])}
    return RuleProposal(**{**values, "status": ProposalStatus(values["status"])})
