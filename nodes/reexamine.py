"""Examine an edited invoice by the same rules, and say what still stands in its way."""

from collections.abc import Collection

from sqlalchemy import Connection

from invoices.findings import Context, Finding
from invoices.ledger import Batch, Examined, first_by_key
from invoices.past import LedgerHistory
from invoices.policy import Policy
from invoices.record import Invoice
from nodes.accepted import accepted_rules
from nodes.services import Services
from nodes.watching import policy_in_force, without_run_limits
from nodes.weighing import Weighed, for_invoice, key_of, still_beside, weigh
from oversight.reviews import Decision, decisions_on
from oversight.second_person import approval_ids


def edited_record(examined: Examined, decision: Decision) -> Invoice:
    """The record as the decision's edits leave it."""
    if examined.record is None:
        raise ValueError(f"{examined.invoice_id} was never read: it can't be edited")
    return examined.record.with_values(decision.edits, person=decision.decided_by)


def reexamine(
    connection: Connection, services: Services, decision: Decision, examined: Examined, batch: Batch
) -> tuple[Weighed, list[Finding]]:
    """What the rules say about the edited record, duplicates included, and which findings send it back."""
    edited = edited_record(examined, decision)
    policy = without_run_limits(policy_in_force(connection, batch))
    refusals = _refusals(connection, decision)
    weighed = examine_again(connection, services, examined, edited, policy, attempt=refusals + 1)
    return weighed, _standing(examined, weighed, frozenset() if refusals else frozenset(decision.edits))


def examine_again(
    connection: Connection,
    services: Services,
    examined: Examined,
    record: Invoice,
    policy: Policy,
    *,
    attempt: int = 1,
) -> Weighed:
    """What the rules say about this record of the invoice today, under this policy, duplicates included."""
    key = key_of(record, examined.sha256, examined.nth)
    earlier = first_by_key(connection, examined.tenant, [key], but=examined.invoice_id).get(key)
    history = LedgerHistory(connection, examined.tenant, policy, [record])
    context = Context(policy, services.today(), history=history, invoice_id=examined.invoice_id)
    context = for_invoice(context, record, examined.claim, earlier)
    accepted = accepted_rules(connection, examined.tenant)
    return weigh(record, context, attempt=attempt, beside=still_beside(examined), accepted=accepted)


def _standing(examined: Examined, weighed: Weighed, unseen_fields: Collection[str]) -> list[Finding]:
    """Broken hard rules, unsure fields, a loop, and whatever the person has not had before his eyes.

    A finding of severity `review` counts as cleared by the decision when he saw it on a value that he left alone, or
    when the same correction came back to him once with it and he insists.
    """
    seen = {finding.rule for finding in examined.findings}

    def cleared(finding: Finding) -> bool:
        if finding.severity != "review" or finding.trigger in {"low_confidence", "loop"}:
            return False
        return finding.field not in unseen_fields and (finding.rule in seen or not unseen_fields)

    return [finding for finding in weighed.examination.findings if finding.asks and not cleared(finding)]


def _refusals(connection: Connection, decision: Decision) -> int:
    """How often this same correction was put back already."""
    before = decisions_on(connection, decision.tenant, [decision.review_id])
    others = approval_ids(connection, decision.review_id) | {decision.decision_id}
    return sum(1 for one in before if one.refused and one.edits == decision.edits and one.decision_id not in others)
