"""The page over a house: people with passwords, and clients that are signed in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi.testclient import TestClient

from oversight.people import Person, Role, add_person
from remembrancer.inbox.app import create_app
from remembrancer.inbox.passwords import set_password
from remembrancer.settings import Settings
from tests.support.house import House

PASSWORD = "a long enough password"
_TOKEN = re.compile(r'name="csrf" value="([^"]+)"')


def add_people(house: House, **roles: str) -> None:
    """People by name, each with one role and the same password."""
    with house.services.journal.transaction() as transaction:
        for name, role in roles.items():
            person = Person(
                tenant=house.services.tenant, name=name, roles=frozenset({Role(role)}), added_at=transaction.at
            )
            add_person(transaction.connection, person)
            set_password(transaction, house.services.tenant, name, PASSWORD, by="test")


def audited(house: House, **start: object) -> list[str]:
    """The house with all its papers audited; the ids of the reviews that wait."""
    with house.office() as office:
        office.audit(house.start(**start), name="september")
    return [row[0] for row in house.ask("SELECT review_id FROM reviews ORDER BY amount DESC, review_id")]


def page_settings(house: House, **changes: object) -> Settings:
    """The house's settings with the page's own changes; decisions take effect at once unless said otherwise."""
    return house.settings.model_copy(update={"inbox_undo_seconds": 0.0, **changes})


@contextmanager
def page(house: House, *, one_time: str = "", **changes: object) -> Iterator[TestClient]:
    """A client of the page, nobody signed in."""
    app = create_app(page_settings(house, **changes), one_time=one_time)
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
        yield client


def another(client: TestClient) -> TestClient:
    """One more browser on the same page."""
    return TestClient(client.app, base_url="http://localhost", follow_redirects=False)


def csrf_of(client: TestClient, path: str = "/sign-in") -> str:
    """The token that the page's forms carry."""
    found = _TOKEN.search(client.get(path, follow_redirects=True).text)
    assert found, f"no form on {path}"
    return found[1]


def sign_in(client: TestClient, name: str, password: str = PASSWORD) -> str:
    """Sign in and return the token for forms."""
    answer = client.post("/sign-in", data={"csrf": csrf_of(client), "name": name, "password": password})
    assert answer.status_code == 303, answer.text
    return csrf_of(client, "/")
