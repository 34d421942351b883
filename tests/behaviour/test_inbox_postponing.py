"""What somebody puts off leaves the queue until its day, comes back by itself, and is never forgotten for it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from foundation.clock import utc_now
from tests.support.house import House, assert_whole, build_house
from tests.support.pages import add_people, audited, page, sign_in


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two doubtful invoices that lin brought in."""
    doubts = ("unknown_seller", "unknown_seller")
    house = build_house(tmp_path_factory.mktemp("waiting") / "house", clean=0, doubtful=doubts)
    audited(house, submitter="lin")
    add_people(house, chen="manager", wang="reviewer", lin="submitter")
    yield house
    house.close()


@pytest.fixture
def house(waiting: House, tmp_path: Path) -> Iterator[House]:
    copy = waiting.copy(tmp_path / "copy")
    yield copy
    copy.close()


def _reviews(house: House) -> list[str]:
    return [row[0] for row in house.ask("SELECT review_id FROM reviews ORDER BY review_id")]


def _given(csrf: str, *, days: int = 1, reason: str = "the contract comes on Friday") -> dict[str, str]:
    return {"csrf": csrf, "until": (utc_now() + timedelta(days=days)).date().isoformat(), "reason": reason}


def test_what_is_put_off_is_out_of_the_queue_and_of_its_groups_until_its_day(house: House) -> None:
    review_id, other = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "wang")
        assert client.post(f"/reviews/{review_id}/postpone", data=_given(csrf)).status_code == 303
        assert review_id not in client.get("/").text
        assert other in client.get("/").text
        assert review_id in client.get("/?status=postponed").text
        assert 'id="waits">1<' in client.get("/").text
        ((rule, party),) = house.ask("SELECT rule, party FROM reviews WHERE review_id = ?", review_id)
        assert review_id not in client.get(f"/groups/one?rule={rule}&party={party}&currency=CNY").text
        assert "wang put it off until" in client.get(f"/reviews/{review_id}").text
        assert "the contract comes on Friday" in client.get(f"/reviews/{review_id}").text, "the history says why"
        house.change("UPDATE postponements SET until = '2026-01-01 00:00:00.000000'")
        assert review_id in client.get("/").text
        assert review_id not in client.get("/?status=postponed").text
    assert_whole(house)


def test_what_is_due_is_not_hidden_and_what_is_put_off_can_be_decided(house: House) -> None:
    review_id, other = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "wang")
        for one in (review_id, other):
            assert client.post(f"/reviews/{one}/postpone", data=_given(csrf, days=60)).status_code == 303
        house.change("UPDATE reviews SET due_at = '2026-01-01 00:00:00.000000' WHERE review_id = ?", review_id)
        assert review_id in client.get("/").text
        assert client.post(f"/reviews/{other}/decision", data={"csrf": csrf, "kind": "approve"}).status_code == 303
        assert other not in client.get("/?status=postponed").text
    assert house.statuses() == {"booked": 1, "waiting": 1}


def test_an_answer_or_a_second_thought_brings_it_back(house: House) -> None:
    review_id, other = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, "wang")
        client.app.state.frame.office.decide(review_id, "respond", by="wang", reason="which project?")
        for one in (review_id, other):
            assert client.post(f"/reviews/{one}/postpone", data=_given(csrf)).status_code == 303
        assert client.post(f"/reviews/{other}/postpone", data={"csrf": csrf}).status_code == 303
        assert other in client.get("/").text
        lin = sign_in(client, "lin")
        assert client.post(f"/questions/{review_id}", data={"csrf": lin, "text": "project 7"}).status_code == 303
        sign_in(client, "wang")
        assert review_id in client.get("/").text
    assert house.log_lines("brought back") == 2


@pytest.mark.parametrize(
    ("name", "given", "status"),
    [
        ("wang", {"days": -1}, 422),
        ("wang", {"days": 91}, 422),
        ("wang", {"reason": " "}, 422),
        ("lin", {}, 403),
    ],
)
def test_putting_off_takes_a_day_within_reach_a_reason_and_somebody_who_may_decide(
    house: House, name: str, given: dict[str, int | str], status: int
) -> None:
    review_id, _ = _reviews(house)
    with page(house) as client:
        csrf = sign_in(client, name)
        assert client.post(f"/reviews/{review_id}/postpone", data=_given(csrf, **given)).status_code == status
        without = {**_given(csrf), "csrf": ""}
        assert client.post(f"/reviews/{review_id}/postpone", data=without).status_code == 403
    assert house.ask("SELECT count(*) FROM postponements") == [(0,)]
