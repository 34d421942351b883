"""A desk at a chosen time, people at it, and papers that wait for different reasons."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from oversight.people import Person, add_person, parse_roles, set_delegate
from remembrancer.office import Office, open_office
from tests.support.house import House


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 29, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        """Let so much time pass, in the words of `timedelta`."""
        self.now += timedelta(**time)


@contextmanager
def office_at(house: House, clock: SetClock) -> Iterator[Office]:
    """The house's office, by this clock."""
    with open_office(house.settings, sweep=False, clock=clock) as office:
        try:
            yield office
        finally:
            office.services.engine.dispose()


def add_people(office: Office, **people: str) -> None:
    """Name -> "role,role" or "role:limit"."""
    services = office.services
    with services.journal.transaction() as transaction:
        for name, said in people.items():
            roles, _, limit = said.partition(":")
            amount = Decimal(limit) if limit else None
            person = Person(
                tenant=services.tenant,
                name=name,
                roles=parse_roles(roles.split(",")),
                amount_limit=amount,
                added_at=transaction.at,
            )
            add_person(transaction.connection, person)


def send_away(office: Office, name: str, stand_in: str, first: date, last: date) -> None:
    """Have somebody stand in for a person."""
    with office.services.journal.transaction() as transaction:
        set_delegate(transaction.connection, office.services.tenant, name, stand_in, first, last)


def waiting(house: House) -> list[str]:
    """The ids of the open reviews."""
    return [row[0] for row in house.ask("SELECT review_id FROM reviews WHERE status = 'open' ORDER BY review_id")]


def log_of(house: House, event: str) -> list[tuple[str, dict[str, object]]]:
    """(actor, content) of the log's lines about such an event, in order."""
    rows = house.ask(
        "SELECT l.actor, c.content FROM audit_log l JOIN audit_content c ON c.tenant = l.tenant AND c.seq = l.seq"
        " WHERE l.event = ? ORDER BY l.seq",
        event,
    )
    return [(actor, json.loads(content)) for actor, content in rows]


def notices_of(house: House, kind: str) -> list[str]:
    """Who is to be told of such a thing, once for each notice."""
    return [row[0] for row in house.ask("SELECT recipient FROM notices WHERE kind = ? ORDER BY recipient", kind)]
