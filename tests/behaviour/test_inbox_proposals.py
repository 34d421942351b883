"""What is proposed to be remembered about a person waits on his own page for his word, and for nobody else's."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient

from memory.model import Message, Proposal, Remembered, Slot
from memory.scope import Scope
from memory.service import Memory
from tests.support.house import House
from tests.support.pages import another, page, sign_in

SUNDAY = datetime(2026, 8, 2, 12, tzinfo=UTC)
SUNDAYS = ("这个月的花销是不是太多了？", "怎么存钱比较好？", "基金还要不要继续买？", "帮我看看信用卡账单")


@pytest.fixture
def client(staffed_house: House, tmp_path: Path) -> Iterator[TestClient]:
    house = staffed_house.copy(tmp_path / "copy")
    with page(house, embedder="none") as found:
        yield found
    house.close()


def _pattern(client: TestClient) -> tuple[Memory, Scope, Remembered]:
    """A habit that reflection found in four Sundays of wang's."""
    frame = client.app.state.frame
    memory, scope = frame.office.services.memory(), Scope.user(frame.tenant, "wang")
    for week, text in enumerate(SUNDAYS):
        at = SUNDAY + timedelta(weeks=week)
        memory.observe(scope, [Message(f"m{week}", f"w{week}", "user", text, at)], now=at)
    memory.reflect(scope, zone=ZoneInfo("UTC"), now=SUNDAY + timedelta(weeks=4))
    (proposed,) = memory.waiting(scope)
    return memory, scope, proposed


def test_a_pattern_is_accepted_in_the_persons_own_words(client: TestClient) -> None:
    memory, scope, proposed = _pattern(client)
    csrf = sign_in(client, "wang")
    shown = client.get("/memory").text
    assert "Waiting for your word (1)" in shown
    assert all(text in shown for text in SUNDAYS), "each of its sources is in sight"
    given = {"csrf": csrf, "do": "accept", "content": "每逢周日晚上看账"}
    assert client.post(f"/memory/{proposed.memory_id}/settle", data=given).status_code == 303
    assert [each.content for each in memory.current(scope)] == ["每逢周日晚上看账"]
    assert {event.actor for event in memory.history(scope, proposed.memory_id)} >= {"wang"}
    assert "Waiting for your word" not in client.get("/memory").text


def test_a_pattern_that_is_none_is_deleted_and_not_proposed_again(client: TestClient) -> None:
    memory, scope, proposed = _pattern(client)
    csrf = sign_in(client, "wang")
    answer = client.post(f"/memory/{proposed.memory_id}/settle", data={"csrf": csrf, "do": "refuse"})
    assert answer.status_code == 303
    assert memory.waiting(scope) == memory.current(scope) == []
    assert memory.reflect(scope, zone=ZoneInfo("UTC"), now=SUNDAY + timedelta(weeks=5)) == []


def test_a_change_is_shown_beside_what_it_would_replace(client: TestClient) -> None:
    frame = client.app.state.frame
    memory, scope = frame.office.services.memory(), Scope.user(frame.tenant, "wang")
    for number, drink in enumerate(("咖啡", "茶")):
        at = SUNDAY + timedelta(days=number)
        said = Message(f"c{number}", "talk", "user", f"我喝{drink}", at)
        proposal = Proposal(
            verb="add",
            content=f"我喝{drink}",
            quote=f"我喝{drink}",
            kind="semantic",
            category="preference",
            importance="normal",
            confidence=0.9,
            rule="told",
            slot=Slot("user", "drink"),
            value=drink,
        )
        memory.apply(scope, said, [proposal], now=at)
    (tea,) = memory.waiting(scope)
    csrf = sign_in(client, "wang")
    assert '<del class="soft">我喝咖啡</del> → 我喝茶' in client.get("/memory").text
    assert client.post(f"/memory/{tea.memory_id}/settle", data={"csrf": csrf, "do": "accept"}).status_code == 303
    assert [each.content for each in memory.current(scope)] == ["我喝茶"]


@pytest.mark.parametrize("name", ["chen", "lin", "root"])
def test_nobody_else_says_what_is_so_about_a_person(client: TestClient, name: str) -> None:
    memory, scope, proposed = _pattern(client)
    csrf = sign_in(client, name)
    for said in ("accept", "refuse"):
        data = {"csrf": csrf, "do": said, "user": "wang"}
        assert client.post(f"/memory/{proposed.memory_id}/settle", data=data).status_code == 404
    assert memory.waiting(scope) == [proposed]
    if name != "lin":
        shown = another(client)
        sign_in(shown, name)
        seen = shown.get("/memory?user=wang").text
        assert "Waiting for the person" in seen
        assert "/settle" not in seen


def test_a_proposal_is_not_settled_without_the_token_of_a_page(client: TestClient) -> None:
    memory, scope, proposed = _pattern(client)
    sign_in(client, "wang")
    assert client.post(f"/memory/{proposed.memory_id}/settle", data={"do": "accept"}).status_code == 403
    assert memory.waiting(scope) == [proposed]
