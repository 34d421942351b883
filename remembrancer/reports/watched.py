"""How a batch was watched, for its report: degree, brakes, changed limits, samples, how the run ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from invoices.ledger import Batch
from invoices.money import money_text
from oversight.brake import Brake, brakes_of
from oversight.limits import LimitChange, changes
from oversight.proposals import ProposalStatus, RuleProposal, list_proposals
from oversight.runs import Run, run_of
from oversight.sampling import Sample, samples_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """How a batch was watched."""

    run: Run
    brakes: Sequence[Brake]
    limits: Sequence[LimitChange]
    samples: Mapping[str, Sample]
    """Invoice id -> its sample."""
    rules: Sequence[RuleProposal]
    """The rules in force that somebody accepted from repeated decisions."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        tally = self.run.tally
        return {
            "degree": self.run.degree,
            "examined": tally.actions,
            "failed": tally.failures,
            "booked": tally.count,
            "money": money_text(tally.money),
            "loss": money_text(tally.loss),
            "ended": self.run.ended_why,
            "brakes": [_plain(brake) for brake in self.brakes],
            "limits": [_plain(change) for change in self.limits],
            "samples": [{"invoice_id": one.subject, "settled": one.settled} for one in self.samples.values()],
            "accepted_rules": [
                {"id": one.proposal_id, "rule": one.rule, "party": one.party, "by": one.decided_by, "why": one.why}
                for one in self.rules
            ],
        }


def watched(connection: Connection, batch: Batch) -> Watched:
    """How this batch was watched."""
    tenant, batch_id = batch.tenant, batch.batch_id
    return Watched(
        run=run_of(connection, tenant, batch_id),
        brakes=[one for one in brakes_of(connection, tenant, batch_id) if _concerns(one, batch)],
        limits=[one for one in changes(connection, tenant, batch_id) if _holds(one, batch)],
        rules=list_proposals(connection, tenant, ProposalStatus.ACCEPTED),
        samples={one.subject: one for one in samples_of(connection, tenant, batch_id)},
    )


def _concerns(brake: Brake, batch: Batch) -> bool:
    """Whether the brake was on while the batch ran."""
    began = batch.finished_at is None or brake.pulled_at <= batch.finished_at
    return began and (brake.released_at is None or brake.released_at >= batch.created_at)


def _holds(change: LimitChange, batch: Batch) -> bool:
    """Whether the limit was changed before the batch ended."""
    return batch.finished_at is None or change.set_at <= batch.finished_at


def _plain(one: Brake | LimitChange) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in one.__slots__}
    return {name: value if isinstance(value, bool | int) else str(value or "") for name, value in values.items()}
