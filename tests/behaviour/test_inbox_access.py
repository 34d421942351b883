"""Who gets in, who may do what, and what another site, a stranger or another tenant can't do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from remembrancer.inbox.passwords import set_password
from tests.support.house import House
from tests.support.pages import add_people, another, csrf_of, page, sign_in

MakeHouse = Callable[..., House]


@pytest.fixture
def house(staffed_house: House, tmp_path: Path) -> Iterator[House]:
    """A copy of the staffed house: one invoice waits."""
    copy = staffed_house.copy(tmp_path / "copy")
    yield copy
    copy.close()


@pytest.fixture
def client(house: House) -> Iterator[TestClient]:
    """The page of that house, nobody signed in."""
    with page(house) as found:
        yield found


def test_nobody_sees_anything_before_he_signs_in(client: TestClient) -> None:
    for path in ("/", "/reviews/rev_x", "/live"):
        answer = client.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?next=")


def test_a_wrong_password_and_an_unknown_name_are_told_alike(client: TestClient) -> None:
    csrf = csrf_of(client)
    for name in ("chen", "nobody-of-that-name"):
        answer = client.post("/sign-in", data={"csrf": csrf, "name": name, "password": "wrong wrong wrong"})
        assert answer.status_code == 401
        assert "The name or the password is wrong." in answer.text


def test_after_five_failures_even_the_right_password_waits(client: TestClient) -> None:
    csrf = csrf_of(client)
    for _ in range(5):
        client.post("/sign-in", data={"csrf": csrf, "name": "chen", "password": "wrong wrong wrong"})
    answer = client.post("/sign-in", data={"csrf": csrf, "name": "chen", "password": "a long enough password"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


def test_after_signing_in_one_goes_on_where_one_wanted_to_but_never_to_another_site(client: TestClient) -> None:
    for wanted, reached in (("/?q=abc", "/?q=abc"), ("//evil.example", "/"), ("https://evil.example", "/")):
        browser = another(client)
        data = {"csrf": csrf_of(browser), "name": "chen", "password": "a long enough password", "next": wanted}
        assert browser.post("/sign-in", data=data).headers["location"] == reached


def test_a_session_ends_with_its_password(client: TestClient, house: House) -> None:
    sign_in(client, "chen")
    assert client.get("/").status_code == 200
    with house.services.journal.transaction() as transaction:
        set_password(transaction, house.services.tenant, "chen", "another long password", by="chen")
    assert client.get("/").status_code == 303


def test_a_cookie_that_was_made_up_or_changed_signs_nobody_in(client: TestClient) -> None:
    sign_in(client, "chen")
    cookie = client.cookies["remembrancer"]
    browser = another(client)
    browser.cookies.set("remembrancer", cookie[:-4] + "AAAA")
    assert browser.get("/").status_code == 303


def test_a_session_of_another_tenant_is_none_here(client: TestClient, house: House, make_house: MakeHouse) -> None:
    sign_in(client, "chen")
    with page(house, tenant="other", inbox_secret=house.settings.inbox_secret) as foreign:
        foreign.cookies.set("remembrancer", client.cookies["remembrancer"])
        assert foreign.get("/").status_code == 303


def test_a_change_without_the_pages_token_is_refused(client: TestClient, house: House) -> None:
    sign_in(client, "chen")
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    for data in ({}, {"csrf": "guessed"}):
        answer = client.post(f"/reviews/{review_id}/decision", data={"kind": "approve", **data})
        assert answer.status_code == 403
    assert house.bookings() == 3


def test_a_change_sent_by_another_site_is_refused_before_it_is_read(client: TestClient) -> None:
    csrf = sign_in(client, "chen")
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        assert client.post("/sign-out", data={"csrf": csrf}, headers=headers).status_code == 403
    assert client.get("/").status_code == 200


def test_a_stranger_can_send_no_body_and_a_form_has_a_limit(client: TestClient) -> None:
    assert client.post("/reviews/x/decision", data={"kind": "approve"}).status_code == 401
    csrf = sign_in(client, "chen")
    answer = client.post("/sign-out", data={"csrf": csrf, "more": "x" * 300_000})
    assert answer.status_code == 413


def test_a_submitter_decides_nothing(client: TestClient, house: House) -> None:
    csrf = sign_in(client, "lin")
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    answer = client.post(f"/reviews/{review_id}/decision", data={"csrf": csrf, "kind": "approve"})
    assert answer.status_code == 403
    assert client.get(f"/reviews/{review_id}").status_code == 403
    assert house.bookings() == 3


def test_what_is_another_tenants_is_not_found(client: TestClient, house: House) -> None:
    sign_in(client, "chen")
    ((review_id, invoice_id),) = house.ask("SELECT review_id, subject FROM reviews")
    house.change("UPDATE reviews SET tenant = 'other'")
    house.change("UPDATE invoices SET tenant = 'other'")
    paths = (
        f"/reviews/{review_id}",
        f"/reviews/{review_id}/original",
        f"/reviews/{review_id}/presence",
        f"/invoices/{invoice_id}/pages/1.png",
    )
    for path in paths:
        assert client.get(path).status_code == 404, path


def test_every_answer_carries_the_headers_that_keep_browsers_safe(client: TestClient) -> None:
    sign_in(client, "chen")
    for path in ("/", "/sign-in", "/static/inbox.css", "/healthz", "/no-such-page"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_the_one_time_link_works_once_and_only_while_there_are_no_people(make_house: MakeHouse) -> None:
    alone = make_house()
    with page(alone, one_time="the-key") as client:
        assert client.get("/start/another-key").status_code == 403
        assert client.get("/start/the-key").status_code == 303
        assert client.get("/").status_code == 200
        assert another(client).get("/start/the-key").status_code == 403
        add_people(alone, chen="admin")
        assert client.get("/").status_code == 303


def test_health_and_numbers_need_no_sign_in_and_name_nobody(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "up"}
    numbers = client.get("/metrics").text
    assert 'remembrancer_reviews{status="open"} 1.0' in numbers
    assert 'remembrancer_invoices{status="booked"} 3.0' in numbers
    assert "chen" not in numbers
