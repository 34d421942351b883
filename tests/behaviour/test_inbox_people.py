"""People, tokens and how closely an audit is watched, looked after on the page: who may, and what can't be undone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from oversight.degrees import DEGREES, is_looser
from remembrancer.inbox.account_texts import TEXTS
from remembrancer.inbox.texts import TEXTS as OTHER_TEXTS
from remembrancer.tending import expire_late
from tests.support.house import House
from tests.support.pages import PASSWORD, another, csrf_of, page, sign_in

SECRET = "rmb_"


@pytest.fixture
def house(staffed_house: House, tmp_path: Path) -> Iterator[House]:
    copy = staffed_house.copy(tmp_path / "copy")
    yield copy
    copy.close()


@pytest.fixture
def client(house: House) -> Iterator[TestClient]:
    with page(house) as found:
        yield found


def _secret(text: str) -> str:
    return SECRET + text.partition(SECRET)[2].partition("<")[0]


def test_an_administrator_adds_changes_and_removes_people_and_the_log_says_so(client: TestClient, house: House) -> None:
    csrf = sign_in(client, "root")
    added = {"csrf": csrf, "name": "qian", "role": "reviewer", "limit": "5,000.00", "password": PASSWORD}
    assert client.post("/people", data=added).status_code == 303
    assert house.ask("SELECT roles, amount_limit FROM people WHERE key = 'qian'") == [("reviewer", 5000)]
    sign_in(another(client), "qian")
    changed = {"csrf": csrf, "name": "qian", "role": "manager", "limit": ""}
    assert client.post("/people/role", data=changed).status_code == 303
    away = {"csrf": csrf, "name": "qian", "to": "chen", "last": "2099-12-31"}
    assert client.post("/people/stand-in", data=away).status_code == 303
    assert house.ask("SELECT roles, amount_limit, delegate_to FROM people WHERE key = 'qian'") == [
        ("manager", None, "chen")
    ]
    assert "qian" in client.get("/people").text
    assert client.post("/people/remove", data={"csrf": csrf, "name": "qian"}).status_code == 303
    assert house.ask("SELECT active FROM people WHERE key = 'qian'") == [(0,)]
    for event in ("person added", "person changed", "delegated", "person removed"):
        assert house.log_lines(event) == 1, event


def test_the_last_administrator_can_neither_go_nor_become_less(client: TestClient, house: House) -> None:
    csrf = sign_in(client, "root")
    assert client.post("/people/remove", data={"csrf": csrf, "name": "Root"}).status_code == 409
    assert client.post("/people/role", data={"csrf": csrf, "name": "root", "role": "manager"}).status_code == 409
    assert house.ask("SELECT roles, active FROM people WHERE key = 'root'") == [("admin", 1)]


def test_a_manager_looks_after_nobody_but_himself(client: TestClient, house: House) -> None:
    csrf = sign_in(client, "chen")
    assert client.get("/people").status_code == 403
    mine = {"csrf": csrf, "name": "chen", "role": "admin"}
    assert client.post("/people/role", data=mine).status_code == 403
    assert client.post("/people/password", data={**mine, "password": PASSWORD}).status_code == 403
    away = {"csrf": csrf, "to": "wang", "last": "2099-12-31"}
    assert client.post("/account/stand-in", data=away).status_code == 303
    assert house.ask("SELECT delegate_to FROM people WHERE key = 'chen'") == [("wang",)]
    assert client.post("/account/stand-in", data={**away, "to": "lin"}).status_code == 422, "lin decides nothing"


def test_somebody_alone_adds_an_administrator_with_a_password_first(make_house: Callable[..., House]) -> None:
    alone = make_house()
    with page(alone, one_time="the-key") as client:
        client.get("/start/the-key")
        csrf = csrf_of(client, "/people")
        first = {"csrf": csrf, "name": "qian", "role": "reviewer", "password": PASSWORD}
        assert client.post("/people", data=first).status_code == 422
        assert client.post("/people", data={**first, "role": "admin", "password": ""}).status_code == 422
        assert "administrator first" in client.get("/account").text
        assert client.post("/people", data={**first, "role": "admin"}).status_code == 303
        assert client.get("/people").status_code == 303, "from now on everybody signs in"
        sign_in(another(client), "qian")


def test_everybody_makes_tokens_of_his_own_that_are_shown_once_and_end(client: TestClient, house: House) -> None:
    csrf = sign_in(client, "wang")
    answer = client.post("/account/tokens", data={"csrf": csrf, "label": "night run", "days": "30"})
    headers = {"authorization": f"Bearer {_secret(answer.text)}"}
    script = another(client)
    assert script.get("/api/v1/reviews", headers=headers).status_code == 200
    assert SECRET not in client.get("/account").text
    ((token_id,),) = house.ask("SELECT token_id FROM api_tokens")
    chen = another(client)
    assert chen.post(f"/account/tokens/{token_id}/revoke", data={"csrf": sign_in(chen, "chen")}).status_code == 404
    assert client.post(f"/account/tokens/{token_id}/revoke", data={"csrf": csrf}).status_code == 303
    assert script.get("/api/v1/reviews", headers=headers).status_code == 401


def test_whoever_is_removed_has_no_token_left_even_if_he_comes_back(client: TestClient, house: House) -> None:
    wang = another(client)
    answer = wang.post("/account/tokens", data={"csrf": sign_in(wang, "wang")})
    headers = {"authorization": f"Bearer {_secret(answer.text)}"}
    csrf = sign_in(client, "root")
    client.post("/people/remove", data={"csrf": csrf, "name": "wang"})
    client.post("/people", data={"csrf": csrf, "name": "wang", "role": "reviewer"})
    assert another(client).get("/api/v1/reviews", headers=headers).status_code == 401


def test_a_password_is_changed_by_whoever_knows_the_old_one_and_ends_the_other_sessions(client: TestClient) -> None:
    elsewhere = another(client)
    sign_in(elsewhere, "wang")
    csrf = sign_in(client, "wang")
    new = {"csrf": csrf, "new": "quite another password"}
    assert client.post("/account/password", data={**new, "old": "wrong wrong wrong"}).status_code == 403
    assert client.post("/account/password", data={**new, "old": PASSWORD}).status_code == 303
    assert client.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 303


@pytest.mark.parametrize(
    ("name", "degree", "status"),
    [("lin", "hootl", 403), ("lin", "hotl", 403), ("wang", "hotl", 403), ("lin", "shadow", 303), ("chen", "hotl", 303)],
)
def test_only_a_manager_has_an_audit_watched_less_closely_than_the_policy_says(
    client: TestClient, house: House, name: str, degree: str, status: int
) -> None:
    paper = next(house.papers.folder.iterdir()).read_bytes()
    data = {"csrf": sign_in(client, name), "label": "mine", "oversight": degree, "sample": "1"}
    sent = client.post("/batches", data=data, files=[("files", ("a.xml", paper))])
    assert sent.status_code == status
    client.app.state.frame.runs.wait()
    runs = house.ask("SELECT degree FROM runs r JOIN batches b ON b.batch_id = r.batch WHERE b.name LIKE 'mine-%'")
    assert runs == ([(degree,)] if status == 303 else [])


def test_looser_means_that_more_is_done_without_people() -> None:
    assert is_looser("hootl", "hitl")
    assert is_looser("hotl", "hitl")
    assert not is_looser("shadow", "hitl")
    assert not any(is_looser(degree, degree) for degree in DEGREES)


def test_an_expired_review_is_found_in_its_tab_and_opened_again_by_a_manager(client: TestClient, house: House) -> None:
    ((review_id,),) = house.ask("SELECT review_id FROM reviews")
    house.change("UPDATE reviews SET expires_at = opened_at, next_step_at = opened_at")
    assert expire_late(client.app.state.frame.office) == 1
    csrf = sign_in(client, "chen")
    assert review_id in client.get("/?status=expired").text
    assert review_id not in client.get("/").text
    shown = client.get(f"/reviews/{review_id}").text
    assert "Nobody decided in time" in shown
    assert f"/reviews/{review_id}/reopen" in shown
    answer = client.post(f"/reviews/{review_id}/reopen", data={"csrf": csrf, "reason": "he was away"})
    assert answer.status_code == 303
    assert review_id in client.get("/").text


def test_a_proposed_rule_is_accepted_by_a_manager_and_put_out_of_force_again(client: TestClient, house: House) -> None:
    house.change(
        "INSERT INTO rule_proposals (proposal_id, tenant, kind, rule, party, content, evidence, status, proposed_at)"
        " VALUES ('rule_1', 'default', 'waive', 'known_seller', 'Paper Ltd', '{}', '[\"d\"]', 'proposed', ?)",
        "2026-09-01 00:00:00.000000",
    )
    wang = another(client)
    data = {"csrf": sign_in(wang, "wang"), "do": "accept", "why": "they are fine"}
    assert "asks no more about Paper Ltd" in wang.get("/rules").text
    assert wang.post("/rules/proposals/rule_1", data=data).status_code == 403
    csrf = sign_in(client, "chen")
    assert client.post("/rules/proposals/rule_1", data={**data, "csrf": csrf, "why": " "}).status_code == 422
    assert client.post("/rules/proposals/rule_1", data={**data, "csrf": csrf}).status_code == 303
    assert "they are fine" in client.get("/rules").text
    assert client.post("/rules/proposals/rule_1", data={**data, "csrf": csrf, "do": "decline"}).status_code == 303
    assert house.ask("SELECT status FROM rule_proposals") == [("declined",)]


def test_no_text_of_the_page_is_said_twice_or_in_one_language_only() -> None:
    assert not set(TEXTS) & set(OTHER_TEXTS)
    assert [key for key, both in {**TEXTS, **OTHER_TEXTS}.items() if not all(both)] == []
