"""What an approval stands on: the invoice's values, the file they were read from, and the policy it was asked under."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta, tzinfo
from decimal import Decimal
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import Connection

from foundation.errors import PolicyError
from foundation.journal import Transaction
from invoices.checks.days_off import is_day_off
from invoices.findings import Finding
from invoices.ledger import Batch, Examined, files_from, keep_policy, policy_of, require_batch, update_examined
from invoices.parts import differs_now
from invoices.policy import Policy, load_policy
from invoices.record import MONEY_FIELDS, public_fields
from nodes.matter import Stakes
from nodes.reexamine import edited_record, examine_again
from nodes.services import Services
from nodes.watching import with_changed_limits, without_run_limits
from nodes.weighing import BOOK
from oversight.action import Action
from oversight.due_times import Schedule
from oversight.question import both_languages, digest_of
from oversight.reviews import Decision, Review, set_policy

_log = structlog.get_logger(__name__)

_ACCOUNT_RULE = "account_changed"
_SATURDAY = 5


def batch_of(connection: Connection, tenant: str, examined: Examined, review: Review | None = None) -> Batch:
    """The invoice's batch, under the policy that the review is asked under."""
    batch = require_batch(connection, tenant, examined.batch_id)
    return replace(batch, policy=review.policy) if review and review.policy else batch


def schedule_of(policy: Policy, zone: tzinfo) -> Schedule:
    """The calendar of reviews under this policy; its days are days of work where the policy says so."""
    approval = policy.approval
    return Schedule(
        due=timedelta(days=approval.due_days),
        remind_before=timedelta(days=approval.remind_days),
        escalate_every=timedelta(days=approval.escalate_days),
        expires=timedelta(days=approval.expire_days) if approval.expire_days else None,
        is_day_off=partial(_is_day_off, region=policy.dates.region) if approval.work_days else None,
        zone=zone,
    )


def _is_day_off(day: date, region: str) -> bool:
    """Weekends, in a year that no calendar knows yet."""
    known = is_day_off(day, region)
    return day.weekday() >= _SATURDAY if known is None else known


def bound_of(connection: Connection, examined: Examined, batch: Batch) -> Mapping[str, Any]:
    """What an approval is bound to beside the invoice's values."""
    (file,) = files_from(connection, batch.batch_id, examined.file_seq, 1)
    return {"sha256": examined.sha256, "file_now": differs_now(file, examined.sha256), "policy": batch.policy}


def digest_now(connection: Connection, examined: Examined, batch: Batch, action: str = BOOK) -> str:
    """The digest of what is approved, as it stands now; corrections that are only proposed are no part of it."""
    fields = public_fields(examined.record) if examined.record else {}
    return digest_of(Action(name=action, args=fields), bound_of(connection, examined, batch))


def approvals_needed(policy: Policy, amount: Decimal, findings: tuple[Finding, ...], edited: frozenset[str]) -> int:
    """How many different people this policy wants for it."""
    approval = policy.approval
    large = approval.second_person_from is not None and abs(amount) >= approval.second_person_from
    account = "account" in approval.second_person_for and any(one.rule == _ACCOUNT_RULE for one in findings)
    changed = "amount" in approval.second_person_for and bool(edited & set(MONEY_FIELDS))
    return 2 if large or account or changed else 1


def stakes_of(
    connection: Connection, services: Services, decision: Decision, review: Review, examined: Examined
) -> Stakes:
    """What the decision lets pass, its corrections included."""
    batch = batch_of(connection, services.tenant, examined, review)
    policy = policy_of(connection, batch.policy)
    record = edited_record(examined, decision) if decision.edits else examined.record
    total = record.signed_total if record else None
    worth = policy.worth(total, record.text("currency")) if record and total is not None else None
    amount = abs(worth if worth is not None else total or Decimal(0))
    edited = frozenset(decision.edits)
    # An account that was corrected by hand is as new as one that was read.
    own = "account" in policy.approval.second_person_for and "seller_account" in edited
    needed = 2 if own else approvals_needed(policy, amount, examined.findings, edited)
    return Stakes(amount, max(needed, review.approvals_needed))


def changes_since(
    transaction: Transaction, services: Services, decision: Decision, review: Review, examined: Examined
) -> str:
    """Why what was approved isn't what stands there now, in both languages; "" when it is.

    A policy that became stricter for this invoice is taken over by the review, so that it is asked under it.
    """
    connection = transaction.connection
    batch = batch_of(connection, services.tenant, examined, review)
    reasons: list[tuple[str, str]] = []
    if decision.digest and decision.digest != digest_now(connection, examined, batch, review.action):
        reasons.append(("所批准的内容或文件已有变动", "the invoice or its file has changed since it was approved"))
    if stricter := _stricter(transaction, services, review, examined, batch):
        words = "；".join(zh for zh, _ in stricter), "; ".join(en for _, en in stricter)
        reasons.append((f"政策已收紧：{words[0]}", f"the policy has become stricter: {words[1]}"))
    return both_languages(*reasons)


def _stricter(
    transaction: Transaction, services: Services, review: Review, examined: Examined, batch: Batch
) -> list[tuple[str, str]]:
    """What the policy file as it is today has against the invoice that nobody was asked about."""
    policy = _policy_now(batch)
    if policy is None or examined.record is None:
        return []
    rules = without_run_limits(with_changed_limits(transaction.connection, batch, policy))
    again = examine_again(transaction.connection, services, examined, examined.record, rules)
    seen = {finding.rule for finding in examined.findings}
    found = again.examination.findings
    reasons = [(f.message["zh"], f.message["en"]) for f in found if f.asks and f.rule not in seen]
    if approvals_needed(policy, review.amount, found, frozenset()) > review.approvals_needed:
        reasons.append(("需要第二人审批", "a second person must approve"))
    if reasons:
        keep_policy(transaction.connection, policy)
        update_examined(transaction.connection, replace(examined, findings=found))
        needed = approvals_needed(policy, review.amount, found, frozenset())
        set_policy(transaction.connection, review, policy.digest, max(needed, review.approvals_needed))
    return reasons


def _policy_now(batch: Batch) -> Policy | None:
    """The batch's policy file as it is today; None where it says what it said, or nothing that can be read."""
    path = Path(batch.policy_file)
    if not batch.policy_file or not path.is_file():
        return None
    try:
        policy = _loaded(path, path.stat().st_mtime_ns)
    except (PolicyError, OSError) as error:
        _log.warning("the policy as it is today can't be read; the batch's own holds", file=str(path), why=str(error))
        return None
    return None if policy.digest == batch.policy else policy


@lru_cache(maxsize=4)
def _loaded(path: Path, changed_at: int) -> Policy:  # noqa: ARG001 - a changed file is read anew
    return load_policy(path)
