"""Asking again: an expired review is opened again, and a decided one is asked about once more as a fork of it.

The old review and its decision stay as they are. A fork of a rejection asks whether to book after all; a fork of a
booking asks whether it stands, and a rejection then takes it back with an entry of its own.
"""

from typing import TYPE_CHECKING

from foundation.errors import RefusedError, UsageError
from foundation.ids import derived_id
from foundation.journal import Transaction
from invoices.ledger import InvoiceStatus, find_examined, policy_of, set_status
from invoices.past import remember
from nodes.invoice_matter import InvoiceMatter
from nodes.invoice_question import CHECK
from nodes.pose import open_and_tell
from nodes.standing import batch_of, schedule_of
from nodes.weighing import BOOK, past_as_examined
from oversight.audience import Authority, authority_of
from oversight.due_times import Schedule, reopen_expired
from oversight.notices import NoticeKind, announce, waits_for
from oversight.reviews import Review, ReviewStatus, find_review, reviews_about

if TYPE_CHECKING:
    from remembrancer.office import Office

_DECIDED_ONCE = (InvoiceStatus.REJECTED, InvoiceStatus.BOOKED)


def reopen_review(office: "Office", review_id: str, by: str, reason: str) -> Review:
    """The review that is open now: the expired one, or the fork of the decided one. See `Office.reopen`."""
    if not reason.strip():
        raise UsageError("asking again needs a reason: add --reason TEXT")
    services = office.services
    with services.journal.transaction() as transaction:
        review = find_review(transaction.connection, services.tenant, review_id)
        day = services.today()
        right = authority_of(transaction.connection, review, by, day=day, kind="respond")
        if review.status is ReviewStatus.EXPIRED:
            return _open_again(transaction, office, review, right, reason)
        if review.status is not ReviewStatus.APPLIED or review.action not in {BOOK, CHECK}:
            raise RefusedError(f"{review_id} is {review.status}: only what expired or was decided is opened again")
        return _fork(transaction, office, review, right, reason)


def _open_again(transaction: Transaction, office: "Office", review: Review, right: Authority, reason: str) -> Review:
    connection, at = transaction.connection, transaction.at
    schedule = schedule_of(policy_of(connection, review.policy), office.services.zone) if review.policy else Schedule()
    reopen_expired(connection, review, schedule, at)
    if review.action == BOOK:
        set_status(connection, review.tenant, [review.subject], InvoiceStatus.WAITING)
    _tell(transaction, review, right, reason)
    return find_review(connection, review.tenant, review.review_id)


def _fork(transaction: Transaction, office: "Office", review: Review, right: Authority, reason: str) -> Review:
    connection, tenant = transaction.connection, review.tenant
    newest = reviews_about(connection, tenant, [review.subject])[review.subject]
    examined = find_examined(connection, tenant, review.subject)
    if newest != review.review_id:
        raise RefusedError(f"{review.review_id} was asked about again already, as {newest}: decide that one")
    if examined.status not in _DECIDED_ONCE:
        raise RefusedError(f"the invoice is {examined.status}: there is nothing left to decide about it")
    if examined.status is InvoiceStatus.REJECTED:
        set_status(connection, tenant, [examined.invoice_id], InvoiceStatus.WAITING)
        batch = batch_of(connection, tenant, examined, review)
        past = past_as_examined(examined, batch, policy_of(connection, batch.policy))
        remember(connection, tenant, [past])
    thread_id = derived_id("review", examined.invoice_id, review.review_id)
    state = {"invoice_id": examined.invoice_id, "reopens": review.review_id}
    put = InvoiceMatter(office.services).put(transaction, state, {"configurable": {"thread_id": thread_id}})
    if put is None:
        raise RefusedError(f"{review.review_id} can't be asked about again")
    open_and_tell(transaction, put)
    _tell(transaction, put, right, reason, forked_from=review.review_id)
    return put


def _tell(transaction: Transaction, review: Review, right: Authority, reason: str, **more: str) -> None:
    said = {"by": right.person, "text": reason, "turn": transaction.at.isoformat()}
    announce(transaction.connection, review, NoticeKind.REOPENED, waits_for(review), transaction.at, **said)
    facts = {"reason": reason, **({"behalf_of": right.behalf_of} if right.behalf_of else {}), **more}
    transaction.log(review.tenant, right.person, "reopened", review.review_id, **facts)
