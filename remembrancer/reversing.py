"""Taking a booking back."""

from dataclasses import replace

from foundation.errors import RefusedError, UsageError
from invoices.bookings import booking_of, find_by_number, reverse_booking
from invoices.ledger import Examined, InvoiceStatus, require_batch
from nodes.services import Services
from oversight.budgets import Tally
from oversight.reviews import require_second_person
from oversight.rights import Deed, require_right
from oversight.runs import add_to_run


def reverse(services: Services, id_or_number: str, *, by: str, reason: str) -> Examined:
    """See `Office.reverse`."""
    if not reason.strip():
        raise UsageError("a reversal needs a reason: add --reason TEXT")
    with services.journal.transaction() as transaction:
        connection, tenant = transaction.connection, services.tenant
        examined = find_by_number(connection, tenant, id_or_number)
        booking = booking_of(connection, tenant, examined.invoice_id)
        batch = require_batch(connection, tenant, examined.batch_id)
        require_second_person(by, examined.claim.submitter or batch.submitter)
        require_right(connection, tenant, by, Deed.REVERSE_BOOKING)
        if booking is None or examined.status is not InvoiceStatus.BOOKED:
            raise RefusedError(f"invoice {id_or_number} is {examined.status}, not booked: there is nothing to reverse")
        reverse_booking(connection, booking, by=by, reason=reason, at=transaction.at)
        transaction.log(tenant, by, "reversed", examined.invoice_id, reason=reason, amount=-booking.amount)
        add_to_run(connection, tenant, examined.batch_id, Tally(failures=1, loss=abs(booking.amount)))
    return replace(examined, status=InvoiceStatus.REVERSED)
