"""Sign-in at a company's provider: who is let in, as whom, and what a forged answer gets."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from tests.support.house import House
from tests.support.pages import page
from tests.support.provider import CLIENT, SECRET, Provider, provider


@pytest.fixture
def house(staffed_house: House, tmp_path: Path) -> Iterator[House]:
    copy = staffed_house.copy(tmp_path / "copy")
    yield copy
    copy.close()


@pytest.fixture
def company() -> Iterator[Provider]:
    with provider() as found:
        yield found


@pytest.fixture
def client(house: House, company: Provider) -> Iterator[TestClient]:
    named = {"oidc_client_id": CLIENT, "oidc_client_secret": SecretStr(SECRET), "oidc_role_claim": "groups"}
    with page(house, oidc_issuer=company.issuer, **named) as found:
        yield found


def _return(client: TestClient, onward: str = "/") -> str:
    """Go to the provider and come back with its answer; the address of the page that takes it."""
    start = client.get("/oidc/start", params={"next": onward})
    assert start.status_code == 302, start.text
    back = httpx.get(start.headers["location"]).headers["location"]
    parts = urlsplit(back)
    return f"{parts.path}?{parts.query}"


def test_somebody_who_was_added_here_comes_in_as_himself(client: TestClient) -> None:
    answer = client.get(_return(client, "/ledger"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/ledger")
    assert ">chen<" in client.get("/").text


def test_somebody_unknown_without_a_role_stays_outside(client: TestClient, company: Provider) -> None:
    company.claims = {"sub": "2", "preferred_username": "mallory"}
    assert client.get(_return(client)).status_code == 403
    assert client.get("/").status_code == 303


def test_the_role_that_the_provider_names_lets_a_newcomer_in(
    client: TestClient, company: Provider, house: House
) -> None:
    company.claims = {"sub": "3", "preferred_username": "qian", "groups": ["reviewer", "cyclists"]}
    assert client.get(_return(client)).status_code == 303
    assert house.ask("SELECT roles FROM people WHERE key = 'qian'") == [("reviewer",)]


def test_an_answer_with_another_state_or_for_another_page_is_refused(client: TestClient, company: Provider) -> None:
    path = _return(client)
    state = parse_qs(urlsplit(path).query)["state"][0]
    assert client.get(path.replace(state, "made-up")).status_code == 403
    company.audience = "another page"
    assert client.get(_return(client)).status_code == 403
    assert client.get("/").status_code == 303
