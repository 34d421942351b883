"""What is done about reviews while nobody decides: reminders, escalation, expiry."""

from typing import TYPE_CHECKING

from foundation.database import reading
from foundation.journal import Transaction
from invoices.ledger import InvoiceStatus, policy_of, set_status
from nodes.standing import schedule_of
from nodes.weighing import BOOK
from oversight.due_times import Schedule
from oversight.reviews import Review

if TYPE_CHECKING:
    from remembrancer.office import Office


def expire_late(office: "Office") -> int:
    """Close what nobody decided in time: its invoice is held, never booked; returns how many."""
    return office.desk.expire(office.services.tenant, _hold)


def remind(office: "Office") -> int:
    """Take the calendar steps that are due, as each review's policy says; returns how many."""

    def schedule(review: Review) -> Schedule:
        if not review.policy:
            return Schedule()
        with reading(office.services.engine) as connection:
            return schedule_of(policy_of(connection, review.policy), office.services.zone)

    return office.desk.remind(office.services.tenant, schedule)


def _hold(transaction: Transaction, review: Review) -> None:
    if review.action == BOOK:
        set_status(transaction.connection, review.tenant, [review.subject], InvoiceStatus.HELD)
