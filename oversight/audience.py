"""Who may decide a review, and in whose right.

The submitter never decides his own, nor does who stands in for him. A delegate has the right of the person he stands
in for, and the audit log names both. A person's own data are his alone to decide about.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy import Connection

from foundation.errors import NotAllowedError
from oversight.action import DecisionKind
from oversight.people import Person, Role, identify, known_person, name_key, represented_by, role_text, same_person
from oversight.reviews import Review, require_second_person

PERSON = "person:"
ROLE = "role:"
_LETS_PASS: tuple[DecisionKind, ...] = ("approve", "edit")


@dataclass(frozen=True, slots=True)
class Authority:
    """The right in which somebody decides."""

    person: str
    behalf_of: str = ""
    """The person whose right it is, where it isn't his own."""
    registered: bool = True
    """Whether he is one of the tenant's people; else the name he gave is all there is."""


def for_role(role: Role) -> str:
    """The audience of everybody with this role or a higher one."""
    return f"{ROLE}{role}"


def for_person(name: str) -> str:
    """The audience of one person: his own data."""
    return f"{PERSON}{name}"


def authority_of(
    connection: Connection,
    review: Review,
    name: str,
    *,
    day: date,
    kind: DecisionKind,
    amount: Decimal | None = None,
) -> Authority:
    """In whose right `name` makes a decision of this kind on that day; `amount` is the review's where none is given.

    Raises:
        NotAllowedError: nobody is named, or this person may not: says why.
    """
    person = identify(connection, review.tenant, name)
    if review.audience.startswith(PERSON):
        if not same_person(name, review.audience.removeprefix(PERSON)):
            raise NotAllowedError(f"{review.review_id} is about somebody else's own data: only he decides it")
        return Authority(name, registered=person is not None)
    require_second_person(name, review.submitter)
    if person is None:
        return Authority(name, registered=False)
    _refuse_stand_in(connection, review, person, day)
    needed = abs(review.amount if amount is None else amount) if kind in _LETS_PASS else None
    return _right_of(connection, review, person, day, needed)


def _refuse_stand_in(connection: Connection, review: Review, person: Person, day: date) -> None:
    submitter = known_person(connection, review.tenant, review.submitter) if review.submitter else None
    if submitter and name_key(submitter.stand_in(day) or "") == person.key:
        raise NotAllowedError(f"{person.name} stands in for {submitter.name}, who brought this in: a third person must")


def _right_of(connection: Connection, review: Review, person: Person, day: date, needed: Decimal | None) -> Authority:
    """His own right if it is enough, else that of somebody he stands in for."""
    role = Role(review.audience.removeprefix(ROLE))
    holders = [person, *represented_by(connection, review.tenant, person.name, day)]
    entitled = [holder for holder in holders if holder.has(role) and not same_person(holder.name, review.submitter)]
    if not entitled:
        raise NotAllowedError(f"{person.name} is {role_text(person.roles)}: {review.review_id} is for a {role}")
    enough = [holder for holder in entitled if needed is None or _covers(holder, needed)]
    if not enough:
        limit = max(holder.amount_limit or Decimal(0) for holder in entitled)
        raise NotAllowedError(
            f"{needed:,.2f} is over {person.name}'s limit of {limit:,.2f}: somebody with a higher one must approve it"
        )
    return Authority(person.name, "" if enough[0] is person else enough[0].name)


def _covers(person: Person, amount: Decimal) -> bool:
    return person.amount_limit is None or amount <= person.amount_limit
