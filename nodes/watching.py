"""How a batch is watched: its degree of oversight, the limits in force at this moment, and what its steps tell."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from sqlalchemy import Connection

from invoices.bookings import Bookable
from invoices.ledger import Batch, Examined, InvoiceStatus, policy_of
from invoices.money import money_text
from invoices.policy import Policy
from nodes.weighing import BOOK
from oversight.budgets import Budgets, Tally
from oversight.degrees import Degree
from oversight.feed import Event
from oversight.limits import NAMES, in_force
from oversight.question import both_languages

_FAILED = frozenset({InvoiceStatus.UNREADABLE, InvoiceStatus.DUPLICATE})
_TOLD = {
    InvoiceStatus.WAITING: "waits",
    InvoiceStatus.HELD: "held",
    InvoiceStatus.UNREADABLE: "unreadable",
    InvoiceStatus.DUPLICATE: "duplicate",
}
_WHOLE_RUN = frozenset({"hotl", "hootl"})
"""Here the money of the whole run is a limit of the run, not a reason to ask about one invoice."""


def policy_in_force(connection: Connection, batch: Batch) -> Policy:
    """The batch's policy with the limits that somebody changed since."""
    return with_changed_limits(connection, batch, policy_of(connection, batch.policy))


def with_changed_limits(connection: Connection, batch: Batch, policy: Policy) -> Policy:
    """A policy with the limits that somebody changed for this batch, or for all of the tenant."""
    changed = {name: one.value for name, one in in_force(connection, batch.tenant, batch.batch_id).items()}
    if not changed:
        return policy
    limits: dict[str, object] = {name: changed[name] for name in ("amount", "batch_budget") if name in changed}
    watched: dict[str, object] = {name: changed[name] for name in ("loss", "failure_rate") if name in changed}
    if "confidence" in changed:
        limits["confidence"] = float(changed["confidence"])
    if "batch_count" in changed:
        watched["batch_count"] = int(changed["batch_count"])
    return policy.model_copy(
        update={
            "limits": policy.limits.model_copy(update=limits),
            "oversight": policy.oversight.model_copy(update=watched),
        }
    )


def limits_in_force(connection: Connection, batch: Batch) -> dict[str, str]:
    """Name -> value of each limit that may be changed, as it stands for this batch; "" where there is none."""
    policy = policy_in_force(connection, batch)
    values = {name: getattr(policy.limits, name, getattr(policy.oversight, name, None)) for name in NAMES}
    return {name: "" if value is None else str(value) for name, value in values.items()}


def degree_of(policy: Policy) -> Degree:
    """The degree of oversight under which invoices are booked."""
    return policy.oversight.degree_of(BOOK)


def budgets_of(policy: Policy) -> Budgets:
    """What one batch may do without a person in all."""
    watched = policy.oversight
    return Budgets(
        money=policy.limits.batch_budget,
        count=watched.batch_count,
        loss=watched.loss,
        failure_rate=watched.failure_rate,
        failures_from=watched.failures_from,
    )


def without_run_limits(policy: Policy) -> Policy:
    """The policy by which one invoice is weighed: where the run has a budget of its own, it is no trigger."""
    if degree_of(policy) not in _WHOLE_RUN:
        return policy
    return policy.model_copy(update={"limits": policy.limits.model_copy(update={"batch_budget": None})})


def examined_tally(examined: Iterable[Examined], policy: Policy) -> Tally:
    """What a step looked at: how much of it failed, and what that would have cost had it been booked."""
    tally = Tally()
    for one in examined:
        failed = one.status in _FAILED or any(f.severity == "hard" and f.asks for f in one.findings)
        loss = abs(_worth(one, policy)) if failed else Decimal(0)
        tally = tally.plus(Tally(actions=1, failures=int(failed), loss=loss))
    return tally


def worth_of(one: Bookable, policy: Policy) -> Decimal:
    """What a booking is worth in the policy's currency; its own figure where no rate is known."""
    worth = policy.worth(one.amount, one.currency)
    return one.amount if worth is None else worth


def _worth(one: Examined, policy: Policy) -> Decimal:
    total = one.record.signed_total if one.record else None
    if one.record is None or total is None:
        return Decimal(0)
    worth = policy.worth(total, one.record.text("currency"))
    return total if worth is None else worth


def events_of(examined: Iterable[Examined], *, advises: bool) -> list[Event]:
    """What watchers are told of freshly examined invoices; one that is about to be booked is told of then."""
    events = []
    for one in examined:
        kind = _advice(one) if advises and one.status is InvoiceStatus.ADVISED else _TOLD.get(one.status)
        if kind:
            rules = [finding.rule for finding in one.findings if finding.asks]
            facts: Mapping[str, object] = {"label": label_of(one), "rules": ", ".join(rules)}
            events.append(Event(kind=kind, subject=one.invoice_id, batch=one.batch_id, facts=facts))
    return events


def _advice(one: Examined) -> str:
    return "would_ask" if any(finding.asks for finding in one.findings) else "would_book"


def booked_event(one: Bookable, currency: str, *, batch: str) -> Event:
    """What watchers are told of a booking."""
    facts = {
        "label": _number_in(one.invoice_key),
        "amount": money_text(one.amount),
        "currency": one.currency or currency,
    }
    return Event(kind="booked", subject=one.invoice_id, batch=batch, facts=facts)


def _number_in(key: str) -> str:
    """The invoice's number inside its key (`cn:...:NUMBER`, or `SELLER:NUMBER:YEAR`)."""
    parts = key.split(":")
    return parts[-1] if parts[0] == "cn" or len(parts) < 2 else parts[-2]


def label_of(one: Examined) -> str:
    """A few words that name the invoice for a watcher: its number, else its file."""
    number = one.record.text("number") if one.record else ""
    return number or one.file


def why_in_both(message: Mapping[str, str]) -> str:
    """A message as one text of two lines, zh and en."""
    return both_languages((message["zh"], message["en"]))
