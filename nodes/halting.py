"""What a stopped run asks of a person: release the brake and let it go on, or end it."""

from collections.abc import Sequence
from typing import Any

from foundation.journal import Transaction
from invoices.bookings import clean_of
from invoices.ledger import Batch, InvoiceStatus, set_status
from oversight.action import Action, DecisionKind, Fired, Verdict
from oversight.brake import Brake
from oversight.feed import Event, publish
from oversight.question import plain_text, question_about
from oversight.runs import end_run

AGENT = "agent"
RELEASE = "release_brake"


def halted_at(transaction: Transaction, batch: Batch, brake: Brake) -> dict[str, Any]:
    """The state of a batch that a brake stopped before its next booking."""
    waiting = len(clean_of(transaction.connection, batch.batch_id))
    facts = {"waiting": waiting, "name": batch.name, "by": brake.pulled_by, "why": brake.why}
    event = Event(kind="stopped", subject=batch.batch_id, batch=batch.batch_id, facts=facts)
    publish(transaction.connection, batch.tenant, transaction.at, event)
    transaction.log(batch.tenant, AGENT, "stopped by the brake", batch.batch_id, waiting=waiting)
    args = {"batch": batch.name, "waiting": str(waiting)}
    return {"halted": halt_question(brake, batch.batch_id, args, ("approve", "reject"))}


def halt_question(brake: Brake, batch: str, args: dict[str, str], allowed: Sequence[DecisionKind]) -> dict[str, Any]:
    """The question of a stopped thread, in the shape of every other question; approving it releases the brake."""
    action = Action(name=RELEASE, args=args)
    fired = Fired(
        kind="guardrail",
        rule="brake",
        message={
            "zh": f"{brake.pulled_by} 拉下了刹车：{brake.why or '未说明原因'}",
            "en": f"{brake.pulled_by} pulled the brake: {brake.why or 'no reason given'}",
        },
    )
    lines = [f"**刹车 / Brake**: {plain_text(fired.message['zh'])} / {plain_text(fired.message['en'])}", ""]
    lines += [f"- {name}: {plain_text(value)}" for name, value in args.items()]
    question = question_about(
        action,
        Verdict(fired=(fired,), allowed=tuple(allowed)),
        review_id=brake.brake_id,
        description="\n".join(lines),
        editable=(),
        evidence={"pulled_at": brake.pulled_at.isoformat(), "automatic": brake.automatic},
    )
    return {**question, "brake": {"scope": brake.scope, "batch": batch}}


def end(transaction: Transaction, batch: Batch, *, why: str, by: str) -> dict[str, Any]:
    """End the run: nothing more of it is examined or booked, and what was about to be booked is held."""
    connection = transaction.connection
    left = [one.invoice_id for one in clean_of(connection, batch.batch_id)]
    set_status(connection, batch.tenant, left, InvoiceStatus.HELD)
    end_run(connection, batch.tenant, batch.batch_id, why, transaction.at)
    transaction.log(batch.tenant, by, "run ended", batch.batch_id, why=why, held=len(left))
    zh, _, en = why.partition("\n")
    facts = {"why_zh": zh, "why_en": en, "held": len(left)}
    event = Event(kind="run_ended", subject=batch.batch_id, batch=batch.batch_id, facts=facts)
    publish(connection, batch.tenant, transaction.at, event)
    return {"ended": why}
